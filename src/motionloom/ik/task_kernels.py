"""Rows that tasks ask of a whole body, its place among its coordinates, compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from motionloom.ik.rig import GAZE, POSITION, Aims, _sides, measure
from motionloom.jacobian_kernels import Rig, Stance, run

Array = NDArray[np.float64]


class Slides(NamedTuple):
    """The M coordinates that move joints: which ones, the joint of each, its direction (M, 3) in
    the frame of the joint's parent, and which joints it carries (M, J). `origin` (J, 3) is where
    joints are when all are zero.
    """

    column: NDArray[np.int64]
    joint: NDArray[np.int64]
    way: Array
    carried: NDArray[np.int64]
    origin: Array


class Mass(NamedTuple):
    """Share of the body's mass that each joint moves (J,), and where it is in its frame (J, 3)."""

    share: Array
    centre: Array


class Frame(NamedTuple):
    """A body that kinematics are run of: D coordinates, of which `turns` (P,) are those of the rig,
    and room for one pose.
    """

    rig: Rig
    turns: NDArray[np.int64]
    slides: Slides
    mass: Mass
    stance: Stance
    pose: Array
    moves: Array
    rows: Array


class Wanted(NamedTuple):
    """Tasks of joints, and those of the centre of mass: `place` (N, 3), the axes asked for (N, 3),
    the first row of each.

    `first` (K,) is the first row of each task of a joint.
    """

    aims: Aims
    first: NDArray[np.int64]
    place: Array
    axes: NDArray[np.int64]
    row: NDArray[np.int64]


class Packed(NamedTuple):
    """A frame and what is wanted of it as few arrays: to pass forty takes longer than kinematics.

    `counts` are those of joints, turns, slides, tasks of joints, and of the centre of mass.
    """

    counts: NDArray[np.int64]
    whole: NDArray[np.int64]
    real: Array


def pack(frame: Frame, wanted: Wanted) -> Packed:
    """Put a frame and what is wanted of it into two arrays."""
    rig, slides, mass, aims = frame.rig, frame.slides, frame.mass, wanted.aims
    whole = (
        *(rig.parents, rig.first, rig.turning, rig.axis, rig.owner, rig.moves, rig.exponential),
        *(frame.turns, slides.column, slides.joint, slides.carried),
        *(aims.joint, aims.kind, aims.rows, wanted.first, wanted.axes, wanted.row),
    )
    real = (
        *(rig.offsets, rig.before, rig.after, slides.way, slides.origin, mass.share, mass.centre),
        *(aims.value, aims.local, aims.weight, [aims.lever], wanted.place),
    )
    counts = [len(rig.parents), len(rig.owner), len(slides.column), len(aims.joint)]
    return Packed(
        np.array([*counts, len(wanted.row)], np.int64),
        np.concatenate([np.ravel(x).astype(np.int64) for x in whole]),
        np.concatenate([np.ravel(x).astype(float) for x in real]),
    )


@njit(cache=True)
def _cut(array, begin, size):  # pragma: no cover - compiled
    """The next numbers of an array; where the one after them is comes first in `begin`."""
    at = begin[0]
    begin[0] = at + size
    return array[at : at + size]


