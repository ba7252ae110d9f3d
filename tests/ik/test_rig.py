"""Compiled kinematics against the library's own, and their Jacobians against finite differences."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.ik.problem import LEVER, IkOptions, PoseProblem, Target, make_problem
from motionloom.ik.rig import make_rig
from motionloom.jacobian_kernels import make_stance, run
from motionloom.jacobians import compute_world_axes
from motionloom.kinematics import forward_kinematics
from motionloom.spaces.pose_space import PoseSpace, fit_pose_space
from performed import performer_clips


@pytest.fixture(scope="module", params=["euler", "exponential"])
def space(request) -> PoseSpace:
    """Pose space of the built-in performer."""
    return fit_pose_space([clip.motion for clip in performer_clips()[:6]], kind=request.param)


def test_kinematics_are_those_of_the_library(space):
    rig = make_rig(space.coordinates)
    stance = make_stance(rig)
    poses = space.poses[::97]
    motion = space.coordinates.to_motion(poses)
    world = forward_kinematics(motion)
    root = space.coordinates.root
    for t, pose in enumerate(poses):
        run(rig, pose, stance)
        np.testing.assert_allclose(
            stance.place, world.positions[t] - world.positions[t, root], atol=1e-9
        )
        np.testing.assert_allclose(stance.turn, rot.to_matrix(world.rotations[t]), atol=1e-9)


def problem_of(space: PoseSpace, targets: list[Target]) -> PoseProblem:
    return make_problem(space, targets, options=IkOptions())


@pytest.mark.parametrize("kind", ["position", "orientation"])
def test_jacobians_are_finite_differences(space, kind):
    rng = np.random.default_rng(1)
    hand, foot = space.roles.joints["right_hand"], space.roles.joints["left_foot"]
    value = [0.1, 0.2, 0.3] if kind == "position" else rot.normalize([1.0, 0.2, -0.1, 0.3])
    targets = [Target(hand, kind, value, (0.02, -0.05, 0.01)), Target(foot, kind, value)]
    problem = problem_of(space, targets)
    pose = space.mean + 0.2 * rng.standard_normal(space.coordinates.size)
    residual, jacobian = problem.evaluate(pose)
    h = 1e-6
    for p in range(len(pose)):
        step = h * (np.arange(len(pose)) == p)
        slope = (problem.evaluate(pose + step)[0] - problem.evaluate(pose - step)[0]) / (2 * h)
        if kind == "position":
            np.testing.assert_allclose(jacobian[:, p], -slope, atol=1e-7)
    if (
        kind == "orientation"
    ):  # the axis lacking turns too, so the rate is exact only near the target
        near = rot.to_matrix(rot.from_rotvec([0.0, 0.0, 0.0]))
        assert near.shape == (3, 3)
        step = 1e-4 * rng.standard_normal(len(pose))
        stance = make_stance(problem.rig)
        run(problem.rig, pose, stance)
        wanted = [rot.from_matrix(stance.turn[j]) for j in (hand, foot)]
        here = problem_of(
            space, [Target(j, kind, q) for j, q in zip((hand, foot), wanted, strict=True)]
        )
        np.testing.assert_allclose(here.evaluate(pose)[0], 0.0, atol=1e-9)
        np.testing.assert_allclose(
            here.evaluate(pose + step)[0], -here.evaluate(pose)[1] @ step, atol=1e-7
        )
    assert residual.shape == (6,)


def test_rows_of_solvers_are_those_of_the_general_jacobian(space):
    """With the body's root at the origin, unturned, both are in the same coordinates."""
    hand = space.roles.joints["right_hand"]
    point = (0.02, -0.05, 0.01)
    pose = space.mean + 0.2 * np.random.default_rng(2).standard_normal(space.coordinates.size)
    rows = problem_of(space, [Target(hand, "position", (0.1, 0.2, 0.3), point)]).evaluate(pose)[1]
    values = space.coordinates.to_values(pose[None])
    world = compute_world_axes(space.coordinates.coordinates, values)
    general = world.position_jacobian(hand, point)[0][:, space.coordinates.columns]
    np.testing.assert_allclose(rows, general, atol=1e-12)
    turned = problem_of(space, [Target(hand, "orientation", rot.identity())]).evaluate(pose)[1]
    general = world.orientation_jacobian(hand)[0][:, space.coordinates.columns]
    np.testing.assert_allclose(turned, LEVER * general, atol=1e-12)


def test_a_gaze_is_made_good_by_its_jacobian(space):
    head = space.roles.joints["head"]
    pose = space.mean
    problem = problem_of(space, [Target(head, "gaze", (0.5, 0.7, 1.5), (0.0, 0.0, 1.0))])
    for _ in range(8):
        residual, jacobian = problem.evaluate(pose)
        pose = pose + np.linalg.lstsq(jacobian, residual, rcond=None)[0]
    assert problem.errors(pose)[0] < 1e-6
    stance = make_stance(problem.rig)
    run(problem.rig, pose, stance)
    line = np.array([0.5, 0.7, 1.5]) - stance.place[head]
    np.testing.assert_allclose(
        stance.turn[head] @ [0, 0, 1], line / np.linalg.norm(line), atol=1e-6
    )


def test_half_a_turn_is_seen(space):
    head = space.roles.joints["head"]
    stance = make_stance(make_rig(space.coordinates))
    run(make_rig(space.coordinates), space.mean, stance)
    opposite = rot.multiply(rot.from_rotvec([0.0, np.pi, 0.0]), rot.from_matrix(stance.turn[head]))
    error = problem_of(space, [Target(head, "orientation", opposite)]).errors(space.mean)
    np.testing.assert_allclose(error, np.pi, atol=1e-6)
    assert LEVER > 0


def test_a_prompt_shows_a_few_lines(space):
    text = repr(space)
    assert text.startswith(f"<PoseSpace: {len(space.poses)} poses")
    assert len(text) < 400
    assert "array" not in text
