"""Motions brought onto one ground."""

from __future__ import annotations

import numpy as np

from motionloom.edit.root import move_root
from motionloom.motion import Motion
from motionloom.threads import one_thread


@one_thread()
def align_ground(motion: Motion, ground: float) -> Motion:
    """Raise or lower a motion so that its ground lies at height 0.

    Parameters
    ----------
    motion : Motion
        The motion.
    ground : float, metres
        Height of its ground, as `FootContacts.ground` says.

    Returns
    -------
    Motion

    Examples
    --------
    >>> lowered = align_ground(walk, 0.1)  # the ground was at 0.1 m
    >>> (lowered.translations - walk.translations)[0, 0].round(6)
    array([ 0. , -0.1,  0. ])
    """
    shift = np.zeros((motion.n_frames, 3))
    shift[:, 1] = -ground
    return move_root(motion, shift)
