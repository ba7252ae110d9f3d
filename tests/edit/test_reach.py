import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.analysis.quality import joint_acceleration
from motionloom.edit.limbs import bone_lengths
from motionloom.edit.reach import EXTENSION, Target, find_limb, reach_targets
from motionloom.kinematics import body_trajectory, forward_kinematics
from motionloom.performer import performer_clips
from motionloom.posed_motion import pose_motion
from motionloom.roles import find_roles


@pytest.fixture(scope="module")
def walk():
    motion = performer_clips(seed=0)[1].motion
    return motion, pose_motion(motion), find_roles(motion.skeleton)


def _target(walk, frame, role, share):
    """A target that takes `share` of the arm's length, in front of the shoulder."""
    _, pose, roles = walk
    arm = find_limb(pose, roles.joints[role])
    length = sum(b[frame] for b in bone_lengths(pose, arm))
    return Target(
        frame,
        roles.joints[role],
        pose.positions[frame, arm.root] + share * length * np.array([0, -0.6, 0.8]),
    )


def test_hands_meet_their_targets_and_the_body_stays(walk):
    _motion, pose, roles = walk
    targets = [
        _target(walk, 30, "right_hand", 0.8),
        _target(walk, 42, "right_hand", 0.7),
        _target(walk, 40, "left_hand", 0.9),
    ]
    after = forward_kinematics(reach_targets(pose, targets).motion)
    for t in targets:
        np.testing.assert_allclose(after.positions[t.frame, t.joint], t.position, atol=1e-9)
    np.testing.assert_allclose(
        body_trajectory(after, roles), body_trajectory(pose, roles), atol=1e-12
    )
    np.testing.assert_allclose(after.positions[0], pose.positions[0], atol=0.03)


def test_corrections_are_smooth(walk):
    motion, pose, _roles = walk
    target = _target(walk, 40, "right_hand", 0.8)
    after = forward_kinematics(reach_targets(pose, [target]).motion)
    moved = np.linalg.norm(
        after.positions[:, target.joint] - pose.positions[:, target.joint], axis=-1
    )
    assert moved.max() > 0.1
    assert joint_acceleration(after.positions, motion.fps)[:, target.joint].max() < 40


def test_what_no_arm_reaches_is_approached(walk):
    _motion, pose, _roles = walk
    far = _target(walk, 40, "right_hand", 1.5)
    after = forward_kinematics(reach_targets(pose, [far]).motion)
    gap = np.linalg.norm(after.positions[40, far.joint] - far.position)
    arm = find_limb(pose, far.joint)
    assert gap == pytest.approx(
        (1.5 - EXTENSION) * sum(b[40] for b in bone_lengths(pose, arm)), abs=1e-4
    )


def test_only_limbs_are_corrected(walk):
    motion, pose, roles = walk
    assert find_limb(pose, roles.joints["head"]) is None
    assert find_limb(pose, roles.joints["left_knee"]) is None
    assert find_limb(pose, roles.joints["left_toe"]).middle == roles.joints["left_knee"]
    head = Target(10, roles.joints["head"], np.array([0.0, 3.0, 0.0]))
    after = reach_targets(pose, [head])
    np.testing.assert_allclose(after.motion.rotations, motion.rotations, atol=1e-12)


def test_a_stretching_arm_never_bends_the_wrong_way(walk):
    """The correction of a bent elbow must not be applied to the straighter ones before it."""
    _motion, pose, roles = walk
    arm = find_limb(pose, roles.joints["right_hand"])
    bend = _signed_bend(pose, arm)
    frame = 20 + int(bend[20:60].argmax())
    target = _target(walk, frame, "right_hand", 1.0)
    after = forward_kinematics(reach_targets(pose, [target], blend=1.5).motion)
    a, b = (length[frame] for length in bone_lengths(pose, arm))
    straightest = np.degrees(
        np.pi - np.arccos((a * a + b * b - (EXTENSION * (a + b)) ** 2) / (2 * a * b))
    )
    assert _signed_bend(after, arm)[frame] == pytest.approx(straightest, abs=0.01)
    assert _signed_bend(after, arm).min() > -1.0
    assert np.all(_signed_bend(after, arm) < bend + 1.0)


def _signed_bend(pose, limb):
    """Angle between the two bones, degrees; negative about the other side of the usual hinge."""
    upper = pose.positions[:, limb.middle] - pose.positions[:, limb.root]
    lower = pose.positions[:, limb.tip] - pose.positions[:, limb.middle]
    normal = np.cross(upper, lower)
    local = rot.rotate(rot.conjugate(pose.rotations[:, limb.root]), normal)
    size = np.degrees(np.arctan2(np.linalg.norm(normal, axis=-1), np.sum(upper * lower, axis=-1)))
    return size * np.sign(local @ local.sum(axis=0))


def test_a_hand_passes_its_target_with_the_velocity_asked_for(walk):
    motion, pose, _roles = walk
    place = _target(walk, 40, "right_hand", 0.7)
    velocity = np.array([0.2, 0.9, -0.3])
    target = Target(place.frame, place.joint, place.position, velocity)
    hand = forward_kinematics(reach_targets(pose, [target]).motion).positions[:, place.joint]
    np.testing.assert_allclose(hand[40], place.position, atol=1e-9)
    np.testing.assert_allclose(0.5 * motion.fps * (hand[41] - hand[39]), velocity, atol=1e-6)
    plain = forward_kinematics(reach_targets(pose, [place]).motion).positions[:, place.joint]
    far = np.abs(np.arange(len(hand)) - 40) >= 0.3 * motion.fps
    np.testing.assert_allclose(hand[far], plain[far], atol=1e-12)


def test_frames_to_be_kept_are_not_touched(walk):
    motion, pose, _roles = walk
    target = _target(walk, 40, "right_hand", 0.8)
    kept = reach_targets(pose, [target], keep=[34, 55])
    np.testing.assert_allclose(
        kept.motion.rotations[[34, 55]], motion.rotations[[34, 55]], atol=1e-12
    )
    np.testing.assert_allclose(
        forward_kinematics(kept.motion).positions[40, target.joint], target.position, atol=1e-9
    )
    there = reach_targets(pose, [target], keep=[40])
    np.testing.assert_allclose(there.motion.rotations, motion.rotations, atol=1e-12)
