"""What characters do: span after span by its method, joined, and where they meet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np

from motionloom.clips.clip_set import ClipSet
from motionloom.constraints import JointConstraint
from motionloom.constraints.kinds.ground import ground_heights
from motionloom.errors import FormatError, MotionloomError
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion
from motionloom.scene.check import (
    EventGeometry,
    EventOutcome,
    PairOverlap,
    check_event,
    lay_out,
    measure_overlaps,
)
from motionloom.scene.placement import Relation, find_relation
from motionloom.shot._detours import (
    Collisions,
    Detours,
    find_collisions,
    stage_with,
    told,
    with_detours,
)
from motionloom.shot._handover.repair import hand_over
from motionloom.shot._keeping import Keeper, Kept, join_kept, key_of, key_of_join, like_clips
from motionloom.shot.joining import Joined
from motionloom.shot.layers import Layered, joint_at, lay_under
from motionloom.shot.plan.planned import Plan, PlannedMeeting, PlannedSpan
from motionloom.shot.script.shot import Joins
from motionloom.shot.spans import _gait as gait
from motionloom.shot.spans import _walk as walk
from motionloom.shot.spans import given, idle
from motionloom.shot.stage import Piece, Place, Stage, State, state_of

#: By method: makes the motion of a span, given what the span before leaves behind (or where the
#: body begins). The motion begins in the frame in which the one before ends.
MAKERS: Mapping[str, Callable[[Stage, PlannedSpan, State | Place], Piece]] = {
    "walk": walk.make,
    "gait": gait.make,
    "idle": idle.make,
    "between": given.make_between,
    "clip": given.make_clip,
    "edit": given.make_edit,
    "synthesize": given.make_synthesize,
}


@dataclass(frozen=True, eq=False)
class MadeSpan:
    """A span that was made.

    Parameters
    ----------
    planned : PlannedSpan
        Its times.
    kept : Kept
        Its piece as it is by itself.
    begin : State or Place
        What it begins with.
    piece : Piece
        Its motion, as it goes on from the span before.
    end : State
        What it leaves behind.
    was_kept : bool
        Whether its piece is that of a run before.
    """

    planned: PlannedSpan
    kept: Kept
    begin: State | Place
    piece: Piece
    end: State
    was_kept: bool = False


@dataclass(frozen=True, eq=False)
class Track:
    """What one character does before anything is laid over it.

    Parameters
    ----------
    spans : tuple of MadeSpan
        In the order of time.
    joined : Joined
        All of them as one motion.
    """

    spans: tuple[MadeSpan, ...]
    joined: Joined


def make_track(
    stage: Stage, plan: Plan, who: str, keeper: Keeper, detours: Detours | None = None
) -> Track:
    """Make all spans of a character, and join them.

    Parameters
    ----------
    stage : Stage
        Its clips and methods.
    plan : Plan
        What happens when.
    who : str
        The character.
    keeper : Keeper
        Where pieces and the joined motion are kept from one run to the next.
    detours : mapping of (str, str) to tuple of Detour, optional
        Whom spans are led around.

    Returns
    -------
    Track

    Raises
    ------
    MotionloomError
        When a span cannot be made; the message begins with its line and name.
    """
    spans = _make_spans(stage, plan, who, keeper, detours or {})
    names = [one.planned.name for one in spans]
    pieces = [one.piece for one in spans]
    rule = plan.file.shot.joins
    over = [rule.of(before, after) for before, after in pairwise(names)]
    return Track(spans, join_kept(keeper.finished, stage, names, pieces, over))


def _make_spans(
    stage: Stage, plan: Plan, who: str, keeper: Keeper, detours: Detours
) -> tuple[MadeSpan, ...]:
    """Spans of a character, each going on from the one before it."""
    track = plan.tracks[who]
    begin: State | Place = stage.start_of(who)
    made: list[MadeSpan] = []
    for i, planned in enumerate(track):
        stage.progress(f"{who}: {planned.name}", i, len(track))
        own = detours.get((who, planned.name), ())
        one = make_span(stage_with(stage, own), planned, begin, keeper)
        one = replace(one, piece=told(one.piece, own, stage.file.scale))
        if made:
            key = " ".join((one.kept.key, *(detour.other for detour in own)))
            one = _go_on(stage, (made[-1], one), key, plan.file.shot.joins, keeper)
        made.append(one)
        begin = one.end
    stage.progress(f"{who}: joining", len(track), len(track))
    return tuple(made)


def make_span(stage: Stage, planned: PlannedSpan, begin: State | Place, keeper: Keeper) -> MadeSpan:
    """A span by itself."""
    key = key_of(stage, planned, begin)
    make = partial(make_piece, stage, planned, begin)
    kept, was_kept = keeper.keep(stage, planned, key, make)
    return MadeSpan(planned, kept, begin, kept.piece, state_of(stage, kept.piece), was_kept)


def _go_on(
    stage: Stage, pair: tuple[MadeSpan, MadeSpan], key: str, rule: Joins, keeper: Keeper
) -> MadeSpan:
    """A span that goes on from the one before it, kept by what both are; see `hand_over`."""
    before, one = pair
    names = before.planned.name, one.planned.name
    over = rule.of(*names)
    key = key_of_join(key, before.piece, over, names[0])

    def make() -> Piece:
        return like_clips(stage, hand_over(stage, before.piece, one.piece, over, names))

    piece = keeper.keep(stage, one.planned, key, make)[0].piece
    return replace(one, piece=piece, end=state_of(stage, piece))


def make_piece(stage: Stage, planned: PlannedSpan, state: State | Place) -> Piece:
    """Make one span by its method.

    Raises
    ------
    MotionloomError
        When it cannot be made; the sentence begins with its line and name.
    """
    try:
        return like_clips(stage, MAKERS[planned.kind](stage, planned, state))
    except MotionloomError as error:
        if not (isinstance(error, FormatError) and error.path is not None):
            line = stage.file.line_of(planned.where)
            error.locate(f"{stage.file.path}:{line}: {planned.name}")
        raise


#: Hands are brought to where they meet, and back, in this time, seconds.
EASE = 0.9
#: Hips stay where they stand as far as what meets lets them: their layer.
STAYS = 2

#: So often walks that lead through somebody are made anew.
DETOURS = 3


@dataclass(frozen=True, eq=False)
class _Try:
    """Tracks of all, made with detours, and who still walks through whom."""

    detours: Detours
    tracks: dict[str, Track]
    under: dict[str, Layered]
    found: Collisions

    @property
    def faults(self) -> tuple[int, float]:
        """How many problems there are, and how deep bodies are in each other."""
        pieces = [one.piece for track in self.tracks.values() for one in track.spans]
        joins = [join for track in self.tracks.values() for join in track.joined.joins]
        count = sum(len(piece.problems) for piece in pieces)
        count += sum(not join.is_good for join in joins)
        return len(self.found.depths) + count, sum(self.found.depths)


def make_tracks(
    plan: Plan, stages: Mapping[str, Stage], keeper: Keeper
) -> tuple[dict[str, Track], dict[str, Layered]]:
    """Tracks of all; walks that lead through somebody are made anew, around them.

    Parameters
    ----------
    plan : Plan
        What happens when.
    stages : mapping of str to Stage
        By character.
    keeper : Keeper
        Where pieces, joined motions and what lies over them are kept.

    Returns
    -------
    tracks : dict of str to Track
        By character.
    under : dict of str to Layered
        By character: the joined motions with what lies over them before anybody is met.

    Raises
    ------
    MotionloomError
        When a span cannot be made; the sentence begins with its line and name.
    """
    tried = _try(plan, stages, {}, None, keeper)
    best = tried
    for _ in range(DETOURS):
        detours = with_detours(tried.detours, tried.found.detours)
        if detours == tried.detours:
            break
        tried = _try(plan, stages, detours, tried, keeper)
        best = min(best, tried, key=lambda one: one.faults)
    return best.tracks, best.under


def _try(
    plan: Plan, stages: Mapping[str, Stage], detours: Detours, before: _Try | None, keeper: Keeper
) -> _Try:
    """Tracks made with detours; those of a try before stay where nothing of theirs changes."""
    tracks: dict[str, Track] = {}
    under = {}
    for who in plan.tracks:
        own = _of(who, detours)
        if before is not None and own == _of(who, before.detours):
            tracks[who] = before.tracks[who]
            under[who] = before.under[who]
            continue
        track = make_track(stages[who], plan, who, keeper, own)
        tracks[who] = track if before is None else _with_kept(track, before.tracks[who])
        under[who] = lay_under(stages[who], plan.layers[who], track.joined, keeper.finished)
    events = [lay_out_meeting(plan, one, stages, under) for one in plan.meetings]
    bodies = {who: one.posed for who, one in under.items()}
    return _Try(detours, tracks, under, find_collisions(plan, events, bodies, detours))


def _of(who: str, detours: Detours) -> Detours:
    """Detours of one character."""
    return {which: own for which, own in detours.items() if which[0] == who}


def _with_kept(track: Track, before: Track) -> Track:
    """A track in which what was made a moment ago is none of a run before."""
    both = zip(track.spans, before.spans, strict=True)
    spans = (replace(one, was_kept=one.was_kept and old.was_kept) for one, old in both)
    return replace(track, spans=tuple(spans))


def lay_out_meeting(
    plan: Plan, one: PlannedMeeting, stages: Mapping[str, Stage], made: Mapping[str, Layered]
) -> EventGeometry:
    """Find where joints meet, from where both stand.

    Parameters
    ----------
    plan : Plan
        What happens when.
    one : PlannedMeeting
        The meeting.
    stages : mapping of str to Stage
        By character.
    made : mapping of str to Layered
        By character: the motion on the body that there is in the end, before anything reaches.

    Returns
    -------
    EventGeometry
    """
    event = one.meet.at(round(one.first / plan.fps, 3))
    clips = {who: _clips_of(stages[who], made[who].posed) for who in event.between}
    first, second = (made[who].posed.body[one.first] for who in event.between)
    middle = 0.5 * (first[:2] + second[:2])
    spot = GroundTransform(float(np.arctan2(*(second - first)[:2])), *middle.tolist())
    level = np.zeros(3)
    if plan.file.shot.ground and all(stages[who].body is None for who in event.between):
        level[1] = float(ground_heights(plan.file.shot.ground, middle))
    own = {who: stages[who].clips.clip_set for who in event.between}
    stands = (find_relation(event, own), Relation.of_bodies(first, second))
    laid = lay_out(event, spot, (one.first, one.last), clips, stands)
    points = tuple(
        pair if joints.position is not None else (pair[0] + level, pair[1] + level)
        for joints, pair in zip(event.joints, laid.points, strict=True)
    )
    return replace(laid, points=points)


def _clips_of(stage: Stage, posed: PosedMotion) -> ClipSet:
    """What tells how the body holds its joints: the clips, or its own motion where it is another
    body.
    """
    if stage.body is None:
        return stage.clips.clip_set
    return ClipSet(
        motions=(posed.motion,),
        roles=posed.roles,
        starts=np.array([0, posed.n_frames]),
        positions=posed.positions,
        body=posed.body,
        fps=posed.fps,
    )


def joints_of(
    events: Sequence[EventGeometry], who: str, posed: PosedMotion
) -> tuple[JointConstraint, ...]:
    """What meetings ask of the joints of a character: those that meet, and the hips stay.

    Parameters
    ----------
    events : sequence of EventGeometry
        Of `lay_out_meeting`.
    who : str
        The character.
    posed : PosedMotion
        Theirs, before anything reaches.

    Returns
    -------
    tuple of JointConstraint
    """
    asked = []
    for one in (one for one in events if who in one.event.between and one.points):
        event = one.event
        k = event.between.index(who)
        hips = posed.roles.joints["hips"]
        stays = {
            "joint": posed.skeleton.names[hips],
            "position": posed.positions[one.frames[0], hips].tolist(),
            "priority": STAYS,
        }
        meets = [
            {"joint": (joints.first, joints.second)[k], "position": points[k].tolist()}
            for joints, points in zip(event.joints, one.points, strict=True)
        ]
        asked += [joint_at(event.time, event.hold, EASE, facts) for facts in (stays, *meets)]
    return tuple(asked)


def check_meetings(
    events: Sequence[EventGeometry], before: Mapping[str, Layered], after: Mapping[str, Layered]
) -> tuple[tuple[EventOutcome, ...], tuple[PairOverlap, ...]]:
    """Measure meetings, and how deep characters are in each other besides.

    Parameters
    ----------
    events : sequence of EventGeometry
        Of `lay_out_meeting`.
    before, after : mapping of str to Layered
        By character, before and after joints were brought together.

    Returns
    -------
    outcomes : tuple of EventOutcome
        One for each.
    overlaps : tuple of PairOverlap
        One for every two characters.
    """
    old = {who: one.posed for who, one in before.items()}
    new = {who: one.posed for who, one in after.items()}
    outcomes = tuple(check_event(event, old, new) for event in events)
    return outcomes, measure_overlaps(events, new)
