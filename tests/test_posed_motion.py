"""A motion whose kinematics is run once: what is carried along is what would be run again."""

import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom import kinematics
from motionloom import rotations as rot
from motionloom.edit.root import move_body
from motionloom.kinematics import (
    body_trajectory,
    center_of_mass,
    chain_kinematics,
    end_site_positions,
    forward_kinematics,
    rerun_below,
)
from motionloom.motion import GroundTransform, Motion
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.skeleton import Skeleton
from performed import performer_clips
from random_bodies import random_motion


@pytest.fixture(scope="module")
def walk():
    return pose_motion(performer_clips(seed=0)[1].motion.cut(0, 60))


@pytest.fixture
def count(monkeypatch):
    """How often whole motions were run."""
    runs = []
    plain = kinematics.forward_kinematics

    def counted(motion):
        runs.append(motion.n_frames)
        return plain(motion)

    for name, module in list(sys.modules.items()):
        if name.startswith("motionloom") and vars(module).get("forward_kinematics") is plain:
            monkeypatch.setattr(module, "forward_kinematics", counted)
    return runs


def below_a_still_joint():
    """A body whose root hangs on a reference joint that never moves, turned away from the axes."""
    rng = np.random.default_rng(5)
    skeleton = Skeleton(
        ("reference", "Hips", "LeftUpLeg", "RightUpLeg"),
        np.array([-1, 0, 1, 1]),
        np.array([[0, 0, 0], [0, 0.9, 0], [0.1, -0.1, 0], [-0.1, -0.1, 0]]),
    )
    quats = rot.normalize(rng.normal(size=(20, 4, 4)))
    quats[:, 0] = rot.from_rotvec([0.2, 0.5, -0.1])
    return pose_motion(Motion(skeleton, quats, rng.normal(size=(20, 1, 3)), 1 / 30, (1,)))


def assert_run_again(posed, atol=1e-12):
    """What is carried is what the motion's own angles give."""
    assert posed.has_run
    own = forward_kinematics(posed.motion)
    np.testing.assert_allclose(posed.positions, own.positions, rtol=0, atol=atol)
    # Quaternions of one rotation may differ in sign.
    there = np.abs(np.sum(posed.rotations * own.rotations, axis=-1))
    np.testing.assert_allclose(there, 1.0, rtol=0, atol=atol)


def test_everything_is_run_once_and_is_what_the_functions_give(walk, count):
    posed = pose_motion(walk.motion)
    assert not posed.has_run
    own = kinematics.forward_kinematics(walk.motion)
    count.clear()
    for _ in range(2):
        np.testing.assert_array_equal(posed.positions, own.positions)
        np.testing.assert_array_equal(posed.rotations, own.rotations)
        np.testing.assert_array_equal(posed.body, body_trajectory(own, posed.roles))
        np.testing.assert_array_equal(posed.end_sites, end_site_positions(walk.motion, own))
        mass = center_of_mass(own.positions, posed.roles)
        np.testing.assert_array_equal(posed.center_of_mass, mass)
        assert np.abs(rot.wrap_angle(posed.facing - posed.body[:, 2])).max() < 1e-12
    assert len(count) == 1
    assert posed.body is posed.body
    with pytest.raises(ValueError, match="read-only"):
        posed.positions[0] = 0.0


@settings(max_examples=15, deadline=None)
@given(st.floats(-4, 4), st.floats(-3, 3), st.floats(-3, 3))
def test_kinematics_go_along_over_the_ground(angle, x, z):
    for posed in (below_a_still_joint(), pose_motion(random_motion(seed=2))):
        moved = posed.transformed(GroundTransform(angle, x, z))
        assert not moved.has_run
        posed.world  # noqa: B018  # run, so that it can be carried along
        assert_run_again(posed.transformed(GroundTransform(angle, x, z)))


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.booleans())
def test_kinematics_go_along_when_the_body_is_moved_frame_by_frame(seed, turns):
    rng = np.random.default_rng(seed)
    for posed in (below_a_still_joint(), pose_motion(random_motion(seed=2))):
        shift = rng.normal(size=(posed.n_frames, 3))
        turn = rng.normal(size=posed.n_frames) if turns else None
        pivot = rng.normal(size=(posed.n_frames, 3)) if turns else None
        lazily = move_body(posed, shift, turn, pivot)
        assert not lazily.has_run
        posed.world  # noqa: B018
        moved = move_body(posed, shift, turn, pivot)
        assert_run_again(moved)
        np.testing.assert_array_equal(moved.motion.translations, lazily.motion.translations)


def test_cuts_thinnings_and_other_names_keep_what_was_run(walk):
    walk.world  # noqa: B018
    for part in (
        walk.cut(7, 31),
        walk.every(3),
        walk.with_same_poses(replace(walk.motion, name="b")),
    ):
        assert_run_again(part)
    assert walk.every(1) is walk
    assert walk.with_local({}) is walk


@pytest.mark.parametrize("joints", [[3], [2, 7], [0]])
def test_turned_joints_run_again_what_hangs_on_them(walk, joints, count):
    walk.world  # noqa: B018
    count.clear()
    turned = rot.from_rotvec(np.random.default_rng(1).normal(size=(len(joints), 60, 3)))
    made = walk.with_local(dict(zip(joints, turned, strict=True)))
    assert not count
    again = kinematics.forward_kinematics(made.motion)
    np.testing.assert_allclose(made.positions, again.positions, rtol=0, atol=1e-13)
    np.testing.assert_allclose(made.rotations, again.rotations, rtol=0, atol=1e-13)
    assert np.abs(made.positions - walk.positions).max() > 0.01
    # With the very same angles it is the same bit by bit.
    same = rerun_below(walk.motion, walk.world, joints)
    np.testing.assert_array_equal(same.positions, walk.positions)


@pytest.mark.parametrize("translated", [(), (0,), (0, 2, 5)])
def test_a_chain_is_run_as_within_the_whole(translated):
    motion = random_motion(seed=3, translated=translated)
    whole = forward_kinematics(motion)
    for joint in range(motion.skeleton.n_joints):
        chain = list(motion.skeleton.chain(joint))
        part = chain_kinematics(motion, joint)
        np.testing.assert_array_equal(part.positions, whole.positions[:, chain])
        np.testing.assert_array_equal(part.rotations, whole.rotations[:, chain])


def test_a_prompt_says_whether_kinematics_have_been_run(walk):
    fresh = PosedMotion(walk.motion, walk.roles)
    assert "not run yet" in repr(fresh)
    fresh.world  # noqa: B018
    assert "not run yet" not in repr(fresh)
    assert len(repr(fresh).splitlines()) <= 4
