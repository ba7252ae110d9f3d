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
from motionloom.clips.travel import measure_travel
from motionloom.edit.reach import find_limb
from motionloom.edit.reach_sets import find_reach_set, is_arm
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array

#: Time over which the speed of the body is averaged, seconds.
STOP = 0.4


class RowKey(NamedTuple):
    """What a row of the joints' arrays is of.

    Parameters
    ----------
    joint : int
        Index in the skeleton.
    height : float or None, metres
        Of the target; None for the joint's velocity.
    stops : bool
        Whether the body had better stand still.
    """

    joint: int
    height: float | None = None
    stops: bool = True


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
    ground = np.array(values[:, 2] + 1j * values[:, 0], np.complex128)
    return JointRow(ground, values[:, 1], none.astype(np.complex128), none + np.inf)


def reach_row(clips: ClipSet, joint: int, height: float, stops: bool = True) -> JointRow:
    """What a hand, or another joint, makes of a target at a height.

    Parameters
    ----------
    clips : ClipSet
        N frames.
    joint : int
        Whose target it is.
    height : float, metres
        Of the target.
    stops : bool
        Whether the body had better stand still.

    Returns
    -------
    JointRow
        Joints that are no hands are taken as they are.
    """
    places = clips.positions[:, joint]
    limb = find_limb(PosedMotion(clips.motions[0], clips.roles), joint)
    if limb is None or not is_arm(clips.roles, limb):
        return plain_row(places)
    root = clips.positions[:, limb.root]
    middle = clips.positions[:, limb.middle]
    upper = np.linalg.norm(middle - root, axis=1)
    lower = np.linalg.norm(places - middle, axis=1)
    facing = np.exp(1j * clips.body[:, 2])
    speed = measure_travel(clips, STOP).speed if stops else np.zeros(clips.n_frames)
    length = float(np.median(upper + lower))
    reach = find_reach_set(places, root, facing, length, height, speed)
    return JointRow(reach.place, height + reach.effort, reach.shoulder, reach.radius)


def stack_rows(rows: Sequence[JointRow], n: int) -> JointRow:
    """Rows one over the other: arrays of shape (R, N).

    Parameters
    ----------
    rows : sequence of JointRow
        R of them.
    n : int
        Number of frames N, which without rows nothing else tells.

    Returns
    -------
    JointRow
    """
    shape = len(rows), n
    return JointRow(
        place=np.array([row.place for row in rows], complex).reshape(shape),
        height=np.array([row.height for row in rows], float).reshape(shape),
        root=np.array([row.root for row in rows], complex).reshape(shape),
        radius=np.array([row.radius for row in rows], float).reshape(shape),
    )
