"""Bones of a motion, which some files keep in the skeleton and others in the motion."""

from __future__ import annotations

import numpy as np

from motionloom.motion import Motion
from motionloom.typing import Array

#: Offsets that differ by less than this are the same skeleton, metres.
SAME_BONE = 1e-3


def mean_bones(motion: Motion) -> Array:
    """Mean position of every joint in its parent's frame, shape (J, 3), metres; 0 where no bone is.

    Files with position channels on every joint keep their bones in the motion, not in the skeleton.
    No bone leads to the root and what is above it, nor to a joint that slides, such as hips below a
    moving reference joint.

    Examples
    --------
    >>> mean_bones(walk).shape == (walk.skeleton.n_joints, 3)
    True
    """
    bones = motion.skeleton.offsets.copy()
    if motion.n_frames:
        slides = np.ptp(motion.translations, axis=0).max(axis=1, initial=0.0) > SAME_BONE
        bones[list(motion.translated)] = np.where(
            slides[:, None], 0.0, motion.translations.mean(axis=0)
        )
    bones[list(motion.skeleton.chain(motion.root_joint))] = 0.0
    return bones