@njit(cache=True)
def unpack(packed):  # pragma: no cover - compiled
    """The frame and what is wanted of it, views of what is packed; room for a pose is new."""
    j, p, m, k, t = packed.counts
    w = packed.whole
    r = packed.real
    at = np.zeros(1, np.int64)
    parents = _cut(w, at, j)
    first = _cut(w, at, j + 1)
    turning = _cut(w, at, p)
    axis = _cut(w, at, p)
    owner = _cut(w, at, p)
    moves = _cut(w, at, j * p).reshape((j, p)) != 0
    exponential = _cut(w, at, j) != 0
    turns = _cut(w, at, p)
    column = _cut(w, at, m)
    joint = _cut(w, at, m)
    carried = _cut(w, at, m * j).reshape((m, j))
    doer = _cut(w, at, k)
    kind = _cut(w, at, k)
    rows = _cut(w, at, k + 1)
    start = _cut(w, at, k)
    axes = _cut(w, at, 3 * t).reshape((t, 3))
    row = _cut(w, at, t)
    at[0] = 0
    offsets = _cut(r, at, 3 * j).reshape((j, 3))
    before = _cut(r, at, 9 * j).reshape((j, 3, 3))
    after = _cut(r, at, 9 * j).reshape((j, 3, 3))
    way = _cut(r, at, 3 * m).reshape((m, 3))
    origin = _cut(r, at, 3 * j).reshape((j, 3))
    share = _cut(r, at, j)
    centre = _cut(r, at, 3 * j).reshape((j, 3))
    value = _cut(r, at, 9 * k).reshape((k, 3, 3))
    local = _cut(r, at, 3 * k).reshape((k, 3))
    weight = _cut(r, at, k)
    lever = _cut(r, at, 1)[0]
    place = _cut(r, at, 3 * t).reshape((t, 3))
    rig = Rig(
        parents,
        offsets,
        before,
        after,
        first,
        turning,
        axis,
        owner,
        moves,
        exponential,
        # Joints are moved by the slides, which may be anywhere.
        np.zeros(j + 1, np.int64),
        np.zeros(0, np.int64),
        np.zeros(p, np.bool_),
    )
    turned = np.zeros((j, 3, 3))
    for i in range(j):
        for c in range(3):
            turned[i, c, c] = 1.0
    stance = Stance(np.zeros((j, 3)), turned, np.zeros((p, 3)))
    slides = Slides(column, joint, way, carried, origin)
    frame = Frame(
        rig,
        turns,
        slides,
        Mass(share, centre),
        stance,
        np.zeros(p),
        np.zeros((m, 3)),
        np.zeros((rows[k], p)),
    )
    aims = Aims(doer, kind, value, local, weight, rows, lever, np.zeros(k), np.zeros(j))
    return frame, Wanted(aims, start, place, axes, row)


@njit(cache=True)
def measure_tasks(packed, values, residual, jacobian):  # pragma: no cover - compiled
    """Fill the residual (R,), metres, and its Jacobian (R, D) of a body's coordinates (D,)."""
    frame, wanted = unpack(packed)
    _stand(frame, values)
    aims = wanted.aims
    rows = frame.rows
    lacking = np.zeros(len(rows))
    measure(frame.rig, aims, frame.stance, lacking, rows)
    jacobian[:] = 0.0
    for k in range(len(aims.joint)):
        for r in range(aims.rows[k + 1] - aims.rows[k]):
            residual[wanted.first[k] + r] = lacking[aims.rows[k] + r]
            for p in range(len(frame.turns)):
                jacobian[wanted.first[k] + r, frame.turns[p]] = rows[aims.rows[k] + r, p]
        _slide_rows(frame, aims, k, wanted.first[k], jacobian)
    if len(wanted.row) > 0:
        _balance(frame, wanted, residual, jacobian)


@njit(cache=True)
def _stand(frame, values):  # pragma: no cover - compiled
    """Run the kinematics of a pose, and turn the directions of its slides into the world."""
    rig = frame.rig
    slides = frame.slides
    stance = frame.stance
    for m in range(len(slides.column)):
        for i in range(3):
            rig.offsets[slides.joint[m], i] = slides.origin[slides.joint[m], i]
    for m in range(len(slides.column)):
        for i in range(3):
            rig.offsets[slides.joint[m], i] += values[slides.column[m]] * slides.way[m, i]
    for p in range(len(frame.turns)):
        frame.pose[p] = values[frame.turns[p]]
    run(rig, frame.pose, stance)
    for m in range(len(slides.column)):
        parent = rig.parents[slides.joint[m]]
        for i in range(3):
            if parent < 0:
                frame.moves[m, i] = slides.way[m, i]
            else:
                frame.moves[m, i] = (
                    stance.turn[parent, i, 0] * slides.way[m, 0]
                    + stance.turn[parent, i, 1] * slides.way[m, 1]
                    + stance.turn[parent, i, 2] * slides.way[m, 2]
                )


