"""Names under which motions are kept: hashes of all that they were made of.

The version of the code is not among it: `motionloom.io.kept` looks at that in the file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from motionloom.posed_motion import PosedMotion
from motionloom.shot.handover.onward import poses_left
from motionloom.shot.plan import PlannedSpan
from motionloom.shot.script import SynthesizeSpan
from motionloom.shot.stage import Piece, Place, Stage, State

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
        What it begins with; only where the body is, but for what is filled between poses, and for
        a walk of somebody who moves.
    following : PlannedSpan, optional
        Only its method counts.

    Returns
    -------
    str
    """
    shot = stage.file.shot
    span = planned.span.model_dump(mode="json")
    text = json.dumps(span)
    place = state.place
    facts = {
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
        "speed": state.pace,
        "pose": _pose(planned, state),
        "following": None if following is None else following.kind,
    }
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode())
    digest.update(stage.clips.fingerprint)
    for name, mask in sorted(stage.clips.clip_set.labels.items()):
        digest.update(name.encode() + np.packbits(mask).tobytes())
    model = span.get("model")
    if model is not None:
        digest.update(stage.file.beside(model).read_bytes())
    if isinstance(planned.span, SynthesizeSpan) and planned.span.file is not None:
        own = stage.file.constraints(planned.where, planned.span.file)
        digest.update(own.model_dump_json().encode())
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


def _pose(planned: PlannedSpan, state: State | Place) -> list[Any] | None:
    """The last frames as a walk that goes on from them sees them."""
    if planned.kind != "walk" or not isinstance(state, State) or state.stands:
        return None
    poses: list[Any] = poses_left(state.tail).tolist()
    return poses


def key_of_layer(kind: str, window: PosedMotion, *facts: str | bytes) -> str:
    """Name of what lies over a stretch of motion: the hash of the motion below it, and of facts.

    Parameters
    ----------
    kind : str
        What it is.
    window : PosedMotion
        The motion below it.
    *facts : str or bytes
        What else it depends on.

    Returns
    -------
    str
    """
    motion = window.motion
    digest = hashlib.sha256(f"{kind} {motion.frame_time} {window.skeleton.names}".encode())
    digest.update(window.skeleton.offsets.tobytes())
    digest.update(motion.rotations.tobytes() + motion.translations.tobytes())
    for fact in facts:
        digest.update(fact.encode() if isinstance(fact, str) else fact)
    return f"{kind}-{digest.hexdigest()[:24]}"


def key_of_joined(names: Sequence[str], pieces: Sequence[Piece], over: Sequence[float]) -> str:
    """Name of pieces that were joined: the hash of all of them.

    Parameters
    ----------
    names : sequence of str
        Of the spans.
    pieces : sequence of Piece
        In the order of time.
    over : sequence of float, seconds
        Over which joins die away.

    Returns
    -------
    str
    """
    digest = hashlib.sha256(json.dumps([*names, *over]).encode())
    for piece in pieces:
        digest.update(piece.motion.rotations.tobytes() + piece.motion.translations.tobytes())
        digest.update(piece.contacts.down.tobytes())
    return f"joined-{digest.hexdigest()[:24]}"
