"""Joined pieces, kept on disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.declared import Shape
from motionloom.io.kept import KeptFolder
from motionloom.io.stored import Fault
from motionloom.posed_motion import PosedMotion
from motionloom.shot.joining import Join, Joined
from motionloom.shot.keeping.stretches import KeptFrames
from motionloom.shot.stage import Piece, Stage
from motionloom.typing import Bools

#: Decimals of metres, and of parts of quaternions, to which joined motions are rounded.
DECIMALS = 7


@dataclass(frozen=True, eq=False)
class _KeptJoined:
    motion: KeptFrames
    down: Annotated[Bools, Shape("T", "p")]
    joins: tuple[Join, ...]


def save_joined(kept: KeptFolder, key: str, joined: Joined) -> None:
    """Keep joined pieces; see `key_of_joined`."""
    motion = joined.posed.motion
    frames = KeptFrames(motion.rotations, motion.translations)
    kept.save(key, _KeptJoined(frames, joined.contacts.down, joined.joins), _KeptJoined)


def load_joined(
    kept: KeptFolder, key: str, names: Sequence[str], pieces: Sequence[Piece], stage: Stage
) -> Joined | None:
    """Joined pieces that were kept.

    Parameters
    ----------
    kept : KeptFolder
        Where.
    key : str
        Of `key_of_joined`.
    names : sequence of str
        Of the spans.
    pieces : sequence of Piece
        In the order of time.
    stage : Stage
        Of the character.

    Returns
    -------
    Joined or None
        None where there are none, or their file is damaged.
    """
    n = sum(piece.motion.n_frames - 1 for piece in pieces) + 1
    first = pieces[0]

    def check(found: _KeptJoined) -> None:
        found.motion.check(first.motion, n)
        if found.down.shape[1] != first.contacts.down.shape[1]:
            raise Fault("its feet have other soles")
        if [(join.before, join.after) for join in found.joins] != [*pairwise(names)]:
            raise Fault("its joins are not between these spans")
        if not all(0 <= join.frame < n and _is_measured(join) for join in found.joins):
            raise Fault("a join is at no frame, or was measured as nothing can be")

    found = kept.load(key, _KeptJoined, check)
    if found is None:
        return None
    # In one step: each makes rotations unit again, which may change their last digit.
    motion = found.motion.on(replace(first.motion, name="shot"))
    contacts = FootContacts(first.contacts.soles, found.down, 0.0)
    return Joined(PosedMotion(motion, stage.clips.roles), contacts, found.joins)


def _is_measured(join: Join) -> bool:
    numbers = (join.seconds, join.acceleration, join.apart, join.skate, join.push, join.filled)
    return bool(np.isfinite(numbers).all()) and min(numbers) >= 0 and join.steps >= 0


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
