"""What a character shows: spans with their pieces, and how those follow from what was shown.

Pieces of a shot kept in memory by their keys, and in a folder those that are finished.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from motionloom.analysis.contacts import FootContacts
from motionloom.io.kept import KeptFolder
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion
from motionloom.shot._keeping import Keeper, as_loaded, key_of, load_piece, save_piece
from motionloom.shot._tracks import make_piece
from motionloom.shot.joining import Joined
from motionloom.shot.live._stages import Kept, LiveStage
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
from motionloom.shot.stage import Piece, Place, Stage, State, state_of

#: Budget of what no longer search would make otherwise, seconds.
FINISHED = float("inf")
#: Budget of what a busy machine cut short, seconds: it is no finished one.
CUT_SHORT = 60.0
#: Most pieces in memory.
MOST = 600


@dataclass(eq=False)
class Memory:
    """Where live work keeps pieces.

    Parameters
    ----------
    folder : KeptFolder, optional
        Finished pieces are also there, as ``motionloom shot`` keeps them.
    """

    folder: KeptFolder | None = None
    _kept: OrderedDict[str, Kept] = field(default_factory=OrderedDict)
    _stored: set[str] = field(default_factory=set)

    def find(self, stage: Stage, planned: PlannedSpan, key: str, budget: float) -> Kept | None:
        """A piece that was searched for at least so long; None where there is none."""
        kept = self._kept.get(key)
        if kept is not None and kept.budget >= budget:
            self._kept.move_to_end(key)
            return kept
        if self.folder is None:
            return None
        piece = load_piece(stage, self.folder, key, planned.n_frames)
        if piece is None:
            return None
        self._stored.add(key)
        return self.add(Kept(piece, key, FINISHED))

    def add(self, kept: Kept) -> Kept:
        """Keep a piece."""
        self._kept[kept.key] = kept
        self._kept.move_to_end(kept.key)
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)
        return kept

    def save(self, kept: Kept) -> None:
        """Keep a finished piece in the folder too."""
        if self.folder is None or kept.key in self._stored:
            return
        self._stored.add(kept.key)
        save_piece(kept.piece, self.folder, kept.key)


@dataclass(eq=False, kw_only=True)
class RowKeeper(Keeper):
    """The keeper of one making of a shot: gives what is in the memory, and notes what was shown.

    Parameters
    ----------
    memory : Memory
        Where pieces are.
    budget : float, seconds
        How long is searched for those that are not there; infinite for finished ones.
    rows : dict of (str, str) to Kept
        Written: by character and span what the shot was made of.
    """

    memory: Memory
    budget: float = FINISHED
    rows: dict[tuple[str, str], Kept] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.budget == FINISHED:
            self.folder = self.memory.folder

    def begin(self, planned: PlannedSpan) -> None:
        """See `Keeper.begin`."""
        self.rows.pop((planned.character, planned.name), None)

    def load(self, stage: Stage, planned: PlannedSpan, key: str) -> Piece | None:
        """See `Keeper.load`."""
        kept = self.memory.find(stage, planned, key, self.budget)
        if kept is None:
            return None
        self._note(planned, kept)
        return kept.piece

    def save(self, stage: Stage, planned: PlannedSpan, key: str, piece: Piece) -> Piece:
        """See `Keeper.save`."""
        found = stage.found.pop(planned.name, None) if isinstance(stage, LiveStage) else None
        budget = self.budget
        is_quick = isinstance(stage, LiveStage) and stage.is_quick
        went_without = isinstance(stage, LiveStage) and stage.went_without
        if not went_without and (found is None or not (found.is_searched or is_quick)):
            budget = FINISHED  # a longer search would make no other
        elif found is not None and found.is_searched and found.draft.stopped == "time":
            budget = min(budget, CUT_SHORT)  # another run may make another
        kept = self.memory.add(Kept(as_loaded(stage, piece), key, budget, found))
        self._note(planned, kept)
        return kept.piece

    def _note(self, planned: PlannedSpan, kept: Kept) -> None:
        # First comes a span by itself, then as it goes on from the one before it.
        self.rows.setdefault((planned.character, planned.name), kept)
        # Of searches that go on nothing is left in the folder, not even what follows them.
        if self.budget == kept.budget == FINISHED:
            self.memory.save(kept)


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
        if _goes_along(planned.span, has_obstacles=bool(stage.file.shot.avoid)):
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
    return Kept(piece, key, 0.0, found)


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


def _goes_along(span: SpanBase, has_obstacles: bool = False) -> bool:
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
