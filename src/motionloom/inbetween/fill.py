"""Motion from known frames to known frames: any number of key poses or clips, and gaps between.

Known frames stay as they are. Each gap is filled in turn, with what comes before it (filled or
known) as its context; then feet are kept where they stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.interpolate import make_interp_spline

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.edit.footlock import FootLockOptions, lock_feet
from motionloom.errors import InvalidInputError
from motionloom.inbetween._feet import LOCK, creep, find_contacts, lowest_points
from motionloom.inbetween.fillers import Filler, MeasuringFiller
from motionloom.inbetween.gaps import Gaps, Track, speed_left
from motionloom.inbetween.model import InbetweenModel
from motionloom.inbetween.rig import Rig
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.reports import Report, Reported, Row, shown, table_of
from motionloom.roles import Roles
from motionloom.threads import one_thread
from motionloom.typing import Bools


@dataclass(frozen=True, eq=False)
class Known:
    """Frames that are known: a key pose, or a piece of a clip.

    Parameters
    ----------
    frame : int
        Where its first frame is in the result.
    motion : Motion
        At least one frame, at the frame rate of the result.
    """

    frame: int
    motion: Motion

    @property
    def stop(self) -> int:
        """The frame of the result behind its last one."""
        return self.frame + self.motion.n_frames


@dataclass(frozen=True)
class FillOptions:
    """How gaps are filled.

    Parameters
    ----------
    count : int
        Most different answers.
    footlock : FootLockOptions or None
        How feet are kept where they stand; None leaves them.
    """

    count: int = 1
    footlock: FootLockOptions | None = LOCK

    def __post_init__(self) -> None:
        if self.count < 1:
            raise InvalidInputError(f"the number of answers must be at least 1, got {self.count}")


@dataclass(frozen=True)
class FilledGap:
    """One gap of a result.

    Parameters
    ----------
    frame : int
        Its first missing frame.
    missing : int
        How many there are.
    seconds : float
        From the last known frame to the next.
    skate : float, centimetres per second
        Mean speed of the feet in contact, none where there is no contact.
    """

    frame: int = field(metadata=shown("first frame"))
    missing: int = field(metadata=shown("frames missing"))
    seconds: float = field(metadata=shown("over", "s"))
    skate: float | None = field(metadata=shown("foot skate", "cm/s"))


@dataclass(frozen=True, eq=False)
class Filled(Reported):
    """A motion whose gaps are filled, and its diagnosis.

    Parameters
    ----------
    motion : Motion
        From the first known frame to the last.
    method : str
        How gaps were filled.
    gaps : tuple of FilledGap
        In the order of time.
    known_frames : tuple of int
        Frames that were given.
    key_error : float, metres
        How far a joint is from where it was given at most, in those frames.
    contacts : FootContacts or None
        When the feet bear on the ground; None for a body without feet.
    released : int
        Contacts that were let go because holding them would have needed too much.
    notes : tuple of str
        What was left out or guessed, one sentence each.
    speeds : tuple of ReachedSpeed
        Of segments whose speed was asked for, measured on the motion as it is written.
    """

    motion: Motion
    method: str
    gaps: tuple[FilledGap, ...]
    known_frames: tuple[int, ...]
    key_error: float
    contacts: FootContacts | None
    released: int
    notes: tuple[str, ...] = ()
    speeds: tuple[Any, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """Speeds that were asked for and are not reached, one sentence each."""
        return tuple(one.problem for one in self.speeds if one.problem)

    def as_report(self) -> Report:
        """How far known frames are missed, a row for every gap, and the speeds reached."""
        frames = {"frames": self.motion.n_frames, "known_frames": self.known_frames}
        return Report(
            f"Filled by {self.method}",
            [
                Row("", "known frames", len(self.known_frames)),
                Row("key_error", "known frames are met within", self.key_error, "mm", ".3f", 1000),
                Row("released", "contacts let go", self.released),
                table_of("Gaps", self.gaps, "gaps"),
                table_of("Speeds", self.speeds, "speeds"),
            ],
            data={"method": self.method, **frames},
            problems=self.problems,
            notes=self.notes,
        )


@one_thread()
def fill_gaps(
    known: Sequence[Known],
    filler: Filler,
    model: InbetweenModel | None = None,
    options: FillOptions | None = None,
    roles: Roles | None = None,
) -> tuple[Filled, ...]:
    """Fill the gaps between known frames.

    Parameters
    ----------
    known : sequence of Known
        At least two, in any order; all of one skeleton and frame rate.
    filler : Filler
        The method.
    model : InbetweenModel, optional
        What the method has learned, for the body's soles.
    options : FillOptions, optional
        How many answers, and what is done about feet.
    roles : Roles, optional
        The model's, or found from the skeleton, when not given.

    Returns
    -------
    tuple of Filled
        Best first; fewer than asked for where the method knows fewer.

    Raises
    ------
    InvalidInputError
        When there are not two pieces, they overlap, or skeletons or frame rates differ.
    """
    options = options or FillOptions()
    pieces = _checked(known, model)
    rig = _rig_of(pieces, model, roles)
    drafts = [_Draft.begin(rig, pieces[0])]
    for before, after in pairwise(pieces):
        missing = after.frame - before.stop
        # One answer is asked for more, so that the second draft differs from the first.
        wanted = options.count if len(drafts) < options.count else 1
        grown = [new for one in drafts for new in one.extended(after, missing, filler, wanted)]
        drafts = sorted(grown, key=lambda draft: draft.rank)[: options.count]
    return tuple(_finish(draft, pieces, filler, model, options) for draft in drafts)


@dataclass(frozen=True, eq=False)
class _Draft:
    """A result as far as it is made."""

    rig: Rig
    fps: float
    track: Track
    down: tuple[tuple[int, Bools], ...]
    rank: int

    @classmethod
    def begin(cls, rig: Rig, piece: Known) -> _Draft:
        return cls(rig, piece.motion.fps, Track.of(piece.motion, rig), (), 0)

    def extended(self, after: Known, missing: int, filler: Filler, count: int) -> list[_Draft]:
        """The result with the next gap filled in different ways, and the frames behind it."""
        end = Track.of(after.motion, self.rig)
        if not missing:
            return [self._with([end])]
        gaps = Gaps.between(self.rig, self.track, end, missing)
        drafts = []
        for rank, filling in enumerate(filler.fill(gaps, self.fps, count)):
            track = filling.track if end.n_frames == 1 else _match_end(gaps, filling.track, end)
            made = self._with([Track(track.rotations[0], track.roots[0]), end])
            down = () if filling.down is None else ((self.track.n_frames, filling.down[0]),)
            drafts.append(replace(made, down=(*self.down, *down), rank=self.rank + rank))
        return drafts

    def _with(self, parts: Sequence[Track]) -> _Draft:
        rotations = np.concatenate([part.rotations for part in (self.track, *parts)])
        roots = np.concatenate([part.roots for part in (self.track, *parts)])
        return replace(self, track=Track(rot.unroll(rotations), roots))


def _match_end(gaps: Gaps, track: Track, end: Track) -> Track:
    """Fillings that end with the speed that the frames behind the gap begin with."""
    steps = gaps.missing + 1
    # The way is that of a speed at the begin, seen backwards.
    left = -speed_left(np.arange(gaps.missing, 0, -1.0), steps)
    turned = rot.between(end.rotations[0], end.rotations[1])
    own = rot.between(track.rotations[:, -1], gaps.end_rotations)
    change = rot.from_rotvec(left[None, :, None, None] * (turned - own)[:, None])
    moved = (end.roots[1] - end.roots[0]) - (gaps.end_roots - track.roots[:, -1])
    roots = track.roots + left[None, :, None] * moved[:, None]
    return Track(rot.multiply(track.rotations, change), roots)


def _checked(known: Sequence[Known], model: InbetweenModel | None) -> list[Known]:
    pieces = sorted(known, key=lambda piece: piece.frame)
    if len(pieces) < 2:
        raise InvalidInputError(f"a gap needs frames on both sides, got {len(pieces)} piece")
    first = pieces[0].motion
    for before, after in pairwise(pieces):
        motion = after.motion
        if not motion.skeleton.has_topology_of(first.skeleton):
            raise InvalidInputError(
                f"{motion.name or 'a key pose'} has other joints than {first.name or 'the first'};"
                " a motion is filled between poses of one skeleton"
            )
        if abs(motion.frame_time - first.frame_time) > 1e-9:
            raise InvalidInputError(
                f"{motion.name or 'a key pose'} has {motion.fps:g} frames per second and"
                f" {first.name or 'the first'} {first.fps:g}; resample one of them"
            )
        if not motion.n_frames or after.frame < before.stop:
            raise InvalidInputError(
                f"{motion.name or 'a key pose'} begins at frame {after.frame}"
                f" ({after.frame / motion.fps:.2f} s) and the piece before it ends at"
                f" {before.stop - 1} ({(before.stop - 1) / motion.fps:.2f} s); expected later"
                " pieces, of at least one frame, to begin behind those before"
            )
    if model is not None and not first.skeleton.has_topology_of(model.rig.skeleton):
        raise InvalidInputError(
            f"{first.name or 'the motion'} has other joints than the clips the model was learned"
            " from; fit a model on clips of this skeleton"
        )
    return pieces


def _rig_of(pieces: Sequence[Known], model: InbetweenModel | None, roles: Roles | None) -> Rig:
    longest = max(pieces, key=lambda piece: piece.motion.n_frames).motion
    if model is None:
        return Rig.of(longest, roles)
    return replace(Rig.of(longest, roles or model.rig.roles), root=model.rig.root)


def _finish(
    draft: _Draft,
    pieces: Sequence[Known],
    filler: Filler,
    model: InbetweenModel | None,
    options: FillOptions,
) -> Filled:
    motion = to_motion(draft.rig, draft.track, pieces)
    start = pieces[0].frame
    kept = tuple(frame - start for piece in pieces for frame in range(piece.frame, piece.stop))
    posed = PosedMotion(motion, draft.rig.roles)
    asked = np.concatenate([PosedMotion(p.motion, posed.roles).positions for p in pieces])
    contacts = find_contacts(posed, kept, dict(draft.down), model)
    released = 0
    if contacts is not None and options.footlock is not None and contacts.down.any():
        lowest = lowest_points(posed, contacts, kept)
        lock = lock_feet(posed, contacts, options.footlock, lowest=lowest, keep=kept)
        posed, contacts, released = lock.posed, lock.contacts, lock.released
    gaps = _report_gaps(posed, pieces, contacts)
    speeds: tuple[Any, ...] = ()
    if isinstance(filler, MeasuringFiller):
        spans = [(gap.frame, gap.missing) for gap in gaps]
        speeds = filler.reached(posed.rotations, spans, draft.fps)
    error = float(np.linalg.norm(posed.positions[list(kept)] - asked, axis=-1).max())
    known = posed.motion, filler.name, gaps, kept, error
    return Filled(*known, contacts, released, _notes(pieces, model, contacts), speeds)


def _notes(
    pieces: Sequence[Known], model: InbetweenModel | None, contacts: FootContacts | None
) -> tuple[str, ...]:
    notes = []
    if contacts is None:
        notes.append("no feet were found, so nothing is kept on the ground")
    if model is not None:
        fps = pieces[0].motion.fps
        longest = max((b.frame - a.stop + 1) / fps for a, b in pairwise(pieces))
        if longest > model.longest:
            notes.append(
                f"a gap lasts {longest:.2f} s, longer than the {model.longest:.2f} s that were"
                " learned; more key poses make it more certain"
            )
    return tuple(notes)


def to_motion(rig: Rig, track: Track, pieces: Sequence[Known]) -> Motion:
    """A motion that follows a track; other joints that slide go on straight lines.

    Parameters
    ----------
    rig : Rig
        The body.
    track : Track
        Of T frames, the first that of the first piece.
    pieces : sequence of Known
        Frames that are known, in the order of time; they stay as they are.

    Returns
    -------
    Motion
    """
    first = pieces[0].motion
    translated = tuple(sorted({rig.root}.union(*(piece.motion.translated for piece in pieces))))
    known = [piece.motion.with_translated(translated) for piece in pieces]
    frames = np.concatenate([np.arange(p.frame, p.stop) - pieces[0].frame for p in pieces])
    moves = np.concatenate([m.translations for m in known])
    turns = np.concatenate([m.rotations for m in known])
    translations = make_interp_spline(frames, moves, k=1)(np.arange(track.n_frames))
    local = rig.local_rotations(track.rotations)
    above = list(rig.skeleton.chain(rig.root))[:-1]
    local[:, above] = turns[:1, above]
    roots = track.roots
    if above:
        still = PosedMotion(first.cut(0, 1), rig.roles).world
        parent = still.rotations[0, above[-1]]
        roots = rot.rotate(rot.conjugate(parent), roots - still.positions[0, above[-1]])
        local[:, rig.root] = rot.multiply(rot.conjugate(parent), track.rotations[:, rig.root])
    translations[:, translated.index(rig.root)] = roots
    local[frames] = turns
    translations[frames] = moves
    return replace(
        first, rotations=local, translations=translations, translated=translated, name=""
    )


def _report_gaps(
    posed: PosedMotion, pieces: Sequence[Known], contacts: FootContacts | None
) -> tuple[FilledGap, ...]:
    rows = []
    for before, after in pairwise(pieces):
        first = before.stop - pieces[0].frame
        missing = after.frame - before.stop
        if missing:
            seconds = (missing + 1) / posed.fps
            skate = None if contacts is None else creep(posed, contacts, first, missing)
            rows.append(FilledGap(first, missing, seconds, skate))
    return tuple(rows)
