"""Pieces of spans kept in a folder, so that one edited span re-makes no other."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from motionloom.analysis.contacts import FootContacts
from motionloom.errors import MotionloomError
from motionloom.io.files import atomic_write
from motionloom.motion import Motion
from motionloom.shot.plan import PlannedSpan
from motionloom.shot.stage import Piece, Place, Stage

Array = NDArray[np.float64]


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
    folder : Path
        Made where it is missing.
    """

    folder: Path

    def begin(self, planned: PlannedSpan) -> None:
        """See `Keeper.begin`."""

    def load(self, stage: Stage, planned: PlannedSpan, key: str) -> Piece | None:
        """See `Keeper.load`."""
        return load_piece(stage, self.folder, key)

    def save(self, stage: Stage, planned: PlannedSpan, key: str, piece: Piece) -> None:
        """See `Keeper.save`."""
        save_piece(piece, self.folder, key)


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


def save_piece(piece: Piece, folder: Path, key: str) -> None:
    """Keep a piece.

    Parameters
    ----------
    piece : Piece
        Any.
    folder : Path
        Made where it is missing.
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
    folder.mkdir(parents=True, exist_ok=True)
    with atomic_write(folder / f"{key}.npz") as file:
        np.savez(
            file,
            rotations=piece.motion.rotations,
            translations=piece.motion.translations,
            down=piece.contacts.down,
            facts=np.array(json.dumps(facts)),
        )


def load_piece(stage: Stage, folder: Path, key: str) -> Piece | None:
    """A piece that was kept; None where there is none, or it cannot be read."""
    try:
        with np.load(folder / f"{key}.npz", allow_pickle=False) as file:
            facts = json.loads(str(file["facts"]))
            end = facts["end"]
            return Piece(
                motion=_motion(stage, file["rotations"], file["translations"]),
                contacts=FootContacts(stage.clips.soles, file["down"], facts["ground"]),
                end=None if end is None else Place((end[0], end[1]), end[2]),
                rows=tuple(facts["rows"]),
                problems=tuple(facts["problems"]),
                notes=tuple(facts["notes"]),
                bound=facts["bound"],
                filled=facts["filled"],
                sources=(facts["sources"][0], facts["sources"][1]),
            )
    except (OSError, ValueError, KeyError, BadZipFile, MotionloomError):
        return None


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
