"""Who stands is alive."""

import numpy as np
import pytest

from motionloom.gait.path._lay import lay, plan_gait, plant
from motionloom.gait.path._standing import standing_share, sway_standing, waves
from motionloom.gait.path.way.timing import passing
from motionloom_evaluation.gait.bends import Bend, route_of_bends

FPS = 60.0


@pytest.fixture(scope="module")
def plan(table):
    route = route_of_bends([Bend(length=3.0)])
    return plan_gait(table, route, passing([0, 3], [4.0, 6.5], round(12 * FPS), FPS))


def test_hips_sway_as_in_quiet_standing_and_feet_stay(table, plan):
    woven = plant(sway_standing(lay(plan), plan, 3), plan)
    before = woven.posed.hips[: round(3 * FPS)]
    assert 0.001 < np.std(before[:, 0]) < 0.012
    assert np.linalg.norm(np.diff(before, axis=0), axis=1).max() * FPS < 0.06
    tip = table.legs["left_foot"].tip
    assert np.ptp(woven.posed.positions[: round(3 * FPS), tip], axis=0).max() < 1e-3
    head = woven.posed.positions[: round(3 * FPS), table.body.roles.joints["head"]]
    assert np.std(head[:, 2]) > 0.001


def test_who_walks_is_left_alone(plan):
    laid = lay(plan)
    swayed = sway_standing(laid, plan, 3)
    walks = plan.way.speeds > 0.3
    assert np.array_equal(laid.rotations[walks], swayed.rotations[walks])
    assert np.array_equal(laid.places[walks], swayed.places[walks])
    again = sway_standing(laid, plan, 3)
    assert np.array_equal(again.rotations, swayed.rotations)
    other = sway_standing(laid, plan, 4)
    assert not np.allclose(other.rotations, swayed.rotations, atol=1e-4)


def test_swaying_grows_and_dies_away_gently(plan):
    share = standing_share(plan.way.speeds, FPS)
    assert share[0] == pytest.approx(1.0)
    assert share.max() <= 1.0 + 1e-9
    assert np.abs(np.diff(share)).max() < 0.1


def test_waves_have_a_mean_square_of_one():
    times = np.arange(0, 2000, 0.1)
    signal = waves(np.random.default_rng(1), times, (0.1, 0.7))
    assert np.mean(signal**2) == pytest.approx(1.0, abs=0.05)
