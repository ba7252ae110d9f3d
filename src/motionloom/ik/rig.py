"""The rows that targets ask for, compiled: what a pose lacks, and how its degrees of freedom make
it good.

Where the root is held, everything is in root coordinates: it is at the origin, unturned. Where it
is free, in coordinates of the floor.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from motionloom.compiling import full_kernel, part
from motionloom.jacobian_kernels import Rig, run, velocity
from motionloom.jacobians import build_rig
from motionloom.rotation_kernels import add, cross, dot, norm, put, scale, subtract, unit, vector_at
from motionloom.spaces.pose_coordinates import PoseCoordinates
from motionloom.typing import Array, Ints

#: What a target asks for; numbers, because compiled code compares them.
POSITION, ORIENTATION, GAZE, FACING, BALANCE = 0, 1, 2, 3, 4
#: Velocity of what does not move.
STILL = (0.0, 0.0, 0.0)


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


@part
def _turned(matrix, local):  # pragma: no cover - compiled
    """A vector turned by a matrix."""
    v = vector_at(local)
    return dot(matrix[0], v), dot(matrix[1], v), dot(matrix[2], v)


@part
def _point(stance, j, local):  # pragma: no cover - compiled
    """Where a point of a joint's frame is."""
    return add(vector_at(stance.place[j]), _turned(stance.turn[j], local))


@full_kernel()
def _turn_towards(now, wanted):  # pragma: no cover - compiled
    """Rotation vector from matrix `now` to matrix `wanted`."""
    m = wanted @ now.T
    vector = (m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1])
    sine = norm(vector)
    angle = np.arctan2(sine, m[0, 0] + m[1, 1] + m[2, 2] - 1.0)
    if sine > 1e-9:
        return scale(angle / sine, vector)
    if angle <= 1.0:
        return vector
    # Half a turn: the axis is where m + 1 has its largest column.
    k = np.argmax(np.diag(m))
    m[k, k] += 1.0
    return scale(np.pi, unit(vector_at(m[:, k])))


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
            _measure_gaze(rig, aims, stance, k, residual, jacobian)
        elif kind == FACING:
            _measure_facing(rig, aims, stance, k, residual, jacobian)
        else:
            _measure_balance(rig, aims, stance, k, residual, jacobian)


@full_kernel()
def _measure_orientation(rig, aims, stance, k, residual, jacobian):  # pragma: no cover - compiled
    """Three rows: the rotation vector that is lacking."""
    j = aims.joint[k]
    row = aims.rows[k]
    lacks = _turn_towards(stance.turn[j], aims.value[k])
    put(residual[row : row + 3], scale(aims.lever, lacks))
    for p in range(len(rig.owner)):
        turned = aims.lever if rig.moves[j, p] and not rig.slides[p] else 0.0
        put(jacobian[row : row + 3, p], scale(turned, stance.axes[p]))


@full_kernel()
def _measure_position(rig, aims, stance, k, residual, jacobian):  # pragma: no cover - compiled
    """Three rows: the way to the place."""
    j = aims.joint[k]
    row = aims.rows[k]
    point = _point(stance, j, aims.local[k])
    put(residual[row : row + 3], subtract(aims.value[k, 0], point))
    for p in range(len(rig.owner)):
        moved = velocity(rig, stance, p, *point) if rig.moves[j, p] else STILL
        put(jacobian[row : row + 3, p], moved)


@full_kernel()
def run_and_measure(rig, aims, stance, pose, residual, jacobian):  # pragma: no cover - compiled
    """`run`, then `measure`: a call from Python takes longer than either."""
    run(rig, pose, stance)
    measure(rig, aims, stance, residual, jacobian)


@part
def _spin(rig, stance, j, p, arm):  # pragma: no cover - compiled
    """Rate of change of a direction of joint j with degree of freedom p."""
    if rig.slides[p] or not rig.moves[j, p]:
        return STILL
    return cross(vector_at(stance.axes[p]), arm)


