"""Sway, bounce and arms of a walk at another pace."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.analysis.contacts import detect_contacts
from motionloom.edit.foot_tracks import resting_feet
from motionloom.edit.footlock import find_legs, lock_feet
from motionloom.edit.steps import ARMS, BOUNCE, SWAY, scale_steps, scale_sway
from motionloom.posed_motion import PosedMotion, pose_motion
from performed import performer_clips


@pytest.fixture(scope="module")
def walk():
    return pose_motion(performer_clips(seed=0)[1].motion)


def _course(values):
    """Size of what comes and goes about a slow course, away from the ends."""
    t = np.linspace(-1, 1, len(values))
    rest = values - np.polynomial.polynomial.polyval(
        t, np.polynomial.polynomial.polyfit(t, values, 3)
    )
    return np.std(rest[15:-15])


@pytest.mark.parametrize("rate", [0.8, 1.1])
def test_longer_steps_in_time_sway_farther(walk, rate):
    """The performer walks along a straight line here: aside is across its way."""
    ahead = walk.hips[-1] - walk.hips[0]
    left = np.array([ahead[2], 0.0, -ahead[0]]) / np.hypot(ahead[0], ahead[2])
    made = scale_sway(walk, np.full(walk.n_frames, rate), np.ones(walk.n_frames))
    own, now = (_course(p.hips @ left) for p in (walk, made))
    assert now / own == pytest.approx(rate**SWAY, rel=0.12)
    np.testing.assert_allclose(made.hips[:, 1], walk.hips[:, 1], atol=1e-9)
    # Nobody gets anywhere else by it.
    assert np.abs((made.hips - walk.hips).mean(axis=0)).max() < 0.003


@pytest.mark.parametrize("steps", [0.75, 1.15])
def test_shorter_steps_sink_less_and_are_as_high(walk, steps):
    made = scale_sway(walk, np.ones(walk.n_frames), np.full(walk.n_frames, steps))
    own, now = (_course(p.hips[:, 1]) for p in (walk, made))
    assert now / own == pytest.approx(steps**BOUNCE, rel=0.12)
    highest = [np.quantile(p.hips[15:-15, 1], 0.95) for p in (walk, made)]
    assert highest[1] == pytest.approx(highest[0], abs=0.003)


def test_arms_swing_as_far_as_steps_are_long_and_nothing_else_turns(walk):
    made = scale_sway(walk, np.ones(walk.n_frames), np.full(walk.n_frames, 0.75))
    arms = [walk.roles.joints[role] for role in ARMS]
    others = [j for j in range(walk.skeleton.n_joints) if j not in arms]
    own, now = (p.motion.rotations[:, others] for p in (walk, made))
    np.testing.assert_allclose(now, own, atol=1e-12)
    hand = walk.roles.joints["left_hand"]
    ahead = (walk.hips[-1] - walk.hips[0]) / np.linalg.norm(walk.hips[-1] - walk.hips[0])
    own, now = (_course((p.positions[:, hand] - p.hips) @ ahead) for p in (walk, made))
    assert 0.7 < now / own < 0.85


def test_the_captured_pace_and_other_numbers_of_feet_change_nothing(walk):
    ones = np.ones(walk.n_frames)
    assert scale_sway(walk, ones, ones) is walk
    less = {role: joint for role, joint in walk.roles.joints.items() if role != "right_foot"}
    one_leg = PosedMotion(walk.motion, replace(walk.roles, joints=less))
    assert scale_sway(one_leg, 0.8 * ones, 0.8 * ones) is one_leg


def test_who_stands_does_not_sway(walk):
    held = np.repeat(walk.motion.rotations[20:21], 60, axis=0)
    there = np.repeat(walk.motion.translations[20:21], 60, axis=0)
    still = pose_motion(replace(walk.motion, rotations=held, translations=there))
    made = scale_sway(still, np.full(60, 0.8), np.full(60, 0.8))
    np.testing.assert_allclose(made.positions, still.positions, atol=1e-9)


def test_feet_stand_and_hips_hardly_sink_when_a_walk_becomes_a_stroll(walk):
    """Steps a fifth shorter, sway, bounce: the foot lock takes what is left."""
    contacts = detect_contacts(walk)
    tracks = resting_feet(walk, contacts, find_legs(walk.roles))
    rate = np.full(walk.n_frames, 0.8)
    moved, scaled = scale_steps(scale_sway(walk, rate, rate), tracks, rate)
    locked = lock_feet(moved, contacts, captured=scaled)
    assert locked.released == 0
    assert locked.largest_drop < 0.01
    for foot, leg in find_legs(walk.roles).items():
        stands = contacts.down[:, list(contacts.soles.of(foot))].all(axis=1)
        both = stands[1:] & stands[:-1]
        own, now = (
            np.linalg.norm(np.diff(p.positions[:, leg.tip], axis=0), axis=1)[both] * walk.fps
            for p in (walk, locked.posed)
        )
        # Ankles move where heels rise, and no more than they did.
        assert (now - own).max() < 0.01
