"""Compiled kinematics of one pose: joints, the axes of all degrees of freedom, and the rows that
targets ask for.

Everything is in root coordinates: the joint that carries the body is at the origin, unturned.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.euler_coordinates import EulerCoordinates
from motionloom.spaces.pose_coordinates import PoseCoordinates

Array = NDArray[np.float64]

#: What a target asks for; numbers, because compiled code compares them.
POSITION, ORIENTATION, GAZE = 0, 1, 2


class Rig(NamedTuple):
    """A skeleton and the P degrees of freedom of its poses as arrays.

    Joint j has the degrees of freedom ``turning[first[j]:first[j + 1]]`` in the order in which they
    turn it; `axis` is 0, 1 or 2. Its rotation is ``before * turns * after``, or the exponential of
    its three numbers where `exponential`. ``moves[j, p]`` says whether number p moves joint j;
    `owner` (P,) is the joint that it turns.
    """

    parents: NDArray[np.int64]
    offsets: Array
    before: Array
    after: Array
    first: NDArray[np.int64]
    turning: NDArray[np.int64]
    axis: NDArray[np.int64]
    owner: NDArray[np.int64]
    moves: NDArray[np.bool_]
    exponential: bool


class Stance(NamedTuple):
    """Kinematics of one pose that have been run: `place` (J, 3), `turn` (J, 3, 3) and world axes
    `axes` (P, 3).
    """

    place: Array
    turn: Array
    axes: Array


def make_rig(pose: PoseCoordinates) -> Rig:
    """Arrays of a skeleton's pose coordinates."""
    skeleton = pose.skeleton
    coordinates = pose.coordinates
    n = skeleton.n_joints
    before = np.tile(np.eye(3), (n, 1, 1))
    after = np.tile(np.eye(3), (n, 1, 1))
    column = {int(c): p for p, c in enumerate(pose.columns)}
    turning: list[list[int]] = [[] for _ in range(n)]
    axis = np.zeros(pose.size, np.int64)
    layout = coordinates.layout()
    if isinstance(coordinates, EulerCoordinates):
        begin = 0
        for f in coordinates.freedoms:
            before[f.joint] = rot.to_matrix(f.before)
            after[f.joint] = rot.to_matrix(f.after)
            turning[f.joint] = [column[begin + k] for k in f.turns if begin + k in column]
            begin += len(f.freedoms)
    else:
        for c, p in column.items():
            turning[layout[c].joint].append(p)
    for c, p in column.items():
        axis[p] = "xyz".index(layout[c].freedom[1])
    above = list(skeleton.chain(pose.root))
    offsets = skeleton.offsets.copy()
    offsets[above] = 0.0
    before[above] = np.eye(3)
    after[above] = np.eye(3)
    chains = np.zeros((n, n), bool)
    for j in range(n):
        chains[j, list(skeleton.chain(j))] = True
    return Rig(
        parents=np.asarray(skeleton.parents, np.int64),
        offsets=offsets,
        before=before,
        after=after,
        first=np.cumsum([0, *(len(t) for t in turning)]),
        turning=np.array([p for t in turning for p in t], np.int64),
        axis=axis,
        owner=np.asarray(pose.joints, np.int64),
        moves=chains[:, pose.joints],
        exponential=not isinstance(coordinates, EulerCoordinates),
    )


def make_stance(rig: Rig) -> Stance:
    """Room for the kinematics of a pose."""
    n = len(rig.parents)
    return Stance(np.zeros((n, 3)), np.tile(np.eye(3), (n, 1, 1)), np.zeros((len(rig.owner), 3)))


@njit(cache=True)
def _product(a, b, out):  # pragma: no cover - compiled
    for i in range(3):
        for k in range(3):
            out[i, k] = a[i, 0] * b[0, k] + a[i, 1] * b[1, k] + a[i, 2] * b[2, k]


@njit(cache=True)
def _exponential(x, y, z, turn, jacobian):  # pragma: no cover - compiled
    """Rotation matrix of a rotation vector and its left Jacobian (columns: angular velocity per
    number).
    """
    squared = x * x + y * y + z * z
    angle = np.sqrt(squared)
    if angle < 1e-4:  # series; the next terms are below rounding
        s = 1.0 - squared / 6.0
        c = 0.5 - squared / 24.0
        d = 1.0 / 6.0 - squared / 120.0
    else:
        s = np.sin(angle) / angle
        c = (1.0 - np.cos(angle)) / squared
        d = (angle - np.sin(angle)) / (angle * squared)
    v = (x, y, z)
    cross = ((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0))
    for i in range(3):
        for k in range(3):
            square = v[i] * v[k] - (squared if i == k else 0.0)
            one = 1.0 if i == k else 0.0
            turn[i, k] = one + s * cross[i][k] + c * square
            jacobian[i, k] = one + c * cross[i][k] + d * square


