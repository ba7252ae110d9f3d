"""Motions that were damaged on purpose, and clean ones."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.clips import make_clip_set
from motionloom.clips.analysis import analyse_clips
from motionloom.constraints import ConstraintSet, Stairs
from motionloom.errors import InvalidInputError
from motionloom.performer import make_performer, perform, plan_steps, walking_steps
from motionloom.physics.body import make_body
from motionloom.physics.body._limits import bend_angles, bend_limits
from motionloom.physics.correct import (
    CorrectionOptions,
    correct_motion,
    finish_by_physics,
)
from motionloom.physics.correct._problem import make_problem
from motionloom.physics.correct._spans import find_stances, judge_stance, make_pins
from motionloom.physics.correct._terms import loads_of, point_slopes, slopes_of
from motionloom.physics.ground import (
    analyse_balance,
    balanced_share,
    find_ground_contacts,
    share_forces,
)
from motionloom.posed_motion import pose_motion
from weighed_bodies import standing


@pytest.fixture(scope="module")
def walk():
    performer = make_performer()
    plan = plan_steps(performer, walking_steps(performer, 1.2, 3))
    posed = pose_motion(perform(performer, plan).motion)
    return posed, make_body(posed, 1.75, 70.0), find_ground_contacts(posed)


def _damaged(posed, contacts, slip=0.06, sink=0.02):
    """The body slips ahead, and sinks, while the left foot stands in mid-motion."""
    down = contacts.standing.foot("left_foot")
    middle = posed.n_frames // 2
    frames = np.flatnonzero(down)
    start = frames[np.argmin(np.abs(frames - middle))]
    stop = start
    while start > 0 and down[start - 1]:
        start -= 1
    while stop < len(down) - 1 and down[stop + 1]:
        stop += 1
    t = np.arange(posed.n_frames)
    x = np.clip((t - start) / (stop - start), 0, 1)
    dip = np.clip(np.minimum(t - start + 6, stop + 6 - t) / 6, 0, 1)
    shift = np.zeros((posed.n_frames, 3))
    shift[:, 2] = slip * x * x * (3 - 2 * x)
    shift[:, 1] = -sink * dip * dip * (3 - 2 * dip)
    moved = posed.motion.translations.copy()
    moved[:, 0] += shift
    return replace(posed.motion, translations=moved)


def test_a_clean_walk_stays_what_it_is(walk):
    posed, body, _ = walk
    done = correct_motion(posed, body=body)
    assert done.report.stances == 0
    assert done.report.moved_mean < 0.2
    assert done.report.unmet == ()


def test_a_foot_that_slips_and_sinks_is_pinned_and_balance_is_kept(walk):
    posed, body, contacts = walk
    bad = _damaged(posed, contacts)
    done = correct_motion(bad, body=body, contacts=contacts)
    report = done.report
    assert report.stances >= 1
    assert report.before.slip > 15
    assert report.after.slip < 1.0
    captured = balanced_share(analyse_balance(posed, body, contacts=contacts).distance)
    assert report.after.balanced >= captured - 0.02
    assert report.after.jerk < 1.1 * report.before.jerk
    assert done.motion.n_frames == bad.n_frames
    assert report.moved_max < 12
    assert "before" in report.to_text()


def _slipping(posed, contacts, path):
    """The body goes along a path (0 to 1, metres ahead) while the left foot stands mid-motion."""
    frames = np.flatnonzero(contacts.standing.foot("left_foot"))
    runs = np.split(frames, np.flatnonzero(np.diff(frames) > 1) + 1)
    start, stop = runs[len(runs) // 2][[0, -1]]
    x = np.clip((np.arange(posed.n_frames) - start) / (stop - start), 0, 1)
    moved = posed.motion.translations.copy()
    moved[:, 0, 2] += path(x)
    return replace(posed.motion, translations=moved), slice(start, stop)


def _toe(contacts, motion):
    toe = contacts.soles.of("left_foot")[-1]
    return contacts.soles.positions(pose_motion(motion))[:, toe][:, [0, 2]]


@pytest.mark.parametrize("size", [0.04, 0.06, 0.09])
def test_a_foot_that_slips_out_and_back_stands_where_it_stood(walk, size):
    posed, body, contacts = walk
    bad, stance = _slipping(posed, contacts, lambda x: 0.5 * size * (1 - np.cos(2 * np.pi * x)))
    done = correct_motion(bad, body=body)
    after = _toe(contacts, done.motion)[stance]
    assert done.report.stances >= 1
    assert done.report.before.slip > 400 * size
    assert done.report.after.slip < 5
    assert np.linalg.norm(after - after.mean(axis=0), axis=-1).max() < 0.01
    away = after.mean(axis=0) - _toe(contacts, posed.motion)[stance].mean(axis=0)
    assert np.linalg.norm(away) < 0.015
    assert done.report.problems == ()


def test_a_slip_that_is_not_mended_is_a_problem_and_is_measured_as_before(walk):
    posed, body, contacts = walk
    bad, _ = _slipping(posed, contacts, lambda x: 0.03 * (1 - np.cos(2 * np.pi * x)))
    report = correct_motion(bad, CorrectionOptions(most=0.005), body=body).report
    assert report.after.slip == pytest.approx(report.before.slip)
    assert report.after.slip > 20
    assert any("left foot slips by" in problem for problem in report.problems)


def test_a_foot_that_slides_far_is_left_and_said(walk):
    posed, body, contacts = walk
    bad, _ = _slipping(posed, contacts, lambda x: 0.15 * (1 - np.cos(2 * np.pi * x)))
    report = correct_motion(bad, body=body).report
    assert any("left foot slides" in text for text in report.left)
    assert "Left alone" in report.to_text()


def test_the_measure_of_a_slip_does_not_know_the_place_of_its_pins(walk):
    posed, _, contacts = walk
    points = contacts.soles.positions(posed)
    pins = make_pins(points, contacts, contacts.ground, posed.fps)
    elsewhere = replace(pins, places=pins.places + 1.0)
    for stance in find_stances(pins.held, contacts.soles, posed.fps):
        found = judge_stance(points, pins, stance)
        assert found == judge_stance(points, elsewhere, stance)
        assert not found.wrong


def test_only_what_is_near_a_slip_is_moved_and_gently(walk):
    posed, body, contacts = walk
    bad = _damaged(posed, contacts)
    done = correct_motion(bad, CorrectionOptions(ease=0.3), body=body, contacts=contacts)
    moved = np.abs(done.motion.translations - bad.translations).max(axis=(1, 2))
    moved += np.abs(done.motion.rotations - bad.rotations).max(axis=(1, 2))
    touched = np.flatnonzero(moved)
    assert 0 < touched[0] < touched[-1] < bad.n_frames - 1
    assert len(touched) < 0.8 * bad.n_frames
    assert moved[touched[:2]].max() < 0.02 * moved.max()
    assert moved[touched[-2:]].max() < 0.02 * moved.max()


def test_what_would_have_to_move_too_far_is_left_and_told(walk):
    posed, body, contacts = walk
    bad = _damaged(posed, contacts)
    done = correct_motion(bad, CorrectionOptions(most=0.005), body=body, contacts=contacts)
    np.testing.assert_allclose(done.motion.rotations, bad.rotations, atol=1e-12)
    assert done.report.moved_max < 1e-6
    assert "joints would have to move by" in done.report.to_text()


def test_who_stands_on_a_box_is_not_pushed_off(walk):
    posed, body, contacts = walk
    t = np.arange(posed.n_frames) / posed.fps
    x = np.clip(np.minimum(t - 0.5, t[-1] - 0.5 - t) / 0.8, 0, 1)
    moved = posed.motion.translations.copy()
    moved[:, 0, 1] += 0.3 * x * x * (3 - 2 * x)
    raised = replace(posed.motion, translations=moved)
    high = (x > 0.1)[:, None]
    contacts = replace(
        contacts,
        bearing=replace(contacts.bearing, down=contacts.bearing.down & ~high),
        standing=replace(contacts.standing, down=contacts.standing.down & ~high),
    )
    done = correct_motion(raised, body=body, contacts=contacts)
    np.testing.assert_allclose(done.motion.translations[high[:, 0]], moved[high[:, 0]])


def test_an_elbow_that_is_bent_through_its_upper_arm_comes_back(walk):
    posed, body, contacts = walk
    elbow = posed.roles.joints["left_elbow"]
    limit = next(one for one in bend_limits(posed) if one.name == "left_elbow")
    t = np.arange(posed.n_frames)
    size = np.clip(1 - np.abs(t - posed.n_frames // 2) / 5, 0, 1)
    u = posed.positions[:, limit.before] - posed.positions[:, elbow]
    v = posed.positions[:, limit.behind] - posed.positions[:, elbow]
    axes = rot.rotate(rot.conjugate(posed.rotations[:, elbow]), np.cross(v, u))
    axes /= np.linalg.norm(axes, axis=-1, keepdims=True)
    rotations = posed.motion.rotations.copy()
    bent = rot.from_rotvec(np.radians(170.0) * size[:, None] * axes)
    rotations[:, elbow] = rot.multiply(rotations[:, elbow], bent)
    folded = pose_motion(replace(posed.motion, rotations=rotations), posed.roles)
    before = np.degrees(bend_angles(folded.positions, limit).min())
    options = CorrectionOptions(balance=False, flight=False)
    done = correct_motion(folded, options, body=body, contacts=contacts)
    after = pose_motion(done.motion, posed.roles).positions
    assert before < 15.0
    assert np.degrees(bend_angles(after, limit).min()) > before + 8.0


def test_least_torque_takes_less_torque(walk):
    posed, body, contacts = walk
    bad = _damaged(posed, contacts)
    near = correct_motion(bad, body=body, contacts=contacts)
    less = correct_motion(bad, CorrectionOptions(objective="torque"), body=body, contacts=contacts)
    effort = {}
    for name, done in (("near", near), ("less", less)):
        balance = analyse_balance(pose_motion(done.motion, posed.roles), body, contacts=contacts)
        effort[name] = float(np.sum(share_forces(balance).torques ** 2))
    assert effort["less"] < effort["near"]
    assert less.report.after.slip < 1.0


def test_a_flight_falls_at_g():
    posed = standing(60, 60.0)
    t = np.arange(60) / 60
    # Up and down again, at half of what gravity asks for.
    hop = np.clip(0.25 * (np.minimum(t, 0.9) - 0.3) * (0.9 - t) * 9.81, 0, None)
    moved = posed.motion.translations + np.stack([0 * t, hop, 0 * t], axis=-1)[:, None]
    motion = replace(posed.motion, translations=moved)
    flying = pose_motion(motion)
    contacts = find_ground_contacts(posed)
    down = contacts.bearing.down & (hop <= 0)[:, None]
    contacts = replace(
        contacts,
        bearing=replace(contacts.bearing, down=down),
        standing=replace(contacts.standing, down=contacts.standing.down & down),
    )
    body = make_body(posed, 1.75, 70.0)
    done = correct_motion(flying, body=body, contacts=contacts)
    assert done.report.before.quality.floating_share > 0.9
    assert done.report.after.quality.floating_share < 0.5


def test_slopes_of_feet_and_loads_are_those_of_finite_differences(walk):
    posed, body, contacts = walk
    problem = make_problem(posed.cut(0, 40), body, _cut(contacts, 40))
    step = 1e-5
    curves = np.zeros((40, problem.n_curves))
    world = problem.world(*problem.poses(curves))
    points = problem.points(world)
    slopes = point_slopes(problem, world, points)
    load_slopes = slopes_of(problem, loads_of(problem, curves, points))
    for d in range(0, problem.n_curves, 4):
        moved = curves.copy()
        moved[:, d] = step
        there = problem.points(problem.world(*problem.poses(moved)))
        np.testing.assert_allclose(slopes[..., d], (there - points) / step, atol=2e-4)
        above = loads_of(problem, moved, there).wrench
        under = loads_of(problem, -moved, points).wrench
        # A constant displacement has no derivatives: only the first order acts.
        wanted = (above - under) / (2 * step)
        inner = slice(2, -2)
        size = np.abs(wanted).max() + 1
        np.testing.assert_allclose(
            load_slopes.wrench[0][inner, :, d], wanted[inner], atol=0.02 * size
        )


def _cut(contacts, n):
    return replace(
        contacts,
        bearing=replace(contacts.bearing, down=contacts.bearing.down[:n]),
        standing=replace(contacts.standing, down=contacts.standing.down[:n]),
    )


def test_windows_change_little(walk):
    posed, body, contacts = walk
    bad = _damaged(posed, contacts)
    whole = correct_motion(bad, body=body, contacts=contacts).motion
    told = []
    parts = correct_motion(
        bad,
        CorrectionOptions(window=3.0, ease=3.0),
        body=body,
        contacts=contacts,
        progress=lambda *a: told.append(a),
    )
    assert told[-1][1] == told[-1][2] > 2
    assert parts.report.after.slip < 2.0
    off = pose_motion(whole).positions - pose_motion(parts.motion).positions
    assert np.abs(off).mean() < 0.01


def test_a_synthesis_can_end_with_a_correction(walk):
    posed, _, contacts = walk
    clips = analyse_clips(make_clip_set([posed.motion], posed.fps))
    bad = posed.with_motion(_damaged(posed, contacts))
    asked = ConstraintSet(
        duration=1.0, ground=[Stairs(start=(0.0, 1.0), rise=0.1, tread=0.4, steps=2)]
    )
    held = find_ground_contacts(bad).standing
    up, told, unmet = finish_by_physics(bad, held, clips, asked)
    assert any("on its ground" in sentence for sentence in told)
    assert all("on its ground" in sentence for sentence in unmet)
    assert up.hips[-1, 1] > bad.hips[-1, 1] + 0.1
    made, said, unmet = finish_by_physics(bad, held, clips, ConstraintSet(duration=1.0))
    assert not unmet
    assert made.n_frames == bad.n_frames
    assert any("stances pinned" in sentence for sentence in said)
    assert sum(sentence.startswith("physics ") for sentence in said) >= 4


@pytest.mark.parametrize(
    "wrong",
    [{"objective": "beauty"}, {"friction": 0.0}, {"rates": (8.0,)}, {"window": 0.5}, {"ease": 0.0}],
)
def test_wrong_options_are_refused(wrong):
    with pytest.raises(InvalidInputError):
        CorrectionOptions(**wrong)


def test_too_short_motions_are_refused():
    with pytest.raises(InvalidInputError, match="at least 8 frames"):
        correct_motion(standing(5))
