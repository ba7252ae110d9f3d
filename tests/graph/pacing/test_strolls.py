"""Walks that are slowed far: arrived, and walked all the way?"""

from types import SimpleNamespace

import numpy as np
import pytest

from motionloom.constraints.kinds.measures import ConstraintError
from motionloom.graph.pacing._retime import doubt_of, has_strolls
from motionloom.graph.pacing.plan import PacedLeg, TimeMap
from motionloom.synthesis.generator import Draft

FRAMES, FPS = 121, 30.0


def _times(pace):
    leg = PacedLeg(0.0, 2.0, pace**0.5, pace**0.5)
    ones = np.ones(FRAMES)
    return TimeMap(np.arange(FRAMES, dtype=float), ones, (leg,), ones)


def _draft(flight=(), *errors):
    down = np.ones((FRAMES, 2), bool)
    for begin, end in [flight] if flight else []:
        down[begin:end] = False
    return Draft(None, contacts=SimpleNamespace(down=down), errors=errors)


def test_strolls_are_slower_than_any_gait_may_be():
    assert has_strolls(_times(0.7))
    assert not has_strolls(_times(0.9))
    assert not has_strolls(None)


@pytest.mark.parametrize(
    ("flight", "pace", "frames"),
    [((10, 20), 0.7, 10), ((10, 13), 0.7, 0), ((80, 100), 0.7, 0), ((10, 20), 0.9, 0)],
)
def test_flights_count_in_strolls_alone_and_a_missed_contact_is_none(flight, pace, frames):
    assert doubt_of(_draft(flight), _times(pace), FPS) == (1.0, frames)


@pytest.mark.parametrize(
    ("metres", "degrees", "miss"), [(0.1, 5.0, 1), (0.5, 0.0, 2), (0.1, 45, 3)]
)
def test_who_has_not_arrived_is_doubtful(metres, degrees, miss):
    there = ConstraintError("body", 1, 60, metres, degrees)
    hand = ConstraintError("joint", 0, 60, 9.0)
    assert doubt_of(_draft((), there, hand), None, FPS) == (pytest.approx(miss), 0)
