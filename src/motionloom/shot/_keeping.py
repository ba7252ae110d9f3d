"""Motions kept by what they were made of, so that one edited span re-makes no other."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Annotated, Any, TypeVar

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.declared import LENGTH, NORMALIZED, Count, Finite, Range, Shape
from motionloom.io.kept import KeptFolder
from motionloom.io.stored import Fault
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.shot.joining import Join, Joined, join_pieces
from motionloom.shot.plan.planned import PlannedSpan
from motionloom.shot.script.span_fields import SynthesizeSpan
from motionloom.shot.spans._walk import poses_left
from motionloom.shot.stage import FINISHED, ClipShown, Found, Piece, Place, Stage, State
from motionloom.typing import Array, Bools

T = TypeVar("T")
Hardness = Annotated[float, Range(0)]
#: Methods that begin in the pose before them; others are told where the body is.
FROM_POSE = ("between", "idle")
#: Decimals of metres, and of parts of quaternions, to which joined motions are rounded.
DECIMALS = 7
#: Most pieces in memory.
MOST = 600


def key_of(stage: Stage, planned: PlannedSpan, state: State | Place) -> str:
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
        "following": planned.following or None,
    }
    more: list[str | bytes | Motion] = [stage.clips.fingerprint]
    more += [
        name.encode() + np.packbits(mask).tobytes()
        for name, mask in sorted(stage.clips.clip_set.labels.items())
    ]
    if span.get("model") is not None:
        more.append(stage.file.beside(span["model"]).read_bytes())
    if isinstance(planned.span, SynthesizeSpan) and planned.span.file is not None:
        more.append(stage.file.constraints(planned.where, planned.span.file).model_dump_json())
    if planned.kind in FROM_POSE and isinstance(state, State):
        more.append(state.tail.motion)
    return _hash(json.dumps(facts, sort_keys=True), *more)


def _hash(*facts: str | bytes | Motion) -> str:
    """Hash of texts, bytes, and frames of motions."""
    digest = hashlib.sha256()
    for fact in facts:
        if isinstance(fact, Motion):
            fact = fact.rotations.tobytes() + fact.translations.tobytes()
        digest.update(fact.encode() if isinstance(fact, str) else fact)
    return digest.hexdigest()[:32]


def _pose(planned: PlannedSpan, state: State | Place) -> list[Any] | None:
    """The last frames as a walk that goes on from them sees them."""
    if planned.kind != "walk" or not isinstance(state, State) or state.stands:
        return None
    return poses_left(state.tail).tolist()


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
    return _hash(
        f"{key} {over} {name} {before.filled}", before.motion, before.contacts.down.tobytes()
    )


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
    below = f"{window.motion.frame_time} {window.skeleton.names}"
    return f"{kind}-{_hash(below, window.skeleton.offsets.tobytes(), window.motion, *facts)}"


def kept_or_made(
    folder: KeptFolder | None,
    key: str,
    kind: type[T],
    make: Callable[[], T],
    check: Callable[[T], None],
) -> T:
    """A record that was kept, or else is made and kept.

    Parameters
    ----------
    folder : KeptFolder or None
        Where.
    key : str
        Its name there.
    kind : type
        The dataclass.
    make : callable
        Makes it.
    check : callable
        Raises `Fault` for a record that is not the one that is wanted.

    Returns
    -------
    dataclass
    """
    if folder is None:
        return make()
    found = folder.load(key, kind, check)
    if found is None:
        found = make()
        folder.save(key, found, kind)
    return found


@dataclass(frozen=True, eq=False)
class KeptFrames:
    """What moves in a motion; the rest is known where it is kept.

    Parameters
    ----------
    rotations : array of shape (T, J, 4)
        As in `Motion`.
    translations : array of shape (T, K, 3), metres
        As in `Motion`.
    """

    rotations: Annotated[Array, Shape("T", "J", 4), NORMALIZED]
    translations: Annotated[Array, Shape("T", "K", 3), LENGTH]

    @classmethod
    def of(cls, motion: Motion) -> KeptFrames:
        """Frames of a motion."""
        return cls(motion.rotations, motion.translations)

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


@dataclass(frozen=True, eq=False)
class Kept:
    """A piece with what it was made of.

    Parameters
    ----------
    piece : Piece
        The motion.
    key : str
        Of `key_of`.
    budget : float, seconds
        How long was searched for it; infinite for a finished one.
    found : Found, optional
        What it was made of, as far as it is known.
    """

    piece: Piece
    key: str
    budget: float = FINISHED
    found: Found | None = None

    @property
    def score(self) -> float:
        """How far it was bent; 0 where that is not known."""
        return 0.0 if self.found is None else self.found.score


@dataclass(eq=False)
class Keeper:
    """Keeps pieces by their keys in memory, and finished ones in a folder if there is one.

    Parameters
    ----------
    folder : KeptFolder, optional
        Where joined motions, and what lies over them, are kept, too.
    budget : float, seconds
        How long is searched for pieces that are not there; infinite for finished ones.
    """

    folder: KeptFolder | None = None
    budget: float = FINISHED
    _kept: OrderedDict[str, Kept] = field(default_factory=OrderedDict)
    _stored: set[str] = field(default_factory=set)

    @property
    def finished(self) -> KeptFolder | None:
        """The folder; none of work that goes on."""
        return self.folder if self.budget == FINISHED else None

    def find(self, stage: Stage, planned: PlannedSpan, key: str, budget: float) -> Kept | None:
        """A piece that was searched for at least so long; None where there is none."""
        kept = self._kept.get(key)
        if kept is not None and kept.budget >= budget:
            self._kept.move_to_end(key)
            return kept
        piece = self.folder and load_piece(stage, self.folder, key, planned.n_frames)
        if not piece:
            return None
        self._stored.add(key)
        return self.add(Kept(piece, key))

    def add(self, kept: Kept) -> Kept:
        """Keep a piece in memory."""
        self._kept[kept.key] = kept
        self._kept.move_to_end(kept.key)
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)
        return kept

    def keep(
        self, stage: Stage, planned: PlannedSpan, key: str, make: Callable[[], Piece]
    ) -> tuple[Kept, bool]:
        """The piece of a span, as it is when it is loaded, and whether it was there already."""
        kept = self.find(stage, planned, key, self.budget)
        made = None
        if kept is None:
            made = make()
            found, budget = stage.searched(planned.name, self.budget)
            kept = self.add(Kept(as_loaded(stage, made), key, budget, found))
        # Of searches that go on nothing is left in the folder, not even what follows them.
        if self.finished is not None and kept.budget == FINISHED and key not in self._stored:
            self._stored.add(key)
            save_piece(made or kept.piece, self.finished, key)
        return kept, made is None


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
    clips: tuple[ClipShown, ...]


def save_piece(piece: Piece, kept: KeptFolder, key: str) -> None:
    """Keep a piece by the key that `key_of` gives."""
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
        Frames of its span.

    Returns
    -------
    Piece or None
    """
    own = stage.clips.clip_set
    lengths = {motion.name: motion.n_frames for motion in own.motions}

    def check(found: _KeptPiece) -> None:
        found.motion.check(own.motions[0], n_frames)
        if found.contacts.down.shape[1] != len(stage.clips.soles.points):
            raise Fault("its feet have other soles")
        if found.filled > n_frames:
            raise Fault("more frames are filled in than it has")
        for one in found.clips:
            is_there = 0 <= one.first <= one.last < n_frames
            if not is_there or not 0 <= one.frame < lengths.get(one.clip, 0):
                raise Fault("it shows frames that no clip has")

    found = kept.load(key, _KeptPiece, check)
    if found is None:
        return None
    contacts = FootContacts(stage.clips.soles, found.contacts.down, found.contacts.ground)
    motion = found.motion.on(own.motions[0])
    return Piece(**(vars(found) | {"motion": motion, "contacts": contacts}))


