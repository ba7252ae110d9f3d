"""Root coordinates and the world: there and back, and what carrying a body over the ground does to
both.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom import rotations as rot
from motionloom.ik.placing import (
    Placing,
    captured_placing,
    floor_frame,
    hips_facing,
    root_numbers,
    root_placing,
    world_pose,
)
from motionloom.kinematics import forward_kinematics
from motionloom.motion import GroundTransform
from motionloom.spaces import fit_pose_space
from performed import performer_clips

SEEDS = st.integers(0, 10**6)


def drawn(seed):
    rng = np.random.default_rng(seed)
    return (
        Placing(rng.normal(size=3), rot.normalize(rng.normal(size=4))),
        rng.normal(size=(5, 3)),
        rng,
    )


@pytest.fixture(scope="module")
def space():
    return fit_pose_space([clip.motion for clip in performer_clips()[:3]])


@given(SEEDS)
def test_to_the_root_and_to_the_world_undo_each_other(seed):
    placing, points, rng = drawn(seed)
    np.testing.assert_allclose(placing.to_root(placing.to_world(points)), points, atol=1e-12)
    np.testing.assert_allclose(placing.to_world(placing.to_root(points)), points, atol=1e-12)
    np.testing.assert_allclose(placing.to_world(np.zeros(3)), placing.place, atol=1e-15)
    world = rot.normalize(rng.normal(size=4))
    there = rot.multiply(placing.rotation, placing.turn_to_root(world))
    assert rot.angle_between(there, world) < 1e-7


@given(SEEDS, st.floats(-4, 4))
def test_a_body_that_is_carried_takes_its_points_along(seed, angle):
    placing, points, rng = drawn(seed)
    transform = GroundTransform(angle, *rng.normal(size=2))
    np.testing.assert_allclose(
        placing.moved(transform).to_world(points),
        transform.apply(placing.to_world(points)),
        atol=1e-12,
    )


@pytest.mark.parametrize("seed", range(3))
def test_a_placed_pose_has_its_root_there_and_its_joints_where_root_coordinates_say(space, seed):
    placing, _, _ = drawn(seed)
    root, pose = space.coordinates.root, space.poses[100 + seed]
    world = world_pose(space, pose, placing)
    np.testing.assert_allclose(world.positions[0, root], placing.place, atol=1e-12)
    assert rot.angle_between(world.rotations[0, root], placing.rotation) < 1e-7
    still = world_pose(space, pose, Placing(np.zeros(3), rot.identity()))
    np.testing.assert_allclose(placing.to_root(world.positions[0]), still.positions[0], atol=1e-12)


def test_a_captured_pose_is_placed_where_it_was_captured(space):
    motion, root = performer_clips()[1].motion, space.coordinates.root
    poses, world = space.coordinates.from_motion(motion), forward_kinematics(motion)
    for frame in (0, 40):
        placing = captured_placing(motion, frame, root)
        np.testing.assert_allclose(
            world_pose(space, poses[frame], placing).positions[0], world.positions[frame], atol=1e-9
        )


def test_the_hips_face_where_they_were_turned_whatever_the_trunk_does(space):
    pose = np.zeros(space.coordinates.size)
    twisted = pose.copy()
    trunk = [
        i
        for i, name in enumerate(space.coordinates.names)
        if name.startswith("Spine") and name.endswith("vy")
    ]
    assert trunk
    twisted[trunk] = 0.5
    for angle in (-2.0, 0.0, 0.7):
        placing = Placing(np.array([1.0, 1.0, 2.0]), rot.yaw(angle))
        assert hips_facing(space, pose, placing) == pytest.approx(angle)
        assert hips_facing(space, twisted, placing) == pytest.approx(angle)


def test_captured_roots_are_on_average_upright_and_face_ahead(space):
    world = Placing(np.zeros(3), rot.identity())
    facing, up = [], []
    for pose, root in zip(space.poses[::50], space.footing.root[::50], strict=True):
        shown = world_pose(space, pose, root_placing(space, root, world))
        facing.append(hips_facing(space, pose, root_placing(space, root, world)))
        up.append(
            shown.positions[0, space.roles.joints["neck"]]
            - shown.positions[0, space.roles.joints["hips"]]
        )
    mean = np.mean(up, axis=0)
    assert np.degrees(np.arccos(mean[1] / np.linalg.norm(mean))) < 5
    np.testing.assert_allclose(facing, 0.0, atol=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_a_free_root_is_where_its_numbers_say(space, seed):
    placing, _, _ = drawn(seed)
    frame = floor_frame(space, placing, floor=0.3)
    numbers = root_numbers(space, placing, frame)
    np.testing.assert_allclose(numbers[[0, 2]], 0.0, atol=1e-12)
    assert numbers[1] == pytest.approx(placing.place[1] - 0.3)
    again = root_placing(space, numbers, frame)
    np.testing.assert_allclose(again.place, placing.place, atol=1e-12)
    assert rot.angle_between(again.rotation, placing.rotation) < 1e-7
