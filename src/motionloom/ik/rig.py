"""The rows that targets ask for, compiled: what a pose lacks, and how its degrees of freedom make
it good.

Where the root is held, everything is in root coordinates: it is at the origin, unturned. Where it
is free, in coordinates of the floor.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from motionloom.compiling import full_kernel
from motionloom.jacobian_kernels import Rig, run, velocity
from motionloom.jacobians import build_rig
from motionloom.spaces.pose_coordinates import PoseCoordinates
from motionloom.typing import Array, Ints

#: What a target asks for; numbers, because compiled code compares them.
POSITION, ORIENTATION, GAZE, FACING, BALANCE = 0, 1, 2, 3, 4


def make_rig(pose: PoseCoordinates, upright: ArrayLike | None = None) -> Rig:
    """Arrays of a skeleton's pose coordinates; what is above the body's root stays at the origin.

    Parameters
    ----------
    pose : PoseCoordinates
        Which degrees of freedom a pose has.
    upright : array of shape (4,), optional
        Rotation (w, x, y, z) of the root that six more numbers, its place and a rotation vector,
        are about; the root is held when not given.

    Returns
    -------
    Rig
    """
    hips = None if upright is None else (pose.root, upright)
    return build_rig(pose.coordinates, pose.columns, pose.skeleton.chain(pose.root), hips)


class Floor(NamedTuple):
    """M points that stay above the floor: joint, point in its frame, least height, metres."""

    joint: Ints
    local: Array
    clearance: Array


class Aims(NamedTuple):
    """K targets as arrays: joint, kind, the wanted value, the point or axis in the joint's frame,
    and the weight.

    `value` (K, 3, 3) holds a place or the point looked at in its first row, or a rotation matrix.
    `rows` (K + 1,) says which rows of the stacked residual are whose. Angles count `lever` metres
    per radian. Targets whose `soft` is above 0 are wishes: that is their variance, square metres.
    `mass` (J,) tells how much of the centre of mass goes with each joint, and `centre` (J, 3) where
    in its frame that is; which of x, y and z are asked of it is what is not zero in `local`.
    """

    joint: Ints
    kind: Ints
    value: Array
    local: Array
    weight: Array
    rows: Ints
    lever: float
    soft: Array
    mass: Array
    centre: Array


@full_kernel()
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


@full_kernel()
def measure(rig, aims, stance, residual, jacobian):  # pragma: no cover - compiled
    """Fill the residual (R,), metres, and its Jacobian (R, P): ``jacobian @ step`` is how much of
    it a step makes good.

    Rows of an orientation are the rotation vector that is lacking, times the lever; those of a gaze
    the two directions across the line of sight.
    """
    for k in range(len(aims.joint)):
        kind = aims.kind[k]
        if kind == POSITION:
            _measure_position(rig, aims, stance, k, residual, jacobian)
        elif kind == ORIENTATION:
            _measure_orientation(rig, aims, stance, k, residual, jacobian)
        elif kind == GAZE:
            arm = stance.turn[aims.joint[k]] @ aims.local[k]
            _measure_gaze(rig, aims, stance, k, arm, residual, jacobian)
        elif kind == FACING:
            _measure_facing(rig, aims, stance, k, residual, jacobian)
        else:
            _measure_balance(rig, aims, stance, k, residual, jacobian)


@full_kernel()
def _measure_orientation(rig, aims, stance, k, residual, jacobian):  # pragma: no cover - compiled
    """Three rows: the rotation vector that is lacking."""
    j = aims.joint[k]
    row = aims.rows[k]
    vector = np.zeros(3)
    _turn_towards(stance.turn[j], aims.value[k], vector)
    for i in range(3):
        residual[row + i] = aims.lever * vector[i]
        for p in range(len(rig.owner)):
            turned = rig.moves[j, p] and not rig.slides[p]
            jacobian[row + i, p] = aims.lever * stance.axes[p, i] if turned else 0.0


@full_kernel()
def _measure_position(rig, aims, stance, k, residual, jacobian):  # pragma: no cover - compiled
    """Three rows: the way to the place."""
    j = aims.joint[k]
    row = aims.rows[k]
    point = stance.place[j].copy()
    for i in range(3):
        for h in range(3):
            point[i] += stance.turn[j, i, h] * aims.local[k, h]
        residual[row + i] = aims.value[k, 0, i] - point[i]
    for p in range(len(rig.owner)):
        if not rig.moves[j, p]:
            jacobian[row, p] = jacobian[row + 1, p] = jacobian[row + 2, p] = 0.0
            continue
        moved = velocity(rig, stance, p, point[0], point[1], point[2])
        jacobian[row, p] = moved[0]
        jacobian[row + 1, p] = moved[1]
        jacobian[row + 2, p] = moved[2]


@full_kernel()
def run_and_measure(rig, aims, stance, pose, residual, jacobian):  # pragma: no cover - compiled
    """`run`, then `measure`: a call from Python takes longer than either."""
    run(rig, pose, stance)
    measure(rig, aims, stance, residual, jacobian)


@full_kernel()
def _spin(rig, stance, p, arm):  # pragma: no cover - compiled
    """Rate of change of a direction while degree of freedom p turns what carries it."""
    if rig.slides[p]:
        return 0.0, 0.0, 0.0
    a = stance.axes[p]
    return (
        a[1] * arm[2] - a[2] * arm[1],
        a[2] * arm[0] - a[0] * arm[2],
        a[0] * arm[1] - a[1] * arm[0],
    )


@full_kernel()
def _measure_facing(rig, aims, stance, k, residual, jacobian):  # pragma: no cover - compiled
    """One row: how far the direction to the body's left is turned about the vertical from where the
    value has it.
    """
    j = aims.joint[k]
    row = aims.rows[k]
    arm = stance.turn[j] @ aims.local[k]
    wanted = aims.value[k, 0]
    flat = max(arm[0] ** 2 + arm[2] ** 2, 1e-6)
    residual[row] = aims.lever * np.arctan2(
        wanted[0] * arm[2] - wanted[2] * arm[0], wanted[0] * arm[0] + wanted[2] * arm[2]
    )
    for p in range(len(rig.owner)):
        jacobian[row, p] = 0.0
        if rig.moves[j, p]:
            spin = _spin(rig, stance, p, arm)
            jacobian[row, p] = aims.lever * (arm[2] * spin[0] - arm[0] * spin[2]) / flat


@full_kernel()
def _measure_balance(rig, aims, stance, k, residual, jacobian):  # pragma: no cover - compiled
    """A row for each axis that is asked for: how far the centre of mass is from a place."""
    below, moment = _carried(rig, aims, stance)
    row = aims.rows[k]
    for i in range(3):
        if aims.local[k, i] != 0.0:
            residual[row] = aims.value[k, 0, i] - moment[0, i]
            row += 1
    for p in range(len(rig.owner)):
        o = rig.owner[p]
        share = below[o]
        some = 1.0 / share if share > 0.0 else 0.0
        moved = velocity(
            rig, stance, p, moment[o, 0] * some, moment[o, 1] * some, moment[o, 2] * some
        )
        row = aims.rows[k]
        for i in range(3):
            if aims.local[k, i] != 0.0:
                jacobian[row, p] = share * moved[i]
                row += 1


@full_kernel()
def _carried(rig, aims, stance):  # pragma: no cover - compiled
    """Mass (J,) that each joint carries with it, and that times its place (J, 3)."""
    n = len(rig.parents)
    below = np.zeros(n)
    moment = np.zeros((n, 3))
    for j in range(n - 1, -1, -1):
        below[j] += aims.mass[j]
        for i in range(3):
            at = stance.place[j, i]
            for c in range(3):
                at += stance.turn[j, i, c] * aims.centre[j, c]
            moment[j, i] += aims.mass[j] * at
        above = rig.parents[j]
        if above >= 0:
            below[above] += below[j]
            for i in range(3):
                moment[above, i] += moment[j, i]
    return below, moment


@full_kernel()
def measure_floor(rig, floor, stance, near, gap, jacobian):  # pragma: no cover - compiled
    """Heights over what is allowed, and their Jacobian, of all points that are nearer to that than
    `near`.

    Returns
    -------
    count : int
        How many rows of `gap` (M,), metres, and `jacobian` (M, P) were filled.
    lowest : float, metres
        Least of all gaps.
    """
    count = 0
    lowest = np.inf
    for m in range(len(floor.joint)):
        j = floor.joint[m]
        turn = stance.turn[j]
        x, y, z = stance.place[j]
        a, b, c = floor.local[m]
        height = y + turn[1, 0] * a + turn[1, 1] * b + turn[1, 2] * c - floor.clearance[m]
        lowest = min(lowest, height)
        if height > near:
            continue
        x += turn[0, 0] * a + turn[0, 1] * b + turn[0, 2] * c
        z += turn[2, 0] * a + turn[2, 1] * b + turn[2, 2] * c
        gap[count] = height
        for p in range(len(rig.owner)):
            jacobian[count, p] = 0.0
            if rig.moves[j, p]:
                jacobian[count, p] = velocity(rig, stance, p, x, height + floor.clearance[m], z)[1]
        count += 1
    return count, lowest


@full_kernel()
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


@full_kernel()
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
        spin = _spin(rig, stance, p, arm)
        drift = velocity(rig, stance, p, place[0], place[1], place[2])
        for r in range(2):
            gain = 0.0
            for i in range(3):
                gain += side[r, i] * (spin[i] + drift[i] / far)
            jacobian[row + r, p] = aims.lever * gain
