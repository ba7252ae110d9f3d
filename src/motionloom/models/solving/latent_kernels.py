"""Prioritized inverse kinematics over eigen-poses, compiled: all steps of one edit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionloom.compiling import full_kernel
from motionloom.ik.layer_kernels import Bounds, Layers, layered_step
from motionloom.ik.rig import Aims, measure
from motionloom.jacobian_kernels import Rig, Stance, run
from motionloom.typing import Array, Ints

#: A step that is turned down is tried again this much shorter.
SHORTER = 0.25
#: Shorter steps than this share of the longest are given up.
SHORTEST = 1e-5
#: Steps without a gain of this share after which nothing more is expected.
PATIENCE = 3
GAIN = 1e-3
#: How often what a damped step leaves is asked for again, as long as it becomes less by this share.
REFINED, STUCK = 8, 0.97
#: How little of a far task's own length counts as worse.
WORSE = 1e-6


class TaskRows(NamedTuple):
    """Tasks of one body in F frames, R rows between them, in L layers.

    The tasks of frame f are ``task_at[f]`` to ``task_at[f + 1]`` (F + 1,) of `aims`, whose rows go
    on from frame to frame. `place` (R,) is where each row goes in the order of layers; `ends`
    (L + 1,) are the first rows of layers there, `weight` (R,) factors of rows there. `stance` is
    room for one pose.
    """

    rig: Rig
    stance: Stance
    aims: Aims
    task_at: Ints
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


@full_kernel()
def _tasks_between(aims, first, end):  # pragma: no cover - compiled
    """Some of the tasks; their rows stay where they are."""
    return Aims(
        aims.joint[first:end],
        aims.kind[first:end],
        aims.value[first:end],
        aims.local[first:end],
        aims.weight[first:end],
        aims.rows[first : end + 1],
        aims.lever,
        aims.soft[first:end],
        aims.mass,
        aims.centre,
    )


@full_kernel()
def measure_frames(asked, eigen, unknowns, residual, jacobian):  # pragma: no cover - compiled
    """Fill the residual (R,), metres, and its Jacobian (R, K) in the order of layers."""
    size = eigen.offset.shape[1]
    count = len(unknowns)
    values = np.empty(size)
    stance = asked.stance
    own = np.zeros(len(asked.place))
    slopes = np.zeros((len(asked.place), size))
    for f in range(len(eigen.offset)):
        matrix = eigen.matrix[f]
        for i in range(size):
            total = eigen.offset[f, i]
            for k in range(count):
                total += matrix[i, k] * unknowns[k]
            values[i] = total
        run(asked.rig, values, stance)
        tasks = _tasks_between(asked.aims, asked.task_at[f], asked.task_at[f + 1])
        measure(asked.rig, tasks, stance, own, slopes)
        for r in range(tasks.rows[0], tasks.rows[-1]):
            to = asked.place[r]
            residual[to] = own[r]
            into = jacobian[to]
            into[:] = 0.0
            for i in range(size):
                slope = slopes[r, i]
                if slope != 0.0:
                    for k in range(count):
                        into[k] += slope * matrix[i, k]


@full_kernel()
def _lengths(asked, residual, out):  # pragma: no cover - compiled
    """Length of each layer's weighted residual, metres."""
    for level in range(len(asked.ends) - 1):
        total = 0.0
        for r in range(asked.ends[level], asked.ends[level + 1]):
            total += (asked.weight[r] * residual[r]) ** 2
        out[level] = np.sqrt(total)


@full_kernel()
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


@full_kernel()
def _refine(jacobian, pull, ends, bounds, step):  # pragma: no cover - compiled
    """Ask again for what a damped step leaves of the tasks, to first order; `step` is changed.

    Where takes hardly move an effector one way, damping spares that way, and step after step would
    make good a small share of the same miss.
    """
    none = np.zeros(len(step))
    left = pull - jacobian @ step
    length = np.sqrt(left @ left)
    for _ in range(REFINED):
        more = layered_step(
            Layers(jacobian, left, ends, none),
            Bounds(bounds.matrix, True, bounds.low - step, bounds.high - step, bounds.longest),
        )
        whole = step + more
        if np.abs(whole).max() > bounds.longest:
            return
        left = pull - jacobian @ whole
        shorter = np.sqrt(left @ left)
        if shorter > STUCK * length:
            return
        step[:] = whole
        length = shorter


@full_kernel()
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
        bounds = Bounds(none, True, steps.low - now, steps.high - now, radius)
        step = layered_step(Layers(weighted, pull, asked.ends, prefer), bounds)
        if not pulling:
            _refine(weighted, pull, asked.ends, bounds, step)
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
