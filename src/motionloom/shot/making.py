"""A shot made: every span by its method, joined, with what lies over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.quality import compute_quality
from motionloom.errors import MotionloomError
from motionloom.motion import Motion
from motionloom.shot.handover.repair import hand_over
from motionloom.shot.joining import Joined, join_pieces
from motionloom.shot.keeping import as_loaded, key_of, key_of_join, load_piece, save_piece
from motionloom.shot.layers import Layered, lay_over
from motionloom.shot.plan import Plan, PlannedSpan
from motionloom.shot.report import CharacterReport, ShotReport, SpanRow
from motionloom.shot.spans import between, clip, edit, gait, idle, walk
from motionloom.shot.stage import Piece, Place, Stage, State, state_of

#: By method: makes the motion of a span, given what the span before leaves behind (or where the
#: body begins) and the span behind it. The motion begins in the frame in which the one before ends.
MAKERS: Mapping[str, Callable[[Stage, PlannedSpan, State | Place, PlannedSpan | None], Piece]] = {
    "walk": walk.make,
    "gait": gait.make,
    "idle": idle.make,
    "between": between.make,
    "clip": clip.make,
    "edit": edit.make,
}


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
    """

    motions: dict[str, Motion]
    contacts: dict[str, FootContacts]
    report: ShotReport


def make_shot(plan: Plan, stages: Mapping[str, Stage], folder: Path | None = None) -> MadeShot:
    """Make all spans of a shot.

    Parameters
    ----------
    plan : Plan
        What happens when.
    stages : mapping of str to Stage
        By character.
    folder : Path, optional
        Where pieces are kept from one run to the next.

    Returns
    -------
    MadeShot

    Raises
    ------
    MotionloomError
        When a span cannot be made; the sentence begins with its line and name.
    """
    motions = {}
    contacts = {}
    reports = {}
    for who, track in plan.tracks.items():
        stage = stages[who]
        pieces, kept = _make_track(stage, plan, who, folder)
        names = [one.name for one in track]
        rule = plan.file.shot.joins
        over = [rule.of(before, after) for before, after in pairwise(names)]
        joined = join_pieces(names, pieces, stage.clips, over)
        layered = lay_over(stage, plan.layers[who], joined.posed, joined.contacts)
        motions[who] = replace(layered.posed.motion, name=who)
        contacts[who] = layered.contacts
        reports[who] = _report(stage, plan, who, pieces, kept, joined, layered)
    return MadeShot(motions, contacts, ShotReport(plan.file.shot.seed, plan.fps, reports))


def _make_track(
    stage: Stage, plan: Plan, who: str, folder: Path | None
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
        key = key_of(stage, planned, state, following)
        piece = None if folder is None else load_piece(stage, folder, key)
        kept.append(piece is not None)
        if piece is None:
            piece = as_loaded(stage, _make(stage, planned, state, following))
            if folder is not None:
                save_piece(piece, folder, key)
        if pieces:
            piece = _handed_over(stage, plan, who, i, (pieces[-1], piece), (folder, key))
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
    kept: tuple[Path | None, str],
) -> Piece:
    """A piece that goes on from the one before it, kept by what both are; see `hand_over`."""
    before, piece = pair
    folder, key = kept
    names = plan.tracks[who][i - 1].name, plan.tracks[who][i].name
    over = plan.file.shot.joins.of(*names)
    if folder is None:
        return as_loaded(stage, hand_over(stage, before, piece, over, names))
    own = key_of_join(key, before, over, names[0])
    found = load_piece(stage, folder, own)
    if found is None:
        found = as_loaded(stage, hand_over(stage, before, piece, over, names))
        save_piece(found, folder, own)
    return found


def _make(
    stage: Stage, planned: PlannedSpan, state: State | Place, following: PlannedSpan | None
) -> Piece:
    try:
        return MAKERS[planned.kind](stage, planned, state, following)
    except MotionloomError as error:
        if getattr(error, "path", None) is not None:
            raise
        line = stage.file.line_of(planned.where)
        told = type(error).__new__(type(error))
        MotionloomError.__init__(
            told, f"{stage.file.path}:{line}: {planned.name}: {error}", hint=error.hint
        )
        raise told from None


def _report(
    stage: Stage,
    plan: Plan,
    who: str,
    pieces: list[Piece],
    kept: list[bool],
    joined: Joined,
    layered: Layered,
) -> CharacterReport:
    rows = []
    for planned, piece, was_kept in zip(plan.tracks[who], pieces, kept, strict=True):
        rows.append(
            SpanRow(
                name=planned.name,
                kind=planned.kind,
                start=planned.first / plan.fps,
                end=planned.last / plan.fps,
                seed=planned.seed,
                kept=was_kept,
                rows=piece.rows,
                problems=piece.problems,
                notes=piece.notes,
            )
        )
    for planned in plan.layers[who]:
        own = tuple(text for name, text in layered.rows if name == planned.name)
        bad = tuple(text for name, text in layered.problems if name == planned.name)
        rows.append(
            SpanRow(
                name=planned.name,
                kind=planned.kind,
                start=planned.first / plan.fps,
                end=planned.last / plan.fps,
                seed=planned.seed,
                kept=False,
                rows=own,
                problems=bad,
            )
        )
    seams = [join.frame for join in joined.joins]
    posed = layered.posed
    return CharacterReport(
        spans=tuple(rows),
        joins=joined.joins,
        quality=compute_quality(posed, layered.contacts, seams, layered.hinges),
        sources=stage.clips.quality,
        fps=plan.fps,
        body=layered.body,
        notes=layered.notes,
    )
