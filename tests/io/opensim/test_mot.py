"""MOT files: what OpenSim reads comes back, and what is no table is refused."""

import numpy as np
import pytest

from motionloom.errors import FormatError, InvalidInputError
from motionloom.io.opensim.mot import MotTable, read_mot, write_mot


def test_what_is_written_comes_back(tmp_path):
    times = np.arange(5) / 100
    table = MotTable(times, {"knee_angle_r": np.linspace(-3, 70, 5), "pelvis_ty": np.full(5, 0.9)})
    write_mot(table, tmp_path / "a.mot")
    back = read_mot(tmp_path / "a.mot")
    assert list(back.columns) == ["knee_angle_r", "pelvis_ty"]
    assert back.in_degrees
    np.testing.assert_allclose(back.times, times, atol=1e-8)
    np.testing.assert_allclose(
        back.columns["knee_angle_r"], table.columns["knee_angle_r"], atol=1e-7
    )


def test_the_header_tells_rows_columns_and_unit(tmp_path):
    write_mot(MotTable(np.zeros(3), {"a": np.zeros(3)}, in_degrees=False), tmp_path / "a.mot")
    head = (tmp_path / "a.mot").read_text().split("endheader")[0]
    assert {"nRows=3", "nColumns=2", "inDegrees=no"} <= set(head.split())


def test_columns_must_fit_the_times(tmp_path):
    with pytest.raises(InvalidInputError, match="'a' has 2 values for 3 times"):
        write_mot(MotTable(np.zeros(3), {"a": np.zeros(2)}), tmp_path / "a.mot")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Coordinates\n1 2 3\n", "endheader"),
        ("Coordinates\nendheader\nframe a\n", "begin with 'time'"),
        ("Coordinates\nendheader\ntime a\n0 x\n", "a.mot:4: expected numbers"),
        ("Coordinates\nendheader\ntime a\n0 1 2\n", "expected 2 columns, found 3"),
    ],
)
def test_what_is_no_table_is_refused(tmp_path, text, said):
    (tmp_path / "a.mot").write_text(text)
    with pytest.raises(FormatError, match=said):
        read_mot(tmp_path / "a.mot")
