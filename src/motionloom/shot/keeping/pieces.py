"""Pieces of spans kept in a folder, so that one edited span re-makes no other."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, FiniteFloat

from motionloom.analysis.contacts import FootContacts
from motionloom.io.kept import KeptFolder
from motionloom.io.stored import MOST, Facts, Fault, Stored, StoredFile, read_facts
from motionloom.motion import Motion
from motionloom.shot.keeping.stretches import Text, motion_arrays, read_motion
from motionloom.shot.plan import PlannedSpan
from motionloom.shot.stage import Piece, Place, Stage

Array = NDArray[np.float64]
Hardness = Annotated[float, Field(ge=0, allow_inf_nan=False)]


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


class _PieceFacts(Facts):
    rows: tuple[Text, ...]
    problems: tuple[Text, ...]
    notes: tuple[Text, ...]
    end: tuple[FiniteFloat, FiniteFloat, FiniteFloat] | None
    ground: FiniteFloat
    bound: bool
    filled: Annotated[int, Field(ge=0, le=MOST)]
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
    facts: dict[str, Any] = {
        "rows": piece.rows,
        "problems": piece.problems,
        "notes": piece.notes,
        "end": None if piece.end is None else [*piece.end.position, piece.end.facing],
        "ground": piece.contacts.ground,
        "bound": piece.bound,
        "filled": piece.filled,
        "sources": piece.sources,
    }
    arrays = {**motion_arrays(piece.motion), "down": piece.contacts.down}
    kept.save(key, arrays, facts)


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
        Frames of its span.

    Returns
    -------
    Piece or None
    """

    def read(file: StoredFile) -> Piece:
        facts = read_facts(_PieceFacts, file.text())
        like = stage.clips.clip_set.motions[0]
        rotations, translations = read_motion(file, like, n_frames)
        points = len(stage.clips.soles.points)
        down = file.arrays({"down": Stored(np.bool_, (n_frames, points))})["down"]
        if facts.filled > n_frames:
            raise Fault("more frames are filled in than it has")
        end = facts.end
        return Piece(
            motion=_motion(stage, rotations, translations),
            contacts=FootContacts(stage.clips.soles, down, facts.ground),
            end=None if end is None else Place((end[0], end[1]), end[2]),
            rows=facts.rows,
            problems=facts.problems,
            notes=facts.notes,
            bound=facts.bound,
            filled=facts.filled,
            sources=facts.sources,
        )

    return kept.load(key, read)


def like_clips(stage: Stage, piece: Piece) -> Piece:
    """A piece in which the same joints are translated as in the clips.

    Models know of the hips only, where clips move a joint above them, too.
    """
    translated = stage.clips.clip_set.motions[0].translated
    return replace(piece, motion=piece.motion.with_translated(translated))


def as_loaded(stage: Stage, piece: Piece) -> Piece:
    """A piece with the bytes that it has when it was kept and read again."""
    motion = _motion(stage, piece.motion.rotations, piece.motion.translations)
    contacts = replace(piece.contacts, soles=stage.clips.soles)
    return replace(piece, motion=motion, contacts=contacts)


def _motion(stage: Stage, rotations: Array, translations: Array) -> Motion:
    like = stage.clips.clip_set.motions[0]
    return replace(like, rotations=rotations, translations=translations)
