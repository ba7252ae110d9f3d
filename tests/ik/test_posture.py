"""How a body holds itself where nobody asks."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.analysis.naturalness import fit_naturalness
from motionloom.constraints import ConstraintSet
from motionloom.ik._body import free_body
from motionloom.ik.placing import world_pose
from motionloom.ik.pose import find_pose
from motionloom.ik.prior import Gaussian, observed
from motionloom.ik.start import standing_start
from motionloom.spaces import fit_pose_space
from performed import performer_clips

CLIPS = [clip.motion for clip in performer_clips()]


@pytest.fixture(scope="module")
def space():
    return fit_pose_space(CLIPS, kind="exponential")


@pytest.fixture(scope="module")
def answer(space):
    """Solves for joint constraints from standing."""
    model = fit_naturalness(space, mixtures=False)

    def solve(*joints):
        wish = ConstraintSet.model_validate(
            {"duration": 1.0, "joints": [{"time": 0.0, **joint} for joint in joints]}
        )
        return find_pose(space, wish, standing_start(space), naturalness=model)

    return solve


def from_down(space, found, side):
    """Angle of an upper arm from straight down, degrees."""
    world = world_pose(space, found.pose, found.placing)
    shoulder, elbow = (space.roles.joints[f"{side}_{part}"] for part in ("shoulder", "elbow"))
    along = world.positions[0, elbow] - world.positions[0, shoulder]
    return float(np.degrees(np.arccos(-along[1] / np.linalg.norm(along))))


def test_arms_that_nobody_asks_about_hang_however_the_trunk_is_turned(space, answer):
    behind = answer({"joint": "head", "look_at": [2.0, 1.4, -1.2]})
    low = answer({"joint": "right_hand", "position": [-0.2, 0.45, 0.45]})
    assert behind.report.targets[0].reached
    assert max(from_down(space, behind, side) for side in ("left", "right")) < 40
    assert from_down(space, low, "left") < 40


def test_what_is_asked_symmetrically_is_done_so(space, answer):
    found = answer(
        {"joint": "left_hand", "position": [0.2, 0.6, 0.45]},
        {"joint": "right_hand", "position": [-0.2, 0.6, 0.45]},
    )
    world = world_pose(space, found.pose, found.placing)
    start = world_pose(space, found.start.pose, found.start.placing)
    for joint in (space.coordinates.root, space.roles.joints["chest"]):
        own = rot.rotate(rot.conjugate(start.rotations[0, joint]), [1.0, 0.0, 0.0])
        left = rot.rotate(world.rotations[0, joint], own)
        assert left[0] > np.cos(np.radians(8.0))


def test_hips_and_trunk_stay_where_an_arm_can_do_it(space, answer):
    start = standing_start(space)
    head = world_pose(space, start.pose, start.placing).positions[0, space.roles.joints["head"]]
    found = answer(
        {"joint": "right_hand", "position": (head + np.array([-0.16, -0.1, 0.2])).tolist()}
    )
    assert found.report.targets[0].reached
    assert np.linalg.norm(found.placing.place - start.placing.place) < 0.1


def test_who_only_walked_can_bend_the_hips_all_the_same(space):
    body = free_body(space)
    names = space.coordinates.names
    for side in ("left", "right"):
        hip = space.coordinates.skeleton.names[space.roles.joints[f"{side}_hip"]]
        own = [p for p, name in enumerate(names) if name.startswith(f"{hip}.")]
        span = np.maximum(-body.lower[own], body.upper[own])
        assert np.degrees(span.max()) > 85


def test_measured_numbers_narrow_a_gaussian_as_conditioning_does():
    rng = np.random.default_rng(0)
    root = rng.normal(size=(5, 5))
    spread, mean = root @ root.T, rng.normal(size=5)
    numbers, variance, values = np.array([1, 3]), np.array([0.2, 0.5]), np.array([0.7, -0.4])
    found = observed(Gaussian(mean, spread), numbers, variance, values)
    picked = np.eye(5)[numbers]
    precision = np.linalg.inv(spread) + picked.T @ np.diag(1 / variance) @ picked
    np.testing.assert_allclose(found.spread, np.linalg.inv(precision), atol=1e-9)
    wanted = np.linalg.solve(spread, mean) + picked.T @ (values / variance)
    np.testing.assert_allclose(found.mean, np.linalg.solve(precision, wanted), atol=1e-9)
