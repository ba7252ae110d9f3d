"""Geometry of scenes against known truth: placement, distance of segments, depth of capsules, hands
that meet.
"""

import numpy as np
import pytest

from motionloom.kinematics import forward_kinematics
from motionloom.motion import GroundTransform
from motionloom.posed_motion import pose_motion
from motionloom.roles import find_roles
from motionloom.scene.check import (
    Capsules,
    bring_together,
    find_overlap,
    joint_distance,
    make_capsules,
)
from motionloom.scene.placement import Relation
from performed import performer_clips


@pytest.fixture(scope="module")
def standing():
    return next(c.motion for c in performer_clips() if c.motion.name == "stand").cut(0, 60)


def test_who_faces_the_other_stands_in_the_other_s_view():
    spot = GroundTransform.at_heading(30.0, 1.0, -2.0)
    first, second = Relation(0.8, (0.0, 0.0)).stands(spot)
    (x, z), (u, w) = first.ground, second.ground
    facing, other = first.heading, second.heading
    assert np.hypot(u - x, w - z) == pytest.approx(0.8)
    assert np.allclose([(x + u) / 2, (z + w) / 2], [1.0, -2.0])
    assert np.degrees(np.arctan2(u - x, w - z)) == pytest.approx(facing)
    assert (other - facing) % 360 == pytest.approx(180)


def test_who_is_turned_looks_past_the_other():
    first, second = Relation(1.0, (90.0, -45.0)).stands(GroundTransform())
    assert first.heading == pytest.approx(90)
    assert second.heading == pytest.approx(135)


def _capsule(start, end, radius):
    frames = [np.array([start], float)[None], np.array([end], float)[None]]
    return Capsules(*frames, np.array([radius]), np.array([0]), ("bone",), None)


def test_depth_of_two_capsules():
    upright = _capsule([0, 0, 0], [0, 1, 0], 0.1)
    beside = _capsule([0.15, 0.5, -1], [0.15, 0.5, 1], 0.08)
    assert find_overlap(upright, beside).depth == pytest.approx(0.03)
    far = find_overlap(upright, _capsule([1, 0, 0], [1, 1, 0], 0.1))
    assert (far.depth, far.frames) == (0.0, 0)
    assert find_overlap(upright, beside, np.ones((1, 1, 1), bool)).depth == 0.0


def test_bodies_interpenetrate_when_one_stands_in_the_other(standing):
    find_roles(standing.skeleton)
    body = make_capsules(pose_motion(standing))
    inside = make_capsules(pose_motion(standing.transformed(GroundTransform(0.3, 0.1, 0.0))))
    away = make_capsules(pose_motion(standing.transformed(GroundTransform(0.3, 1.5, 0.0))))
    found = find_overlap(body, inside)
    assert 0.05 < found.depth < 0.3
    assert found.frames == standing.n_frames
    assert find_overlap(body, away).depth == 0.0


@pytest.mark.parametrize("frames", [(30, 30), (20, 40)])
def test_hands_meet_exactly_and_nothing_else_moves(standing, frames):
    roles = find_roles(standing.skeleton)
    hand = roles.joints["right_hand"]
    first = standing.transformed(GroundTransform(0.0, 0.0, 0.0))
    second = standing.transformed(GroundTransform(np.pi, 0.0, 0.5))
    points = (np.array([0.0, 1.0, 0.2]), np.array([0.0, 1.0, 0.3]))
    made = bring_together(
        (pose_motion(first), pose_motion(second)), (hand, hand), points, frames, 12
    )
    missing = joint_distance(made, (hand, hand), points[1] - points[0])
    assert missing[frames[0] : frames[1] + 1].max() < 1e-5
    for before, after in zip((first, second), (m.motion for m in made), strict=True):
        a, b = forward_kinematics(before).positions, forward_kinematics(after).positions
        arm = standing.skeleton.descendants(roles.joints["right_shoulder"])
        still = np.setdiff1d(np.arange(standing.skeleton.n_joints), list(arm))
        assert np.abs(a[:, still] - b[:, still]).max() < 1e-9
        far = slice(0, frames[0] - 12)
        assert (
            np.abs(before.rotations[far] - after.rotations[far]).max() < 1e-12
        )  # made unit length again
        # Nothing snaps: the hand never goes faster than the correction needs at its steepest.
        speed = np.linalg.norm(np.diff(b[:, hand], axis=0), axis=-1) * standing.fps
        assert (
            speed.max() < 1.875 * np.linalg.norm(b - a, axis=-1).max() / (12 / standing.fps) + 0.5
        )


def test_what_one_arm_is_short_of_the_other_adds(standing):
    roles = find_roles(standing.skeleton)
    hand = roles.joints["right_hand"]
    shoulder = forward_kinematics(standing).positions[30, roles.joints["right_shoulder"]]
    second = standing.transformed(GroundTransform(np.pi, 2 * shoulder[0], 0.8))
    # Out of the first one's reach, well within the second's.
    point = shoulder + np.array([0.0, 0.0, 0.66])
    made = bring_together(
        (pose_motion(standing), pose_motion(second)), (hand, hand), (point, point), (20, 40), 12
    )
    assert joint_distance(made, (hand, hand), np.zeros(3))[20:41].max() < 1e-3
