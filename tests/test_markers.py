import numpy as np
import pytest

from motionloom.errors import InvalidInputError
from motionloom.markers import MarkerSequence


def sequence(**changes):
    values = {
        "labels": ("LASI", "RASI"),
        "positions": np.ones((3, 2, 3)),
        "valid": np.array([[True, True], [True, False], [True, True]]),
        "frame_time": 0.01,
    }
    return MarkerSequence(**{**values, **changes})


def test_what_was_not_seen_holds_zero_even_if_it_was_nan():
    positions = np.ones((3, 2, 3))
    positions[1, 1] = np.nan
    markers = sequence(positions=positions)
    assert np.all(markers.positions[1, 1] == 0.0)
    assert np.isnan(positions[1, 1]).all()
    with pytest.raises(ValueError, match="read-only"):
        markers.valid[0] = False


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"positions": np.ones((3, 1, 3))}, "positions must have shape"),
        ({"valid": np.ones((3, 1), bool)}, "valid must have shape"),
        ({"frame_time": -1.0}, "positive number of seconds"),
        ({"positions": np.full((3, 2, 3), np.inf)}, "finite positions"),
    ],
)
def test_what_is_not_a_marker_sequence_is_refused(change, sentence):
    with pytest.raises(InvalidInputError, match=sentence):
        sequence(**change)


def test_unknown_marker_lists_what_is_there():
    assert sequence().index("RASI") == 1
    with pytest.raises(InvalidInputError, match="the file has: LASI, RASI"):
        sequence().index("C7")
