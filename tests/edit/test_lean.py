import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.analysis.quality import joint_acceleration
from motionloom.edit.lean import LARGEST_SHRUG, lean_to_targets
from motionloom.edit.limbs import bone_lengths
from motionloom.edit.reach import Target, find_limb, reach_targets
from motionloom.kinematics import body_trajectory, forward_kinematics
from motionloom.performer import performer_clips
from motionloom.posed_motion import pose_motion
from motionloom.roles import find_roles

FRAME = 40


@pytest.fixture(scope="module")
def walk():
    motion = performer_clips(seed=0)[1].motion
    return motion, pose_motion(motion), find_roles(motion.skeleton)


def _target(walk, share, direction=(0.0, 0.6, 0.8)):
    _motion, pose, roles = walk
    arm = find_limb(pose, roles.joints["right_hand"])
    length = sum(b[FRAME] for b in bone_lengths(pose, arm))
    return Target(
        FRAME, arm.tip, pose.positions[FRAME, arm.root] + share * length * np.array(direction)
    )


def _miss(posed, target):
    return float(
        np.linalg.norm(
            forward_kinematics(posed.motion).positions[target.frame, target.joint] - target.position
        )
    )


def test_what_the_arm_reaches_comfortably_moves_no_trunk(walk):
    motion, pose, _ = walk
    np.testing.assert_array_equal(
        lean_to_targets(pose, [_target(walk, 0.85)]).motion.rotations, motion.rotations
    )


@pytest.mark.parametrize("direction", [(0.0, 0.6, 0.8), (0.0, -0.6, 0.8), (-0.8, 0.6, 0.0)])
def test_trunk_and_shoulder_help_where_the_arm_is_too_short(walk, direction):
    motion, pose, roles = walk
    target = _target(walk, 1.15, direction)
    alone = reach_targets(pose, [target])
    leant = lean_to_targets(pose, [target])
    assert _miss(alone, target) > 0.05
    assert _miss(reach_targets(leant, [target]), target) < 0.3 * _miss(alone, target)
    turned = rot.angle_between(leant.motion.rotations, motion.rotations)
    assert turned.max() <= LARGEST_SHRUG + 1e-9
    moved = [motion.skeleton.names[j] for j in np.flatnonzero(turned.max(axis=0) > 1e-9)]
    assert "Hips" not in moved
    assert not any("Leg" in name or "Arm" in name or "Head" in name for name in moved)
    after = forward_kinematics(leant.motion)
    np.testing.assert_allclose(
        body_trajectory(after, roles)[:, :2], body_trajectory(pose, roles)[:, :2], atol=1e-12
    )
    before, now = (joint_acceleration(p.positions, motion.fps).max() for p in (pose, after))
    assert now < before + 5.0


def test_the_head_comes_over_its_target(walk):
    _motion, pose, roles = walk
    head = roles.joints["head"]
    target = Target(FRAME, head, pose.positions[FRAME, head] + np.array([0.06, 0.0, 0.1]))
    leant = forward_kinematics(lean_to_targets(pose, [target]).motion).positions[FRAME, head]
    np.testing.assert_allclose(leant[[0, 2]], target.position[[0, 2]], atol=2e-3)
    assert leant[1] < target.position[1]


def test_legs_do_not_lean(walk):
    motion, pose, roles = walk
    foot = roles.joints["left_foot"]
    far = Target(FRAME, foot, pose.positions[FRAME, foot] + 0.5)
    np.testing.assert_array_equal(lean_to_targets(pose, [far]).motion.rotations, motion.rotations)
