"""A shot made: every span by its method, joined, with what lies over them.

What a shot asks of a character, in the world, as pictures show it.

Bodies moved a little so that two who meet stand to each other as they should; feet stay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.quality import compute_quality
from motionloom.clips.clip_set import ClipSet
from motionloom.constraints import BodyConstraint, ConstraintSet, JointConstraint
from motionloom.constraints.kinds.avoid import HeightMap, measure_depths
from motionloom.constraints.kinds.ground import ground_heights
from motionloom.constraints.obstacles import body_points
from motionloom.errors import FormatError, MotionloomError
from motionloom.io.kept import KeptFolder
from motionloom.motion import GroundTransform, Motion
from motionloom.posed_motion import PosedMotion
from motionloom.scene.check import (
    EventGeometry,
    EventOutcome,
    PairOverlap,
    check_event,
    lay_out,
    measure_overlaps,
    plateau,
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
from motionloom.shot._handover.bridging import Side
from motionloom.shot._handover.repair import hand_over, move_on_feet
from motionloom.shot._keeping import Keeper, Kept, join_kept, key_of, key_of_join, like_clips
from motionloom.shot._report import CharacterReport, Inside, ShotReport, SpanRow
from motionloom.shot.joining import Join, Joined, measure_joins
from motionloom.shot.layers import Layered, constraint_of, joint_at, lay_over, lay_under
from motionloom.shot.plan.planned import Plan, PlannedMeeting, PlannedSpan, place_of
from motionloom.shot.script.shot import Joins
from motionloom.shot.script.span_fields import ReachSpan, WalkSpan
from motionloom.shot.spans import _gait as gait
from motionloom.shot.spans import _walk as walk
from motionloom.shot.spans import given, idle
from motionloom.shot.stage import Piece, Place, Stage, State, overwritten, state_of
from motionloom.threads import one_thread
from motionloom.typing import Array

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
MEETING_EASE = 0.9
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
        asked += [
            joint_at(event.time, event.hold, MEETING_EASE, facts) for facts in (stays, *meets)
        ]
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


#: Who stands farther off, metres, or turned more, degrees, is left alone: that is told.
MOST_WAY, MOST_TURN = 0.12, 10.0
#: Bodies are moved there and back in this time, seconds.
EASE = 0.8
#: So much before and behind that is looked at with it, seconds.
BESIDE = 0.4

#: Ends of walks are told where they are farther off in the finished motion, and are problems where
#: they are this far off, metres.
TOLD, FAR = 0.005, 0.1


@dataclass(frozen=True, eq=False)
class MadeShot:
    """A shot as motions.

    Parameters
    ----------
    motions : dict of str to Motion
        By character.
    contacts : dict of str to FootContacts
        By character, frame by frame with the motions.
    report : ShotReport
        How all came out.
    asked : dict of str to ConstraintSet
        By character: places of walks, points of reaches, obstacles and ground, as pictures show
        them.
    tracks : dict of str to Track
        By character: its spans, and the motion that they were joined to.
    """

    motions: dict[str, Motion]
    contacts: dict[str, FootContacts]
    report: ShotReport
    asked: dict[str, ConstraintSet] = field(default_factory=dict)
    tracks: dict[str, Track] = field(default_factory=dict)


@one_thread()
def make_shot(
    plan: Plan,
    stages: Mapping[str, Stage],
    kept: KeptFolder | None = None,
    keeper: Keeper | None = None,
) -> MadeShot:
    """Make all spans of a shot.

    Parameters
    ----------
    plan : Plan
        What happens when.
    stages : mapping of str to Stage
        By character.
    kept : KeptFolder, optional
        Where pieces, and what lies over them, are kept from one run to the next.
    keeper : Keeper, optional
        Where pieces are kept instead.

    Returns
    -------
    MadeShot

    Raises
    ------
    MotionloomError
        When a span cannot be made; the sentence begins with its line and name.
    """
    keeper = keeper or Keeper(kept)
    tracks, under = make_tracks(plan, stages, keeper)
    met = [lay_out_meeting(plan, one, stages, under) for one in plan.meetings]
    under = _stand_right(met, stages, under)
    events = [lay_out_meeting(plan, one, stages, under) for one in plan.meetings]
    done = {
        who: lay_over(
            stages[who],
            plan.layers[who],
            below,
            joints_of(events, who, below.posed),
            keeper.finished,
        )
        for who, below in under.items()
    }
    meetings, overlaps = check_meetings(events, under, done)
    reports = {who: _report(stages[who], plan, who, tracks[who], done[who]) for who in done}
    return MadeShot(
        {who: replace(one.posed.motion, name=who) for who, one in done.items()},
        {who: one.contacts for who, one in done.items()},
        ShotReport(plan.file.shot.seed, plan.fps, reports, meetings, overlaps),
        {who: _asked_by(plan, who, stages[who]) for who in done},
        tracks,
    )


def _report(stage: Stage, plan: Plan, who: str, track: Track, layered: Layered) -> CharacterReport:
    rows = []
    missed = missed_in_the_end(plan, who, layered.posed)
    for made in track.spans:
        piece = made.piece
        off, far_off = missed.get(made.planned.name, ((), ()))
        row = _row_of(made.planned, plan.fps, (*piece.rows, *off), (*piece.problems, *far_off))
        rows.append(replace(row, kept=made.was_kept, notes=(*made.planned.notes, *piece.notes)))
    for planned in plan.layers[who]:
        own = tuple(text for name, text in layered.rows if name == planned.name)
        bad = tuple(text for name, text in layered.problems if name == planned.name)
        rows.append(_row_of(planned, plan.fps, own, bad))
    posed = layered.posed
    joins = _joins_in_the_end(stage, track, layered)
    seams = [join.frame for join in joins]
    return CharacterReport(
        spans=tuple(rows),
        joins=joins,
        quality=compute_quality(posed, layered.contacts, seams, layered.hinges),
        sources=stage.clips.quality,
        fps=plan.fps,
        body=layered.body,
        notes=layered.notes,
        inside=_inside(plan, layered),
    )


def _joins_in_the_end(stage: Stage, track: Track, layered: Layered) -> tuple[Join, ...]:
    """Joins under what lies over them; those of another body are told of the one before it."""
    if stage.body is not None or layered.posed is track.joined.posed:
        return track.joined.joins
    pieces = [made.piece for made in track.spans]
    whole = Joined(layered.posed, layered.contacts, track.joined.joins)
    return measure_joins(whole, pieces, stage.clips)


def _row_of(
    planned: PlannedSpan, fps: float, rows: tuple[str, ...], problems: tuple[str, ...]
) -> SpanRow:
    """How a span came out that was made now."""
    times = planned.first / fps, planned.last / fps
    return SpanRow(planned.name, planned.kind, *times, planned.seed, False, rows, problems)


def _inside(plan: Plan, layered: Layered) -> tuple[Inside, ...]:
    """How deep the body is in what it should keep out of."""
    avoid = plan.file.shot.avoid
    posed = layered.posed
    if not avoid:
        return ()
    depths = measure_depths(avoid, body_points(posed.skeleton, posed.roles, posed.positions))
    places = [one.origin if isinstance(one, HeightMap) else one.center for one in avoid]
    names = [f"{one.shape} at {x:g} {z:g}" for one, (x, z) in zip(avoid, places, strict=True)]
    return tuple(
        Inside(name, 1000 * float(own.max()), float(own.argmax()) / plan.fps)
        for name, own in zip(names, depths.T, strict=True)
    )


def _asked_by(plan: Plan, who: str, stage: Stage) -> ConstraintSet:
    """Places where walks end, points that are reached, obstacles and ground.

    Parameters
    ----------
    plan : Plan
        What happens when.
    who : str
        The character.
    stage : Stage
        Theirs.

    Returns
    -------
    ConstraintSet
        In the time of the shot.
    """
    shot = plan.file.shot
    body = [_end_of(plan, one) for one in plan.tracks[who]]
    reaches = [one for one in plan.layers[who] if isinstance(one.span, ReachSpan)]
    return ConstraintSet(
        duration=plan.duration,
        fps=plan.fps,
        body=tuple(one for one in body if one is not None),
        joints=tuple(constraint_of(stage, one) for one in reaches),
        avoid=shot.avoid,
        ground=shot.ground,
    )


def missed_in_the_end(
    plan: Plan, who: str, posed: PosedMotion
) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Where walks are off their ends in the finished motion, by what was joined or laid over them.

    Parameters
    ----------
    plan : Plan
        What happens when.
    who : str
        The character.
    posed : PosedMotion
        All that they do, finished.

    Returns
    -------
    dict of str to (tuple of str, tuple of str)
        By span, as far as one is off: how far, and the same where that is a problem.
    """
    found: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    for one in plan.tracks[who]:
        asked = _end_of(plan, one)
        if asked is None:
            continue
        off = posed.body[min(one.last, posed.n_frames - 1), :2] - asked.position
        away = float(np.hypot(*off))
        if away > TOLD:
            text = f"body at {asked.time:.2f} s: {1000 * away:.0f} mm off in the finished motion"
            found[one.name] = ((text,), (text,) if away > FAR else ())
    return found


