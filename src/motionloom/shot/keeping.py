"""Pieces of spans kept in a folder, so that one edited span re-makes no other."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Annotated, Any, Protocol

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.declared import LENGTH, Count, Finite, Normalized, Range, Shape
from motionloom.io.kept import KeptFolder
from motionloom.io.stored import Fault
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.shot.joining import Join, Joined
from motionloom.shot.plan.planned import PlannedSpan
from motionloom.shot.script.span_fields import SynthesizeSpan
from motionloom.shot.spans.walk import poses_left
from motionloom.shot.stage import Piece, Place, Stage, State
from motionloom.typing import Array, Bools

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


@dataclass(frozen=True, eq=False)
class KeptFrames:
    """What moves in a motion; the rest is known where it is kept.

    Parameters
    ----------
    rotations : array of shape (T, J, 4)
        Local rotations.
    translations : array of shape (T, K, 3), metres
        Of the joints that are translated.
    """

    rotations: Annotated[Array, Shape("T", "J", 4), Normalized()]
    translations: Annotated[Array, Shape("T", "K", 3), LENGTH]

    def check(self, like: Motion, n_frames: int) -> None:
        """Refuse frames of another skeleton, or another number of them.

        Parameters
        ----------
        like : Motion
            Has the skeleton.
        n_frames : int
            That there have to be.

        Raises
        ------
        Fault
            When either is another.
        """
        joints, moved = like.skeleton.n_joints, len(like.translated)
        if self.rotations.shape[:2] != (n_frames, joints) or self.translations.shape[1] != moved:
            raise Fault("it is of other frames or joints")

    def on(self, like: Motion) -> Motion:
        """A motion like another, with these frames."""
        return replace(like, rotations=self.rotations, translations=self.translations)


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
