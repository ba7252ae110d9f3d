"""Key poses: a motion brought to poses of its joints at given frames, blended in before and out
after.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.constraints import KeyPose
from motionloom.edit.reach import bump
from motionloom.motion import Motion

Array = NDArray[np.float64]


def show_poses(
    motion: Motion, poses: Sequence[KeyPose], blend: float = 0.5, keep: Sequence[int] = ()
) -> Motion:
    """Bring joints to their rotations, exactly at their frames.

    What a joint lacks is taken over by the frames around, each in the tangent space of its own
    rotation.

    Parameters
    ----------
    motion : Motion
    poses : sequence of KeyPose
        Of joints by their own names, rotations of unit length.
    blend : float, seconds
        Time before and after over which the difference grows and fades; no longer than to the next
        pose.
    keep : sequence of int
        Frames in which nothing changes.
    """
    rotations = motion.rotations.copy()
    frames = [frame_of(pose, motion) for pose in poses]
    for pose, frame in zip(poses, frames, strict=True):
        joints = [motion.skeleton.index(name) for name in pose.joints]
        others = [f for f in (*frames, *keep) if f != frame]
        share = bump(motion.n_frames, frame, blend * motion.fps, others)[:, None, None]
        own = rotations[:, joints]
        gap = rot.to_rotvec(rot.multiply(rot.conjugate(own[frame]), np.array(pose.rotations)))
        rotations[:, joints] = rot.multiply(own, rot.from_rotvec(share * gap))
    return replace(motion, rotations=rotations)


def frame_of(pose: KeyPose, motion: Motion) -> int:
    """Frame of a motion at which a pose is shown."""
    return min(round(pose.time * motion.fps), motion.n_frames - 1)
