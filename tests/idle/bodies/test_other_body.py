"""Waiting on other bodies, seated ones too, and steps that stay about one place."""

from dataclasses import replace

import numpy as np
import pytest
from standing import stand

from motionloom import rotations as rot
from motionloom.edit.foot_tracks import FootTrack
from motionloom.edit.footlock import find_legs
from motionloom.edit.limbs import solve_limb
from motionloom.edit.plant import is_seated, plant_feet
from motionloom.edit.root import move_body
from motionloom.errors import InvalidInputError
from motionloom.idle._making import find_moving, stay_about
from motionloom.idle.continuing import LEAST, arm_shares, find_standing, wait_on_body
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion, pose_motion
from performed import performer_clips

FEET = ("left_foot", "right_foot")


def ankles(posed):
    return posed.positions[:, [posed.roles.joints[foot] for foot in FEET]]


@pytest.fixture(scope="module")
def body():
    """Somebody else, a head taller."""
    motion = stand(seconds=3.0, shifts=(), seed=4).motion
    tall = replace(
        motion,
        skeleton=replace(motion.skeleton, offsets=1.15 * motion.skeleton.offsets),
        translations=1.15 * motion.translations,
    )
    return pose_motion(tall)


@pytest.fixture(scope="module")
def seated(body):
    """The same on a chair."""
    down = np.tile([0.0, -0.42, -0.35], (body.n_frames, 1))
    low = move_body(body, down)
    local = {}
    for foot, leg in find_legs(body.roles).items():
        joint = body.roles.joints[foot]
        local |= solve_limb(low, leg, body.positions[:, joint], body.rotations[:, joint])
    return low.with_local(local)


def test_another_body_waits_on_its_own_feet(model, body):
    made = PosedMotion(wait_on_body(model, body, 6.0, 30.0, seed=1), body.roles)
    assert made.n_frames == 180
    assert np.ptp(ankles(made), axis=0).max() < 1e-6
    moment = find_standing(body)
    np.testing.assert_allclose(ankles(made)[0], ankles(body)[moment], atol=1e-9)
    assert 0.001 < np.ptp(made.hips, axis=0).max() < 0.2
    np.testing.assert_array_equal(made.skeleton.offsets, body.skeleton.offsets)


def test_who_sits_keeps_the_pelvis_where_it_is_borne(model, seated):
    assert is_seated(seated)
    made = PosedMotion(wait_on_body(model, seated, 6.0, 30.0, seed=1), seated.roles)
    assert np.ptp(made.hips, axis=0).max() < 1e-6
    assert np.ptp(ankles(made), axis=0).max() < 1e-6
    head = made.positions[:, made.roles.joints["head"]]
    assert np.ptp(head, axis=0).max() > 0.002


def test_the_body_is_taken_from_a_moment_with_hanging_arms(body):
    walk = next(c.motion for c in performer_clips(seed=0) if c.action == "reach")
    posed = pose_motion(walk)
    moment = find_standing(posed)
    hands = [posed.roles.joints[f"{side}_hand"] for side in ("left", "right")]
    assert posed.positions[moment, hands, 1].max() < posed.hips[moment, 1] + 0.2
    assert find_standing(body.cut(0, 1)) == 0


def test_a_clip_in_which_nobody_stands_is_refused(model):
    walk = next(c.motion for c in performer_clips(seed=0) if c.action == "walk")
    posed = pose_motion(walk).cut(60, 90)
    with pytest.raises(InvalidInputError, match="nobody stands"):
        wait_on_body(model, posed, 5.0)


def test_feet_are_planted_and_hips_go_along(body):
    feet = {foot: FootTrack.at_rest(body, foot, body.n_frames) for foot in FEET}
    lower = move_body(body, np.tile([0.03, -0.02, 0.0], (body.n_frames, 1)))
    planted = plant_feet(lower, feet)
    for f, foot in enumerate(FEET):
        np.testing.assert_allclose(ankles(planted)[:, f], feet[foot].places, atol=1e-6)
    np.testing.assert_allclose(planted.hips, body.hips, atol=0.005)
    stayed = plant_feet(lower, feet, counter_move=False)
    np.testing.assert_allclose(stayed.hips, lower.hips, atol=1e-12)
    np.testing.assert_allclose(ankles(stayed)[:, 0], feet["left_foot"].places, atol=1e-6)


def stepping(seconds=20.0, stride=0.15):
    """Somebody who stands, and every four seconds steps ahead with one foot after the other."""
    still = pose_motion(stand(seconds=seconds, shifts=()).motion)
    n = still.n_frames
    time = np.arange(n) / still.fps

    def ahead(begin):
        u = np.clip((time[:, None] - begin) / 0.5, 0.0, 1.0)
        return stride * (u * u * (3 - 2 * u)).sum(axis=1)

    begins = np.arange(4.0, seconds - 2.0, 4.0)
    ways = {"left_foot": ahead(begins), "right_foot": ahead(begins + 0.7)}
    forth = np.array([[0.0, 0.0, 1.0]])
    feet = {
        foot: replace(
            FootTrack.at_rest(still, foot, n),
            places=FootTrack.at_rest(still, foot, n).places + ways[foot][:, None] * forth,
        )
        for foot in FEET
    }
    hips = 0.5 * (ways["left_foot"] + ways["right_foot"])
    return plant_feet(move_body(still, hips[:, None] * forth), feet)


def test_who_steps_stays_about_the_place():
    away = stepping()
    stay = stay_about(away)
    assert find_moving(away)[2] == 8
    assert np.ptp(away.hips[:, 2]) > 0.5
    assert np.ptp(stay.hips[:, 2]) < 0.2
    speed = np.linalg.norm(np.diff(ankles(away), axis=0), axis=-1) * away.fps
    moved = np.linalg.norm(np.diff(ankles(stay), axis=0), axis=-1)
    assert moved[speed <= 0.01].max() < 1e-3
    late = speed[:60].max() == 0
    assert late or moved[:60].max() < 1e-3


def test_who_does_not_step_is_left_alone(body):
    still = pose_motion(stand(seconds=3.0, shifts=()).motion)
    feet = {foot: FootTrack.at_rest(still, foot, still.n_frames) for foot in FEET}
    planted = plant_feet(still, feet)
    assert stay_about(planted) is planted


def test_arms_that_are_held_otherwise_do_less_of_what_others_do(body):
    moment = body.cut(10, 11)
    joints = {j: j for j in range(body.skeleton.n_joints)}
    facing = float(moment.facing[0])
    assert arm_shares(moment, facing, moment.transformed(GroundTransform(-facing)), joints) == {}
    shoulder = body.roles.joints["left_shoulder"]
    turned = rot.multiply(
        moment.motion.rotations[:, shoulder], rot.from_rotvec(np.array([0.0, 1.6, 0.0]))
    )
    raised = moment.with_local({shoulder: turned})
    shares = arm_shares(raised, facing, moment.transformed(GroundTransform(-facing)), joints)
    assert shares[shoulder] == pytest.approx(LEAST)
    assert body.roles.joints["right_shoulder"] not in shares
