"""The same motion on a skeleton that stands in a T-pose at rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom import rotations as rot
from motionloom.io.scenes.rest_pose import find_rest_pose
from motionloom.kinematics import forward_kinematics
from motionloom.motion import Motion, Source


def stand_up(motion: Motion) -> Motion:
    """The motion with joint frames that have the world's axes in a T-pose.

    Parameters
    ----------
    motion : Motion
        Of a human whose legs are known.

    Returns
    -------
    Motion
        World positions are the same; world rotations are those from the T-pose.

    Raises
    ------
    InvalidInputError
        When the body cannot be stood up.
    """
    rest = find_rest_pose(motion, "standing")
    skeleton = motion.skeleton
    parents = skeleton.parents
    offsets = rest.positions - np.where(parents[:, None] >= 0, rest.positions[parents], 0.0)
    owners = skeleton.end_parents
    world = rot.multiply(forward_kinematics(motion).rotations, rot.conjugate(rest.rotations))
    turns = world.copy()
    turns[:, 1:] = rot.multiply(rot.conjugate(world[:, parents[1:]]), world[:, 1:])
    places = motion.translations.copy()
    for k, j in enumerate(motion.translated):
        if j:
            places[:, k] = rot.rotate(rest.rotations[parents[j]], places[:, k])
    return replace(
        motion,
        skeleton=replace(skeleton, offsets=offsets, end_offsets=rest.ends - rest.positions[owners]),
        rotations=turns,
        translations=places,
        source=Source(),
    )
