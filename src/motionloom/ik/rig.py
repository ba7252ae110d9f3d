"""The rows that targets ask for, compiled: what a pose lacks, and how its degrees of freedom make
it good.

Everything is in root coordinates: the joint that carries the body is at the origin, unturned.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from motionloom.jacobian_kernels import Rig, Stance, make_stance, run, velocity
from motionloom.jacobians import build_rig
from motionloom.spaces.pose_coordinates import PoseCoordinates

__all__ = ["Aims", "Rig", "Stance", "make_rig", "make_stance", "measure", "run"]

Array = NDArray[np.float64]

#: What a target asks for; numbers, because compiled code compares them.
POSITION, ORIENTATION, GAZE = 0, 1, 2


def make_rig(pose: PoseCoordinates) -> Rig:
    """Arrays of a skeleton's pose coordinates; what is above the body's root stays at the origin.

    Parameters
    ----------
    pose : PoseCoordinates
        Which degrees of freedom a pose has.

    Returns
    -------
    Rig
    """
    return build_rig(pose.coordinates, pose.columns, pose.skeleton.chain(pose.root))


class Aims(NamedTuple):
    """K targets as arrays: joint, kind, the wanted value, the point or axis in the joint's frame,
    and the weight.

    `value` (K, 3, 3) holds a place or the point looked at in its first row, or a rotation matrix.
    `rows` (K + 1,) says which rows of the stacked residual are whose. Angles count `lever` metres
    per radian.
    """

    joint: NDArray[np.int64]
    kind: NDArray[np.int64]
    value: Array
    local: Array
    weight: Array
    rows: NDArray[np.int64]
    lever: float


@njit(cache=True)
def _turn_towards(now, wanted, out):  # pragma: no cover - compiled
    """Rotation vector from matrix `now` to matrix `wanted`."""
    m = np.zeros((3, 3))
    for i in range(3):
        for k in range(3):
            m[i, k] = wanted[i, 0] * now[k, 0] + wanted[i, 1] * now[k, 1] + wanted[i, 2] * now[k, 2]
    out[0] = m[2, 1] - m[1, 2]
    out[1] = m[0, 2] - m[2, 0]
    out[2] = m[1, 0] - m[0, 1]
    sine = np.sqrt(out[0] ** 2 + out[1] ** 2 + out[2] ** 2)
    angle = np.arctan2(sine, m[0, 0] + m[1, 1] + m[2, 2] - 1.0)
    if sine > 1e-9:
        for i in range(3):
            out[i] *= angle / sine
    elif angle > 1.0:  # half a turn: the axis is where m + 1 has its largest column
        k = 0
        for i in range(3):
            if m[i, i] > m[k, k]:
                k = i
        length = 0.0
        for i in range(3):
            out[i] = m[i, k] + (1.0 if i == k else 0.0)
            length += out[i] ** 2
        for i in range(3):
            out[i] *= np.pi / np.sqrt(length)


@njit(cache=True)
def measure(rig, aims, stance, residual, jacobian):  # pragma: no cover - compiled
    """Fill the residual (R,), metres, and its Jacobian (R, P): ``jacobian @ step`` is how much of
    it a step makes good.

    Rows of an orientation are the rotation vector that is lacking, times the lever; those of a gaze
    the two directions across the line of sight.
    """
    vector = np.zeros(3)
    arm = np.zeros(3)
    for k in range(len(aims.joint)):
        j = aims.joint[k]
        row = aims.rows[k]
        turn = stance.turn[j]
        if aims.kind[k] == ORIENTATION:
            _turn_towards(turn, aims.value[k], vector)
            for i in range(3):
                residual[row + i] = aims.lever * vector[i]
                for p in range(len(rig.owner)):
                    jacobian[row + i, p] = (
                        aims.lever * stance.axes[p, i] if rig.moves[j, p] else 0.0
                    )
            continue
        for i in range(3):
            arm[i] = (
                turn[i, 0] * aims.local[k, 0]
                + turn[i, 1] * aims.local[k, 1]
                + turn[i, 2] * aims.local[k, 2]
            )
        if aims.kind[k] == POSITION:
            for i in range(3):
                residual[row + i] = aims.value[k, 0, i] - stance.place[j, i] - arm[i]
            x = stance.place[j, 0] + arm[0]
            y = stance.place[j, 1] + arm[1]
            z = stance.place[j, 2] + arm[2]
            for p in range(len(rig.owner)):
                if not rig.moves[j, p]:
                    jacobian[row, p] = jacobian[row + 1, p] = jacobian[row + 2, p] = 0.0
                    continue
                moved = velocity(rig, stance, p, x, y, z)
                jacobian[row, p] = moved[0]
                jacobian[row + 1, p] = moved[1]
                jacobian[row + 2, p] = moved[2]
            continue
        _measure_gaze(rig, aims, stance, k, arm, residual, jacobian)


@njit(cache=True)
def _sides(arm, ahead, side):  # pragma: no cover - compiled
    """Fill the two directions (2, 3) across an axis: first that within the plane of the axis and
    the direction ahead, where there is such a plane. Returns the angle between the two.
    """
    dot = 0.0
    smallest = 0
    for i in range(3):
        dot += ahead[i] * arm[i]
        if abs(arm[i]) < abs(arm[smallest]):
            smallest = i
    length = 0.0
    for i in range(3):
        side[0, i] = ahead[i] - dot * arm[i]
        length += side[0, i] ** 2
    length = np.sqrt(length)
    angle = np.arctan2(length, dot)
    if length < 1e-9:
        length = 0.0
        for i in range(3):
            side[0, i] = (1.0 if i == smallest else 0.0) - arm[smallest] * arm[i]
            length += side[0, i] ** 2
        length = np.sqrt(length)
    for i in range(3):
        side[0, i] /= length
    side[1, 0] = arm[1] * side[0, 2] - arm[2] * side[0, 1]
    side[1, 1] = arm[2] * side[0, 0] - arm[0] * side[0, 2]
    side[1, 2] = arm[0] * side[0, 1] - arm[1] * side[0, 0]
    return angle


@njit(cache=True)
def _measure_gaze(rig, aims, stance, k, arm, residual, jacobian):  # pragma: no cover - compiled
    """Two rows: how far the joint's axis (`arm`, turned into root coordinates) misses the point
    looked at.
    """
    j = aims.joint[k]
    row = aims.rows[k]
    place = stance.place[j]
    ahead = np.zeros(3)
    side = np.zeros((2, 3))
    far = 0.0
    for i in range(3):
        ahead[i] = aims.value[k, 0, i] - place[i]
        far += ahead[i] ** 2
    far = max(np.sqrt(far), 1e-9)
    for i in range(3):
        ahead[i] /= far
    residual[row] = aims.lever * _sides(arm, ahead, side)
    residual[row + 1] = 0.0
    for p in range(len(rig.owner)):
        jacobian[row, p] = jacobian[row + 1, p] = 0.0
        if not rig.moves[j, p]:
            continue
        a = stance.axes[p]
        spin = (
            a[1] * arm[2] - a[2] * arm[1],
            a[2] * arm[0] - a[0] * arm[2],
            a[0] * arm[1] - a[1] * arm[0],
        )
        drift = velocity(rig, stance, p, place[0], place[1], place[2])
        for r in range(2):
            gain = 0.0
            for i in range(3):
                gain += side[r, i] * (spin[i] + drift[i] / far)
            jacobian[row + r, p] = aims.lever * gain
