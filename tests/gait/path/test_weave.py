"""Gait on planned footprints."""

import numpy as np
import pytest

from motionloom.gait.path._lay import lay, plan_gait, plant
from motionloom.gait.path.tables.table import world_of
from motionloom.gait.path.way.timing import passing, steady
from motionloom.gait.report import lowest_point, stance_speeds
from motionloom_evaluation.gait.bends import Bend, route_of_bends

FPS = 60.0
U_TURN = [Bend(2.0), Bend(angle=180.0, radius=1.0, lead=0.4), Bend(2.0)]


def _along(table, bends, speed):
    route = route_of_bends(bends)
    return plant(
        lay(plan := plan_gait(table, route, steady(speed, route.length / speed, FPS))), plan
    )


@pytest.mark.parametrize(
    ("bends", "speed"), [([Bend(5.0)], 1.3), (U_TURN, 1.2), ([Bend(8.0)], 3.0)]
)
def test_feet_that_stand_do_not_slide_nor_sink(table, bends, speed):
    woven = _along(table, bends, speed)
    slow = [s.speed for s in stance_speeds(woven.posed, table.body.soles, woven.down)]
    assert len(slow) > 4
    assert max(slow) < 0.15
    assert lowest_point(woven.posed, table.body.soles) < 1e-3


def test_the_body_stays_on_its_way_and_leans_into_the_turn(table):
    woven = _along(table, U_TURN, 1.2)
    hips = woven.posed.hips[:, [0, 2]]
    assert np.linalg.norm(hips - woven.plan.way.stand.ground, axis=1).mean() < 0.05
    assert woven.plan.way.leans.max() > np.radians(4.0)
    # A left turn: the head is farther left than the hips, who face along the way.
    middle = woven.posed.n_frames // 2
    head = woven.posed.positions[middle, table.body.roles.joints["head"]]
    left, _, _ = woven.plan.way.stand.inverse().apply(head)[middle]
    assert left > 0.02


def test_footprints_are_moved_out_of_a_turn(table):
    route = route_of_bends([Bend(angle=170.0, radius=1.5)])
    plan = plan_gait(table, route, steady(1.4, route.length / 1.4, FPS))
    centre = np.array([1.5, 0.0])
    own = [
        np.linalg.norm(
            steps.prints[(steps.middles > 30) & (steps.middles < 100), :2] - centre, axis=1
        )
        for steps in plan.steps
    ]
    # Both feet would be evenly on both sides of the way without a lean.
    assert np.mean([own[0].mean(), own[1].mean()]) > 1.55


def test_bones_keep_their_length_and_knees_bend_forwards(table):
    woven = _along(table, U_TURN, 1.2)
    for leg in table.legs.values():
        thigh = woven.posed.positions[:, leg.middle] - woven.posed.positions[:, leg.root]
        assert np.ptp(np.linalg.norm(thigh, axis=1)) < 1e-9
        ahead = woven.plan.way.stand.ahead
        middle = 0.5 * (woven.posed.positions[:, leg.root] + woven.posed.positions[:, leg.tip])
        knee = (woven.posed.positions[:, leg.middle] - middle)[:, [0, 2]]
        assert np.sum(knee * ahead, axis=1).min() > -0.02


def test_feet_alternate_and_stand_on_their_prints(table):
    woven = _along(table, [Bend(6.0)], 1.3)
    for foot, steps in enumerate(woven.plan.steps):
        assert np.all(np.diff(steps.number) >= 0)
        within = (steps.middles >= 0) & (steps.middles < woven.posed.n_frames)
        gaps = np.diff(steps.prints[within, 1])
        assert np.allclose(gaps, gaps.mean(), atol=1e-3)
        tip = list(table.legs.values())[foot].tip
        flat = np.abs(steps.share - 0.25) < 0.02
        ankle = woven.posed.positions[flat, tip]
        assert np.allclose(ankle[:, [0, 2]], steps.prints[steps.number[flat], :2], atol=0.01)


def test_speed_asked_is_speed_made(table):
    woven = _along(table, [Bend(7.0)], 1.4)
    hips = woven.posed.hips
    made = np.polyfit(woven.posed.motion.times, hips[:, 2], 1)[0]
    assert made == pytest.approx(1.4, rel=0.02)


def test_a_body_starts_and_stops_on_both_feet(table):
    route = route_of_bends([Bend(4.0)])
    woven = plant(
        lay(plan := plan_gait(table, route, passing([0, 4], [1.5, 5], round(7 * FPS), FPS))), plan
    )
    assert woven.down[0].all()
    assert woven.down[-1].all()
    assert woven.down.any(axis=1).all()
    still = np.abs(np.diff(woven.posed.positions[-10:], axis=0)).max()
    assert still < 1e-4
    slow = [s.speed for s in stance_speeds(woven.posed, table.body.soles, woven.down)]
    assert max(slow) < 0.1


def test_a_stand_becomes_a_run_and_a_stand_again(table):
    route = route_of_bends([Bend(14.0)])
    woven = plant(
        lay(plan := plan_gait(table, route, passing([0, 14], [2, 7], round(9 * FPS), FPS))), plan
    )
    assert woven.plan.way.speeds.max() > 2.5
    flight = ~woven.down.any(axis=1)
    assert flight.any()
    assert woven.down[0].all()
    assert woven.down[-1].all()
    assert woven.drop.max() < 0.15


def test_the_standing_node_stands(table):
    world = world_of(table.body, table.rotations[0, :1], table.deviations[0, :1])
    hips = world.positions[0, [leg.root for leg in table.legs.values()], 1]
    assert hips.mean() == pytest.approx(0.985 * table.body.hip_height, rel=1e-6)
