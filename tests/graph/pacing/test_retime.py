"""Constraints at the times of the search, and drafts at the times asked for."""

from dataclasses import replace
from itertools import accumulate

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.clips.analysis import analyse_clips
from motionloom.clips.pieces import GraphWalk, Piece
from motionloom.constraints import (
    BodyConstraint,
    ConstraintSet,
    CostConstraint,
    JointConstraint,
    KeyPose,
    PoseConstraint,
    StyleConstraint,
)
from motionloom.constraints.constraint_set import forget_kind, register_kind
from motionloom.constraints.kinds._kind import Kind, entries
from motionloom.constraints.kinds._style import StyleConstraint as Other
from motionloom.graph.generator import GraphGenerator, GraphGeneratorOptions
from motionloom.graph.joining import make_draft
from motionloom.graph.pacing._retime import retime_constraints, retime_draft
from motionloom.graph.pacing.plan import Paces, plan_pace
from motionloom.graph.searching.search import SearchOptions, compute_errors
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion
from motionloom.synthesis.driver import SynthesisOptions, synthesize
from motionloom_evaluation.critic import parse_provenance
from walkers import make_walkers

PACES = Paces(walk=(1.0, 1.3), run=None)
BODY = (
    BodyConstraint(time=0.0, position=(0.0, 0.0), facing=0.0),
    BodyConstraint(time=5.0, position=(0.5, 3.0), facing=20.0),
)


def slow(**more):
    """Five seconds for three metres."""
    return ConstraintSet(duration=5.0, body=BODY, **more)


def test_every_kind_is_retimed():
    clip = make_walkers().motions[0]
    wish = slow(
        joints=(JointConstraint(time=2.0, joint="Head", velocity=(0.0, 0.0, 0.5)),),
        poses=(PoseConstraint(time=3.5, clip="walk_0", frame=3),),
        key_poses=(KeyPose.of(clip, 4, 3.5),),
        style=(StyleConstraint(begin=1.0, end=4.0, label="x"),),
        costs=(CostConstraint(name="y", begin=2.0),),
    )
    times = plan_pace(wish.model_copy(update={"joints": ()}), PACES)
    found = retime_constraints(wish, times)
    shown = times.shown / wish.fps
    assert found.n_frames == times.shown[-1] + 1 < wish.n_frames
    for a, b in zip(
        (*wish.body, *wish.joints, *wish.poses, *wish.key_poses),
        (*found.body, *found.joints, *found.poses, *found.key_poses),
        strict=True,
    ):
        assert b.time == shown[wish.frame_of(a.time)]
    assert found.joints[0].velocity[2] == pytest.approx(0.5 / times.rates[60])
    assert (found.style[0].begin, found.style[0].end) == (shown[30], shown[120])
    assert (found.costs[0].begin, found.costs[0].end) == (shown[60], None)
    ConstraintSet.model_validate(found.model_dump(by_alias=True))


def test_a_kind_that_is_not_known_leaves_all_at_its_pace():
    assert plan_pace(slow(), PACES) is not None
    register_kind(Kind("moods", "mood", Other, entries("moods", "[]")))
    try:
        asked = slow(moods=({"from": 1.0, "to": 2.0, "label": "x"},))
        assert plan_pace(asked, PACES) is None
        assert plan_pace(slow(), PACES) is not None
    finally:
        forget_kind("moods")


@pytest.fixture(scope="module")
def warped():
    """A walk of two pieces with a hard pose, as it is searched and as it was asked for."""
    clips = analyse_clips(make_walkers())
    wish = slow(poses=(PoseConstraint(time=3.0, clip="walk_1", frame=37),))
    times = plan_pace(wish, PACES)
    searched = retime_constraints(wish, times)
    pose = searched.frame_of(searched.poses[0].time)
    seam = pose - 27
    rest = searched.n_frames - seam
    path = GraphWalk((Piece(0, 20, 20 + seam), Piece(1, 10, 10 + rest)))
    found = compute_errors(clips.clip_set, searched, path, GroundTransform())
    draft = replace(make_draft(clips, path, None, searched), errors=found)
    return clips, wish, times, draft, retime_draft(draft, wish, times, clips.clip_set.roles)


def test_a_hard_pose_is_shown_exactly_in_its_frame(warped):
    clips, wish, _, _, made = warped
    frame = wish.frame_of(3.0)
    assert made.kept_frames == (frame,)
    captured = clips.clip_set.motions[1].rotations[37, 1:]
    assert rot.angle_between(made.motion.rotations[frame, 1:], captured).max() < 1e-7
    assert made.source_frames[frame] == clips.clip_set.starts[1] + 37


def test_everything_of_a_draft_has_the_frames_asked_for(warped):
    _, wish, times, draft, made = warped
    n = wish.n_frames
    assert draft.motion.n_frames < n == made.motion.n_frames
    assert len(made.contacts.down) == len(made.source_frames) == n
    assert all(len(t.places) == len(t.rotations) == n for t in made.feet.values())
    assert [e.frame for e in made.errors] == [0, 150]
    whole = np.flatnonzero(times.shown == np.round(times.shown))
    at = times.shown[whole].astype(int)
    assert np.allclose(made.motion.translations[whole], draft.motion.translations[at])
    assert np.allclose(made.feet["left_foot"].places[whole], draft.feet["left_foot"].places[at])


