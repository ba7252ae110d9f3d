"""Key poses: a motion brought to poses of its joints at given frames, blended in before and out
after.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.edit.reach import bump
from motionloom.motion import Motion

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PoseTarget:
    """Rotations of joints at a frame.

    Parameters
    ----------
    frame : int
    joints : int array of shape (K,)
    rotations : array of shape (K, 4)
        Unit quaternions (w, x, y, z) relative to the parents.
    """

    frame: int
    joints: NDArray[np.int64]
    rotations: Array


def show_poses(
    motion: Motion, targets: Sequence[PoseTarget], blend: float = 0.5, keep: Sequence[int] = ()
) -> Motion:
    """Bring joints to their rotations, exactly at the targets' frames.

    What a joint lacks is taken over by the frames around, each in the tangent space of its own
    rotation.

    Parameters
    ----------
    motion : Motion
    targets : sequence of PoseTarget
    blend : float, seconds
        Time before and after over which the difference grows and fades; no longer than to the next
        target.
    keep : sequence of int
        Frames in which nothing changes.
    """
    rotations = motion.rotations.copy()
    frames = [t.frame for t in targets]
    for target in targets:
        others = [f for f in (*frames, *keep) if f != target.frame]
        share = bump(motion.n_frames, target.frame, blend * motion.fps, others)[:, None, None]
        own = rotations[:, target.joints]
        gap = rot.to_rotvec(rot.multiply(rot.conjugate(own[target.frame]), target.rotations))
        rotations[:, target.joints] = rot.multiply(own, rot.from_rotvec(share * gap))
    return replace(motion, rotations=rotations)