@njit(cache=True)
def run(rig, pose, stance):  # pragma: no cover - compiled
    """Kinematics of a pose (P,), written into `stance`."""
    place = stance.place
    turn = stance.turn
    axes = stance.axes
    above = np.eye(3)
    carried = np.zeros((3, 3))
    own = np.zeros((3, 3))
    slopes = np.zeros((3, 3))
    for j in range(len(rig.parents)):
        p = rig.parents[j]
        if p >= 0:
            above = turn[p]
            for i in range(3):
                place[j, i] = (
                    place[p, i]
                    + above[i, 0] * rig.offsets[j, 0]
                    + above[i, 1] * rig.offsets[j, 1]
                    + above[i, 2] * rig.offsets[j, 2]
                )
        lo = rig.first[j]
        hi = rig.first[j + 1]
        if rig.exponential:
            if hi > lo:
                a = rig.turning[lo]
                b = rig.turning[lo + 1]
                c = rig.turning[lo + 2]
                _exponential(pose[a], pose[b], pose[c], own, slopes)
                _product(above, slopes, carried)
                for i in range(3):
                    axes[a, i] = carried[i, 0]
                    axes[b, i] = carried[i, 1]
                    axes[c, i] = carried[i, 2]
                _product(above, own, turn[j])
            else:
                turn[j, :, :] = above
            continue
        _product(above, rig.before[j], carried)
        for t in range(lo, hi):
            d = rig.turning[t]
            k = rig.axis[d]
            m = (k + 1) % 3
            n = (k + 2) % 3
            c = np.cos(pose[d])
            s = np.sin(pose[d])
            for i in range(3):
                axes[d, i] = carried[i, k]
                a = carried[i, m]
                b = carried[i, n]
                carried[i, m] = c * a + s * b
                carried[i, n] = c * b - s * a
        _product(carried, rig.after[j], turn[j])


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


class _Sight(NamedTuple):
    """A joint's axis `arm` and the unit vector `wanted` to the point looked at, in root
    coordinates, and two directions `side` (2, 3) across the axis.
    """

    arm: Array
    wanted: Array
    side: Array


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
    sight = _Sight(arm, vector, np.zeros((2, 3)))
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
            for p in range(len(rig.owner)):
                if not rig.moves[j, p]:
                    jacobian[row, p] = jacobian[row + 1, p] = jacobian[row + 2, p] = 0.0
                    continue
                o = rig.owner[p]
                a = stance.axes[p]
                x = stance.place[j, 0] + arm[0] - stance.place[o, 0]
                y = stance.place[j, 1] + arm[1] - stance.place[o, 1]
                z = stance.place[j, 2] + arm[2] - stance.place[o, 2]
                jacobian[row, p] = a[1] * z - a[2] * y
                jacobian[row + 1, p] = a[2] * x - a[0] * z
                jacobian[row + 2, p] = a[0] * y - a[1] * x
            continue
        _measure_gaze(rig, aims, stance, k, sight, residual, jacobian)


@njit(cache=True)
def _measure_gaze(rig, aims, stance, k, sight, residual, jacobian):  # pragma: no cover - compiled
    """Two rows: how far the joint's axis (`sight.arm`) misses the point looked at."""
    j = aims.joint[k]
    row = aims.rows[k]
    arm = sight.arm
    side = sight.side
    far = 0.0
    for i in range(3):
        sight.wanted[i] = aims.value[k, 0, i] - stance.place[j, i]
        far += sight.wanted[i] ** 2
    far = max(np.sqrt(far), 1e-9)
    for i in range(3):
        sight.wanted[i] /= far
    residual[row] = aims.lever * _look(sight)
    residual[row + 1] = 0.0
    for p in range(len(rig.owner)):
        jacobian[row, p] = jacobian[row + 1, p] = 0.0
        if not rig.moves[j, p]:
            continue
        o = rig.owner[p]
        a = stance.axes[p]
        x = stance.place[j, 0] - stance.place[o, 0]
        y = stance.place[j, 1] - stance.place[o, 1]
        z = stance.place[j, 2] - stance.place[o, 2]
        spin = (
            a[1] * arm[2] - a[2] * arm[1],
            a[2] * arm[0] - a[0] * arm[2],
            a[0] * arm[1] - a[1] * arm[0],
        )
        drift = (a[1] * z - a[2] * y, a[2] * x - a[0] * z, a[0] * y - a[1] * x)
        for r in range(2):
            gain = 0.0
            for i in range(3):
                gain += side[r, i] * (spin[i] + drift[i] / far)
            jacobian[row + r, p] = aims.lever * gain


@njit(cache=True)
def _look(sight):  # pragma: no cover - compiled
    """Fill `sight.side`; return the angle between axis and wanted direction.

    The first side is across the axis within the plane of the two, where there is such a plane.
    """
    arm = sight.arm
    side = sight.side
    dot = 0.0
    for i in range(3):
        dot += sight.wanted[i] * arm[i]
    length = 0.0
    for i in range(3):
        side[0, i] = sight.wanted[i] - dot * arm[i]
        length += side[0, i] ** 2
    length = np.sqrt(length)
    angle = np.arctan2(length, dot)
    if length < 1e-9:
        length = _across(arm, side[0])
    for i in range(3):
        side[0, i] /= length
    side[1, 0] = arm[1] * side[0, 2] - arm[2] * side[0, 1]
    side[1, 1] = arm[2] * side[0, 0] - arm[0] * side[0, 2]
    side[1, 2] = arm[0] * side[0, 1] - arm[1] * side[0, 0]
    return angle


@njit(cache=True)
def _across(arm, out):  # pragma: no cover - compiled
    """Fill a vector across a unit vector; return its length."""
    smallest = 0
    for i in range(3):
        if abs(arm[i]) < abs(arm[smallest]):
            smallest = i
    length = 0.0
    for i in range(3):
        out[i] = (1.0 if i == smallest else 0.0) - arm[smallest] * arm[i]
        length += out[i] ** 2
    return np.sqrt(length)
