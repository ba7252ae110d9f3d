"""Bodies whose root is free above a floor."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.ik._body import Body, free_body
from motionloom.ik.placing import Placing, root_placing, world_pose
from motionloom.ik.prior import make_prior
from motionloom.ik.problem import Target, make_problem
from motionloom.ik.rig import measure_floor
from motionloom.ik.solve import PoseSolver
from motionloom.ik.standing import balanced_place, centre_of_mass, plan_footwork
from motionloom.jacobian_kernels import make_stance, run
from motionloom.polygons import convex_hull, distance_outside
from motionloom.spaces import fit_pose_space
from performed import performer_clips

CLIPS = [clip.motion for clip in performer_clips()[:6]]
ORIGIN = Placing(np.zeros(3), rot.identity())


@pytest.fixture(scope="module", params=["euler", "exponential"])
def space(request):
    return fit_pose_space(CLIPS, kind=request.param)


@pytest.fixture(scope="module")
def solver(space):
    return PoseSolver(space, free=True)


def standing(space):
    row = space.footing.standing
    return np.concatenate([space.poses[row], space.footing.root[row]])


def places_of(body, pose):
    stance = make_stance(body.rig)
    run(body.rig, pose, stance)
    return stance


def test_a_free_root_is_the_placing_of_the_same_pose(space):
    body = free_body(space)
    rng = np.random.default_rng(0)
    pose = standing(space) + 0.2 * rng.standard_normal(body.size)
    placing = root_placing(space, pose[-6:], ORIGIN)
    world = world_pose(space, pose[:-6], placing)
    np.testing.assert_allclose(places_of(body, pose).place, world.positions[0], atol=1e-9)


@pytest.mark.parametrize("kind", ["position", "facing", "balance"])
def test_rows_of_a_free_root_are_finite_differences(space, kind):
    body = free_body(space)
    joint = space.roles.joints["right_hand"] if kind == "position" else space.coordinates.root
    target = Target(joint, kind, (0.9, 0.1, 0.3), (0.6, 0.1, 0.2))
    rng = np.random.default_rng(1)
    pose = standing(space) + 0.2 * rng.standard_normal(body.size)
    problem = make_problem(body, [target], pose)
    jacobian = problem.evaluate(pose)[1]
    h = 1e-6
    for p in range(body.size):
        step = h * (np.arange(body.size) == p)
        slope = (problem.evaluate(pose - step)[0] - problem.evaluate(pose + step)[0]) / (2 * h)
        np.testing.assert_allclose(jacobian[:, p], slope, atol=1e-7)


def test_heights_above_the_floor_and_their_slopes(space):
    body = free_body(space)
    rng = np.random.default_rng(2)
    pose = standing(space) + 0.1 * rng.standard_normal(body.size)
    gap = np.zeros((2, len(body.floor.joint)))
    rows = np.zeros((2, len(body.floor.joint), body.size))
    count, lowest = measure_floor(
        body.rig, body.floor, places_of(body, pose), 10.0, gap[0], rows[0]
    )
    assert count == len(body.floor.joint)
    assert lowest == gap[0].min()
    for p in rng.choice(body.size, 12, replace=False):
        step = 1e-6 * (np.arange(body.size) == p)
        stance = places_of(body, pose + step)
        measure_floor(body.rig, body.floor, stance, 10.0, gap[1], rows[1])
        np.testing.assert_allclose((gap[1] - gap[0]) / 1e-6, rows[0][:, p], atol=1e-5)


def test_a_low_target_brings_the_hips_down_and_nothing_into_the_floor(space, solver):
    start = standing(space)
    body = solver.body
    stance = places_of(body, start)
    hand = space.roles.joints["right_hand"]
    feet = [space.roles.joints[f"{side}_foot"] for side in ("left", "right")]
    targets = [Target(hand, "position", (-0.2, 0.4, 0.4))]
    targets += [Target(j, "position", stance.place[j].copy()) for j in feet]
    result = solver.solve(targets, start)
    assert result.reached
    assert result.pose[-5] < start[-5] - 0.05
    gap, rows = np.zeros(len(body.floor.joint)), np.zeros((len(body.floor.joint), body.size))
    stance = places_of(body, result.pose)
    assert measure_floor(body.rig, body.floor, stance, 0.0, gap, rows)[1] > -0.001
    assert (body.clamp(result.pose) == result.pose).all()


def test_numbers_that_are_fixed_stay(space, solver):
    start = standing(space)
    fixed = np.zeros(len(start), bool)
    fixed[[-6, -4]] = True
    hand = space.roles.joints["right_hand"]
    target = [Target(hand, "position", (-0.3, 1.0, 0.5))]
    held = solver.solve(target, start, fixed=fixed)
    assert held.reached
    np.testing.assert_array_equal(held.pose[fixed], start[fixed])


def test_where_the_targets_are_on_the_ground_makes_no_difference_to_what_is_likely(space):
    prior = make_prior(space, free_body(space))
    start = standing(space)
    nothing = np.zeros(len(start), bool)
    joints = [space.roles.joints[r] for r in ("right_hand", "left_foot", "right_foot")]
    stance = places_of(free_body(space), start)
    turn = rot.yaw(0.8)
    shift = np.array([2.0, 0.0, -1.0])
    means = []
    for carried in (False, True):
        values = [stance.place[j] for j in joints]
        if carried:
            values = [rot.rotate(turn, v) + shift for v in values]
        targets = [Target(j, "position", v) for j, v in zip(joints, values, strict=True)]
        means.append(prior.near(make_problem(free_body(space), targets).aims, nothing).mean)
    np.testing.assert_allclose(means[1][:-6], means[0][:-6], atol=1e-9)
    np.testing.assert_allclose(means[1][-5], means[0][-5], atol=1e-9)
    np.testing.assert_allclose(
        means[1][-6:-3], rot.rotate(turn, means[0][-6:-3]) + shift, atol=1e-6
    )


def test_a_body_without_captures_makes_a_problem_whose_wishes_are_no_layer(space):
    body = Body(space.coordinates, space.lower, space.upper)
    hand, foot = (space.roles.joints[r] for r in ("right_hand", "left_foot"))
    targets = [
        Target(hand, "position", (0.1, 0.2, 0.3), priority=2),
        Target(foot, "orientation", (1, 0, 0, 0), wish=0.1),
    ]
    problem = make_problem(body, targets)
    residual, jacobian = problem.evaluate(problem.start)
    assert jacobian.shape == (len(residual), body.size)
    assert not problem.layered
    asked = replace(targets[1], wish=0.0)
    assert make_problem(body, [targets[0], asked]).layered
    assert problem.seeds is None


def test_feet_that_stand_are_planted_unless_they_are_asked_for(space):
    row = space.footing.standing
    placing = root_placing(space, space.footing.root[row], ORIGIN)
    left, right = (space.roles.joints[f"{side}_foot"] for side in ("left", "right"))
    both = plan_footwork(space, space.poses[row], placing, [])
    assert {t.joint for t in both.planted} == {left, right}
    assert all(t.wish > 0 for t in both.wishes)
    kick = Target(left, "position", (0.1, 0.6, 0.5))
    one = plan_footwork(space, space.poses[row], placing, [kick])
    assert {t.joint for t in one.planted} == {right}
    assert not plan_footwork(space, space.poses[row], placing, [], planted=False).planted
    lifted = replace(placing, place=placing.place + np.array([0.0, 0.5, 0.0]))
    assert not plan_footwork(space, space.poses[row], lifted, []).planted


def test_support_is_the_hull_of_what_stands():
    places = np.array([[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1], [0.4, 0, 0.5]], float)
    corners = convex_hull(places[:, [0, 2]])
    assert len(corners) == 4
    assert distance_outside(corners, np.array([0.5, 0.5])) == pytest.approx(-0.5)
    assert distance_outside(corners, np.array([1.5, 0.5])) == pytest.approx(0.5)
    assert balanced_place(corners, np.array([0.5, 0.5])) is None
    near = balanced_place(corners, np.array([2.0, 0.5]))
    assert near is not None
    assert distance_outside(corners, near) < 0


def test_the_centre_of_mass_goes_where_it_is_asked_to(space, solver):
    start = standing(space)
    stance = places_of(solver.body, start)
    feet = [space.roles.joints[f"{side}_foot"] for side in ("left", "right")]
    targets = [Target(j, "position", stance.place[j].copy()) for j in feet]
    wanted = centre_of_mass(
        space, world_pose(space, start[:-6], root_placing(space, start[-6:], ORIGIN))
    ) + np.array([0.05, 0.0, 0.04])
    balance = Target(space.coordinates.root, "balance", wanted)
    pose = solver.solve([*targets, balance], start).pose
    found = centre_of_mass(
        space, world_pose(space, pose[:-6], root_placing(space, pose[-6:], ORIGIN))
    )
    np.testing.assert_allclose(found[[0, 2]], wanted[[0, 2]], atol=2e-3)
