"""Motions brought onto one ground."""

from __future__ import annotations

import numpy as np

from motionloom.edit.root import move_body
from motionloom.kinematics import WorldPose, forward_kinematics
from motionloom.motion import Motion


def align_ground(motion: Motion, ground: float, pose: WorldPose | None = None) -> Motion:
    """Raise or lower a motion so that its ground lies at height 0.

    Parameters
    ----------
    motion : Motion
    ground : float, metres
        Height of its ground, as `FootContacts.ground` says.
    pose : WorldPose, optional
        Its kinematics, if already there.
    """
    shift = np.zeros((motion.n_frames, 3))
    shift[:, 1] = -ground
    return move_body(motion, pose or forward_kinematics(motion), shift)
