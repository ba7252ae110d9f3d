"""One clip made ready: without its calibration pose, at the wanted frame rate; and what its bones
are.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.roles import Roles
from motionloom.skeleton import Skeleton

#: Frame times that differ by less than this share are the same rate, rounded when the file was
#: written.
_SAME_RATE = 1e-4
#: A clip starts with a calibration pose when its first step is this many times its largest other
#: step ...
_POSE_JUMP = 3.0
#: ... and moves some joint at least this far relative to the hips, metres.
_POSE_DISTANCE = 0.15


def label_of(motion: Motion) -> str:
    """What to call a clip in a message."""
    return motion.source.path or motion.name or "a clip"


def prepare_clip(
    motion: Motion, fps: float, roles: Roles | None = None
) -> tuple[PosedMotion, int, tuple[str, ...]]:
    """Leave out a first frame that is a calibration pose, and bring a clip to a frame rate.

    Parameters
    ----------
    motion : Motion
        The clip as it was read.
    fps : float
        Frames per second wanted.
    roles : Roles, optional
        Which joint plays which part; found from the skeleton when not given.

    Returns
    -------
    posed : PosedMotion
        The clip; its kinematics have been run unless frames had to be made between others.
    first_frame : int
        Frame of the file that is frame 0 of the clip: 1 where a calibration pose was left out.
    notes : tuple of str
        What was changed, one sentence each.

    Raises
    ------
    InvalidInputError
        When fewer than two frames remain.
    """
    posed, notes = without_calibration_pose(pose_motion(motion, roles))
    first_frame = motion.n_frames - posed.n_frames
    posed = _at_rate(posed, fps)
    if posed.n_frames < 2:
        count = "1 frame" if posed.n_frames else "no frames"
        raise InvalidInputError(
            f"{label_of(motion)} has {count} at {fps:g} frames per second; a clip needs at least 2"
        )
    return posed, first_frame, notes


def without_calibration_pose(posed: PosedMotion) -> tuple[PosedMotion, tuple[str, ...]]:
    """Leave out a first frame that is a calibration pose, which the motion does not continue from.

    Parameters
    ----------
    posed : PosedMotion
        The clip as it was read.

    Returns
    -------
    posed : PosedMotion
        The same clip where there is no such frame.
    notes : tuple of str
        What was left out and why, one sentence; empty where nothing was.
    """
    jump = _calibration_jump(posed)
    if not jump:
        return posed, ()
    note = (
        f"{label_of(posed.motion)}: frame 0 looks like a calibration pose (a joint moves"
        f" {jump:.2f} m to frame 1, far more than anywhere else in the clip) and was left out"
    )
    return posed.cut(1, posed.n_frames), (note,)


def different_joint(a: Skeleton, b: Skeleton) -> str:
    """The first joint in which the trees of two skeletons differ, for messages.

    Parameters
    ----------
    a, b : Skeleton
        Joints are compared by index: their names and their parents.

    Returns
    -------
    str
        ``'NAME' / 'OTHER'``, or the name and both parents where the names are alike; empty where
        the trees are the same.
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


def _calibration_jump(posed: PosedMotion) -> float:
    """How far a joint jumps from frame 0 to frame 1 relative to the root, metres; 0 for an ordinary
    start.
    """
    if posed.n_frames < 4:
        return 0.0
    local = posed.positions - posed.positions[:, posed.motion.root_joint, None]
    steps = np.linalg.norm(np.diff(local, axis=0), axis=-1).max(axis=1)
    least = max(_POSE_DISTANCE, _POSE_JUMP * float(steps[1:].max()))
    return float(steps[0]) if steps[0] > least else 0.0


def _at_rate(posed: PosedMotion, fps: float) -> PosedMotion:
    """The clip at `fps`; a whole multiple of it only drops frames, and no frame is lost to a
    rounded frame time.
    """
    target = 1.0 / fps
    ratio = target / posed.motion.frame_time
    stride = round(ratio)
    if stride >= 1 and abs(ratio / stride - 1) < _SAME_RATE:
        kept = posed.every(stride)
        return kept.with_same_poses(replace(kept.motion, frame_time=target))
    return posed.with_motion(posed.motion.resample(target))
