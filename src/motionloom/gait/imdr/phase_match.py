"""Where in its cycle a clip is: a gait table's poses laid over the clip's last or first moments.

A constant pace comes first; then the pace may change within narrow bounds. Free dynamic time
warping ([Xiao2009]_, section 5.3.3) would match a pose here and a pose there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom.gait.path.tables.table import GaitTable, world_of
from motionloom.typing import Array

#: Paces that are tried, shares of the usual one.
PACES = np.linspace(0.8, 1.25, 10)
#: The pace from frame to frame stays within these shares of the constant one that fits best.
SLOPES = (0.75, 1.0, 1.35)
#: Samples of a cycle that phases are looked for at.
FINE = 200
#: A changing pace has to fit better than the constant one by this share.
BETTER = 0.9


@dataclass(frozen=True, eq=False)
class PhaseMatch:
    """Phases of a clip's frames.

    Parameters
    ----------
    phases : array of shape (W,)
        Of the frames that were looked at, ascending.
    pace : float
        Share of the usual pace.
    distance : float, metres
        Mean distance of joints.
    """

    phases: Array
    pace: float
    distance: float


def match_phases(
    table: GaitTable, joints: Array, speed: float, fps: float, legs: NDArray[np.intp]
) -> PhaseMatch:
    """Find the phases at which a table looks most like some frames.

    Parameters
    ----------
    table : GaitTable
        The gait over speed.
    joints : array of shape (W, J, 3), metres
        Joints of the frames relative to the root, seen along the travel.
    speed : float, metres per second
        Of the travel.
    fps : float
        Frames per second.
    legs : int array
        Joints that count.

    Returns
    -------
    PhaseMatch
    """
    cost = _costs(table, joints, speed, legs)
    usual = FINE / fps / float(table.mixed(table.durations, np.array([speed]))[0])
    phases, pace, distance = _constant(cost, usual)
    warped = _limited(cost, phases, pace * usual)
    better = float(_read(cost, warped).mean())
    if better < BETTER * distance:
        return PhaseMatch(warped / FINE, pace, better)
    return PhaseMatch(phases / FINE, pace, distance)


def _costs(table: GaitTable, joints: Array, speed: float, legs: NDArray[np.intp]) -> Array:
    """Mean distance of joints of every frame from every sample of the cycle, shape (W, FINE)."""
    cycle = table.mixed(table.rotations, np.array([speed]))[0]
    cycle = cycle / np.linalg.norm(cycle, axis=-1, keepdims=True)
    world = world_of(table.body, cycle, np.zeros((len(cycle), 3)))
    at = np.arange(FINE) / FINE * len(cycle)
    before = at.astype(int)
    part = (at - before)[:, None, None]
    places = world.positions[:, legs]
    shown = (1 - part) * places[before] + part * places[(before + 1) % len(cycle)]
    away = joints[:, None, legs] - shown[None]
    distance: Array = np.linalg.norm(away, axis=-1).mean(axis=-1)
    return distance


def _constant(cost: Array, usual: float) -> tuple[Array, float, float]:
    """Phases (samples) at the constant pace that fits best."""
    frames = np.arange(len(cost))
    best: tuple[Array, float, float] | None = None
    for pace in PACES:
        phases = np.arange(FINE)[:, None] + pace * usual * frames
        means = _read(cost, phases).mean(axis=1)
        k = int(means.argmin())
        # A usual pace is preferred where others fit hardly better.
        better = best is None or abs(pace - 1.0) > abs(best[1] - 1.0)
        bar = np.inf if best is None else best[2] * (0.98 if better else 1.02)
        if means[k] < bar:
            best = (phases[k], float(pace), float(means[k]))
    assert best is not None
    return best


def _read(cost: Array, phases: Array) -> Array:
    """Costs (..., W) of frames at phases (..., W), in samples, linear between them."""
    before = np.floor(phases).astype(int)
    part = phases - before
    rows = np.arange(len(cost))
    read: Array = (1 - part) * cost[rows, before % FINE] + part * cost[rows, (before + 1) % FINE]
    return read


def _limited(cost: Array, near: Array, step: float) -> Array:
    """Phases whose pace changes within `SLOPES`, by dynamic programming around constant ones."""
    reach = round(0.08 * FINE)
    moves = np.unique([max(1, round(step * share)) for share in SLOPES])
    start = np.floor(near[0]) + np.arange(-reach, reach + 1)
    width = len(start) + int(moves[-1]) * (len(cost) - 1)
    total = np.full(width, np.inf)
    total[: len(start)] = cost[0, start.astype(int) % FINE]
    came = np.zeros((len(cost), width), int)
    base = int(start[0])
    samples = (base + np.arange(width)) % FINE
    for frame in range(1, len(cost)):
        shifted = np.full((len(moves), width), np.inf)
        for i, move in enumerate(moves):
            shifted[i, move:] = total[: width - move]
        choice = shifted.argmin(axis=0)
        came[frame] = moves[choice]
        total = shifted.min(axis=0) + cost[frame, samples]
    path = [int(total.argmin())]
    for frame in range(len(cost) - 1, 0, -1):
        path.append(path[-1] - int(came[frame, path[-1]]))
    return base + np.array(path[::-1], float)
