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
from motionloom.typing import Array

#: Frame times that differ by less than this share are the same rate, rounded when the file was
#: written.
_SAME_RATE = 1e-4
#: A clip starts with calibration poses when the step behind them is this many times the largest
#: one in the time after it, seconds ...
_POSE_JUMP, _AFTER = 3.0, 1.0
#: ... and moves some joint at least this far relative to the hips, metres.
_POSE_DISTANCE = 0.15
#: There are no more of them than this (files of CMU have one to three) ...
_MOST_POSES = 5
#: ... unless they are one pose that is repeated: no joint moves farther than this, metres. Nobody
#: who is captured stands as still.
_REPEATED = 1e-5


def label_of(motion: Motion) -> str:
    """What to call a clip in a message.

    Examples
    --------
    >>> label_of(walk) == walk.source.path
    True
    """
    return motion.source.path or motion.name or "a clip"


def prepare_clip(
    motion: Motion, fps: float, roles: Roles | None = None
) -> tuple[PosedMotion, int, tuple[str, ...]]:
    """Leave out first frames that are calibration poses, and bring a clip to a frame rate.

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
        Frame of the file that is frame 0 of the clip: as many as calibration poses were left out.
    notes : tuple of str
        What was changed, one sentence each.

    Raises
    ------
    InvalidInputError
        When fewer than two frames remain.

    Examples
    --------
    >>> posed, first, notes = prepare_clip(walk, fps=15.0)
    >>> posed.fps, first, notes
    (15.0, 0, ())
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
    """Leave out first frames that are calibration poses, which the motion does not continue from.

    Parameters
    ----------
    posed : PosedMotion
        The clip as it was read.

    Returns
    -------
    posed : PosedMotion
        The same clip where there are no such frames.
    notes : tuple of str
        What was left out and why, one sentence; empty where nothing was.

    Examples
    --------
    >>> kept, notes = without_calibration_pose(posed)
    >>> kept.n_frames == posed.n_frames, notes
    (True, ())
    """
    # How far a joint moves relative to the root from each frame to the next.
    local = posed.positions - posed.positions[:, posed.motion.root_joint, None]
    steps = np.linalg.norm(np.diff(local, axis=0), axis=-1).max(axis=1)
    count = _calibration_poses(steps, posed.fps)
    if not count:
        return posed, ()
    which = "frame 0 looks" if count == 1 else f"frames 0 to {count - 1} look"
    note = (
        f"{label_of(posed.motion)}: {which} like a calibration pose (a joint moves"
        f" {steps[count - 1]:.2f} m to frame {count}, far more than in the time after it) and"
        f" {'was' if count == 1 else 'were'} left out"
    )
    return posed.cut(count, posed.n_frames), (note,)


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
        if here[0] != there[0]:
            return f"{here[0]} / {there[0]}"
        if here != there:
            return f"{here[0]} (below {here[1]} / {there[1]})"
    return ""


def _joint(skeleton: Skeleton, i: int) -> tuple[str, str]:
    """A joint and its parent as they are called in a message."""
    if i >= skeleton.n_joints:
        return "none", "none"
    parent = int(skeleton.parents[i])
    return repr(skeleton.names[i]), repr(skeleton.names[parent]) if parent >= 0 else "none"


def _calibration_poses(steps: Array, fps: float) -> int:
    """Frames before the last leap at the begin of a clip; 0 for an ordinary start."""
    moves = np.flatnonzero(steps > _REPEATED)
    if not len(moves):
        return 0
    # A leap needs two steps behind it to be compared with.
    last = min(max(int(moves[0]), _MOST_POSES - 1), len(steps) - 3)
    for leap in range(last, -1, -1):
        after = steps[leap + 1 : leap + 1 + max(2, round(_AFTER * fps))]
        if steps[leap] > max(_POSE_DISTANCE, _POSE_JUMP * float(after.max())):
            return leap + 1
    return 0


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
