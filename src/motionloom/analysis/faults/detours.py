"""Detours: ways between two places that are much longer than they need be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from motionloom.analysis.faults.fault import Fault
from motionloom.posed_motion import PosedMotion

Array = NDArray[np.float64]

#: A way that is so many times and so many metres longer than the direct curve is worth a look, and
#: so far off it; beyond the second of each it is grave.
LONGER, FURTHER, ASIDE = (1.3, 2.0), (0.75, 1.5), (0.75, 1.5)


@dataclass(frozen=True)
class Waypoint:
    """Where the body is asked to be.

    Parameters
    ----------
    time : float, seconds
    position : tuple of float, metres
        x and z on the ground.
    facing : float or None, radians
    """

    time: float
    position: tuple[float, float]
    facing: float | None = None


def find_detours(
    posed: PosedMotion, waypoints: Sequence[Waypoint], excused: Sequence[tuple[float, float]] = ()
) -> tuple[Fault, ...]:
    """Where the hips go a much longer way from one waypoint to the next than the direct curve.

    Parameters
    ----------
    posed : PosedMotion
    waypoints : sequence of Waypoint
        In the order of time.
    excused : sequence of (float, float), seconds
        Spans in which something else is asked that may lead aside: a path, an obstacle, a limb's
        target.
    """
    faults = []
    for a, b in pairwise(waypoints):
        if any(begin < b.time and end > a.time for begin, end in excused):
            continue
        first, last = (min(round(w.time * posed.fps), posed.n_frames - 1) for w in (a, b))
        if last > first:
            faults += _detour(posed.hips[first : last + 1, [0, 2]], a, b)
    return tuple(faults)


def direct_curve(a: Waypoint, b: Waypoint, n: int = 65) -> Array:
    """Cubic that leaves one waypoint and enters the next as they face, shape (n, 2), metres."""
    p, q = np.array(a.position), np.array(b.position)
    chord = q - p
    size = float(np.linalg.norm(chord))
    leaves, enters = (
        chord if w.facing is None else size * np.array([np.sin(w.facing), np.cos(w.facing)])
        for w in (a, b)
    )
    t = np.linspace(0.0, 1.0, n)[:, None]
    curve: Array = (
        (2 * t**3 - 3 * t**2 + 1) * p
        + (t**3 - 2 * t**2 + t) * leaves
        + (3 * t**2 - 2 * t**3) * q
        + (t**3 - t**2) * enters
    )
    return curve


def _length(points: Array) -> float:
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def measure_detour(way: Array, a: Waypoint, b: Waypoint) -> tuple[float, float, float]:
    """Length of a way (T, 2), length of the direct curve, and how far the way leaves it, metres."""
    curve = direct_curve(a, b)
    from scipy.spatial import cKDTree  # takes long to load

    aside = float(np.max(cKDTree(curve).query(way)[0]))
    return _length(way), _length(curve), aside


def _detour(way: Array, a: Waypoint, b: Waypoint) -> list[Fault]:
    length, need, aside = measure_detour(way, a, b)

    def beyond(k: int) -> bool:
        return length > LONGER[k] * need and length > need + FURTHER[k] and aside > ASIDE[k]

    if not beyond(0):
        return []
    text = (
        f"between {a.time:.2f} and {b.time:.2f} s the body goes {length:.1f} m where"
        f" {need:.1f} m would do, up to {aside:.1f} m off the direct curve; up to"
        f" {max(LONGER[0] * need, need + FURTHER[0]):.1f} m is not named"
    )
    limit = max(LONGER[0] * need, need + FURTHER[0])
    return [Fault("detour", a.time, b.time, length, limit, beyond(1), text)]
