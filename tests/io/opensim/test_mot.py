"""MOT files: what OpenSim reads is written."""

import numpy as np
import pytest

from motionloom.errors import InvalidInputError
from motionloom.io.opensim.angles import MotTable, write_mot
from motionloom_evaluation.markers.mot import read_mot


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
