"""Pieces of a shot kept in memory by their keys, and in a folder those that are finished."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from motionloom.io.kept import KeptFolder
from motionloom.io.stored import Fault
from motionloom.shot.keeping import as_loaded, load_piece, save_piece
from motionloom.shot.live.drafts import Found
from motionloom.shot.live.shown import ClipShown
from motionloom.shot.live.stages import LiveStage
from motionloom.shot.plan import PlannedSpan
from motionloom.shot.stage import Piece, Stage

#: Budget of what no longer search would make otherwise, seconds.
FINISHED = float("inf")
#: Budget of what a busy machine cut short, seconds: it is no finished one.
CUT_SHORT = 60.0
#: Most pieces in memory.
MOST = 600


@dataclass(frozen=True, eq=False)
class Kept:
    """A piece with what it was made of.

    Parameters
    ----------
    piece : Piece
        The motion.
    key : str
        Of `motionloom.shot.keeping.key_of`.
    budget : float, seconds
        How long was searched for it; infinite for a finished one.
    found : Found, optional
        What it was made of, as far as it is known.
    clips : tuple of ClipShown
        Clips that it shows.
    """

    piece: Piece
    key: str
    budget: float
    found: Found | None = None
    clips: tuple[ClipShown, ...] = ()

    @property
    def score(self) -> float:
        """How far it was bent; 0 where that is not known."""
        return 0.0 if self.found is None else self.found.score


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
        clips = _load_clips(self.folder, key, stage, planned.n_frames) or ()
        return self.add(Kept(piece, key, FINISHED, None, clips))

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
        self.folder.save(_key_of_clips(kept.key), _Clips(kept.clips), _Clips)


@dataclass(eq=False)
class RowKeeper:
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

    def begin(self, planned: PlannedSpan) -> None:
        """See `motionloom.shot.keeping.Keeper.begin`."""
        self.rows.pop((planned.character, planned.name), None)

    def load(self, stage: Stage, planned: PlannedSpan, key: str) -> Piece | None:
        """See `motionloom.shot.keeping.Keeper.load`."""
        kept = self.memory.find(stage, planned, key, self.budget)
        if kept is None:
            return None
        self._note(planned, kept)
        return kept.piece

    def save(self, stage: Stage, planned: PlannedSpan, key: str, piece: Piece) -> None:
        """See `motionloom.shot.keeping.Keeper.save`."""
        found = stage.found.pop(planned.name, None) if isinstance(stage, LiveStage) else None
        clips = () if found is None else found.clips
        budget = self.budget
        is_quick = isinstance(stage, LiveStage) and stage.is_quick
        went_without = isinstance(stage, LiveStage) and stage.went_without
        if not went_without and (found is None or not (found.is_searched or is_quick)):
            budget = FINISHED  # a longer search would make no other
        elif found is not None and found.is_searched and found.draft.stopped == "time":
            budget = min(budget, CUT_SHORT)  # another run may make another
        kept = self.memory.add(Kept(as_loaded(stage, piece), key, budget, found, clips))
        self._note(planned, kept)

    def _note(self, planned: PlannedSpan, kept: Kept) -> None:
        # First comes a span by itself, then as it goes on from the one before it.
        self.rows.setdefault((planned.character, planned.name), kept)
        # Of searches that go on nothing is left in the folder, not even what follows them.
        if self.budget == kept.budget == FINISHED:
            self.memory.save(kept)


@dataclass(frozen=True)
class _Clips:
    clips: tuple[ClipShown, ...]


def _key_of_clips(key: str) -> str:
    return f"{key}-clips"


def _load_clips(
    folder: KeptFolder, key: str, stage: Stage, n_frames: int
) -> tuple[ClipShown, ...] | None:
    """Clips that a kept piece shows; none where that is not known."""
    clips = stage.clips.clip_set
    lengths = {m.name: m.n_frames for m in clips.motions}

    def check(found: _Clips) -> None:
        for one in found.clips:
            is_there = 0 <= one.first <= one.last < n_frames
            if not is_there or not 0 <= one.frame < lengths.get(one.clip, 0):
                raise Fault("it shows frames that no clip has")

    found = folder.load(_key_of_clips(key), _Clips, check)
    return None if found is None else found.clips
