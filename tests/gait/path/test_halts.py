"""Halts: feet come beside each other under the body, and walking goes on without a flight."""

import numpy as np
import pytest

from motionloom.gait.path._lay import lay, plan_gait, plant
from motionloom.gait.path.way.timing import passing
from motionloom_evaluation.gait.bends import Bend, route_of_bends

FPS = 60.0


@pytest.fixture(scope="module")
def halted(table):
    """Walks for four seconds, stands for four, walks on."""
    route = route_of_bends([Bend(length=8.0)])
    timing = passing([0, 4, 4, 8], [0.0, 4.0, 8.0, 12.0], round(12 * FPS), FPS)
    return plant(lay(plan := plan_gait(table, route, timing)), plan)


def test_the_other_foot_follows(table, halted):
    tips = [leg.tip for leg in table.legs.values()]
    feet = halted.posed.positions[round(6.5 * FPS), tips]
    hips = halted.posed.hips[round(6.5 * FPS)]
    assert abs(feet[0, 2] - feet[1, 2]) < 0.08
    assert np.abs(feet[:, 2].mean() - hips[2]) < 0.15
    heights = halted.posed.positions[round(4.3 * FPS) : round(5.6 * FPS), tips, 1]
    assert np.ptp(heights, axis=0).max() > 0.02


def test_who_goes_on_does_not_fly(halted):
    assert halted.down[round(3 * FPS) : round(10 * FPS)].any(axis=1).all()
    assert halted.drop.max() < 0.1


def test_a_short_stop_has_no_last_step(table):
    route = route_of_bends([Bend(length=4.0)])
    timing = passing([0, 4], [0.0, 4.0], round(5 * FPS), FPS)
    woven = plant(lay(plan := plan_gait(table, route, timing)), plan)
    assert woven.down[round(4.6 * FPS) :].all()
