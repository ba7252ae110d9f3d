"""Pieces of spans kept in a folder, so that one edited span re-makes no other."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, Protocol

from motionloom.analysis.contacts import FootContacts
from motionloom.declared import Count, Finite, Range, Shape
from motionloom.io.kept import KeptFolder
from motionloom.io.stored import Fault
from motionloom.shot.keeping.stretches import KeptFrames
from motionloom.shot.plan import PlannedSpan
from motionloom.shot.stage import Piece, Place, Stage
from motionloom.typing import Bools

Hardness = Annotated[float, Range(0)]


class Keeper(Protocol):
    """Where pieces are kept by their keys."""

    def begin(self, planned: PlannedSpan) -> None:
        """A span is going to be made; what it was in a try before counts no more."""

    def load(self, stage: Stage, planned: PlannedSpan, key: str) -> Piece | None:
        """The piece of a span; None where there is none."""

    def save(self, stage: Stage, planned: PlannedSpan, key: str, piece: Piece) -> None:
        """Keep the piece of a span."""


@dataclass(frozen=True)
class FolderKeeper:
    """Pieces kept in a folder.

    Parameters
    ----------
    kept : KeptFolder
        Where.
    """

    kept: KeptFolder

    def begin(self, planned: PlannedSpan) -> None:
        """See `Keeper.begin`."""

    def load(self, stage: Stage, planned: PlannedSpan, key: str) -> Piece | None:
        """See `Keeper.load`."""
        return load_piece(stage, self.kept, key, planned.n_frames)

    def save(self, stage: Stage, planned: PlannedSpan, key: str, piece: Piece) -> None:
        """See `Keeper.save`."""
        save_piece(piece, self.kept, key)


@dataclass(frozen=True)
class MemoryKeeper:
    """Pieces kept as long as a shot is being made.

    Parameters
    ----------
    pieces : dict of str to Piece
        By their keys.
    """

    pieces: dict[str, Piece] = field(default_factory=dict)

    def begin(self, planned: PlannedSpan) -> None:
        """See `Keeper.begin`."""

    def load(self, stage: Stage, planned: PlannedSpan, key: str) -> Piece | None:
        """See `Keeper.load`."""
        return self.pieces.get(key)

    def save(self, stage: Stage, planned: PlannedSpan, key: str, piece: Piece) -> None:
        """See `Keeper.save`."""
        self.pieces[key] = as_loaded(stage, piece)


@dataclass(frozen=True, eq=False)
class _KeptContacts:
    down: Annotated[Bools, Shape("T", "p")]
    ground: Finite


@dataclass(frozen=True, eq=False)
class _KeptPiece:
    motion: KeptFrames
    contacts: _KeptContacts
    end: Place | None
    rows: tuple[str, ...]
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    bound: bool
    filled: Count
    sources: tuple[Hardness, Hardness]


def save_piece(piece: Piece, kept: KeptFolder, key: str) -> None:
    """Keep a piece.

    Parameters
    ----------
    piece : Piece
        Any.
    kept : KeptFolder
        Where.
    key : str
        Of `key_of`.
    """
    kept.save(key, piece, _KeptPiece)


def load_piece(stage: Stage, kept: KeptFolder, key: str, n_frames: int) -> Piece | None:
    """A piece that was kept; None where there is none, or its file is damaged.

    Parameters
    ----------
    stage : Stage
        Its clips say which joints and soles there are.
    kept : KeptFolder
        Where.
    key : str
        Of `key_of`.
    n_frames : int
        KeptFrames of its span.

    Returns
    -------
    Piece or None
    """
    like = stage.clips.clip_set.motions[0]
    soles = stage.clips.soles

    def check(found: _KeptPiece) -> None:
        found.motion.check(like, n_frames)
        if found.contacts.down.shape[1] != len(soles.points):
            raise Fault("its feet have other soles")
        if found.filled > n_frames:
            raise Fault("more frames are filled in than it has")

    found = kept.load(key, _KeptPiece, check)
    if found is None:
        return None
    contacts = FootContacts(soles, found.contacts.down, found.contacts.ground)
    return Piece(**(vars(found) | {"motion": found.motion.on(like), "contacts": contacts}))


def like_clips(stage: Stage, piece: Piece) -> Piece:
    """A piece in which the same joints are translated as in the clips.

    Models know of the hips only, where clips move a joint above them, too.
    """
    translated = stage.clips.clip_set.motions[0].translated
    return replace(piece, motion=piece.motion.with_translated(translated))


def as_loaded(stage: Stage, piece: Piece) -> Piece:
    """A piece with the bytes that it has when it was kept and read again."""
    frames = KeptFrames(piece.motion.rotations, piece.motion.translations)
    contacts = replace(piece.contacts, soles=stage.clips.soles)
    return replace(piece, motion=frames.on(stage.clips.clip_set.motions[0]), contacts=contacts)
