import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom import rotations as rot
from motionloom.edit.limbs import bend_normals, bone_lengths, solve_limb
from motionloom.kinematics import forward_kinematics
from motionloom.motion import Motion
from motionloom.posed_motion import pose_motion
from motionloom.roles import Limb, find_roles
from motionloom.skeleton import Skeleton
from performed import performer_clips

#: Hip, knee, a twist bone below it, ankle, toe.
SKELETON = Skeleton(
    ("hip", "knee", "twist", "ankle", "toe"),
    np.array([-1, 0, 1, 2, 3]),
    np.array([[0, 1.0, 0], [0, -0.4, 0], [0, -0.2, 0], [0, -0.22, 0], [0, -0.05, 0.1]]),
)
LEG = Limb(0, 1, 3)


def reach(posed, limb, target, tip_rotation=None):
    return posed.with_local(solve_limb(posed, limb, target, tip_rotation))


def _leg(rng, n=8):
    """A leg in random poses whose knee bends backwards by 10 to 100 degrees."""
    quats = rot.identity(n, 5)
    quats[:, 0] = rot.from_rotvec(rng.normal(scale=0.4, size=(n, 3)))
    quats[:, 1] = rot.from_euler(rng.uniform(0.17, 1.7, size=(n, 1)), "X")
    quats[:, 3] = rot.from_rotvec(rng.normal(scale=0.2, size=(n, 3)))
    return Motion(SKELETON, quats, np.tile([0, 1.0, 0], (n, 1, 1)), 1 / 30)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_tip_reaches_what_bones_reach_and_nothing_else_changes(seed):
    rng = np.random.default_rng(seed)
    motion = _leg(rng)
    pose = pose_motion(motion)
    a, b = bone_lengths(pose, LEG)
    direction = rng.normal(size=(8, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    target = (
        pose.positions[:, 0] + direction * rng.uniform(0.15, 0.98, size=(8, 1)) * (a + b)[:, None]
    )
    after = forward_kinematics(reach(pose, LEG, target, pose.rotations[:, 3]).motion)
    np.testing.assert_allclose(after.positions[:, 3], target, atol=1e-9)
    np.testing.assert_allclose(bone_lengths(after, LEG), (a, b), atol=1e-12)
    assert rot.angle_between(after.rotations[:, 3], pose.rotations[:, 3]).max() < 1e-7
    np.testing.assert_allclose(after.positions[:, 0], pose.positions[:, 0], atol=1e-12)


def test_target_where_the_tip_is_changes_nothing():
    motion = _leg(np.random.default_rng(1))
    pose = pose_motion(motion)
    after = reach(pose, LEG, pose.positions[:, 3])
    assert rot.angle_between(after.motion.rotations, motion.rotations).max() < 0.02


def test_too_far_a_target_is_approached_with_a_straight_limb_of_the_same_length():
    motion = _leg(np.random.default_rng(2))
    pose = pose_motion(motion)
    target = pose.positions[:, 0] + [0.0, -3.0, 0.5]
    after = forward_kinematics(reach(pose, LEG, target).motion)
    tip = after.positions[:, 3] - after.positions[:, 0]
    ahead = np.array([0, -3.0, 0.5]) / np.linalg.norm([0, -3.0, 0.5])
    np.testing.assert_allclose(np.cross(tip, ahead), 0, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(tip, axis=1), sum(bone_lengths(pose, LEG)), atol=1e-6)


def test_knee_keeps_its_side_even_where_the_leg_was_bent_the_wrong_way():
    """Shortening a leg that was overextended by a degree bends the knee forward, as everywhere
    else.
    """
    bends = np.radians([30.0, 10.0, 2.0, -1.0, 2.0, 10.0, 30.0])
    quats = rot.identity(7, 5)
    quats[:, 1] = rot.from_euler(bends[:, None], "X")
    motion = Motion(SKELETON, quats, np.tile([0, 1.0, 0], (7, 1, 1)), 1 / 30)
    pose = pose_motion(motion)
    target = pose.positions[:, 0] + 0.97 * (pose.positions[:, 3] - pose.positions[:, 0])
    after = forward_kinematics(reach(pose, LEG, target).motion)
    assert np.all(after.positions[:, 1, 2] > 0.02)
    assert np.all(bend_normals(after, LEG)[:, 0] > 0.9)


def test_arms_of_the_performer_reach():
    motion = performer_clips(seed=0)[0].motion
    roles, pose = find_roles(motion.skeleton), pose_motion(motion)
    arm = Limb(*(roles.joints[f"right_{p}"] for p in ("shoulder", "elbow", "hand")))
    target = pose.positions[:, arm.tip] + [0.0, 0.05, 0.02]
    after = forward_kinematics(reach(pose, arm, target).motion)
    reachable = np.linalg.norm(target - pose.positions[:, arm.root], axis=1) < sum(
        bone_lengths(pose, arm)
    )
    assert reachable.mean() > 0.9
    np.testing.assert_allclose(after.positions[reachable, arm.tip], target[reachable], atol=1e-9)


@pytest.mark.parametrize("scale", [0.0, 0.4])
def test_too_near_a_target_folds_the_limb(scale):
    motion = _leg(np.random.default_rng(3))
    pose = pose_motion(motion)
    target = pose.positions[:, 0] + scale * 0.01 * np.array([0.0, -1.0, 0.0])
    after = forward_kinematics(reach(pose, LEG, target).motion)
    assert np.isfinite(after.positions).all()
    np.testing.assert_allclose(bone_lengths(after, LEG), bone_lengths(pose, LEG), atol=1e-12)
