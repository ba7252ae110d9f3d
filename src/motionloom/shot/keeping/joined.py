"""What lies over a stretch of motion, and joined pieces, kept in a folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.io.files import atomic_write
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.shot.joining import Join, Joined
from motionloom.shot.stage import Piece, Stage

Array = NDArray[np.float64]

#: Decimals of metres, and of parts of quaternions, to which joined motions are rounded.
DECIMALS = 7


def save_layer(folder: Path, key: str, motion: Motion, facts: dict[str, Any]) -> None:
    """Keep a stretch of motion as it is with what lies over it.

    Parameters
    ----------
    folder : Path
        Made where it is missing.
    key : str
        Of `key_of_layer`.
    motion : Motion
        The stretch.
    facts : dict
        What is said of it, as JSON can hold it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with atomic_write(folder / f"{key}.npz") as file:
        np.savez(
            file,
            rotations=motion.rotations,
            translations=motion.translations,
            facts=np.array(json.dumps(facts)),
        )


def load_layer(folder: Path, key: str, like: Motion) -> tuple[Motion, dict[str, Any]] | None:
    """A stretch that was kept, and its facts; None where there is none, or it cannot be read."""
    try:
        with np.load(folder / f"{key}.npz", allow_pickle=False) as file:
            facts = json.loads(str(file["facts"]))
            rotations, translations = file["rotations"], file["translations"]
    except (OSError, ValueError, KeyError, BadZipFile):
        return None
    if rotations.shape != like.rotations.shape or translations.shape != like.translations.shape:
        return None
    return _like(like, rotations, translations), facts


def layer_as_loaded(like: Motion, motion: Motion) -> Motion:
    """A stretch with the bytes that it has when it was kept and read again."""
    return _like(like, motion.rotations, motion.translations)


def _like(like: Motion, rotations: Array, translations: Array) -> Motion:
    return replace(like, rotations=rotations, translations=translations)


def save_joined(folder: Path, key: str, joined: Joined) -> None:
    """Keep joined pieces; see `key_of_joined`."""
    facts = {
        "down": np.packbits(joined.contacts.down).tolist(),
        "joins": [asdict(join) for join in joined.joins],
    }
    save_layer(folder, key, joined.posed.motion, facts)


def load_joined(folder: Path, key: str, pieces: Sequence[Piece], stage: Stage) -> Joined | None:
    """Joined pieces that were kept; None where there are none, or they cannot be read."""
    n = sum(piece.motion.n_frames - 1 for piece in pieces) + 1
    first = pieces[0].motion
    like = replace(
        first,
        rotations=np.resize(first.rotations, (n, *first.rotations.shape[1:])),
        translations=np.resize(first.translations, (n, *first.translations.shape[1:])),
        name="shot",
    )
    found = load_layer(folder, key, like)
    if found is None:
        return None
    soles = pieces[0].contacts.soles
    points = pieces[0].contacts.down.shape[1]
    bits = np.unpackbits(np.array(found[1]["down"], np.uint8), count=n * points)
    contacts = FootContacts(soles, bits.reshape(n, points).astype(bool), 0.0)
    joins = tuple(Join(**facts) for facts in found[1]["joins"])
    return Joined(PosedMotion(found[0], stage.clips.roles), contacts, joins)


def rounded(joined: Joined) -> Joined:
    """Joined pieces with numbers so round that what changes far away changes nothing here.

    Splines carry every change along, ever smaller; without this no stretch of a motion is like it
    was once any other has changed.
    """
    motion = joined.posed.motion
    # Zero has one sign only.
    rotations = rot.normalize(np.round(motion.rotations, DECIMALS) + 0.0)
    motion = replace(
        motion, rotations=rotations, translations=np.round(motion.translations, DECIMALS) + 0.0
    )
    return replace(joined, posed=joined.posed.with_motion(motion))
