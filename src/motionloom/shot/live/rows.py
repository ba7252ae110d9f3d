"""What a character shows: spans with their pieces, and how those follow from what was shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from motionloom.analysis.contacts import FootContacts
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion
from motionloom.shot.joining import Join
from motionloom.shot.keeping import key_of
from motionloom.shot.live.memory import FINISHED, Kept, Memory
from motionloom.shot.live.stages import Before, LiveStage
from motionloom.shot.plan import Plan, PlannedSpan
from motionloom.shot.script import (
    BetweenSpan,
    ClipSpan,
    EditSpan,
    GaitSpan,
    IdleSpan,
    Joins,
    SpanBase,
    WalkSpan,
)
from motionloom.shot.stage import Piece, Place, State, state_of
from motionloom.shot.tracks import make_piece

#: Where a span would begin if places did not matter.
NOWHERE = Place((0.0, 0.0), 0.0)


@dataclass(frozen=True, eq=False)
class Laid:
    """A span that is shown.

    Parameters
    ----------
    planned : PlannedSpan
        Its times.
    kept : Kept
        Its piece, by itself.
    piece : Piece
        As it goes on from the one before it.
    shape : str
        The same for spans that differ in nothing but where they begin.
    place : Place
        Where it begins.
    state : State
        What it leaves behind.
    source : int or None
        Which span of the row before it comes from; None for a new one.
    moved : GroundTransform
        From there to here.
    """

    planned: PlannedSpan
    kept: Kept
    piece: Piece
    shape: str
    place: Place
    state: State
    source: int | None = None
    moved: GroundTransform = field(default_factory=GroundTransform)

    @property
    def is_bent(self) -> bool:
        """Whether no search has confirmed it yet."""
        return self.kept.budget == 0


@dataclass(frozen=True, eq=False)
class Row:
    """Everything that a character shows.

    Parameters
    ----------
    spans : tuple of Laid
        One after the other.
    layers : tuple of PlannedSpan
        What lies over them.
    joined : PosedMotion
        The motion before anything was laid over it.
    joined_contacts : FootContacts
        Its contacts.
    joins : tuple of Join
        Between spans.
    rule : Joins
        Over what time they were to be joined.
    shown : PosedMotion
        The motion in the end.
    contacts : FootContacts
        Its contacts.
    """

    spans: tuple[Laid, ...]
    layers: tuple[PlannedSpan, ...]
    joined: PosedMotion
    joined_contacts: FootContacts
    joins: tuple[Join, ...]
    rule: Joins
    shown: PosedMotion
    contacts: FootContacts

    def before(self) -> dict[str, Before]:
        """What spans are, by name."""
        return {one.planned.name: Before(one.kept.piece, one.kept.found) for one in self.spans}


def lay_quickly(
    stage: LiveStage, plan: Plan, who: str, memory: Memory, base: Sequence[Laid]
) -> tuple[Laid, ...]:
    """Pieces of a character without a search: those that are known, moved, or quickly made.

    Parameters
    ----------
    stage : LiveStage
        A quick one.
    plan : Plan
        What happens when.
    who : str
        The character.
    memory : Memory
        Pieces that are known.
    base : sequence of Laid
        What was shown when all was confirmed last.

    Returns
    -------
    tuple of Laid
    """
    state: State | Place = stage.start_of(who)
    known = {one.planned.name: k for k, one in enumerate(base)}
    row = []
    for planned in plan.tracks[who]:
        following = plan.following(planned)
        source = known.get(planned.name)
        before = None if source is None else base[source]
        laid = _lay(stage, planned, state, following, memory, before)
        if before is not None and laid.source is not None:
            laid = replace(laid, source=source)
        row.append(laid)
        state = laid.state
    return tuple(row)


def _lay(
    stage: LiveStage,
    planned: PlannedSpan,
    state: State | Place,
    following: PlannedSpan | None,
    memory: Memory,
    before: Laid | None,
) -> Laid:
    place = state.place
    key = key_of(stage, planned, state, following)
    shape = key_of(stage, planned, NOWHERE, following)
    if before is not None and before.kept.key == key:
        return replace(before, planned=planned, source=0, moved=GroundTransform())
    kept = memory.find(stage, planned, key, 0.0)
    if kept is not None:
        return Laid(planned, kept, kept.piece, shape, place, state_of(stage, kept.piece))
    if before is not None and before.shape == shape:
        if before.place == place:
            kept = replace(before.kept, key=key, budget=0.0)
            return replace(before, planned=planned, kept=kept, source=0, moved=GroundTransform())
        if goes_along(planned.span, has_obstacles=bool(stage.file.shot.avoid)):
            return _moved(stage, planned, place, key, before)
    kept = _make(stage, planned, state, following, key, memory)
    return Laid(planned, kept, kept.piece, shape, place, state_of(stage, kept.piece))


def _make(
    stage: LiveStage,
    planned: PlannedSpan,
    state: State | Place,
    following: PlannedSpan | None,
    key: str,
    memory: Memory,
) -> Kept:
    stage.progress(planned.name, 0, 1)
    piece = make_piece(stage, planned, state, following)
    found = stage.found.pop(planned.name, None)
    if found is None and stage.went_without:
        return Kept(piece, key, 0.0)
    if found is None:  # there is no other way to make it
        return memory.add(Kept(piece, key, FINISHED))
    return Kept(piece, key, 0.0, found, found.clips)


def _moved(stage: LiveStage, planned: PlannedSpan, place: Place, key: str, before: Laid) -> Laid:
    moved = place.transform.compose(before.place.transform.inverse())
    kept = replace(before.kept, piece=_elsewhere(before.kept.piece, moved), key=key, budget=0.0)
    piece = _elsewhere(before.piece, moved)
    return Laid(planned, kept, piece, before.shape, place, state_of(stage, piece), 0, moved)


def _elsewhere(piece: Piece, moved: GroundTransform) -> Piece:
    """A piece laid elsewhere, as long as nothing better is known."""
    end = None if piece.end is None else _place_at(moved.compose(piece.end.transform))
    return replace(piece, motion=piece.motion.transformed(moved), end=end)


def _place_at(transform: GroundTransform) -> Place:
    return Place.of_body((transform.x, transform.z, transform.angle))


def goes_along(span: SpanBase, has_obstacles: bool = False) -> bool:
    """Whether a span is the same wherever it begins.

    Parameters
    ----------
    span : SpanBase
        Any.
    has_obstacles : bool
        Whether there is anything to keep out of.
    """
    if isinstance(span, (IdleSpan, ClipSpan)):
        return True
    if isinstance(span, WalkSpan):
        return span.to is None and not span.constraints and not has_obstacles
    if isinstance(span, GaitSpan):
        return not span.path and not has_obstacles
    if isinstance(span, EditSpan):
        return not span.constraints
    if isinstance(span, BetweenSpan):
        return all(key.position is None and key.facing is None for key in span.keys)
    return False