@pytest.fixture(scope="module")
def shortened():
    """A walk of two legs, the first of them slowed, with shorter steps."""
    clips = analyse_clips(make_walkers())
    body = (*BODY, BodyConstraint(time=7.0, position=(1.0, 5.2), facing=20.0))
    wish = ConstraintSet(duration=7.0, body=body)
    times = plan_pace(wish, PACES)
    searched = retime_constraints(wish, times)
    rest = searched.n_frames - 110
    path = GraphWalk((Piece(0, 10, 120), Piece(1, 10, 10 + rest)))
    found = compute_errors(clips.clip_set, searched, path, GroundTransform())
    draft = replace(make_draft(clips, path, None, searched), errors=found)
    return wish, times, searched, draft, retime_draft(draft, wish, times, clips.clip_set.roles)


def test_where_steps_become_shorter_the_search_goes_farther(shortened):
    wish, times, searched, _, _ = shortened
    (leg,) = times.legs
    asked, found = (np.array([c.position for c in w.body]) for w in (wish, searched))
    assert leg.steps < 0.98
    np.testing.assert_allclose(found[1] - found[0], (asked[1] - asked[0]) / leg.steps)
    np.testing.assert_allclose(found[2] - found[1], asked[2] - asked[1])


def test_what_was_found_is_as_far_from_what_was_asked_for(shortened):
    wish, _, searched, draft, made = shortened
    roles = make_walkers().roles
    there, here = (PosedMotion(d.motion, roles).body[:, :2] for d in (draft, made))
    for c, s in zip(wish.body, searched.body, strict=True):
        missed = there[searched.frame_of(s.time)] - s.position
        np.testing.assert_allclose(here[wish.frame_of(c.time)] - c.position, missed, atol=1e-6)


def test_the_speed_is_the_one_that_was_planned(shortened):
    _, times, _, draft, made = shortened
    roles = make_walkers().roles
    middle = slice(45, 105)
    here = np.diff(PosedMotion(made.motion, roles).body[middle, 1]).sum()
    frames = times.shown[middle]
    there = np.interp(
        frames[[0, -1]],
        np.arange(draft.motion.n_frames),
        PosedMotion(draft.motion, roles).body[:, 1],
    )
    (leg,) = times.legs
    assert here / 59 == pytest.approx(leg.steps * (there[1] - there[0]) / 59, rel=0.02)


def test_a_seam_is_where_the_next_piece_is_first_shown(warped):
    clips, _, _, _, made = warped
    (seam,) = made.seams
    clip = clips.clip_set.clip_of[made.source_frames]
    assert np.array_equal(clip, np.arange(len(clip)) >= seam)


def test_a_warped_walk_is_as_smooth_as_it_was(warped):
    _, _, _, draft, made = warped
    here, there = (np.abs(np.diff(d.motion.translations[:, 0], n=2, axis=0)) for d in (draft, made))
    assert there.max() < 1.1 * here.max()


@pytest.fixture(scope="module")
def fitted(graph):
    return GraphGenerator().fit(
        analyse_clips(graph.clips),
        GraphGeneratorOptions(search=SearchOptions(iterations=20_000)),
    )


def test_the_report_tells_of_the_pace_and_its_pieces_fill_the_motion(fitted):
    wish = ConstraintSet(duration=5.0, body=(BODY[0], BODY[1]))
    made = synthesize(fitted, wish, SynthesisOptions())
    (leg,) = made.report.details.paced
    assert (leg.begin, leg.end) == (0.0, 5.0)
    assert 1 / 1.15 <= leg.rate < 1.0
    assert "Pace of the clips changed" in made.report.to_text()
    assert f"{leg.pace:.2f}" in made.report.to_text()
    known = parse_provenance(made.report.to_dict())
    assert known.n_frames == wish.n_frames == made.motion.n_frames
    assert known.seams == made.best.seams
    clips = fitted.clips.clip_set
    first = [clips.starts[clips.names.index(p.clip)] for p in known.pieces]
    shown = [
        first[k] + piece.source_of(i)
        for k, piece in enumerate(known.pieces)
        for i in range(piece.n_shown)
    ]
    assert np.abs(np.array(shown) - made.best.draft.source_frames).max() <= 3


def test_it_can_be_switched_off(fitted):
    options = GraphGeneratorOptions(search=SearchOptions(iterations=2000), pace=None)
    off = GraphGenerator().fit(fitted.clips, options)
    made = synthesize(off, slow(), SynthesisOptions())
    assert made.report.details.paced == ()
    pieces = made.report.details.pieces
    assert [p.frames for p in pieces] == [p.stop - p.start for p in pieces]
    assert list(accumulate((p.frames for p in pieces), initial=0))[-1] == 151
