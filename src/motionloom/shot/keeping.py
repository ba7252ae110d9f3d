"""Pieces kept in a folder by what they were made of, so that one edited span re-makes no other."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from motionloom.analysis.contacts import FootContacts
from motionloom.errors import MotionloomError
from motionloom.io.files import atomic_write
from motionloom.motion import Motion
from motionloom.shot.plan import PlannedSpan
from motionloom.shot.stage import Piece, Place, Stage, State

Array = NDArray[np.float64]

#: Changes when pieces of an older version are not to be used any more.
VERSION = 2
#: Methods that begin in the pose before them; others are told where the body is.
FROM_POSE = ("between", "idle")


def key_of(
    stage: Stage, planned: PlannedSpan, state: State | Place, following: PlannedSpan | None
) -> str:
    """Name of a piece: the hash of all that it depends on.

    Parameters
    ----------
    stage : Stage
        Its clips and its budget count.
    planned : PlannedSpan
        What it is.
    state : State or Place
        What it begins with; only where the body is, but for what is filled between poses.
    following : PlannedSpan, optional
        Only its method counts.

    Returns
    -------
    str
    """
    shot = stage.file.shot
    span = planned.span.model_dump(mode="json")
    text = json.dumps(span)
    place = state if isinstance(state, Place) else state.place
    facts = {
        "version": VERSION,
        "span": span,
        # Other marks may move without a span that does not name them being made again.
        "marks": {
            name: mark.model_dump(mode="json")
            for name, mark in shot.marks.items()
            if json.dumps(name) in text
        },
        "avoid": [one.model_dump(mode="json") for one in shot.avoid],
        "frames": planned.n_frames,
        "keys": [round(time * stage.fps) - planned.first for time in planned.keys],
        "fps": stage.fps,
        "seed": planned.seed,
        "budget": stage.budget,
        "scale": round(stage.file.scale, 9),
        "place": [*place.position, place.facing],
        "speed": None if isinstance(state, Place) else round(state.speed, 2),
        "following": None if following is None else following.kind,
    }
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode())
    digest.update(stage.fingerprint)
    model = span.get("model")
    if model is not None:
        digest.update(stage.file.beside(model).read_bytes())
    if planned.kind in FROM_POSE and isinstance(state, State):
        digest.update(state.tail.motion.rotations.tobytes())
        digest.update(state.tail.motion.translations.tobytes())
    return digest.hexdigest()[:32]


def key_of_join(key: str, before: Piece, over: float, name: str) -> str:
    """Name of a piece that goes on from another.

    Parameters
    ----------
    key : str
        Of the piece as it is by itself.
    before : Piece
        What it goes on from.
    over : float, seconds
        What is left behind dies away over this time.
    name : str
        Of the span before, which its notes tell.

    Returns
    -------
    str
    """
    digest = hashlib.sha256(f"{key} {over} {name} {before.filled}".encode())
    digest.update(before.motion.rotations.tobytes())
    digest.update(before.motion.translations.tobytes())
    digest.update(before.contacts.down.tobytes())
    return digest.hexdigest()[:32]


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
    }
    folder.mkdir(parents=True, exist_ok=True)
    with atomic_write(folder / f"{key}.npz") as file:
        np.savez_compressed(
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
            motion = _motion(stage, file["rotations"], file["translations"])
            down = file["down"]
    except (OSError, ValueError, KeyError, BadZipFile, MotionloomError):
        return None
    end = facts["end"]
    return Piece(
        motion=motion,
        contacts=FootContacts(stage.clips.soles, down, facts["ground"]),
        end=None if end is None else Place((end[0], end[1]), end[2]),
        rows=tuple(facts["rows"]),
        problems=tuple(facts["problems"]),
        notes=tuple(facts["notes"]),
        bound=facts["bound"],
        filled=facts["filled"],
    )


def as_loaded(stage: Stage, piece: Piece) -> Piece:
    """A piece with the bytes that it has when it was kept and read again.

    Joints that have translations in the clips, but not in the piece, are where their bones have
    them.
    """
    like = stage.clips.clip_set.motions[0]
    own = piece.motion.with_translated(like.translated)
    return replace(piece, motion=_motion(stage, own.rotations, own.translations))


def _motion(stage: Stage, rotations: Array, translations: Array) -> Motion:
    like = stage.clips.clip_set.motions[0]
    return replace(like, rotations=rotations, translations=translations)
