"""Ranges of knees and elbows: as captured, and as far as targets may widen them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom import rotations as rot
from motionloom.analysis.contacts import detect_contacts
from motionloom.analysis.hinges import FULL, MARGIN, Hinge, fit_hinges, widen_hinges
from motionloom.edit.footlock import lock_feet
from motionloom.edit.limbs import bone_lengths, solve_limb
from motionloom.edit.reach import Target, reach_targets
from motionloom.posed_motion import pose_motion
from motionloom.roles import Limb
from motionloom.two_bones import reach_for
from performed import performer_clips


@pytest.fixture(scope="module")
def walk():
    motion = next(c.motion for c in performer_clips(seed=0) if c.motion.name == "walk_1.1")
    posed = pose_motion(motion)
    return posed, fit_hinges([posed])


def hinge(least, most):
    return Hinge(Limb(0, 1, 2), (1.0, 0.0, 0.0), least, most)


@given(st.floats(-0.3, 1.0), st.floats(0.0, 2.2), st.floats(0.0, 0.5))
def test_a_wider_range_holds_the_narrow_one_and_is_never_bent_backwards(least, size, margin):
    before = hinge(least, max(least, 0.0) + size)
    after = before.widened(margin)
    assert after.least >= 0.0
    assert after.least <= max(before.least, 0.0)
    assert before.most <= after.most <= max(before.most, FULL)
    assert after.most - before.most <= margin + 1e-12
    assert (after.limb, after.axis) == (before.limb, before.axis)


def test_ranges_of_two_bodies_are_joined_by_role():
    mine = {"left_foot": hinge(0.1, 1.8), "left_hand": hinge(0.2, 1.0)}
    other = replace(hinge(-0.2, 2.7), limb=Limb(7, 8, 9))
    joined = widen_hinges(mine, {"left_foot": other, "right_foot": other})
    assert set(joined) == set(mine)
    assert joined["left_hand"] == mine["left_hand"]
    foot = joined["left_foot"]
    assert (foot.least, foot.most, foot.limb) == (0.0, 2.7, Limb(0, 1, 2))


def test_a_foot_goes_where_the_knee_must_bend_a_little_more_than_captured(walk):
    posed, hinges = walk
    knee = hinges["left_foot"]
    frame = int(knee.flexion(posed).argmax())
    upper, lower = (length[frame] for length in bone_lengths(posed, knee.limb))
    root = posed.positions[frame, knee.limb.root]
    way = posed.positions[frame, knee.limb.tip] - root
    way /= np.linalg.norm(way)
    for more, reached in ((0.8 * MARGIN, True), (2.0 * MARGIN, False)):
        place = root + reach_for(upper, lower, knee.most + more) * way
        target = Target(frame, knee.limb.tip, place)
        after = reach_targets(posed, [target], hinges=hinges)
        miss = np.linalg.norm(after.positions[frame, knee.limb.tip] - place)
        assert (miss < 1e-6) == reached
        # What is reported stays the excess over what was captured.
        assert knee.excess(after)[frame] == pytest.approx(min(more, MARGIN), abs=1e-6)
        assert knee.flexion(after).min() > -1e-6


def test_feet_of_another_performer_who_squats_stay_on_the_floor(walk):
    """Knees that bend only as far as in walks straighten a squat's legs through the floor."""
    posed, walked = walk
    bent = squatting(posed)
    contacts = detect_contacts(bent)
    narrow = {role: replace(h, most=min(h.most, np.radians(70))) for role, h in walked.items()}
    depth = {}
    for name, hinges in (
        ("walked", narrow),
        ("joined", widen_hinges(narrow, fit_hinges([bent]))),
    ):
        after = lock_feet(bent, contacts, hinges=hinges).posed
        ankles = [posed.roles.joints["left_foot"], posed.roles.joints["right_foot"]]
        depth[name] = (bent.positions[:, ankles, 1] - after.positions[:, ankles, 1]).max()
    assert depth["walked"] > 0.05
    assert depth["joined"] < 0.005


def squatting(posed):
    """The first standing frame of a walk, with hips that sink so that knees bend by 115 degrees."""
    n = 60
    motion = posed.motion
    sink = np.radians(115) * 0.5 * (1 - np.cos(2 * np.pi * np.arange(n) / (n - 1)))
    quats = np.repeat(motion.rotations[:1], n, axis=0)
    away = np.zeros(n)
    for side in ("left", "right"):
        hip, knee, foot = (posed.roles.joints[f"{side}_{part}"] for part in ("hip", "knee", "foot"))
        axis = np.array([1.0, 0.0, 0.0])
        lengths = [
            np.linalg.norm(posed.positions[0, a] - posed.positions[0, b])
            for a, b in ((hip, knee), (knee, foot))
        ]
        for joint, turn in ((hip, -0.5 * sink), (knee, sink), (foot, -0.5 * sink)):
            quats[:, joint] = rot.from_rotvec(turn[:, None] * axis)
        away = sum(lengths) - reach_for(*lengths, sink)
    place = np.repeat(motion.translations[:1], n, axis=0)
    place[:, 0, 1] -= away
    return pose_motion(replace(motion, rotations=quats, translations=place))


def leaning_knees(walk, share):
    """Somebody whose knees are bent backwards and aside by 5 degrees, but for a share of a walk."""
    posed, _ = walk
    rotations = posed.motion.rotations.copy()
    straight = slice(round(share * posed.n_frames), None)
    for side in ("left", "right"):
        knee = posed.roles.joints[f"{side}_knee"]
        off = np.radians([-5.0, 0.0, 5.0])
        rotations[straight, knee] = rot.from_rotvec(off)
    return posed.with_motion(replace(posed.motion, rotations=rotations))


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_straight_knees_do_not_tell_about_which_axis_they_bend(walk, share):
    _, hinges = walk
    learned = fit_hinges([leaning_knees(walk, share)])
    for foot in ("left_foot", "right_foot"):
        apart = np.degrees(np.arccos(np.dot(learned[foot].axis, hinges[foot].axis)))
        assert apart < 20.0


def test_a_limb_without_a_hinge_bends_about_the_axis_of_its_bends(walk):
    posed = leaning_knees(walk, 0.0)
    limb = fit_hinges([posed])["left_foot"].limb
    ahead = np.stack([np.sin(posed.facing), 0.0 * posed.facing, np.cos(posed.facing)], axis=-1)
    target = posed.positions[:, limb.tip] + [0.0, 0.2, 0.0]
    bent = posed.with_local(solve_limb(posed, limb, target))
    knee = bent.positions[:, limb.middle] - 0.5 * (
        bent.positions[:, limb.root] + bent.positions[:, limb.tip]
    )
    assert np.sum(knee * ahead, axis=1).min() > 0.0
