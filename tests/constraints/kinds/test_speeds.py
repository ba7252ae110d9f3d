"""Speeds along a path."""

import numpy as np
import pytest

from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.paths import follow
from motionloom.constraints.kinds.speeds import SpeedConstraint, schedule
from motionloom.errors import InvalidInputError
from motionloom.synthesis.driver import synthesize


def _speed(begin, end, speed):
    return SpeedConstraint(begin=begin, end=end, speed=speed)


def test_within_a_span_the_speed_is_as_asked_and_elsewhere_the_path_is_made_up():
    times, along = schedule(11.0, 1.0, 9.0, [_speed(3.0, 6.0, 1.8)], True)
    assert (times[0], times[-1]) == (1.0, 9.0)
    assert (along[0], along[-1]) == pytest.approx((0.0, 11.0))
    inside = np.interp([3.0, 6.0], times, along)
    assert np.diff(inside)[0] == pytest.approx(3 * 1.8, rel=1e-3)
    assert np.all(np.diff(along) >= 0)


def test_spans_that_meet_change_at_once():
    asked = [_speed(5.0, 10.0, 1.6), _speed(0.0, 5.0, 0.8)]
    times, along = schedule(12.0, 0.0, 10.0, asked, True)
    assert np.interp(5.0, times, along) == pytest.approx(4.0, abs=0.05)


def test_a_path_without_an_end_is_over_when_its_speed_says_so():
    times, along = schedule(6.0, 0.0, 10.0, [_speed(0.0, 10.0, 0.8)], False)
    assert times[-1] == pytest.approx(7.5, abs=0.01)
    assert along[-1] == 6.0


@pytest.mark.parametrize(("speed", "ends"), [(0.8, True), (0.3, False)])
def test_speeds_that_ask_for_another_length_are_refused(speed, ends):
    with pytest.raises(InvalidInputError, match=r"it is 6\.0 m long"):
        schedule(6.0, 0.0, 10.0, [_speed(0.0, 10.0, speed)], ends)


def test_paths_are_followed_at_the_speeds():
    path = {"points": [(0, 0), (0, 12)]}
    speeds = [{"from": 0, "to": 5, "speed": 0.8}, {"from": 5, "to": 10, "speed": 1.6}]
    asked = ConstraintSet(duration=10.0, fps=30, paths=[path], speeds=speeds)
    frames, way = follow(asked.paths[0], asked)
    assert len(frames) == asked.n_frames
    assert way.z[150] == pytest.approx(4.0, abs=0.05)
    assert way.z[-1] == pytest.approx(12.0)


def test_who_cannot_honour_speeds_refuses_them_by_name(performed):
    speeds = [{"from": 0, "to": 1, "speed": 0.8}]
    asked = ConstraintSet(duration=2.0, paths=[{"points": [(0, 0), (0, 1)]}], speeds=speeds)
    with pytest.raises(InvalidInputError, match="speeds: graph cannot honour this"):
        synthesize(performed, asked)
