"""ClipSet: the clips a motion graph is made of, on one skeleton, at one frame rate, with their kinematics done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import InvalidInputError
from motionloom.kinematics import body_trajectory, forward_kinematics
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import Skeleton, frozen_array

#: Frame times that differ by less than this share are the same rate, rounded when the file was written.
_SAME_RATE = 1e-4
#: Offsets that differ by less than this are the same skeleton, metres.
_SAME_BONE = 1e-3
#: A clip starts with a calibration pose when its first step is this many times its largest other step ...
_POSE_JUMP = 3.0
#: ... and moves some joint at least this far relative to the hips, metres.
_POSE_DISTANCE = 0.15


@dataclass(frozen=True, eq=False)
class ClipSet:
    """Clips of one skeleton at one frame rate. Frames of all clips are counted through: clip c owns
    ``starts[c] <= i < starts[c + 1]``.

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
    """

    motions: tuple[Motion, ...]
    roles: Roles
    starts: NDArray[np.int64]
    positions: NDArray[np.float64]
    body: NDArray[np.float64]
    fps: float
    notes: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "starts", frozen_array(self.starts, int))
        object.__setattr__(self, "positions", frozen_array(self.positions))
        object.__setattr__(self, "body", frozen_array(self.body))

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

    @cached_property
    def clip_of(self) -> NDArray[np.int32]:
        """Clip of every frame, shape (N,)."""
        return np.repeat(np.arange(self.n_clips, dtype=np.int32), np.diff(self.starts))


def make_clip_set(
    motions: Sequence[Motion], fps: float | None = None, roles: Roles | None = None, progress: Progress = silent
) -> ClipSet:
    """Bring clips to one frame rate and skeleton and compute their kinematics.

    Parameters
    ----------
    motions : sequence of Motion
    fps : float, optional
        Frames per second of the set; the lowest rate among the clips when not given.
    roles : Roles, optional
        Found from the first clip's skeleton when not given.
    progress : Progress

    Returns
    -------
    ClipSet
        A first frame that is a calibration pose (a T-pose that the motion does not continue from) is left out, and
        the set's notes say so.

    Raises
    ------
    InvalidInputError
        When there is no clip, a clip has fewer than two frames, or the skeletons differ.
    """
    if not motions:
        raise InvalidInputError("a motion graph needs at least one clip")
    first = motions[0]
    for motion in motions[1:]:
        _check_same_skeleton(first, motion)
    roles = roles or find_roles(first.skeleton)
    rate = min(m.fps for m in motions) if fps is None else float(fps)
    if not (np.isfinite(rate) and rate > 0):
        raise InvalidInputError(f"fps must be a positive number, got {fps}")
    translated = tuple(sorted({j for m in motions for j in m.translated}))
    notes: list[str] = []
    clips, positions, body = [], [], []
    for i, motion in enumerate(motions):
        progress("preparing clips", i, len(motions))
        clip = _prepare(motion, first.skeleton, translated, rate, notes)
        pose = forward_kinematics(clip)
        clips.append(clip)
        positions.append(pose.positions)
        body.append(body_trajectory(pose, roles))
    progress("preparing clips", len(motions), len(motions))
    starts = np.concatenate([[0], np.cumsum([m.n_frames for m in clips])])
    return ClipSet(tuple(clips), roles, starts, np.concatenate(positions), np.concatenate(body), rate, tuple(notes))


def _label(motion: Motion) -> str:
    return motion.source.path or motion.name or "a clip"


def _bones(motion: Motion) -> NDArray[np.float64]:
    """Mean position of every joint in its parent's frame, shape (J, 3), metres; 0 where no bone is.

    Files with position channels on every joint keep their bones in the motion, not in the skeleton. No bone leads to
    the root and what is above it, nor to a joint that slides, such as hips below a moving reference joint.
    """
    bones = motion.skeleton.offsets.copy()
    if motion.n_frames:
        slides = np.ptp(motion.translations, axis=0).max(axis=1, initial=0.0) > _SAME_BONE
        bones[list(motion.translated)] = np.where(slides[:, None], 0.0, motion.translations.mean(axis=0))
    bones[list(motion.skeleton.chain(motion.root_joint))] = 0.0
    return bones


def _check_same_skeleton(first: Motion, other: Motion) -> None:
    """Refuse a clip of another skeleton with one sentence that names both."""
    a, b = first.skeleton, other.skeleton
    pair = f"{_label(first)} and {_label(other)}"
    if a.n_joints != b.n_joints:
        raise InvalidInputError(
            f"clips must share one skeleton, but {pair} have {a.n_joints} and {b.n_joints} joints; use one kind"
        )
    if not a.has_topology_of(b):
        odd = next(i for i in range(a.n_joints) if a.names[i] != b.names[i] or a.parents[i] != b.parents[i])
        raise InvalidInputError(
            f"clips must share one skeleton, but {pair} differ at joint {a.names[odd]!r} / {b.names[odd]!r}; "
            "use clips of one kind"
        )
    gap = np.abs(_bones(first) - _bones(other)).max(axis=1)
    if gap.max() > _SAME_BONE:
        raise InvalidInputError(
            f"clips must share one skeleton, but {pair} have different bones (that to {a.names[int(gap.argmax())]!r} "
            f"differs by {gap.max() * 1000:.1f} mm); use clips of one performer or retarget one of them first"
        )


def _prepare(motion: Motion, skeleton: Skeleton, translated: tuple[int, ...], fps: float, notes: list[str]) -> Motion:
    """One clip on the common skeleton and frame rate, without its calibration pose."""
    if motion.translated != translated:
        full = motion.local_translations()[:, list(translated)]
        motion = replace(motion, translations=full, translated=translated)
    jump = _calibration_jump(motion)
    if jump:
        motion = motion.cut(1, motion.n_frames)
        notes.append(
            f"{_label(motion)}: frame 0 looks like a calibration pose (a joint moves {jump:.2f} m to frame 1, "
            "far more than anywhere else in the clip) and was left out"
        )
    motion = replace(_at_rate(motion, fps), skeleton=skeleton)
    if motion.n_frames < 2:
        raise InvalidInputError(
            f"{_label(motion)} has {motion.n_frames} frame(s) at {fps:g} frames per second; a clip needs at least 2"
        )
    return motion


def _calibration_jump(motion: Motion) -> float:
    """How far a joint jumps from frame 0 to frame 1 relative to the root, metres; 0 for an ordinary start."""
    if motion.n_frames < 4:
        return 0.0
    positions = forward_kinematics(motion).positions
    local = positions - positions[:, motion.root_joint, None]
    steps = np.linalg.norm(np.diff(local, axis=0), axis=-1).max(axis=1)
    return float(steps[0]) if steps[0] > max(_POSE_DISTANCE, _POSE_JUMP * float(steps[1:].max())) else 0.0


def _at_rate(motion: Motion, fps: float) -> Motion:
    """The clip at `fps`; a whole multiple of it only drops frames, and no frame is lost to a rounded frame time."""
    target = 1.0 / fps
    ratio = target / motion.frame_time
    stride = round(ratio)
    if stride >= 1 and abs(ratio / stride - 1) < _SAME_RATE:
        return replace(
            motion,
            rotations=motion.rotations[::stride],
            translations=motion.translations[::stride],
            frame_time=target,
        )
    return motion.resample(target)
