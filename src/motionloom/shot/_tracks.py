"""What a character does: span after span by its method, handed over, and all of them joined."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from motionloom.errors import FormatError, MotionloomError
from motionloom.shot._detours import Detour, Detours, stage_with, told
from motionloom.shot._handover.repair import hand_over
from motionloom.shot._keeping import Keeper, join_kept, key_of, key_of_join, like_clips
from motionloom.shot.joining import Joined
from motionloom.shot.plan.planned import Plan, PlannedSpan
from motionloom.shot.script.shot import Joins
from motionloom.shot.spans import _between as between
from motionloom.shot.spans import _gait as gait
from motionloom.shot.spans import _walk as walk
from motionloom.shot.spans import given, idle
from motionloom.shot.stage import Piece, Place, Stage, State, state_of

#: By method: makes the motion of a span, given what the span before leaves behind (or where the
#: body begins) and the span behind it. The motion begins in the frame in which the one before ends.
MAKERS: Mapping[str, Callable[[Stage, PlannedSpan, State | Place, PlannedSpan | None], Piece]] = {
    "walk": walk.make,
    "gait": gait.make,
    "idle": idle.make,
    "between": between.make,
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
    key : str
        Name of its piece as it is by itself, where pieces are kept.
    begin : State or Place
        What it begins with.
    piece : Piece
        Its motion, as it goes on from the span before.
    end : State
        What it leaves behind.
    was_kept : bool
        Whether its piece is that of a run before.
    around : tuple of str
        Whom it was led around.
    """

    planned: PlannedSpan
    key: str
    begin: State | Place
    piece: Piece
    end: State
    was_kept: bool
    around: tuple[str, ...] = ()


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
    stage: Stage,
    plan: Plan,
    who: str,
    keeper: Keeper,
    detours: Detours | None = None,
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
    return Track(spans, join_kept(keeper.folder, stage, names, pieces, over))


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
        keeper.begin(planned)
        one = make_span(stage_with(stage, own), planned, begin, plan.following(planned), keeper)
        one = _led_around(one, own, stage.file.scale)
        if made:
            one = _go_on(stage, made[-1], one, plan.file.shot.joins, keeper)
        made.append(one)
        begin = one.end
    stage.progress(f"{who}: joining", len(track), len(track))
    return tuple(made)


def make_span(
    stage: Stage,
    planned: PlannedSpan,
    begin: State | Place,
    following: PlannedSpan | None,
    keeper: Keeper,
) -> MadeSpan:
    """A span by itself."""
    key = key_of(stage, planned, begin, following)
    kept = keeper.load(stage, planned, key)
    if kept is not None:
        return MadeSpan(planned, key, begin, kept, state_of(stage, kept), was_kept=True)
    piece = make_piece(stage, planned, begin, following)
    piece = keeper.save(stage, planned, key, piece)
    return MadeSpan(planned, key, begin, piece, state_of(stage, piece), was_kept=False)


def _led_around(one: MadeSpan, detours: Sequence[Detour], scale: float) -> MadeSpan:
    """A span that says whom it was led around."""
    if not detours:
        return one
    around = tuple(detour.other for detour in detours)
    return replace(one, piece=told(one.piece, detours, scale), around=around)


def _go_on(stage: Stage, before: MadeSpan, one: MadeSpan, rule: Joins, keeper: Keeper) -> MadeSpan:
    """A span that goes on from the one before it, kept by what both are; see `hand_over`."""
    names = before.planned.name, one.planned.name
    over = rule.of(*names)
    key = key_of_join(" ".join((one.key, *one.around)), before.piece, over, names[0])
    piece = keeper.load(stage, one.planned, key)
    if piece is None:
        made = like_clips(stage, hand_over(stage, before.piece, one.piece, over, names))
        piece = keeper.save(stage, one.planned, key, made)
    return replace(one, piece=piece, end=state_of(stage, piece))


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
        if not (isinstance(error, FormatError) and error.path is not None):
            line = stage.file.line_of(planned.where)
            error.locate(f"{stage.file.path}:{line}: {planned.name}")
        raise