def _end_of(plan: Plan, one: PlannedSpan) -> BodyConstraint | None:
    """Where a walk is to end."""
    span = one.span
    if not isinstance(span, WalkSpan) or span.to is None:
        return None
    position, facing = place_of(plan.file, (*one.where, "to"), span.to, span.facing)
    return BodyConstraint(time=one.last / plan.fps, position=position, facing=facing)


def _stand_right(
    events: Sequence[EventGeometry], stages: Mapping[str, Stage], made: Mapping[str, Layered]
) -> dict[str, Layered]:
    """Move who sways so that they are at the distance of their meetings, each by half.

    Parameters
    ----------
    events : sequence of EventGeometry
        Of `lay_out_meeting`.
    stages : mapping of str to Stage
        By character.
    made : mapping of str to Layered
        By character.

    Returns
    -------
    dict of str to Layered
        Feet that stand are where they were. Who is far off, or not on level ground, stays.
    """
    done = dict(made)
    for one in events:
        if stages[one.event.between[0]].file.shot.ground:
            continue
        wanted = one.relation.stands(one.spot)
        for who, stand in zip(one.event.between, wanted, strict=True):
            done[who] = _moved(stages[who], done[who], stand, one.frames)
    return done


def _moved(
    stage: Stage, layered: Layered, stand: GroundTransform, frames: tuple[int, int]
) -> Layered:
    posed = layered.posed
    ways, turns = _missing(posed, stand, frames)
    if np.hypot(*ways.T).max() > MOST_WAY or np.degrees(np.abs(turns)).max() > MOST_TURN:
        return layered
    # Nothing that is farther away changes, not even by a hair.
    around = round((EASE + BESIDE) * posed.fps)
    first, stop = max(frames[0] - around, 0), min(frames[1] + around + 1, posed.n_frames)
    near = _moved_near(stage, layered, (first, stop), (frames, ways, turns))
    return replace(layered, posed=overwritten(posed, first, near))


