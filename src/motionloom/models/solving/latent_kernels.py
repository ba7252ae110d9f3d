"""Prioritized inverse kinematics over eigen-poses, compiled: all steps of one edit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from motionloom.ik.layer_kernels import Bounds, Layers, layered_step
from motionloom.ik.task_kernels import Packed, measure_tasks

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: A step that is turned down is tried again this much shorter.
SHORTER = 0.25
#: Shorter steps than this share of the longest are given up.
SHORTEST = 1e-5
#: Steps without a gain of this share after which nothing more is expected.
PATIENCE = 3
GAIN = 1e-3
#: How little of a far task's own length counts as worse.
WORSE = 1e-6


class Asked(NamedTuple):
    """Tasks in F frames, R rows between them, in L layers.

    `counts` (F, 5), `whole` and `real` are those of `Packed`, one frame after the other, which
    begin at `whole_at` and `real_at` (F + 1,); `row_at` (F + 1,) is the first row of each frame and
    `place` (R,) where each row goes in the order of layers; `ends` (L + 1,) are the first rows of
    layers there, `weight` (R,) factors of rows there.
    """

    counts: Ints
    whole: Ints
    whole_at: Ints
    real: Array
    real_at: Ints
    row_at: Ints
    place: Ints
    ends: Ints
    weight: Array


class Eigen(NamedTuple):
    """Poses of the F frames as functions of K unknowns: `offset` (F, D), `matrix` (F, D, K)."""

    offset: Array
    matrix: Array


class Steps(NamedTuple):
    """How unknowns (K,) move: from `start`, drawn to `want`, between `low` and `high`.

    `longest` is the most that one changes in a step; for `pulls` steps they are drawn, by `fade`
    less each time; a layer is met within `tolerance`, metres; `most` steps in all.
    """

    start: Array
    want: Array
    low: Array
    high: Array
    longest: float
    pulls: int
    fade: float
    tolerance: float
    most: int


@njit(cache=True)
def measure_frames(asked, eigen, unknowns, residual, jacobian):  # pragma: no cover - compiled
    """Fill the residual (R,), metres, and its Jacobian (R, K) in the order of layers."""
    size = eigen.offset.shape[1]
    count = len(unknowns)
    values = np.empty(size)
    for f in range(len(asked.counts)):
        matrix = eigen.matrix[f]
        for i in range(size):
            total = eigen.offset[f, i]
            for k in range(count):
                total += matrix[i, k] * unknowns[k]
            values[i] = total
        first = asked.row_at[f]
        rows = asked.row_at[f + 1] - first
        own = np.zeros(rows)
        slopes = np.empty((rows, size))
        packed = Packed(
            asked.counts[f],
            asked.whole[asked.whole_at[f] : asked.whole_at[f + 1]],
            asked.real[asked.real_at[f] : asked.real_at[f + 1]],
        )
        measure_tasks(packed, values, own, slopes)
        for r in range(rows):
            to = asked.place[first + r]
            residual[to] = own[r]
            into = jacobian[to]
            into[:] = 0.0
            for i in range(size):
                slope = slopes[r, i]
                if slope != 0.0:
                    for k in range(count):
                        into[k] += slope * matrix[i, k]


@njit(cache=True)
def _lengths(asked, residual, out):  # pragma: no cover - compiled
    """Length of each layer's weighted residual, metres."""
    for level in range(len(asked.ends) - 1):
        total = 0.0
        for r in range(asked.ends[level], asked.ends[level + 1]):
            total += (asked.weight[r] * residual[r]) ** 2
        out[level] = np.sqrt(total)


@njit(cache=True)
def _better(now, then, tolerance):  # pragma: no cover - compiled
    """1 where a step is a gain in its uppermost layer that changes, -1 where it is none."""
    for level in range(len(now)):
        if then[level] <= tolerance:
            if now[level] > tolerance:
                return 1
            continue
        if then[level] > now[level] * (1.0 + WORSE):
            return -1
        if then[level] < now[level] * (1.0 - GAIN):
            return 1
    return 0


@njit(cache=True)
def solve_latent(asked, eigen, steps):  # pragma: no cover - compiled
    """Move unknowns until all layers are met or none gains.

    Returns
    -------
    unknowns : array of shape (K,)
        No layer is worse there than where the pull had left it.
    residual : array of shape (R,), metres
        In the order of layers.
    history : array of shape (I + 1, L), metres
        Length of each layer's residual at the start and after every step.
    """
    n = len(steps.start)
    rows = len(asked.place)
    layers = len(asked.ends) - 1
    now = steps.start.copy()
    residual = np.zeros(rows)
    jacobian = np.zeros((rows, n))
    lengths = np.zeros(layers)
    history = np.zeros((steps.most + 1, layers))
    measure_frames(asked, eigen, now, residual, jacobian)
    _lengths(asked, residual, lengths)
    history[0] = lengths
    other = np.zeros(rows)
    slopes = np.zeros((rows, n))
    reached = np.zeros(layers)
    none = np.zeros((0, n))
    radius = steps.longest
    share = 1.0
    idle = 0
    used = 0
    while used < steps.most:
        pulling = used < steps.pulls
        prefer = np.zeros(n)
        if pulling:
            prefer = share * (steps.want - now)
            share *= steps.fade
        elif lengths.max() <= steps.tolerance:
            break
        weighted = jacobian.copy()
        pull = residual.copy()
        for r in range(rows):
            pull[r] *= asked.weight[r]
            for k in range(n):
                weighted[r, k] *= asked.weight[r]
        step = layered_step(
            Layers(weighted, pull, asked.ends, prefer),
            Bounds(none, True, steps.low - now, steps.high - now, radius),
        )
        then = now + step
        measure_frames(asked, eigen, then, other, slopes)
        _lengths(asked, other, reached)
        used += 1
        verdict = 1 if pulling else _better(lengths, reached, steps.tolerance)
        if verdict < 0:
            radius = SHORTER * min(radius, np.abs(step).max())
            history[used] = lengths
            if radius < SHORTEST * steps.longest:
                break
            continue
        idle = 0 if verdict > 0 else idle + 1
        now = then
        lengths[:] = reached
        residual[:] = other
        jacobian[:] = slopes
        history[used] = lengths
        radius = min(2.0 * radius, steps.longest)
        if idle > PATIENCE:
            break
    return now, residual, history[: used + 1]
