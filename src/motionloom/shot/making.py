"""A shot made: every span by its method, joined, with what lies over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.quality import compute_quality
from motionloom.constraints import ConstraintSet
from motionloom.constraints.depths import body_points
from motionloom.constraints.kinds.avoid import Box, Cylinder, HeightMap, measure_depths
from motionloom.errors import MotionloomError
from motionloom.motion import Motion
from motionloom.shot.asked import asked_by, missed_in_the_end
from motionloom.shot.detours import (
    Collisions,
    Detours,
    find_collisions,
    stage_with,
    told,
    with_detours,
)
from motionloom.shot.handover.repair import hand_over
from motionloom.shot.joining import Joined, join_pieces
from motionloom.shot.keeping import (
    FolderKeeper,
    Keeper,
    MemoryKeeper,
    as_loaded,
    key_of,
    key_of_join,
    key_of_joined,
    layer_as_loaded,
    like_clips,
    load_joined,
    rounded,
    save_joined,
)
from motionloom.shot.layers import Layered, lay_over, lay_under
from motionloom.shot.plan import Plan, PlannedSpan
from motionloom.shot.report import CharacterReport, Inside, ShotReport, SpanRow
from motionloom.shot.spans import between, clip, edit, gait, idle, synthesize, walk
from motionloom.shot.stage import Piece, Place, Stage, State, state_of
from motionloom.shot.standing import stand_right
from motionloom.shot.together import check_meetings, joints_of, lay_out_meeting

#: By method: makes the motion of a span, given what the span before leaves behind (or where the
#: body begins) and the span behind it. The motion begins in the frame in which the one before ends.
MAKERS: Mapping[str, Callable[[Stage, PlannedSpan, State | Place, PlannedSpan | None], Piece]] = {
    "walk": walk.make,
    "gait": gait.make,
    "idle": idle.make,
    "between": between.make,
    "clip": clip.make,
    "edit": edit.make,
    "synthesize": synthesize.make,
}

#: So often walks that lead through somebody are made anew.
DETOURS = 3


@dataclass(frozen=True, eq=False)
class Track:
    """What one character does before anything is laid over it.

    Parameters
    ----------
    pieces : list of Piece
        Of its spans.
    kept : list of bool
        Which of them are those of a run before.
    joined : Joined
        All of them as one motion.
    """

    pieces: list[Piece]
    kept: list[bool]
    joined: Joined


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
        By character: pieces, and the motion that they were joined to.
    """

    motions: dict[str, Motion]
    contacts: dict[str, FootContacts]
    report: ShotReport
    asked: dict[str, ConstraintSet] = field(default_factory=dict)
    tracks: dict[str, Track] = field(default_factory=dict)


