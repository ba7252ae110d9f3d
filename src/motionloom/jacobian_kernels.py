"""Compiled kinematics of one pose given by its degrees of freedom: joints, the axes of all degrees
of freedom, and how fast points move with them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionloom.compiling import full_kernel
from motionloom.typing import Array, Bools, Ints

_UNTURNED = np.eye(3)


class Rig(NamedTuple):
    """A skeleton and the P degrees of freedom of its poses as arrays.

    Joint j has the degrees of freedom ``turning[first[j]:first[j + 1]]`` in the order in which they
    turn it; `axis` is 0, 1 or 2. Its rotation is ``before * turns * after``; the turns are about
    single axes, or the exponential of its three numbers where ``exponential[j]``. It is moved by
    ``sliding[slid[j]:slid[j + 1]]``, metres, each along its direction `way` (P, 3) in the frame of
    the joint's parent. ``moves[j, p]`` says whether number p moves joint j; `owner` (P,) is the
    joint that it turns or moves, `slides` (P,) tells which.
    """

    parents: Ints
    offsets: Array
    before: Array
    after: Array
    first: Ints
    turning: Ints
    axis: Ints
    owner: Ints
    moves: Bools
    exponential: Bools
    slid: Ints
    sliding: Ints
    slides: Bools
    way: Array


class Stance(NamedTuple):
    """Kinematics of one pose that have been run: `place` (J, 3), `turn` (J, 3, 3) and world axes
    `axes` (P, 3).
    """

    place: Array
    turn: Array
    axes: Array


def make_stance(rig: Rig) -> Stance:
    """Room for the kinematics of a pose."""
    n = len(rig.parents)
    turn = np.empty((n, 3, 3))
    turn[:] = _UNTURNED
    return Stance(np.zeros((n, 3)), turn, np.zeros((len(rig.owner), 3)))


@full_kernel()
def _product(a, b, out):  # pragma: no cover - compiled
    for i in range(3):
        for k in range(3):
            out[i, k] = a[i, 0] * b[0, k] + a[i, 1] * b[1, k] + a[i, 2] * b[2, k]


@full_kernel()
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


@full_kernel()
def run(rig, pose, stance):  # pragma: no cover - compiled
    """Kinematics of a pose (P,), written into `stance`."""
    place = stance.place
    turn = stance.turn
    axes = stance.axes
    above = np.eye(3)
    carried = np.zeros((3, 3))
    for j in range(len(rig.parents)):
        p = rig.parents[j]
        if p >= 0:
            above = turn[p]
            x, y, z = rig.offsets[j, 0], rig.offsets[j, 1], rig.offsets[j, 2]
            for i in range(3):
                place[j, i] = place[p, i] + above[i, 0] * x + above[i, 1] * y + above[i, 2] * z
        else:
            for i in range(3):
                place[j, i] = rig.offsets[j, i]
        for t in range(rig.slid[j], rig.slid[j + 1]):
            d = rig.sliding[t]
            x, y, z = rig.way[d, 0], rig.way[d, 1], rig.way[d, 2]
            for i in range(3):
                axes[d, i] = above[i, 0] * x + above[i, 1] * y + above[i, 2] * z
                place[j, i] += axes[d, i] * pose[d]
        _product(above, rig.before[j], carried)
        if rig.exponential[j]:
            _turn_by_vector(rig, pose, j, axes, carried)
        else:
            _turn_by_axes(rig, pose, j, axes, carried)
        _product(carried, rig.after[j], turn[j])


@full_kernel()
def _turn_by_vector(rig, pose, j, axes, carried):  # pragma: no cover - compiled
    """Turn a frame by the rotation vector of joint j."""
    a = rig.turning[rig.first[j]]
    b = rig.turning[rig.first[j] + 1]
    c = rig.turning[rig.first[j] + 2]
    own = np.zeros((3, 3))
    slopes = np.zeros((3, 3))
    held = np.zeros((3, 3))
    _exponential(pose[a], pose[b], pose[c], own, slopes)
    _product(carried, slopes, held)
    for i in range(3):
        axes[a, i] = held[i, 0]
        axes[b, i] = held[i, 1]
        axes[c, i] = held[i, 2]
    _product(carried, own, held)
    carried[:] = held


@full_kernel()
def _turn_by_axes(rig, pose, j, axes, carried):  # pragma: no cover - compiled
    """Turn a frame about the axes of joint j, one after the other."""
    for t in range(rig.first[j], rig.first[j + 1]):
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


@full_kernel()
def velocity(rig, stance, p, x, y, z):  # pragma: no cover - compiled
    """Velocity of the point (x, y, z) while degree of freedom p turns or moves what carries it."""
    if rig.slides[p]:
        return stance.axes[p, 0], stance.axes[p, 1], stance.axes[p, 2]
    o = rig.owner[p]
    x -= stance.place[o, 0]
    y -= stance.place[o, 1]
    z -= stance.place[o, 2]
    a = stance.axes[p]
    return a[1] * z - a[2] * y, a[2] * x - a[0] * z, a[0] * y - a[1] * x


@full_kernel()
def run_all(rig, values, offsets, stance, places, turns, axes):  # pragma: no cover - compiled
    """Kinematics of poses (T, P), each with its own offsets (T, J, 3), the root's its place."""
    for t in range(len(values)):
        rig.offsets[:] = offsets[t]
        run(rig, values[t], stance)
        places[t] = stance.place
        turns[t] = stance.turn
        axes[t] = stance.axes


@full_kernel()
def position_rows(rig, places, turns, axes, joint, points, rows):  # pragma: no cover - compiled
    """Fill the Jacobians (T, 3, P) of points (T, 3) that are fixed to a joint, in the world."""
    for t in range(len(places)):
        stance = Stance(places[t], turns[t], axes[t])
        for p in range(len(rig.owner)):
            if rig.moves[joint, p]:
                rows[t, 0, p], rows[t, 1, p], rows[t, 2, p] = velocity(
                    rig, stance, p, points[t, 0], points[t, 1], points[t, 2]
                )
