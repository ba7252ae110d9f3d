"""Pieces kept in a folder by what they were made of, so that one edited span re-makes no other."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.errors import MotionloomError
from motionloom.io.files import atomic_write
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.shot.joining import Join, Joined
from motionloom.shot.plan import PlannedSpan
from motionloom.shot.script import SynthesizeSpan
from motionloom.shot.stage import Piece, Place, Stage, State

Array = NDArray[np.float64]

#: Changes when pieces of an older version are not to be used any more.
VERSION = 6
#: Decimals of metres, and of parts of quaternions, to which joined motions are rounded.
DECIMALS = 7
#: Methods that begin in the pose before them; others are told where the body is.
FROM_POSE = ("between", "idle")


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
        "speed": None if isinstance(state, Place) else state.pace,
        "following": None if following is None else following.kind,
    }
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode())
    digest.update(stage.fingerprint)
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
    digest = hashlib.sha256(
        f"{VERSION} {kind} {motion.frame_time} {window.skeleton.names}".encode()
    )
    digest.update(window.skeleton.offsets.tobytes())
    digest.update(motion.rotations.tobytes() + motion.translations.tobytes())
    for fact in facts:
        digest.update(fact.encode() if isinstance(fact, str) else fact)
    return f"{kind}-{digest.hexdigest()[:24]}"


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
        np.savez_compressed(
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
    digest = hashlib.sha256(json.dumps([VERSION, *names, *over]).encode())
    for piece in pieces:
        digest.update(piece.motion.rotations.tobytes() + piece.motion.translations.tobytes())
        digest.update(piece.contacts.down.tobytes())
    return f"joined-{digest.hexdigest()[:24]}"


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
