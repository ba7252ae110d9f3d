import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.analysis.quality import joint_acceleration
from motionloom.edit.limbs import bone_lengths
from motionloom.edit.reach import (
    ARM,
    BELL,
    EXTENSION,
    QUICK,
    Target,
    bump,
    find_limb,
    reach_targets,
    reach_time,
)
from motionloom.kinematics import body_trajectory, forward_kinematics
from motionloom.posed_motion import pose_motion
from motionloom.roles import find_roles
from performed import performer_clips
from walkers import make_walker


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


def test_a_foot_stays_where_it_is_held_and_bones_keep_their_length():
    walk = make_walker(150, speed=1.0, vary=0.3)
    roles = find_roles(walk.skeleton)
    joint, knee = roles.joints["left_foot"], roles.joints["left_knee"]
    place = forward_kinematics(walk).positions[75, joint] + np.array([0.0, 0.05, 0.0])
    held = reach_targets(pose_motion(walk), [Target(72, joint, place, last=78)])
    after = forward_kinematics(held.motion).positions
    np.testing.assert_allclose(after[72:79, joint], np.tile(place, (7, 1)), atol=1e-6)
    assert np.array_equal(held.motion.rotations[:30], walk.rotations[:30])
    assert np.ptp(np.linalg.norm(after[:, joint] - after[:, knee], axis=1)) < 1e-9


def test_a_hand_that_is_held_comes_and_leaves_without_a_jerk(walk):
    """The hand swings: held still at once, it would need its whole speed's change in a frame."""
    motion, pose, _roles = walk
    target = _target(walk, 40, "right_hand", 0.8)
    held = Target(40, target.joint, target.position, last=55)
    after = reach_targets(pose, [held]).positions
    np.testing.assert_allclose(
        after[40:56, held.joint], np.tile(target.position, (16, 1)), atol=1e-9
    )
    steps = np.diff(after[30:66, held.joint], n=2, axis=0) * motion.fps**2
    own = np.diff(pose.positions[:, held.joint], n=2, axis=0) * motion.fps**2
    assert np.linalg.norm(steps, axis=1).max() < np.linalg.norm(own, axis=1).max() + 20


def test_a_longer_way_takes_longer_and_its_bell_keeps_to_the_acceleration():
    ways = np.linspace(0.0, 2.0, 41)
    times = np.array([reach_time(float(way)) for way in ways])
    assert times[0] == QUICK
    assert np.all(np.diff(times) >= 0)
    for way, time in zip(ways, times, strict=True):
        frames = round(1000 * time)
        curve = way * bump(frames + 1, frames, frames)
        acceleration = np.abs(np.diff(curve, n=2)).max() * 1000**2
        assert acceleration <= max(ARM[1], BELL * way / QUICK**2) * 1.01
        assert acceleration <= ARM[1] * 1.3


def test_a_bump_over_a_span_is_flat_and_spares_what_is_kept():
    span = bump(60, 20, 10, (), 30)
    assert np.all(span[20:31] == 1.0)
    assert np.all(span[:11] == 0.0)
    assert np.all(span[40:] == 0.0)
    assert np.all(np.diff(span[10:21]) > 0)
    assert bump(60, 20, 10, (35,), 30)[35] == 0.0
    assert not bump(60, 20, 10, (25,), 30).any()
