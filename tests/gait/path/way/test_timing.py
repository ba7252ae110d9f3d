"""When a body is where on its way."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.errors import InvalidInputError
from motionloom.gait.path.way.timing import STANDS, between_speeds, passing, steady


def test_a_steady_speed_is_one():
    timing = steady(1.5, 4.0, 30.0)
    assert timing.n_frames == 121
    assert timing.along[-1] == pytest.approx(6.0)


def test_a_way_over_all_the_time_is_walked_from_the_first_frame_to_the_last():
    timing = passing([0, 6], [0, 5], 151, 30.0)
    assert np.allclose(timing.speeds, 1.2, atol=1e-9)
    assert np.allclose(timing.along, 1.2 * timing.times, atol=0.02)


def test_with_time_left_a_body_starts_and_stops_gently_and_is_on_time_between():
    timing = passing([0, 6], [2, 7], 271, 30.0)
    assert timing.speeds[0] < STANDS
    assert timing.speeds[-1] < STANDS
    assert np.interp(4.5, timing.times, timing.along) == pytest.approx(3.0, abs=0.03)
    assert np.abs(np.diff(timing.speeds)).max() * 30.0 < 3.0


@given(
    first=st.floats(0, 3), last=st.floats(0, 3), length=st.floats(0.05, 20), time=st.floats(0.5, 6)
)
@settings(max_examples=50, deadline=None)
def test_between_two_speeds_the_whole_way_is_made_and_never_backwards(first, last, length, time):
    timing = between_speeds(first, last, length, time, 60.0)
    assert timing.along[-1] == pytest.approx(length, rel=1e-6)
    assert timing.speeds.min() >= 0
    assert np.all(np.diff(timing.along) >= -1e-12)


def test_between_two_speeds_it_begins_and_ends_with_them():
    timing = between_speeds(0.5, 1.5, 4.0, 4.0, 60.0)
    assert timing.speeds[[0, -1]] == pytest.approx([0.5, 1.5], abs=0.01)


def test_times_have_to_ascend():
    with pytest.raises(InvalidInputError, match="ascending"):
        passing([0, 1, 2], [0, 2, 2], 100, 30.0)
