"""The frame of the clips from which a walk goes on where somebody already moves.

A walk that is searched for by place and facing alone may begin with the other foot ahead, or at
another speed, than what it is to go on from.
"""

from __future__ import annotations

import numpy as np

from motionloom import rotations as rot
from motionloom.clips.clip_set import ClipSet
from motionloom.constraints import PoseConstraint
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array, Bools

#: Time between the two poses that are compared, seconds: together they say which way it goes.
APART = 0.2
#: Decimals of what is gone on from: about half a degree.
DECIMALS = 2


def poses_left(tail: PosedMotion) -> Array:
    """Poses that say where a motion goes on from.

    Parameters
    ----------
    tail : PosedMotion
        Its last frames.

    Returns
    -------
    array of shape (2, J, 4)
        Rotations a moment ago, and in the last frame; rounded, so that what goes on from them stays
        as it is when they change by a hair.
    """
    rotations = tail.motion.rotations
    poses: Array = rotations[[max(-len(rotations), -1 - _ago(tail.fps)), -1]]
    return poses.round(DECIMALS) + 0.0  # no negative zeros


def _ago(fps: float) -> int:
    return max(1, round(APART * fps))


def pose_to_go_on(clips: ClipSet, tail: PosedMotion, among: Bools) -> PoseConstraint | None:
    """The frame that is most like the last one of a motion, as a pose to begin with.

    Parameters
    ----------
    clips : ClipSet
        Clips with N frames.
    tail : PosedMotion
        What goes before.
    among : bool array of shape (N,)
        Frames from which the clips go on.

    Returns
    -------
    PoseConstraint or None
        None where no clip is long enough.
    """
    ago = _ago(clips.fps)
    free = set(clips.skeleton.chain(clips.motions[0].root_joint))
    joints = [j for j in range(clips.skeleton.n_joints) if j not in free]
    then, now = poses_left(tail)[:, joints]
    costs = np.full(len(among), np.inf)
    for motion, start in zip(clips.motions, clips.starts, strict=False):
        turned = motion.rotations[:, joints]
        own = np.mean(rot.angle_between(turned[ago:], now) ** 2, axis=1)
        own += np.mean(rot.angle_between(turned[: len(own)], then) ** 2, axis=1)
        costs[start + ago : start + motion.n_frames] = own
    costs[~among] = np.inf
    best = int(np.argmin(costs))
    if not np.isfinite(costs[best]):
        return None
    clip = int(np.searchsorted(clips.starts, best, side="right")) - 1
    first, rate = clips.origins[clip] if clips.origins else (0, clips.fps)
    frame = first + round((best - int(clips.starts[clip])) * rate / clips.fps)
    return PoseConstraint(time=0.0, clip=clips.names[clip], frame=frame)
