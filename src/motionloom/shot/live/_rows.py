"""What a character shows: spans with their pieces, and how those follow from what was shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from motionloom.analysis.contacts import FootContacts
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion
from motionloom.shot._keeping import Keeper, Kept, key_of
from motionloom.shot._tracks import MadeSpan, make_piece
from motionloom.shot.joining import Joined
from motionloom.shot.live._stages import LiveStage
from motionloom.shot.plan.planned import Plan, PlannedSpan
from motionloom.shot.script.shot import Joins
from motionloom.shot.script.span_fields import (
    BetweenSpan,
    ClipSpan,
    EditSpan,
    GaitSpan,
    IdleSpan,
    SpanBase,
    WalkSpan,
)
from motionloom.shot.stage import FINISHED, Piece, Place, State, state_of

#: Where a span would begin if places did not matter.
NOWHERE = Place((0.0, 0.0), 0.0)


@dataclass(frozen=True, eq=False)
class Laid(MadeSpan):
    """A span that is shown.

    Parameters
    ----------
    shape : str
        The same for spans that differ in nothing but where they begin.
    source : int or None
        Which span of the row before it comes from; None for a new one.
    moved : GroundTransform
        From there to here.
    """

    shape: str = ""
    source: int | None = None
    moved: GroundTransform = field(default_factory=GroundTransform)


@dataclass(frozen=True, eq=False)
class Row:
    """Everything that a character shows.

    Parameters
    ----------
    spans : tuple of Laid
        One after the other.
    layers : tuple of PlannedSpan
        What lies over them.
    joined : Joined
        The motion before anything was laid over it.
    rule : Joins
        Over what time they were to be joined.
    shown : PosedMotion
        The motion in the end.
    contacts : FootContacts
        Its contacts.
    """

    spans: tuple[Laid, ...]
    layers: tuple[PlannedSpan, ...]
    joined: Joined
    rule: Joins
    shown: PosedMotion
    contacts: FootContacts

    def before(self) -> dict[str, Kept]:
        """What spans are, by name."""
        return {one.planned.name: one.kept for one in self.spans}


@dataclass(frozen=True, eq=False)
class Change:
    """What a character is to show, and what is shown.

    Parameters
    ----------
    stage : LiveStage
        Of the character.
    base : Row
        What is shown.
    spans, layers : tuple
        What is to be.
    rule : Joins
        Over what time spans are joined.
    """

    stage: LiveStage
    base: Row
    spans: tuple[Laid, ...]
    layers: tuple[PlannedSpan, ...]
    rule: Joins

    @property
    def count(self) -> int:
        """Frames of it all."""
        return self.spans[-1].planned.last + 1

    def frames(self, seconds: float) -> int:
        """Frames of a time."""
        return round(seconds * self.stage.fps)

    def sources(self) -> Iterator[tuple[Laid, PlannedSpan | None]]:
        """Spans with the times that they had; None for new ones."""
        for one in self.spans:
            yield one, None if one.source is None else self.base.spans[one.source].planned

    def over(self, k: int) -> float:
        """Over what time a span is joined to the next one, seconds; as it was found to be good."""
        names = (self.spans[k].planned.name, self.spans[k + 1].planned.name)
        joins = self.base.joined.joins
        known = [join.seconds for join in joins if (join.before, join.after) == names]
        return max(self.rule.of(*names), *known[:1], 0.0)


def lay_quickly(
    stage: LiveStage, plan: Plan, who: str, keeper: Keeper, base: Sequence[Laid]
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
    keeper : Keeper
        Pieces that are known.
    base : sequence of Laid
        What was shown when all was confirmed last.

    Returns
    -------
    tuple of Laid
    """
    begin: State | Place = stage.start_of(who)
    nowhere = GroundTransform()
    known = {one.planned.name: replace(one, source=k, moved=nowhere) for k, one in enumerate(base)}
    row: list[Laid] = []
    for planned in plan.tracks[who]:
        row.append(_lay(stage, planned, begin, keeper, known.get(planned.name)))
        begin = row[-1].end
    return tuple(row)


def _lay(
    stage: LiveStage,
    planned: PlannedSpan,
    begin: State | Place,
    keeper: Keeper,
    before: Laid | None,
) -> Laid:
    key = key_of(stage, planned, begin)
    shape = key_of(stage, planned, NOWHERE)
    if before is not None and before.kept.key == key:
        return replace(before, planned=planned)
    kept = keeper.find(stage, planned, key, 0.0)
    if kept is None and before is not None and before.shape == shape:
        if before.begin.place == begin.place:
            return replace(before, planned=planned, kept=replace(before.kept, key=key, budget=0.0))
        if _goes_along(planned.span, has_obstacles=bool(stage.file.shot.avoid)):
            return _moved(stage, planned, begin, key, before)
    if kept is None:
        stage.progress(planned.name, 0, 1)
        piece = make_piece(stage, planned, begin)
        found, budget = stage.searched(planned.name, 0.0)
        kept = Kept(piece, key, budget, found)
        if budget == FINISHED:
            keeper.add(kept)
    return Laid(planned, kept, begin, kept.piece, state_of(stage, kept.piece), shape=shape)


def _moved(
    stage: LiveStage, planned: PlannedSpan, begin: State | Place, key: str, before: Laid
) -> Laid:
    moved = begin.place.transform.compose(before.begin.place.transform.inverse())
    kept = replace(before.kept, piece=_elsewhere(before.kept.piece, moved), key=key, budget=0.0)
    piece = _elsewhere(before.piece, moved)
    end = state_of(stage, piece)
    source, shape = before.source, before.shape
    return Laid(planned, kept, begin, piece, end, shape=shape, source=source, moved=moved)


def _elsewhere(piece: Piece, moved: GroundTransform) -> Piece:
    """A piece laid elsewhere, as long as nothing better is known."""
    end = piece.end
    if end is not None:
        at = moved.compose(end.transform)
        end = Place.of_body((at.x, at.z, at.angle))
    return replace(piece, motion=piece.motion.transformed(moved), end=end)


def _goes_along(span: SpanBase, has_obstacles: bool) -> bool:
    """Whether a span is the same wherever it begins, or only where there is nothing in its way."""
    if isinstance(span, WalkSpan):
        return span.to is None and not span.constraints and not has_obstacles
    if isinstance(span, GaitSpan):
        return not span.path and not has_obstacles
    if isinstance(span, EditSpan):
        return not span.constraints
    if isinstance(span, BetweenSpan):
        return all(key.position is None and key.facing is None for key in span.keys)
    return isinstance(span, (IdleSpan, ClipSpan))