def like_clips(stage: Stage, piece: Piece) -> Piece:
    """A piece in which the same joints are translated as in the clips.

    Models know of the hips only, where clips move a joint above them, too.
    """
    translated = stage.clips.clip_set.motions[0].translated
    return replace(piece, motion=piece.motion.with_translated(translated))


def as_loaded(stage: Stage, piece: Piece) -> Piece:
    """A piece with the bytes that it has when it was kept and read again."""
    motion = KeptFrames.of(piece.motion).on(stage.clips.clip_set.motions[0])
    return replace(piece, motion=motion, contacts=replace(piece.contacts, soles=stage.clips.soles))


@dataclass(frozen=True, eq=False)
class _KeptJoined:
    motion: KeptFrames
    down: Annotated[Bools, Shape("T", "p")]
    joins: tuple[Join, ...]

    def check(self, names: Sequence[str], first: Piece, n_frames: int) -> None:
        """Refuse what is not of these spans, that begin with this piece."""
        self.motion.check(first.motion, n_frames)
        if self.down.shape[1] != first.contacts.down.shape[1]:
            raise Fault("its feet have other soles")
        if [(join.before, join.after) for join in self.joins] != [*pairwise(names)]:
            raise Fault("its joins are not between these spans")
        if not all(0 <= join.frame < n_frames and _is_measured(join) for join in self.joins):
            raise Fault("a join is at no frame, or was measured as nothing can be")


def join_kept(
    folder: KeptFolder | None,
    stage: Stage,
    names: Sequence[str],
    pieces: Sequence[Piece],
    over: Sequence[float],
) -> Joined:
    """Pieces joined, kept by what they are.

    Parameters
    ----------
    folder : KeptFolder or None
        Where.
    stage : Stage
        Of the character.
    names : sequence of str
        Of the spans.
    pieces : sequence of Piece
        In the order of time.
    over : sequence of float, seconds
        What each join may take.

    Returns
    -------
    Joined
        The same bytes, whether it was kept or not.
    """
    n = sum(piece.motion.n_frames - 1 for piece in pieces) + 1
    first = pieces[0]

    def make() -> _KeptJoined:
        joined = join_pieces(names, pieces, stage.clips, over)
        return _KeptJoined(_rounded(joined.posed.motion), joined.contacts.down, joined.joins)

    def check(found: _KeptJoined) -> None:
        found.check(names, first, n)

    frames = [part for one in pieces for part in (one.motion, one.contacts.down.tobytes())]
    key = f"joined-{_hash(json.dumps([*names, *over]), *frames)}"
    found = kept_or_made(folder, key, _KeptJoined, make, check)
    # In one step: each makes rotations unit again, which may change their last digit.
    motion = found.motion.on(replace(first.motion, name="shot"))
    contacts = FootContacts(stage.clips.soles, found.down, 0.0)
    return Joined(stage.posed(motion), contacts, found.joins)


def _is_measured(join: Join) -> bool:
    numbers = (join.seconds, join.acceleration, join.apart, join.skate, join.push, join.filled)
    return bool(np.isfinite(numbers).all()) and min(numbers) >= 0 and join.steps >= 0


def _rounded(motion: Motion) -> KeptFrames:
    """Numbers so round that what changes far away changes nothing here.

    Splines carry every change along, ever smaller; without this no stretch of a motion is like it
    was once any other has changed.
    """
    # Zero has one sign only.
    rotations = rot.normalize(np.round(motion.rotations, DECIMALS) + 0.0)
    return KeptFrames(rotations, np.round(motion.translations, DECIMALS) + 0.0)