def _moved_near(
    stage: Stage,
    layered: Layered,
    window: tuple[int, int],
    missing: tuple[tuple[int, int], Array, Array],
) -> Motion:
    """The frames of a window, moved by what is missing in some of them."""
    frames, ways, turns = missing
    first, stop = window
    side = Side(layered.posed, layered.contacts).cut(first, stop)
    share = plateau(layered.posed.n_frames, frames, round(EASE * layered.posed.fps))[first:stop]
    held = np.clip(np.arange(first, stop), *frames) - frames[0]
    shift = share[:, None] * np.insert(ways[held], 1, 0.0, axis=1)
    keep = [frame - first for frame in (first, stop - 1) if 0 < frame < layered.posed.n_frames - 1]
    lowest = stage.clips.lowest if stage.body is None else None
    limits = (lowest, dict(layered.hinges))
    return move_on_feet(side, limits, keep, shift, share * turns[held]).motion


def _missing(
    posed: PosedMotion, stand: GroundTransform, frames: tuple[int, int]
) -> tuple[Array, Array]:
    """What bodies are short of while they meet: ways (H, 2), and turns (H,) in radians."""
    body = posed.body[frames[0] : frames[1] + 1]
    return stand.ground - body[:, :2], rot.wrap_angle(stand.angle - body[:, 2])
