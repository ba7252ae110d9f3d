"""ClipSet: the clips a motion graph is made of, on one skeleton, at one frame rate, with their
kinematics done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from motionloom.clips.prepare import label_of, prepare_clip
from motionloom.clips.same_skeleton import check_same_skeleton
from motionloom.edit.mirror import find_symmetry
from motionloom.errors import InvalidInputError, UnknownNameError
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, silent
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import Skeleton, few, frozen_array
from motionloom.typing import Array, Bools, Ints


@dataclass(frozen=True, eq=False)
class ClipSet:
    """Clips of one skeleton at one frame rate.

    Frames of all clips are counted through: clip c owns ``starts[c] <= i < starts[c + 1]``.

    Parameters
    ----------
    motions : tuple of Motion
        The clips, all with the same skeleton, translated joints and frame time.
    roles : Roles
        Which joint plays which part of the body.
    starts : int array of shape (C + 1,)
        First frame of every clip, and the number of frames N.
    positions : array of shape (N, J, 3), metres
        World position of every joint.
    body : array of shape (N, 3)
        Ground position x, z of the hips (metres) and facing (radians, continuous within a clip).
    fps : float
        Frames per second.
    notes : tuple of str
        What was guessed or changed while the set was made, one sentence each.
    origins : tuple of (int, float)
        Of every clip the frame of its file that is its frame 0, and the file's frames per second;
        none are known when empty.
    labels : mapping of str to bool array of shape (N,)
        Frames that have a label.

    Examples
    --------
    >>> clips = make_clip_set([walk])
    >>> clips.names, clips.positions.shape[1:]
    (('walk_1.1',), (22, 3))
    """

    motions: tuple[Motion, ...]
    roles: Roles
    starts: Ints
    positions: Array
    body: Array
    fps: float
    notes: tuple[str, ...] = field(default=())
    origins: tuple[tuple[int, float], ...] = ()
    labels: Mapping[str, Bools] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, kind in (("starts", int), ("positions", float), ("body", float)):
            object.__setattr__(self, name, frozen_array(getattr(self, name), kind))

    def __repr__(self) -> str:
        return (
            f"<ClipSet: {self.n_clips} clips, {self.n_frames} frames at {self.fps:.6g} fps,"
            f" {self.n_frames / self.fps:.1f} s\n  {few(self.names)}\n  {self.skeleton.n_joints}"
            f" joints, {len(self.roles.joints)} roles ({self.roles.kind})>"
        )

    @property
    def skeleton(self) -> Skeleton:
        """The one skeleton of all clips."""
        return self.motions[0].skeleton

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the clips."""
        return tuple(m.name for m in self.motions)

    @property
    def n_clips(self) -> int:
        """Number of clips C."""
        return len(self.motions)

    @property
    def n_frames(self) -> int:
        """Number of frames N of all clips together."""
        return int(self.starts[-1])

    def file_time(self, clip: int) -> Array:
        """Time in its file of every frame of a clip, seconds.

        Examples
        --------
        >>> clips = make_clip_set([walk], fps=15.0)
        >>> clips.file_time(0)[:3].round(3)
        array([0.   , 0.067, 0.133])
        """
        first, rate = self.origins[clip] if self.origins else (0, self.fps)
        return first / rate + np.arange(self.starts[clip + 1] - self.starts[clip]) / self.fps

    def frame_of_file(self, name: str, frame: int) -> int:
        """Frame of the set that is nearest to a frame of a clip's file.

        Parameters
        ----------
        name : str
            Of the clip.
        frame : int
            Counted from 0 in the clip's file, at the file's own rate.

        Returns
        -------
        int
            Counted through all clips.

        Raises
        ------
        UnknownNameError
            When there is no such clip, or the clip has no such frame.

        Examples
        --------
        >>> clips = make_clip_set([walk], fps=15.0)
        >>> clips.frame_of_file("walk_1.1", 60)  # at 30 frames per second in the file
        30
        """
        if name not in self.names:
            near = " or ".join(get_close_matches(name, self.names, n=3, cutoff=0.4))
            known = f"clips there are: {', '.join(self.names[:5])} ..."
            guess = f"did you mean {near}?" if near else known
            raise UnknownNameError(name, f"no clip is called {name!r}; {guess}")
        clip = self.names.index(name)
        first, rate = self.origins[clip] if self.origins else (0, self.fps)
        last = int(self.starts[clip + 1] - self.starts[clip]) - 1
        own = round((frame - first) / rate * self.fps)
        if not 0 <= own <= last:
            end = first + round(last * rate / self.fps)
            raise UnknownNameError(
                name, f"clip {name!r} has no frame {frame}; it can show frames {first} to {end}"
            )
        return int(self.starts[clip]) + own

    def subset(self, chosen: Sequence[int]) -> ClipSet:
        """Some of the clips, with all that is known about them.

        Parameters
        ----------
        chosen : sequence of int
            Indices of clips, in the order wanted.

        Examples
        --------
        >>> make_clip_set([walk, walk[:90]]).subset([1]).n_frames
        90
        """
        frames = np.concatenate([np.arange(self.starts[c], self.starts[c + 1]) for c in chosen])
        lengths = [self.motions[c].n_frames for c in chosen]
        return replace(
            self,
            motions=tuple(self.motions[c] for c in chosen),
            starts=np.concatenate([[0], np.cumsum(lengths)]),
            positions=self.positions[frames],
            body=self.body[frames],
            origins=tuple(self.origins[c] for c in chosen) if self.origins else (),
            labels={name: mask[frames] for name, mask in self.labels.items()},
        )

    def extended(
        self, posed: Sequence[PosedMotion], shown: Sequence[Ints], note: str = ""
    ) -> ClipSet:
        """The clips, and others after them.

        Parameters
        ----------
        posed : sequence of PosedMotion
            Further clips, with names of their own.
        shown : sequence of int array of shape (T,)
            Of each, the frames of the set that its frames are, or are most like; labels and the
            file's frames are theirs.
        note : str, optional
            What was added, one sentence.
        """
        lengths = np.cumsum([clip.n_frames for clip in posed])
        nearest = np.concatenate(shown)
        of = [int(self.clip_of[frames[0]]) for frames in shown]
        return replace(
            self,
            motions=(*self.motions, *(clip.motion for clip in posed)),
            starts=np.concatenate([self.starts, self.n_frames + lengths]),
            positions=np.concatenate([self.positions, *(clip.positions for clip in posed)]),
            body=np.concatenate([self.body, *(clip.body for clip in posed)]),
            notes=(*self.notes, note) if note else self.notes,
            origins=(*self.origins, *(self.origins[c] for c in of)) if self.origins else (),
            labels={n: np.concatenate([mask, mask[nearest]]) for n, mask in self.labels.items()},
        )

    @property
    def spans(self) -> list[tuple[int, int]]:
        """First frame of every clip and the one behind its last, counted through all clips."""
        return list(pairwise(self.starts.tolist()))

    @cached_property
    def clip_of(self) -> NDArray[np.int32]:
        """Clip of every frame, shape (N,).

        Examples
        --------
        >>> make_clip_set([walk[:3], walk[:2]]).clip_of
        array([0, 0, 0, 1, 1], dtype=int32)
        """
        return np.repeat(np.arange(self.n_clips, dtype=np.int32), np.diff(self.starts))


