"""Moving the body as a whole, frame by frame: turned about the vertical through a pivot, and
shifted.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motionloom import rotations as rot
from motionloom.kinematics import WorldPose
from motionloom.motion import Motion

Array = NDArray[np.float64]


def move_body(
    motion: Motion,
    pose: WorldPose,
    shift: ArrayLike,
    turn: ArrayLike | None = None,
    pivot: ArrayLike | None = None,
) -> Motion:
    """Turn the body about the vertical, then shift it, differently in every frame.

    Acts on the joint that carries the body (`Motion.root_joint`); still joints above it are left
    alone.

    Parameters
    ----------
    motion : Motion
    pose : WorldPose
        Its kinematics.
    shift : array of shape (T, 3), metres
    turn : array of shape (T,), radians, optional
        From +Z towards +X.
    pivot : array of shape (T, 3), metres, optional
        A point on the axis of each turn; needed with `turn`.
    """
    root = motion.root_joint
    if root not in motion.translated:
        translated = tuple(sorted({*motion.translated, root}))
        motion = replace(
            motion, translations=motion.local_translations()[:, translated], translated=translated
        )
    slot = motion.translated.index(root)
    position = pose.positions[:, root]
    rotation = pose.rotations[:, root]
    if turn is not None:
        yaw = rot.yaw(turn)
        pivot = np.asarray(pivot, float)
        position = pivot + rot.rotate(yaw, position - pivot)
        rotation = rot.multiply(yaw, rotation)
    position = position + np.asarray(shift, float)
    above = int(motion.skeleton.parents[root])
    if above >= 0:
        back = rot.conjugate(pose.rotations[:, above])
        position = rot.rotate(back, position - pose.positions[:, above])
        rotation = rot.multiply(back, rotation)
    quats = motion.rotations.copy()
    translations = motion.translations.copy()
    quats[:, root] = rotation
    translations[:, slot] = position
    return replace(motion, rotations=quats, translations=translations)
