"""One clip made ready: without its calibration pose, at the wanted frame rate; and what its bones
are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.kinematics import forward_kinematics
from motionloom.motion import Motion
from motionloom.skeleton import Skeleton

#: Frame times that differ by less than this share are the same rate, rounded when the file was
#: written.
_SAME_RATE = 1e-4
#: A clip starts with a calibration pose when its first step is this many times its largest other
#: step ...
_POSE_JUMP = 3.0
#: ... and moves some joint at least this far relative to the hips, metres.
_POSE_DISTANCE = 0.15


@dataclass(frozen=True, eq=False)
class Prepared:
    """A clip at the wanted rate.

    Parameters
    ----------
    motion : Motion
    first_frame : int
        Frame of the file that is frame 0 of the clip: 1 where a calibration pose was left out.
    notes : tuple of str
        What was changed, one sentence each.
    """

    motion: Motion
    first_frame: int
    notes: tuple[str, ...]


def label_of(motion: Motion) -> str:
    """What to call a clip in a message."""
    return motion.source.path or motion.name or "a clip"


def prepare_clip(motion: Motion, fps: float) -> Prepared:
    """Leave out a first frame that is a calibration pose, and bring a clip to a frame rate.

    Raises
    ------
    InvalidInputError
        When fewer than two frames remain.
    """
    jump = _calibration_jump(motion)
    notes: tuple[str, ...] = ()
    if jump:
        motion = motion.cut(1, motion.n_frames)
        notes = (
            (
                f"{label_of(motion)}: frame 0 looks like a calibration pose (a joint moves"
                f" {jump:.2f} m to frame 1, far more than anywhere else in the clip) and was"
                " left out"
            ),
        )
    motion = _at_rate(motion, fps)
    if motion.n_frames < 2:
        raise InvalidInputError(
            f"{label_of(motion)} has {motion.n_frames} frame(s) at {fps:g} frames per second; a"
            " clip needs at least 2"
        )
    return Prepared(motion, int(bool(jump)), notes)


def different_joint(a: Skeleton, b: Skeleton) -> str:
    """The first joint in which two trees differ, as ``'NAME' / 'OTHER'``; empty where they are the
    same.
    """
    for i in range(max(a.n_joints, b.n_joints)):
        here, there = (_joint(s, i) for s in (a, b))
        if here != there:
            return (
                f"{here[0]} / {there[0]}"
                if here[0] != there[0]
                else f"{here[0]} (below {here[1]} / {there[1]})"
            )
    return ""


def _joint(skeleton: Skeleton, i: int) -> tuple[str, str]:
    """A joint and its parent as they are called in a message."""
    if i >= skeleton.n_joints:
        return "none", "none"
    parent = int(skeleton.parents[i])
    return repr(skeleton.names[i]), repr(skeleton.names[parent]) if parent >= 0 else "none"


def _calibration_jump(motion: Motion) -> float:
    """How far a joint jumps from frame 0 to frame 1 relative to the root, metres; 0 for an ordinary
    start.
    """
    if motion.n_frames < 4:
        return 0.0
    positions = forward_kinematics(motion).positions
    local = positions - positions[:, motion.root_joint, None]
    steps = np.linalg.norm(np.diff(local, axis=0), axis=-1).max(axis=1)
    return (
        float(steps[0])
        if steps[0] > max(_POSE_DISTANCE, _POSE_JUMP * float(steps[1:].max()))
        else 0.0
    )


def _at_rate(motion: Motion, fps: float) -> Motion:
    """The clip at `fps`; a whole multiple of it only drops frames, and no frame is lost to a
    rounded frame time.
    """
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
