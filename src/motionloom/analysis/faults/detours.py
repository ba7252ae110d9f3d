"""Detours: ways between two places that are much longer than they need be."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import scipy

from motionloom.analysis.faults.fault import Fault
from motionloom.constraints import BodyConstraint
from motionloom.curves import hermite
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array

#: A way that is so many times and so many metres longer than the direct curve is worth a look, and
#: so far off it; beyond the second of each it is grave.
LONGER, FURTHER, ASIDE = (1.3, 2.0), (0.75, 1.5), (0.75, 1.5)


def find_detours(
    posed: PosedMotion,
    wishes: Sequence[BodyConstraint],
    excused: Sequence[tuple[float, float]] = (),
) -> tuple[Fault, ...]:
    """Where the hips go a much longer way from one place to the next than the direct curve.

    Parameters
    ----------
    posed : PosedMotion
    wishes : sequence of BodyConstraint
        Where the body is asked to be, in the order of time.
    excused : sequence of (float, float), seconds
        Spans in which something else is asked that may lead aside: a path, an obstacle, a limb's
        target.

    Returns
    -------
    tuple of Fault
        Ascending in time.
    """
    faults = []
    for (a, left), (b, reached) in pairwise(stops_of(wishes)):
        if any(begin < reached and end > left for begin, end in excused):
            continue
        first, last = (min(round(t * posed.fps), posed.n_frames - 1) for t in (left, reached))
        if last > first:
            way = posed.hips[first : last + 1, [0, 2]]
            faults += _detour((left, reached), *measure_detour(way, a, b))
    return tuple(faults)


def stops_of(wishes: Sequence[BodyConstraint]) -> list[tuple[BodyConstraint, float]]:
    """Where the body is asked to be, with the times: of a span its begin and its end."""
    return [(c, time) for c in wishes for time in (c.time, c.end) if time is not None]


def direct_curve(a: BodyConstraint, b: BodyConstraint, n: int = 65) -> Array:
    """Cubic that leaves one place and enters the next as they face (Hermite).

    Parameters
    ----------
    a, b : BodyConstraint
        Where it begins and ends; who may face anywhere faces along the chord.
    n : int
        Number of points.

    Returns
    -------
    array of shape (n, 2), metres
        x and z.
    """
    p, q = np.array(a.position), np.array(b.position)
    chord = q - p
    size = float(np.linalg.norm(chord))
    leaves, enters = (chord if c.facing is None else size * _ahead(c) for c in (a, b))
    return hermite([p, q], [leaves, enters], np.linspace(0.0, 1.0, n))


def _ahead(c: BodyConstraint) -> Array:
    angle = c.stand().angle
    return np.array([np.sin(angle), np.cos(angle)])


def _length(points: Array) -> float:
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def measure_detour(way: Array, a: BodyConstraint, b: BodyConstraint) -> tuple[float, float, float]:
    """Length of a way (T, 2), length of the direct curve, and how far the way leaves it, metres.

    Parameters
    ----------
    way : array of shape (T, 2), metres
        x and z.
    a, b : BodyConstraint
        Between which it goes.

    Returns
    -------
    length, direct, aside : float, metres
    """
    curve = direct_curve(a, b)
    aside = float(np.max(scipy.spatial.cKDTree(curve).query(way)[0]))
    return _length(way), _length(curve), aside


def _detour(times: tuple[float, float], length: float, need: float, aside: float) -> list[Fault]:
    begin, end = times

    def beyond(k: int) -> bool:
        return length > LONGER[k] * need and length > need + FURTHER[k] and aside > ASIDE[k]

    if not beyond(0):
        return []
    text = (
        f"between {begin:.2f} and {end:.2f} s the body goes {length:.1f} m where"
        f" {need:.1f} m would do, up to {aside:.1f} m off the direct curve; up to"
        f" {max(LONGER[0] * need, need + FURTHER[0]):.1f} m is not named"
    )
    limit = max(LONGER[0] * need, need + FURTHER[0])
    return [Fault("detour", begin, end, length, limit, beyond(1), text)]
