"""Ways given piece by piece: straight, or turns between clothoids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import scipy

from motionloom.errors import InvalidInputError
from motionloom.gait.path.way.route import STEP, Route
from motionloom.motion import GroundTransform
from motionloom.typing import Array

#: Samples of a piece that is shorter than a metre.
_SHORT = 40


@dataclass(frozen=True)
class Bend:
    """A piece of a way: straight, or a turn between clothoids.

    Parameters
    ----------
    length : float, metres
        Of a straight piece; passed over in a turn.
    angle : float, degrees
        Of a turn, positive to the left; 0 is straight.
    radius : float, metres
        Of the turn's arc.
    lead : float, metres
        Length of the clothoid into the arc, and of that out of it. A turn too small for them has
        shorter ones and no arc.
    """

    length: float = 0.0
    angle: float = 0.0
    radius: float = np.inf
    lead: float = 0.0


def route_of_bends(
    bends: Sequence[Bend], start: GroundTransform | None = None, step: float = STEP
) -> Route:
    """A way given piece by piece.

    Parameters
    ----------
    bends : sequence of Bend
        In order.
    start : GroundTransform, optional
        Where it begins, and in which direction; the origin along +Z when not given.
    step : float, metres
        Between samples.

    Returns
    -------
    Route
        Its marks are the ends of the pieces, the begin first.

    Raises
    ------
    InvalidInputError
        When a turn has no radius, or there is no way at all.
    """
    knots = [(0.0, 0.0)]
    marks = [0.0]
    for bend in bends:
        knots += _curvature_of(bend, knots[-1][0])
        marks.append(knots[-1][0])
    if marks[-1] <= 0:
        raise InvalidInputError("a way needs a length above 0 metres")
    s, k = _apart(*np.array(knots).T)
    n = max(2, int(np.ceil(marks[-1] / step)) + 1)
    # Short clothoids lie between the samples.
    pieces = [np.linspace(a, b, _SHORT) for a, b in pairwise(s) if b - a < 1.0]
    along = np.unique(np.concatenate([np.linspace(0.0, s[-1], n), s, *pieces]))
    return _integrated(along, (s, k), np.array(marks), start)


def _curvature_of(bend: Bend, begin: float) -> list[tuple[float, float]]:
    """Knots (length, curvature) of a piece; between them curvature is linear."""
    if not bend.angle:
        return [(begin, 0.0), (begin + bend.length, 0.0)]
    if not 0 < bend.radius < np.inf:
        raise InvalidInputError(f"a turn needs a radius above 0 metres, got {bend.radius}")
    turn = abs(np.radians(bend.angle))
    lead = min(bend.lead, turn * bend.radius)
    arc = turn * bend.radius - lead
    k = np.sign(bend.angle) / bend.radius
    return [
        (begin, 0.0),
        (begin + lead, k),
        (begin + lead + arc, k),
        (begin + 2 * lead + arc, 0.0),
    ]


def _integrated(
    along: Array, knots: tuple[Array, Array], marks: Array, start: GroundTransform | None
) -> Route:
    start = start or GroundTransform()
    curvatures = np.interp(along, *knots)
    turned = scipy.integrate.cumulative_trapezoid(curvatures, along, initial=0)
    headings = start.angle + turned
    # Simpson's rule on the directions: a clothoid has no closed form.
    half = 0.5 * (headings[1:] + headings[:-1]) - np.diff(curvatures) * np.diff(along) / 8.0
    steps = np.diff(along)[:, None] * np.column_stack(
        [
            (np.sin(headings[:-1]) + 4 * np.sin(half) + np.sin(headings[1:])) / 6,
            (np.cos(headings[:-1]) + 4 * np.cos(half) + np.cos(headings[1:])) / 6,
        ]
    )
    gone = np.vstack([[[0.0, 0.0]], np.cumsum(steps, axis=0)])
    places = gone + np.array([start.x, start.z])
    return Route(along, places, headings, curvatures, marks)


def _apart(s: Array, k: Array) -> tuple[Array, Array]:
    """Knots at the same length told apart, so that curvature may jump there."""
    return s + 1e-9 * np.arange(len(s)), k