def make_clip_set(
    motions: Sequence[Motion],
    fps: float | None = None,
    roles: Roles | None = None,
    progress: Progress = silent,
    *,
    mirror: bool = False,
) -> ClipSet:
    """Bring clips to one frame rate and skeleton and compute their kinematics.

    Parameters
    ----------
    motions : sequence of Motion
        Clips of one skeleton, at any frame rates.
    fps : float, optional
        Frames per second of the set; the lowest rate among the clips when not given.
    roles : Roles, optional
        Found from the first clip's skeleton when not given.
    progress : Progress
        Told of every clip.
    mirror : bool
        Whether a mirrored copy of every clip follows after all of them; see `add_mirrored`.

    Returns
    -------
    ClipSet
        A first frame that is a calibration pose (a T-pose that the motion does not continue from)
        is left out, and the set's notes say so.

    Raises
    ------
    InvalidInputError
        When there is no clip, a clip has fewer than two frames, the skeletons differ, or the
        skeleton cannot be mirrored.

    Examples
    --------
    >>> clips = make_clip_set([walk, walk[:100]], fps=15.0)
    >>> clips.n_clips, clips.fps, clips.starts
    (2, 15.0, array([  0, 116, 166]))
    """
    if not motions:
        raise InvalidInputError("a motion graph needs at least one clip")
    empty = next((m for m in motions if m.n_frames == 0), None)
    if empty is not None:
        raise InvalidInputError(
            f"{label_of(empty)} has no frames; a clip needs at least 2, leave this file out"
        )
    first = motions[0]
    check_same_skeleton(motions)
    roles = roles or find_roles(first.skeleton)
    rate = min(m.fps for m in motions) if fps is None else float(fps)
    if not (np.isfinite(rate) and rate > 0):
        raise InvalidInputError(f"fps must be a positive number, got {fps}")
    translated = tuple(sorted({j for m in motions for j in m.translated}))
    prepared = []
    for i, motion in enumerate(motions):
        progress("preparing clips", i, len(motions))
        own = replace(motion.with_translated(translated), skeleton=first.skeleton)
        prepared.append(prepare_clip(own, rate, roles))
    progress("preparing clips", len(motions), len(motions))
    posed = [clip for clip, _, _ in prepared]
    made = ClipSet(
        motions=tuple(clip.motion for clip in posed),
        roles=roles,
        starts=np.concatenate([[0], np.cumsum([clip.n_frames for clip in posed])]),
        positions=np.concatenate([clip.positions for clip in posed]),
        body=np.concatenate([clip.body for clip in posed]),
        fps=rate,
        notes=tuple(note for _, _, changed in prepared for note in changed),
        origins=tuple((at, m.fps) for (_, at, _), m in zip(prepared, motions, strict=True)),
    )
    return add_mirrored(made) if mirror else made


def add_mirrored(clips: ClipSet) -> ClipSet:
    """The clips, and after them a mirrored copy of each, called ``NAME (mirrored)``.

    Frame i of a copy is frame i of its original: times in the file and labels are the same.

    Raises
    ------
    InvalidInputError
        When joints of the skeleton have no counterpart on the other side, or bones are no mirror
        images.

    Examples
    --------
    >>> add_mirrored(make_clip_set([walk])).names
    ('walk_1.1', 'walk_1.1 (mirrored)')
    """
    symmetry = find_symmetry(clips.motions, clips.roles)
    copies = [symmetry.mirror(m) for m in clips.motions]
    translated = tuple(sorted({j for m in copies for j in m.translated}))
    own = replace(clips, motions=tuple(m.with_translated(translated) for m in clips.motions))
    posed = [PosedMotion(m.with_translated(translated), clips.roles) for m in copies]
    shown = np.split(np.arange(clips.n_frames), clips.starts[1:-1])
    return own.extended(posed, shown, symmetry.note())
