"""Edits of the performer's clips: goals met, feet planted, the rest as it was, no pops."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.euler_coordinates import EulerCoordinates
from motionloom.framewise import EditOptions, Goal, edit_clip
from motionloom.framewise import _settle as settle
from motionloom.framewise._body import ClipBody
from motionloom.framewise._goals import own_track
from motionloom.framewise.asked import stand_on_slope
from motionloom.framewise.report import jerk_of, report_edit
from motionloom.io import load_motion
from motionloom.posed_motion import pose_motion


@pytest.fixture(scope="module")
def reach(performed):
    """A clip in which the right hand reaches out, at 30 frames a second."""
    return pose_motion(next(m for m in performed.motions if m.name == "reach_right_front"))


@pytest.fixture(scope="module")
def walk(performed):
    return pose_motion(next(m for m in performed.motions if m.name == "walk_1.1"))


@pytest.fixture(scope="module")
def stretched(reach):
    """The hand asked for a place a metre and a half away."""
    return edit_clip(reach, [shifted(reach, 45, (0.5, 0.3, 1.5))])


def joint(posed, role):
    return posed.roles.joints[role]


def shifted(posed, frame, by, role="right_hand", **more):
    at = joint(posed, role)
    place = posed.positions[frame, at] + np.array(by)
    return Goal("position", place, frame, frame, joint=at, **more)


def test_a_hand_is_where_it_is_asked_and_all_else_eases_back(reach):
    frame = 45
    goal = shifted(reach, frame, (0.05, 0.08, 0.06))
    edit = edit_clip(reach, [goal])
    hand = joint(reach, "right_hand")
    np.testing.assert_allclose(edit.after.positions[frame, hand], goal.value, atol=1e-4)
    first, stop = edit.frames
    assert (first, stop) == (frame - 12, frame + 13)
    outside = np.r_[0:first, stop : reach.n_frames]
    np.testing.assert_allclose(
        edit.motion.rotations[outside], reach.motion.rotations[outside], atol=1e-12
    )
    feet = [joint(reach, f) for f in reach.roles.feet]
    np.testing.assert_allclose(edit.after.positions[:, feet], reach.positions[:, feet], atol=1e-4)


def test_an_edit_is_about_as_smooth_as_the_clip(walk):
    goals = [shifted(walk, 40, (0.0, 0.15, 0.1), ease_in=0.5, ease_out=0.5)]
    edit = edit_clip(walk, goals)
    before = jerk_of(walk.positions, walk.fps)
    after = jerk_of(edit.after.positions, walk.fps)
    assert np.quantile(after, 0.99) < 1.2 * np.quantile(before, 0.99)
    assert after.max() < 1.5 * before.max()


def test_a_clip_that_is_asked_for_what_it_does_stays_as_it_is(walk):
    frame = 50
    edit = edit_clip(walk, [shifted(walk, frame, (0.0, 0.0, 0.0))])
    np.testing.assert_allclose(edit.after.positions, walk.positions, atol=1e-6)


def test_a_tool_is_held_and_turned_where_it_is_asked(reach):
    hand = joint(reach, "right_hand")
    offset = (0.0, -0.3, 0.0)
    frames = (40, 44)
    place = own_track(reach, Goal("position", (0, 0, 0), 0, 0, joint=hand, local=offset))[40]
    turn = rot.multiply(rot.from_rotvec(np.array([0.0, 0.2, 0.0])), reach.rotations[42, hand])
    goals = [
        Goal("position", place + 0.03, *frames, joint=hand, local=offset),
        Goal("orientation", turn, *frames, joint=hand, layer=2),
    ]
    edit = edit_clip(reach, goals)
    assert [o.met for o in edit.outcomes] == [True, True]
    for frame in range(40, 45):
        tip = own_track(edit.after, goals[0])[frame]
        np.testing.assert_allclose(tip, goals[0].value, atol=1e-4)
        assert rot.angle_between(edit.after.rotations[frame, hand], turn) < 1e-3


def test_the_head_looks_at_a_point(walk):
    head = joint(walk, "head")
    goal = Goal("gaze", (1.0, 1.0, 3.0), 30, 36, joint=head, local=(0.0, 0.0, 1.0))
    edit = edit_clip(walk, [goal])
    for frame in range(30, 37):
        ahead = np.asarray(goal.value) - edit.after.positions[frame, head]
        axis = rot.rotate(edit.after.rotations[frame, head], np.array([0.0, 0.0, 1.0]))
        assert np.dot(axis, ahead) / np.linalg.norm(ahead) > 1 - 1e-6


def test_upper_layers_are_met_where_lower_ones_ask_for_the_contrary(reach):
    hand = joint(reach, "right_hand")
    place = reach.positions[45, hand]
    low = place - np.array([0.0, 0.3, 0.0])
    goals = [
        Goal("position", place + np.array([0.0, 0.05, 0.0]), 45, 45, joint=hand, layer=1),
        Goal("position", low, 45, 45, joint=hand, local=(1e-6, 0, 0), layer=2),
    ]
    upper, lower = edit_clip(reach, goals).outcomes
    assert upper.met
    assert not lower.met
    assert lower.reason == "conflicts with priority 1"


def test_what_is_out_of_reach_is_come_near_to_without_tearing_the_feet_off(reach, stretched):
    edit = stretched
    (outcome,) = edit.outcomes
    assert outcome.reason == "conflicts with the planted feet"
    start = np.linalg.norm(np.array([0.5, 0.3, 1.5]))
    assert 0.1 < outcome.residual < start - 0.2
    feet = [joint(reach, f) for f in reach.roles.feet]
    np.testing.assert_allclose(edit.after.positions[:, feet], reach.positions[:, feet], atol=5e-3)


def test_knees_and_elbows_do_not_bend_backwards(reach, stretched):
    edit = stretched
    body = ClipBody.of(reach)
    values = body.coordinates.to_coordinates(edit.motion)
    flexions = np.array([body.flexion_rows(v)[0] for v in values])
    assert len(body.flexions.joint) == 4
    assert (flexions > body.flexions.least - 0.02).all()
    assert (flexions < body.flexions.most + 0.02).all()


def test_flexions_change_as_their_jacobian_says(walk):
    body = ClipBody.of(walk)
    values = body.values[20]
    flexion, rows = body.flexion_rows(values)
    way = np.random.default_rng(0).standard_normal(len(values))
    step = 1e-6
    there = body.flexion_rows(values + step * way)[0]
    np.testing.assert_allclose((there - flexion) / step, rows @ way, atol=1e-5)


def test_a_foot_that_is_asked_for_goes_there_and_the_other_stays(reach):
    foot = joint(reach, "left_foot")
    other = joint(reach, "right_foot")
    lift = Goal("position", (0.0, 0.1, 0.05), 40, 45, joint=foot, shift=True)
    edit = edit_clip(reach, [lift])
    moved = edit.after.positions - reach.positions
    np.testing.assert_allclose(moved[42, foot], [0.0, 0.1, 0.05], atol=1e-4)
    np.testing.assert_allclose(moved[:, other], 0.0, atol=1e-4)


def test_balance_that_is_kept_holds_the_centre_of_mass_over_the_feet(reach):
    goal = shifted(reach, 45, (0.0, -0.35, 0.45), ease_in=0.8, ease_out=0.8)
    free = report_edit(edit_clip(reach, [goal], EditOptions(balance="free")))
    kept = report_edit(edit_clip(reach, [goal], EditOptions(balance="kept")))
    assert free.off_support[1] > 0.0
    assert kept.off_support[1] < free.off_support[1]
    assert kept.off_support[1] <= 0.05


def test_the_centre_of_mass_goes_where_it_is_asked(reach):
    place = reach.center_of_mass[40] + [0.03, 0.0, 0.02]
    goal = Goal("mass", place, 40, 42)
    edit = edit_clip(reach, [goal])
    np.testing.assert_allclose(
        edit.after.center_of_mass[40:43, [0, 2]], np.tile(place[[0, 2]], (3, 1)), atol=1e-4
    )


def test_goals_that_do_not_fit_the_clip_are_refused(reach):
    hand = joint(reach, "right_hand")
    one = Goal("position", (0, 0, 0), 10, 20, joint=hand)
    with pytest.raises(InvalidInputError, match="at least one goal"):
        edit_clip(reach, [])
    with pytest.raises(InvalidInputError, match="the clip has frames 0 to"):
        edit_clip(reach, [Goal("position", (0, 0, 0), 0, 10_000, joint=hand)])
    with pytest.raises(InvalidInputError, match="two things in frame 15"):
        edit_clip(reach, [one, Goal("position", (1, 0, 0), 15, 16, joint=hand)])


def test_goals_of_other_spans_do_not_jerk_each_other(reach):
    hand, foot = joint(reach, "right_hand"), joint(reach, "left_foot")
    head = joint(reach, "head")
    goals = [
        shifted(reach, 45, (0.05, 0.1, 0.0), local=(0.0, 0.0, 0.0)),
        Goal("position", (0.0, 0.03, 0.0), 30, 60, joint=foot, shift=True),
        Goal("gaze", (0.5, 1.0, 2.0), 36, 50, joint=head, local=(0.0, 0.0, 1.0), layer=2),
    ]
    edit = edit_clip(reach, goals)
    assert all(o.met for o in edit.outcomes)
    # Radians a frame, thrice differenced: where a task begins to count, nothing jumps.
    assert np.abs(np.diff(edit.unknowns, 3, axis=0)).max() < 0.05
    assert hand == goals[0].joint


# ------------------------------------------------------------------------------
# Straight legs


def standing_straight(reach):
    """The clip, on legs that hardly bend."""
    turns = reach.motion.rotations.copy()
    for role in ("hip", "knee", "foot"):
        for side in ("left", "right"):
            bend = np.radians(1.0 if role == "knee" else 0.0)
            turns[:, joint(reach, f"{side}_{role}")] = rot.from_rotvec(np.array([bend, 0.0, 0.0]))
    return pose_motion(replace(reach.motion, rotations=turns))


def test_a_straight_knee_that_begins_to_bend_slowly_is_waited_for(reach, monkeypatch):
    """A leaning body with a straight leg serves a lifted foot, too, but the nearest pose has it
    bent: where the way from one to the other takes many steps, frames must not disagree.
    """
    posed = standing_straight(reach)
    foot = joint(posed, "left_foot")
    goal = Goal("position", (0.0, 0.06, 0.0), 30, 37, joint=foot, shift=True)
    body = ClipBody.of(posed)
    place = posed.positions[30, foot] + np.array([0.0, 0.06, 0.0])
    other = joint(posed, "right_foot")
    tasks = [
        Goal("position", place, 30, 30, joint=foot),
        Goal("position", posed.positions[30, other], 30, 30, joint=other),
        Goal("orientation", posed.rotations[30, other], 30, 30, joint=other),
    ]
    asked = body.solver_body(30).asked([t.task(t.value) for t in tasks])
    problem = settle.FrameProblem(body, 30, asked)
    lean = np.zeros(len(body.free))
    lean[np.flatnonzero(body.coordinates.joints[body.free] == posed.motion.root_joint)[-1]] = 1.0
    leaning = settle.settle(problem, lean, lean).unknowns
    nearest = settle.settle(problem, np.zeros_like(lean), np.zeros_like(lean)).unknowns
    assert np.abs(leaning - nearest).max() > 0.2
    monkeypatch.setattr(settle, "_MOST", 10)
    np.testing.assert_allclose(settle.settle_near(problem, leaning), nearest, atol=5e-3)
    monkeypatch.undo()
    edit = edit_clip(posed, [goal])
    assert edit.outcomes[0].met
    assert np.abs(np.diff(edit.unknowns, axis=0)).max() < 0.2


@pytest.mark.parametrize(("name", "begin"), [("person008_genuine", 0.0), ("person011_acted", 15.0)])
def test_who_stands_on_straight_legs_lifts_a_foot_without_a_jerk(name, begin, shared_data):
    motion = load_motion(shared_data / "idle" / f"{name}.bvh")
    first = int(begin * motion.fps)
    posed = pose_motion(motion[first : first + int(4 * motion.fps)])
    at = posed.n_frames // 2
    foot = joint(posed, "left_foot")
    goal = Goal("position", (0.0, 0.06, 0.0), at, at + 7, joint=foot, shift=True)
    edit = edit_clip(posed, [goal])
    assert edit.outcomes[0].met
    assert report_edit(edit).problems == ()


# ------------------------------------------------------------------------------
# Slopes


def test_who_stands_on_a_slope_does_what_was_done_on_flat_ground(reach):
    goals = stand_on_slope(reach, 7.0)
    hand = shifted(reach, 45, (0.02, 0.03, 0.0))
    edit = edit_clip(reach, [*goals, hand])
    assert all(o.met for o in edit.outcomes)
    left, right = (edit.after.positions[:, joint(reach, f)] for f in ("left_foot", "right_foot"))
    rise = (left - right)[:, 1] / np.linalg.norm((left - right)[:, [0, 2]], axis=1)
    np.testing.assert_allclose(np.degrees(np.arctan(rise)), 7.0, atol=0.5)
    assert report_edit(edit).problems == ()


def test_a_gaze_begins_and_ends_smoothly_where_feet_are_asked_for_all_the_time(reach):
    """The head comes elsewhere than in the clip: what is hardly looked at yet must not jump."""
    goals = stand_on_slope(reach, -5.0)
    head = joint(reach, "head")
    gaze = Goal("gaze", (-0.25, 1.35, 0.6), 36, 54, joint=head, local=(0.0, 0.0, 1.0))
    edit = edit_clip(reach, [*goals, gaze])
    assert all(o.met for o in edit.outcomes)
    before, after = report_edit(edit).jerk
    assert after < 2.0 * max(before, 50.0)


def test_slopes_are_for_who_stands(reach, walk):
    with pytest.raises(InvalidInputError, match="only who stands"):
        stand_on_slope(walk, 5.0)
    for degrees in (99.0, np.nan):
        with pytest.raises(InvalidInputError, match="at most 30 degrees"):
            stand_on_slope(reach, degrees)


def test_turns_that_the_files_degrees_of_freedom_lack_are_not_lost(reach):
    motion = reach.motion
    orders = {motion.skeleton.names[joint(reach, "left_knee")]: "X"}
    own = EulerCoordinates.generic(motion.skeleton, orders, motion.translated)
    rotations = motion.rotations.copy()
    knee = joint(reach, "left_knee")
    rotations[:, knee] = rot.multiply(rotations[:, knee], rot.from_rotvec([0.0, 0.3, 0.0]))
    source = replace(motion.source, extra={**motion.source.extra, "coordinates": own})
    posed = reach.with_motion(replace(motion, rotations=rotations, source=source))
    edit = edit_clip(posed, [shifted(posed, 45, (0.05, 0.08, 0.06))])
    away = np.linalg.norm(edit.after.positions - posed.positions, axis=-1).max(axis=1)
    first, stop = edit.frames
    assert away[45] > 0.05
    assert max(away[first], away[stop - 1]) < 0.002