@full_kernel()
def _measure_facing(rig, aims, stance, k, residual, jacobian):  # pragma: no cover - compiled
    """One row: how far the direction to the body's left is turned about the vertical from where the
    value has it.
    """
    j = aims.joint[k]
    row = aims.rows[k]
    arm = _turned(stance.turn[j], aims.local[k])
    wanted = aims.value[k, 0]
    flat = max(arm[0] ** 2 + arm[2] ** 2, 1e-6)
    residual[row] = aims.lever * np.arctan2(
        wanted[0] * arm[2] - wanted[2] * arm[0], wanted[0] * arm[0] + wanted[2] * arm[2]
    )
    for p in range(len(rig.owner)):
        spin = _spin(rig, stance, j, p, arm)
        jacobian[row, p] = aims.lever * (arm[2] * spin[0] - arm[0] * spin[2]) / flat


@full_kernel()
def _measure_balance(rig, aims, stance, k, residual, jacobian):  # pragma: no cover - compiled
    """A row for each axis that is asked for: how far the centre of mass is from a place."""
    below, moment = _carried(rig, aims, stance)
    asked = np.flatnonzero(aims.local[k])
    for r in range(len(asked)):
        residual[aims.rows[k] + r] = aims.value[k, 0, asked[r]] - moment[0, asked[r]]
    for p in range(len(rig.owner)):
        share = below[rig.owner[p]]
        middle = scale(1.0 / share if share > 0.0 else 0.0, moment[rig.owner[p]])
        moved = velocity(rig, stance, p, *middle)
        for r in range(len(asked)):
            jacobian[aims.rows[k] + r, p] = share * moved[asked[r]]


@full_kernel()
def _carried(rig, aims, stance):  # pragma: no cover - compiled
    """Mass (J,) that each joint carries with it, and that times its place (J, 3)."""
    n = len(rig.parents)
    below = aims.mass.copy()
    moment = np.empty((n, 3))
    for j in range(n):
        put(moment[j], scale(aims.mass[j], _point(stance, j, aims.centre[j])))
    for j in range(n - 1, 0, -1):
        above = rig.parents[j]
        if above >= 0:
            below[above] += below[j]
            moment[above] += moment[j]
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
        point = _point(stance, j, floor.local[m])
        height = point[1] - floor.clearance[m]
        lowest = min(lowest, height)
        if height > near:
            continue
        gap[count] = height
        for p in range(len(rig.owner)):
            moves = rig.moves[j, p]
            jacobian[count, p] = velocity(rig, stance, p, *point)[1] if moves else 0.0
        count += 1
    return count, lowest


@part
def _sides(arm, ahead):  # pragma: no cover - compiled
    """Angle between an axis and the direction ahead, and two directions across the axis: first that
    within the plane of both.
    """
    along = dot(ahead, arm)
    across = subtract(ahead, scale(along, arm))
    angle = np.arctan2(norm(across), along)
    if norm(across) < 1e-9:
        across = cross(arm, (1.0, 0.0, 0.0) if abs(arm[0]) < 0.6 else (0.0, 1.0, 0.0))
    first = unit(across)
    return angle, first, cross(arm, first)


@full_kernel()
def _measure_gaze(rig, aims, stance, k, residual, jacobian):  # pragma: no cover - compiled
    """Two rows: how far the joint's axis misses the point looked at."""
    j = aims.joint[k]
    row = aims.rows[k]
    place = vector_at(stance.place[j])
    arm = _turned(stance.turn[j], aims.local[k])
    ahead = subtract(aims.value[k, 0], place)
    far = max(norm(ahead), 1e-9)
    angle, first, second = _sides(arm, scale(1.0 / far, ahead))
    residual[row] = aims.lever * angle
    residual[row + 1] = 0.0
    for p in range(len(rig.owner)):
        drift = velocity(rig, stance, p, *place) if rig.moves[j, p] else STILL
        moved = add(_spin(rig, stance, j, p, arm), scale(1.0 / far, drift))
        jacobian[row, p] = aims.lever * dot(first, moved)
        jacobian[row + 1, p] = aims.lever * dot(second, moved)