@njit(cache=True)
def _slide_rows(frame, aims, k, row, jacobian):  # pragma: no cover - compiled
    """Columns of the coordinates that move joints, for one task of a joint."""
    slides = frame.slides
    j = aims.joint[k]
    if aims.kind[k] == POSITION:
        for m in range(len(slides.column)):
            if slides.carried[m, j]:
                for i in range(3):
                    jacobian[row + i, slides.column[m]] = frame.moves[m, i]
    elif aims.kind[k] == GAZE:
        _slide_gaze(frame, aims, k, row, jacobian)


@njit(cache=True)
def _slide_gaze(frame, aims, k, row, jacobian):  # pragma: no cover - compiled
    """Columns of the coordinates that move joints, for one gaze: where it is from counts."""
    slides = frame.slides
    j = aims.joint[k]
    turn = frame.stance.turn[j]
    arm = np.zeros(3)
    ahead = np.zeros(3)
    side = np.zeros((2, 3))
    far = 0.0
    for i in range(3):
        for c in range(3):
            arm[i] += turn[i, c] * aims.local[k, c]
        ahead[i] = aims.value[k, 0, i] - frame.stance.place[j, i]
        far += ahead[i] ** 2
    far = max(np.sqrt(far), 1e-9)
    ahead /= far
    _sides(arm, ahead, side)
    for m in range(len(slides.column)):
        for r in range(2 if slides.carried[m, j] else 0):
            gain = 0.0
            for i in range(3):
                gain += side[r, i] * frame.moves[m, i]
            jacobian[row + r, slides.column[m]] = aims.lever * gain / far


@njit(cache=True)
def _balance(frame, wanted, residual, jacobian):  # pragma: no cover - compiled
    """Rows of the centre of mass: what each coordinate carries is summed from the tips down."""
    weight, moment = _carried(frame)
    for t in range(len(wanted.row)):
        row = wanted.row[t]
        for i in range(3):
            if not wanted.axes[t, i]:
                continue
            residual[row] = wanted.place[t, i] - moment[0, i]
            _balance_row(frame, weight, moment, i, jacobian[row])
            row += 1


@njit(cache=True)
def _carried(frame):  # pragma: no cover - compiled
    """Mass (J,) that each joint carries with it, and that times its place (J, 3)."""
    stance = frame.stance
    parents = frame.rig.parents
    n = len(parents)
    weight = frame.mass.share.copy()
    moment = np.zeros((n, 3))
    for j in range(n - 1, -1, -1):
        for i in range(3):
            at = stance.place[j, i]
            for c in range(3):
                at += stance.turn[j, i, c] * frame.mass.centre[j, c]
            moment[j, i] += frame.mass.share[j] * at
        if parents[j] >= 0:
            weight[parents[j]] += weight[j]
            for i in range(3):
                moment[parents[j], i] += moment[j, i]
    return weight, moment


@njit(cache=True)
def _balance_row(frame, weight, moment, i, row):  # pragma: no cover - compiled
    """Fill how fast the centre of mass moves along one axis with each coordinate."""
    stance = frame.stance
    a = (i + 1) % 3
    b = (i + 2) % 3
    for p in range(len(frame.turns)):
        o = frame.rig.owner[p]
        axis = stance.axes[p]
        row[frame.turns[p]] = axis[a] * (moment[o, b] - weight[o] * stance.place[o, b]) - axis[
            b
        ] * (moment[o, a] - weight[o] * stance.place[o, a])
    for m in range(len(frame.slides.column)):
        row[frame.slides.column[m]] = weight[frame.slides.joint[m]] * frame.moves[m, i]
