"""Key poses: a motion brought to poses of its joints at given frames, blended in before and out
after.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom import rotations as rot
from motionloom.constraints import KeyPose
from motionloom.edit.reach import bump
from motionloom.motion import Motion


def show_poses(
    motion: Motion, poses: Sequence[KeyPose], blend: float = 0.5, keep: Sequence[int] = ()
) -> Motion:
    """Bring joints to their rotations, exactly at their frames.

    What a joint lacks is taken over by the frames around, each in the tangent space of its own
    rotation.

    Parameters
    ----------
    motion : Motion
        Motion to be changed.
    poses : sequence of KeyPose
        Of joints by their own names, rotations of unit length.
    blend : float, seconds
        Time before and after over which the difference grows and fades; no longer than to the next
        pose.
    keep : sequence of int
        Frames in which nothing changes.

    Returns
    -------
    Motion
        With other rotations of the poses' joints; the body stands and faces as before.

    Raises
    ------
    UnknownJointError
        When the skeleton has no joint of a pose's name.
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
    """Frame of a motion nearest to the time of a pose; the last one for a later time.

    Parameters
    ----------
    pose : KeyPose
        It has a time in seconds.
    motion : Motion
        It has the frame rate.

    Returns
    -------
    int
    """
    return min(round(pose.time * motion.fps), motion.n_frames - 1)
