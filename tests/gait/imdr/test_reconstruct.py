"""Two clips and the gait between them."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.clips.prepare import prepare_clip
from motionloom.constraints import ConstraintSet
from motionloom.constraints.path_curve import path_curve
from motionloom.errors import InvalidInputError
from motionloom.gait.imdr.ends import match_phases
from motionloom.gait.imdr.reconstruct import reconstruct
from motionloom.gait.path.tables.table import world_of
from motionloom.posed_motion import PosedMotion

FPS = 30.0


@pytest.fixture(scope="module")
def walk(performances):
    return prepare_clip(performances["walk_1.1"].motion, FPS, None)[0]


@pytest.fixture(scope="module")
def stand(performances):
    return prepare_clip(performances["stand"].motion, FPS, None)[0]


@pytest.fixture(scope="module")
def filled(walk, gait_space):
    first, last = 60, 110
    start = walk.motion.cut(0, first + 1)
    end = walk.motion.cut(last, walk.n_frames)
    asked = ConstraintSet(duration=walk.motion.duration, fps=FPS)
    return first, last, reconstruct(start, end, asked, gait_space)


def test_known_frames_stay_and_the_gap_is_like_what_was_cut_out(walk, filled):
    first, last, made = filled
    posed = PosedMotion(made.motion, walk.roles)
    assert made.motion.n_frames == walk.n_frames
    for own in (slice(0, first + 1), slice(last, walk.n_frames)):
        assert np.allclose(posed.positions[own], walk.positions[own], atol=1e-6)
    away = np.linalg.norm(posed.positions - walk.positions, axis=-1)[first:last]
    assert away.mean() < 0.05


def test_joins_do_not_pop(walk, filled):
    first, last, made = filled
    posed = PosedMotion(made.motion, walk.roles)
    size = np.linalg.norm(np.diff(posed.positions, 2, axis=0), axis=-1) * FPS**2
    usual = np.linalg.norm(np.diff(walk.positions, 2, axis=0), axis=-1) * FPS**2
    beside = [k for f in (first, last) for k in (f - 2, f - 1, f)]
    assert size[beside].max() < 1.5 * usual.max()


def test_a_stand_and_a_walk_are_joined_along_a_path(stand, walk, gait_space):
    start = stand.motion.cut(0, 31)
    end = walk.motion.cut(60, 100)
    duration = start.duration + 4.0 + end.duration
    begin, stop = start.duration, start.duration + 4.0
    path = {"points": [(0, 0), (0, 1.5), (1.5, 2)], "times": [begin, begin + 2.2, stop]}
    asked = ConstraintSet(duration=duration, fps=FPS, paths=[path])
    made = reconstruct(start, end, asked, gait_space)
    posed = PosedMotion(made.motion, stand.roles)
    frame = round((begin + 2.2) * FPS)
    assert np.linalg.norm(posed.body[frame, :2] - [0, 1.5]) < 0.1
    assert np.linalg.norm(posed.body[made.gap[1], :2] - [1.5, 2]) < 0.1
    assert made.before.speed == 0
    assert made.behind.speed > 0


def test_phases_of_a_table_are_found_again(table):
    count = 20
    phases = 0.3 + np.arange(count) / FPS / float(table.mixed(table.durations, [1.2])[0])
    poses = table.mixed(table.rotations, [1.2])[0]
    poses /= np.linalg.norm(poses, axis=-1, keepdims=True)
    nearest = np.round(phases * len(poses)).astype(int) % len(poses)
    world = world_of(table.body, poses[nearest], np.zeros((count, 3)))
    told = np.arange(table.body.skeleton.n_joints)
    match = match_phases(table, world.positions, 1.2, FPS, told)
    off = (match.phases - phases + 0.5) % 1.0 - 0.5
    assert np.abs(off).max() < 0.02
    assert match.distance < 0.01


def test_no_time_for_a_gap_is_refused(walk, gait_space):
    asked = ConstraintSet(duration=walk.motion.duration, fps=FPS)
    with pytest.raises(InvalidInputError, match=r"leaves .* for the gap"):
        reconstruct(walk.motion, walk.motion, asked, gait_space)


def test_another_frame_rate_is_refused(walk, gait_space):
    asked = ConstraintSet(duration=20.0, fps=60.0)
    with pytest.raises(InvalidInputError, match="use one rate"):
        reconstruct(walk.motion, walk.motion, asked, gait_space)


def test_a_gait_space_of_another_skeleton_is_refused(stand, gait_space):
    known = stand.motion.skeleton
    other = replace(stand.motion, skeleton=replace(known, names=(*known.names[:-1], "extra")))
    asked = ConstraintSet(duration=2 * other.duration + 4.0, fps=FPS)
    with pytest.raises(InvalidInputError, match="of another skeleton than the clips"):
        reconstruct(other, other, asked, gait_space)


def test_clips_that_are_moved_are_named_with_how_far(stand, walk, gait_space):
    start = stand.motion.cut(0, 31)
    end = walk.motion.cut(60, 100)
    begin, stop = start.duration, start.duration + 4.0
    path = {"points": [(0, 0), (0, 1.5), (1.5, 2)], "times": [begin, begin + 2.2, stop]}
    asked = ConstraintSet(duration=stop + end.duration, fps=FPS, paths=[path])
    made = reconstruct(start, end, asked, gait_space)
    posed = PosedMotion(made.motion, stand.roles)
    away = posed.body[made.gap[1] :, :2] - PosedMotion(end, walk.roles).body[:, :2]
    move = next(move for move in made.moves if move.clip == "second")
    assert move.distance == pytest.approx(np.linalg.norm(away, axis=1).max(), abs=1e-6)
    assert any(p.startswith("the second clip is moved by") for p in made.problems)
    place = {"time": stop, "position": (1.5, 2.0)}
    told = reconstruct(start, end, asked.model_copy(update={"body": bodies(place)}), gait_space)
    assert not any("second clip" in p for p in told.problems)
    assert "the second clip is moved by" in told.to_text()


@pytest.mark.parametrize("curve", ["spline", "polyline"])
def test_a_gap_follows_the_curve_of_a_path_and_is_measured(stand, walk, gait_space, curve):
    start = stand.motion.cut(0, 31)
    end = walk.motion.cut(60, 100)
    begin, stop = start.duration, start.duration + 6.0
    points = [(0, 0), (0, 3.2), (3.2, 3.2)]
    path = {"points": points, "from": begin, "to": stop, "curve": curve}
    asked = ConstraintSet(duration=stop + end.duration, fps=FPS, paths=[path])
    made = reconstruct(start, end, asked, gait_space)
    (kept,) = made.kept
    assert kept.value < 0.1  # who stands at first comes a little late
    assert not made.missed
    inside = PosedMotion(made.motion, stand.roles).body[slice(*made.gap), :2]
    whole = path_curve(points, curve)
    there = whole.at(np.linspace(0.0, whole.length, 500)).ground
    aside = np.sqrt(((inside[:, None] - there) ** 2).sum(axis=-1)).min(axis=1)
    assert aside.max() < 0.1


def test_a_path_that_a_gap_misses_is_a_problem(stand, walk, gait_space):
    start = stand.motion.cut(0, 31)
    end = walk.motion.cut(60, 100)
    begin, stop = start.duration, start.duration + 4.0
    path = {"points": [(0, 0), (0, 3)], "from": begin, "to": stop}
    aside = {"time": stop, "position": (2.0, 3.0)}
    asked = ConstraintSet(duration=stop + end.duration, fps=FPS, paths=[path], body=bodies(aside))
    made = reconstruct(start, end, asked, gait_space)
    assert any(p.startswith("path of 2 points is missed by") for p in made.problems)
    assert "path of 2 points" in made.to_text()


def bodies(*places):
    return ConstraintSet(duration=60.0, body=places).body


def test_a_clip_that_stays_is_not_moved(filled):
    assert filled[2].moves == ()
    assert filled[2].problems == ()


def test_hips_that_sink_too_far_are_a_problem(filled):
    from motionloom.edit.limbs import LARGEST_DROP
    from motionloom.gait.path._lay import sunk

    woven = filled[2].bridge.woven
    leg = woven.plan.table.body.soles.leg
    assert sunk(woven) == ()
    (problem,) = sunk(replace(woven, drop=np.full_like(woven.drop, (LARGEST_DROP + 0.01) * leg)))
    assert f"sink by {100 * (LARGEST_DROP + 0.01) * leg:.0f} cm" in problem


def test_soles_of_feet_that_hardly_stand_come_from_the_space(walk, gait_space):
    from motionloom.gait.imdr.reconstruct import _body_for

    brief = [PosedMotion(walk.motion.cut(a, a + 8), walk.roles) for a in (40, 80)]
    other = [one.with_motion(taller(one.motion)) for one in brief]
    body, notes = _body_for(other, gait_space)
    known = gait_space.body()
    assert "taken from the gait space" in notes[0]
    assert body.hip_height / body.soles.leg == pytest.approx(known.hip_height / known.soles.leg)


def taller(motion):
    skeleton = replace(motion.skeleton, offsets=1.1 * motion.skeleton.offsets)
    return replace(motion, skeleton=skeleton, translations=1.1 * motion.translations)
