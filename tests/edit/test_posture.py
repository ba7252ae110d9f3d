"""Postures for a reach: what moves, what stays, and that it is enough."""

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.analysis.hinges import find_limbs
from motionloom.edit.limbs import bone_lengths
from motionloom.edit.posture import HANGING, LARGEST_TURNS, take_postures
from motionloom.edit.reach import Target, find_limb, reach_targets
from motionloom.edit.reach_sets import SPARE
from motionloom.posed_motion import pose_motion
from performed import performer_clips

FRAME = 30


@pytest.fixture(scope="module")
def stander():
    """Somebody who stands."""
    clip = next(c for c in performer_clips(seed=0) if c.motion.name == "stand")
    return pose_motion(clip.motion.cut(0, 70))


def _before(posed, ahead, height, side=-0.15):
    """A target for the right hand, ahead of the hips and at a height, metres."""
    x, z, facing = posed.body[FRAME]
    away = np.array([np.sin(facing), 0.0, np.cos(facing)])
    left = np.array([np.cos(facing), 0.0, -np.sin(facing)])
    place = np.array([x, height, z]) + ahead * away + side * left
    return Target(FRAME, posed.roles.joints["right_hand"], place)


def _miss(posed, target):
    return float(np.linalg.norm(posed.positions[target.frame, target.joint] - target.position))


def _feet(posed):
    tips = [limb.tip for role, limb in find_limbs(posed.roles).items() if role in posed.roles.feet]
    return posed.positions[:, tips], posed.rotations[:, tips]


def _stretch(posed, target):
    """Share of its length that the arm takes at the target."""
    arm = find_limb(posed, target.joint)
    length = sum(float(b[target.frame]) for b in bone_lengths(posed, arm))
    ends = posed.positions[target.frame, [arm.root, arm.tip]]
    return float(np.linalg.norm(ends[1] - ends[0])) / length


def test_what_the_arm_reaches_comfortably_moves_nothing_else(stander):
    shoulder = stander.positions[FRAME, stander.roles.joints["right_shoulder"]]
    near = Target(FRAME, stander.roles.joints["right_hand"], shoulder + np.array([0.0, -0.3, 0.2]))
    same = take_postures(stander, [near])
    np.testing.assert_array_equal(same.motion.rotations, stander.motion.rotations)
    np.testing.assert_array_equal(same.motion.translations, stander.motion.translations)


@pytest.mark.parametrize(("ahead", "height"), [(0.45, 0.3), (0.75, 0.9), (0.75, 1.3), (0.35, 0.6)])
def test_a_target_is_met_over_planted_feet_with_an_arm_that_is_not_straight(stander, ahead, height):
    target = _before(stander, ahead, height)
    alone = reach_targets(stander, [target])
    taken = take_postures(stander, [target])
    made = reach_targets(taken, [target])
    assert _miss(alone, target) > 0.02 or _stretch(alone, target) > SPARE
    assert _miss(made, target) < 1e-6
    assert _stretch(made, target) < SPARE
    for before, after in zip(_feet(stander), _feet(made), strict=True):
        np.testing.assert_allclose(after, before, atol=1e-6)
    end = stander.n_frames - 1
    np.testing.assert_array_equal(made.motion.rotations[end], stander.motion.rotations[end])


def test_the_floor_is_reached_with_bent_knees_and_hips_that_sink(stander):
    taken = take_postures(stander, [_before(stander, 0.45, 0.25)])
    knees = []
    for posed in (stander, taken):
        a, b, c = (
            posed.positions[FRAME, posed.roles.joints[f"right_{part}"]]
            for part in ("hip", "knee", "foot")
        )
        u, v = b - a, c - b
        knees.append(np.degrees(np.arccos(u @ v / np.linalg.norm(u) / np.linalg.norm(v))))
    assert knees[1] > knees[0] + 40
    assert taken.hips[FRAME, 1] < stander.hips[FRAME, 1] - 0.15


def test_a_body_that_is_asked_for_keeps_its_place_and_faces_as_before(stander):
    target = _before(stander, 0.6, 0.4, side=-0.4)
    free = take_postures(stander, [target])
    bound = take_postures(stander, [target], stay=[FRAME])
    assert np.abs(free.body - stander.body).max() > 0.01
    np.testing.assert_allclose(bound.body, stander.body, atol=1e-9)


def test_turns_keep_their_limits_and_the_other_arm_hangs(stander):
    target = _before(stander, 0.8, 0.1)
    taken = take_postures(stander, [target])
    turned = rot.angle_between(taken.motion.rotations[FRAME], stander.motion.rotations[FRAME])
    chain = stander.skeleton.chain(stander.roles.joints["right_shoulder"])[:-1]
    trunk = [j for j in chain if j != stander.roles.joints["hips"]]
    assert turned[trunk].max() <= max(LARGEST_TURNS) + 1e-9
    other = stander.roles.joints["left_shoulder"]
    above = stander.skeleton.parents[other]
    world = [
        rot.angle_between(taken.rotations[FRAME, j], stander.rotations[FRAME, j])
        for j in (other, above)
    ]
    assert world[0] < (1.0 - HANGING) * world[1] + 1e-6


def test_frames_to_be_kept_stay_and_legs_take_no_posture(stander):
    low = _before(stander, 0.45, 0.3)
    kept = take_postures(stander, [low], keep=[FRAME - 8])
    same = kept.motion.rotations[: FRAME - 7]
    np.testing.assert_allclose(same, stander.motion.rotations[: FRAME - 7], atol=1e-15)
    foot = stander.roles.joints["left_foot"]
    far = Target(FRAME, foot, stander.positions[FRAME, foot] + 0.5)
    unmoved = take_postures(stander, [far])
    np.testing.assert_array_equal(unmoved.motion.rotations, stander.motion.rotations)


def test_the_head_comes_to_a_target_by_itself(stander):
    head = stander.roles.joints["head"]
    aside = stander.positions[FRAME, head] + np.array([0.08, -0.05, 0.08])
    taken = take_postures(stander, [Target(FRAME, head, aside)])
    assert float(np.linalg.norm(taken.positions[FRAME, head] - aside)) < 0.02


def test_a_span_is_held_with_one_posture_that_hardly_moves(stander):
    target = _before(stander, 0.45, 0.3)
    held = Target(FRAME, target.joint, target.position, last=FRAME + 15)
    made = reach_targets(take_postures(stander, [held]), [held])
    hand = made.positions[FRAME : FRAME + 16, held.joint]
    np.testing.assert_allclose(hand, np.tile(target.position, (16, 1)), atol=1e-6)
    assert np.ptp(made.hips[FRAME : FRAME + 16], axis=0).max() < 0.02
