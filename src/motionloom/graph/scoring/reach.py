"""What joints' targets are scored by: where each frame of the clips meets one best, and what it
takes.

A hand's distance from its target says little about a frame: arm, trunk and knees can do the rest.
So each frame is compared with the place from which it meets a target of that height best. What it
takes even there counts like a distance, and what nobody could reach counts more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from motionloom.clips.clip_set import ClipSet
from motionloom.edit.reach import find_limb
from motionloom.edit.reach_sets import find_reach_set, is_arm

Array = NDArray[np.float64]


class JointRow(NamedTuple):
    """What one term of a joint sees of every frame of the clips, N of them.

    Parameters
    ----------
    place : complex array of shape (N,)
        Place (or velocity) on the ground that is compared with what is asked for, ``z + i x``.
    height : array of shape (N,)
        The same for heights; what a reach takes is added.
    root : complex array of shape (N,)
        The shoulder on the ground.
    radius : array of shape (N,)
        How far from it a target may be; infinite where nothing limits it.
    """

    place: NDArray[np.complex128]
    height: Array
    root: NDArray[np.complex128]
    radius: Array


def plain_row(values: Array) -> JointRow:
    """Places or velocities (N, 3) as they are."""
    none = np.zeros(len(values))
    return JointRow(values[:, 2] + 1j * values[:, 0], values[:, 1], none + 0j, none + np.inf)


def reach_row(clips: ClipSet, joint: int, height: float) -> JointRow:
    """What a hand, or another joint, makes of a target at a height.

    Parameters
    ----------
    clips : ClipSet
        N frames.
    joint : int
        Whose target it is.
    height : float, metres
        Of the target.

    Returns
    -------
    JointRow
        Joints that are no hands are taken as they are.
    """
    places = clips.positions[:, joint]
    limb = find_limb(clips, joint)
    if limb is None or not is_arm(clips.roles, limb):
        return plain_row(places)
    root, middle = clips.positions[:, limb.root], clips.positions[:, limb.middle]
    bones = np.linalg.norm(middle - root, axis=1) + np.linalg.norm(places - middle, axis=1)
    facing = np.exp(1j * clips.body[:, 2])
    reach = find_reach_set(places, root, facing, float(np.median(bones)), height)
    return JointRow(reach.place, height + reach.effort, reach.shoulder, reach.radius)


def stack_rows(rows: Sequence[JointRow], n: int) -> JointRow:
    """Rows one over the other: arrays of shape (R, N)."""
    kinds = (complex, float, complex, float)
    return JointRow(
        *(
            np.array([row[k] for row in rows], kind).reshape(len(rows), n)
            for k, kind in enumerate(kinds)
        )
    )
