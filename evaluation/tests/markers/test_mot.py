"""What is no table of OpenSim's is refused."""

import pytest

from motionloom.errors import FormatError
from motionloom_evaluation.markers.mot import read_mot


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