def make_shot(
    plan: Plan,
    stages: Mapping[str, Stage],
    folder: Path | None = None,
    keeper: Keeper | None = None,
) -> MadeShot:
    """Make all spans of a shot.

    Parameters
    ----------
    plan : Plan
        What happens when.
    stages : mapping of str to Stage
        By character.
    folder : Path, optional
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
    if keeper is None:
        keeper = MemoryKeeper() if folder is None else FolderKeeper(folder)
    tracks, under = _around_each_other(plan, stages, keeper, folder)
    met = [lay_out_meeting(plan, one, stages, under) for one in plan.meetings]
    under = stand_right(met, stages, under)
    events = [lay_out_meeting(plan, one, stages, under) for one in plan.meetings]
    done = {
        who: lay_over(
            stages[who], plan.layers[who], below, joints_of(events, who, below.posed), folder
        )
        for who, below in under.items()
    }
    meetings, overlaps = check_meetings(events, under, done)
    reports = {who: _report(stages[who], plan, who, tracks[who], done[who]) for who in done}
    return MadeShot(
        {who: replace(one.posed.motion, name=who) for who, one in done.items()},
        {who: one.contacts for who, one in done.items()},
        ShotReport(plan.file.shot.seed, plan.fps, reports, meetings, overlaps),
        {who: asked_by(plan, who, stages[who]) for who in done},
        tracks,
    )


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
        pieces = [piece for track in self.tracks.values() for piece in track.pieces]
        joins = [join for track in self.tracks.values() for join in track.joined.joins]
        count = sum(len(piece.problems) for piece in pieces)
        count += sum(join.slides or not join.is_soft for join in joins)
        return len(self.found.depths) + count, sum(self.found.depths)


def _around_each_other(
    plan: Plan, stages: Mapping[str, Stage], keeper: Keeper, folder: Path | None
) -> tuple[dict[str, Track], dict[str, Layered]]:
    """Tracks of all; walks that lead through somebody are made anew, around them."""
    tried = _tried(plan, stages, {}, None, (keeper, folder))
    best = tried
    for _ in range(DETOURS):
        detours = with_detours(tried.detours, tried.found.detours)
        if detours == tried.detours:
            break
        tried = _tried(plan, stages, detours, tried, (keeper, folder))
        best = min(best, tried, key=lambda one: one.faults)
    if best is not tried:
        best = _tried(plan, stages, best.detours, tried, (keeper, folder))
    return best.tracks, best.under


def _tried(
    plan: Plan,
    stages: Mapping[str, Stage],
    detours: Detours,
    before: _Try | None,
    kept: tuple[Keeper, Path | None],
) -> _Try:
    """Tracks made with detours; those of a try before stay where nothing of theirs changes."""
    tracks: dict[str, Track] = {}
    under = {}
    for who in plan.tracks:
        if before is not None and _of(who, detours) == _of(who, before.detours):
            tracks[who] = before.tracks[who]
            under[who] = before.under[who]
            continue
        old = None if before is None else before.tracks[who]
        tracks[who] = _join_track(stages[who], plan, who, (_of(who, detours), old), kept)
        joined = tracks[who].joined
        layers = plan.layers[who]
        under[who] = lay_under(stages[who], layers, joined.posed, joined.contacts, kept[1])
    events = [lay_out_meeting(plan, one, stages, under) for one in plan.meetings]
    bodies = {who: one.posed for who, one in under.items()}
    found = find_collisions(plan, events, bodies, detours)
    return _Try(detours, tracks, under, found)


def _of(who: str, detours: Detours) -> Detours:
    """Detours of one character."""
    return {which: own for which, own in detours.items() if which[0] == who}


def _join_track(
    stage: Stage,
    plan: Plan,
    who: str,
    asked: tuple[Detours, Track | None],
    places: tuple[Keeper, Path | None],
) -> Track:
    keeper, folder = places
    pieces, kept = _make_track(stage, plan, who, keeper, asked[0])
    if asked[1] is not None:
        # What was made a moment ago is none of a run before.
        kept = [one and old for one, old in zip(kept, asked[1].kept, strict=True)]
    names = [one.name for one in plan.tracks[who]]
    rule = plan.file.shot.joins
    over = [rule.of(before, after) for before, after in pairwise(names)]
    key = key_of_joined(names, pieces, over)
    joined = None if folder is None else load_joined(folder, key, pieces, stage)
    if joined is None:
        joined = rounded(join_pieces(names, pieces, stage.clips, over))
        if folder is not None:
            save_joined(folder, key, joined)
        motion = joined.posed.motion
        joined = replace(joined, posed=stage.posed(layer_as_loaded(motion, motion)))
    # As they are in a piece that was kept.
    contacts = replace(joined.contacts, soles=stage.clips.soles, ground=0.0)
    return Track(pieces, kept, replace(joined, contacts=contacts))


def _make_track(
    stage: Stage, plan: Plan, who: str, keeper: Keeper, detours: Detours
) -> tuple[list[Piece], list[bool]]:
    """Pieces of a character, and which of them were kept from a run before."""
    track = plan.tracks[who]
    start = plan.file.shot.cast[who].start
    state: State | Place = Place(stage.file.scaled(start.position), start.facing)
    pieces: list[Piece] = []
    kept = []
    for i, planned in enumerate(track):
        following = track[i + 1] if i + 1 < len(track) else None
        stage.progress(f"{who}: {planned.name}", i, len(track))
        own = detours.get((who, planned.name), ())
        here = stage_with(stage, own)
        key = key_of(here, planned, state, following)
        keeper.begin(planned)
        piece = keeper.load(here, planned, key)
        kept.append(piece is not None)
        if piece is None:
            piece = make_piece(here, planned, state, following)
            keeper.save(here, planned, key, piece)
            piece = as_loaded(here, piece)
        piece = told(piece, own, stage.file.scale)
        if pieces:
            named = " ".join((key, *(one.other for one in own)))
            piece = _handed_over(stage, plan, who, i, (pieces[-1], piece), (keeper, named))
        pieces.append(piece)
        state = state_of(stage, piece)
    stage.progress(f"{who}: joining", len(track), len(track))
    return pieces, kept


def _handed_over(
    stage: Stage,
    plan: Plan,
    who: str,
    i: int,
    pair: tuple[Piece, Piece],
    kept: tuple[Keeper, str],
) -> Piece:
    """A piece that goes on from the one before it, kept by what both are; see `hand_over`."""
    before, piece = pair
    keeper, key = kept
    names = plan.tracks[who][i - 1].name, plan.tracks[who][i].name
    over = plan.file.shot.joins.of(*names)
    own = key_of_join(key, before, over, names[0])
    planned = plan.tracks[who][i]
    found = keeper.load(stage, planned, own)
    if found is not None:
        return found
    made = like_clips(stage, hand_over(stage, before, piece, over, names))
    keeper.save(stage, planned, own, made)
    return as_loaded(stage, made)


def make_piece(
    stage: Stage, planned: PlannedSpan, state: State | Place, following: PlannedSpan | None
) -> Piece:
    """Make one span by its method.

    Raises
    ------
    MotionloomError
        When it cannot be made; the sentence begins with its line and name.
    """
    try:
        return like_clips(stage, MAKERS[planned.kind](stage, planned, state, following))
    except MotionloomError as error:
        if getattr(error, "path", None) is not None:
            raise
        line = stage.file.line_of(planned.where)
        told = type(error).__new__(type(error))
        MotionloomError.__init__(
            told, f"{stage.file.path}:{line}: {planned.name}: {error}", hint=error.hint
        )
        raise told from None


def _report(stage: Stage, plan: Plan, who: str, track: Track, layered: Layered) -> CharacterReport:
    rows = []
    missed = missed_in_the_end(plan, who, layered.posed)
    made = zip(plan.tracks[who], track.pieces, track.kept, strict=True)
    for planned, piece, was_kept in made:
        off, far_off = missed.get(planned.name, ((), ()))
        row = _row_of(planned, plan.fps, (*piece.rows, *off), (*piece.problems, *far_off))
        rows.append(replace(row, kept=was_kept, notes=piece.notes))
    for planned in plan.layers[who]:
        own = tuple(text for name, text in layered.rows if name == planned.name)
        bad = tuple(text for name, text in layered.problems if name == planned.name)
        rows.append(_row_of(planned, plan.fps, own, bad))
    joins = track.joined.joins
    seams = [join.frame for join in joins]
    posed = layered.posed
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


def _row_of(
    planned: PlannedSpan, fps: float, rows: tuple[str, ...], problems: tuple[str, ...]
) -> SpanRow:
    """How a span came out that was made now."""
    return SpanRow(
        name=planned.name,
        kind=planned.kind,
        start=planned.first / fps,
        end=planned.last / fps,
        seed=planned.seed,
        kept=False,
        rows=rows,
        problems=problems,
    )


def _inside(plan: Plan, layered: Layered) -> tuple[Inside, ...]:
    """How deep the body is in what it should keep out of."""
    avoid = plan.file.shot.avoid
    posed = layered.posed
    if not avoid:
        return ()
    depths = measure_depths(avoid, body_points(posed.skeleton, posed.roles, posed.positions))
    return tuple(
        Inside(_told(one), 1000 * float(own.max()), float(own.argmax()) / plan.fps)
        for one, own in zip(avoid, depths.T, strict=True)
    )


def _told(one: Cylinder | Box | HeightMap) -> str:
    """What an obstacle is called."""
    x, z = one.origin if isinstance(one, HeightMap) else one.center
    return f"{one.shape} at {x:g} {z:g}"
