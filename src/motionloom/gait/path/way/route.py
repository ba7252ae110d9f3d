"""Route: a way along the ground by its length, with clothoids into and out of every curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from motionloom.errors import InvalidInputError
from motionloom.motion import GroundTransform
from motionloom.skeleton import frozen_array, restore_read_only

Array = NDArray[np.float64]

#: Distance between the samples of a route, metres.
STEP = 0.01
#: Share of a corner's turn that each of its two clothoids makes: the rest is an arc.
CLOTHOID_SHARE = 0.25
#: A corner is rounded no farther than this from its point, metres.
CUT = 0.3
#: No corner is rounded by a wider arc than this, metres.
WIDEST = 5.0
#: A polyline that turns by more than this at a point, degrees, does not say how to turn back.
SHARPEST = 150.0
#: Corners of less than this are no corners, radians.
_STRAIGHT = 1e-5
#: Samples of a piece that is shorter than a metre.
_SHORT = 40


@dataclass(frozen=True, eq=False)
class Route:
    """A way along the ground.

    Parameters
    ----------
    along : array of shape (M,), metres
        Length from the begin, ascending from 0.
    places : array of shape (M, 2), metres
        x and z there.
    headings : array of shape (M,), radians
        Direction there, from +Z towards +X, continuous.
    curvatures : array of shape (M,), per metre
        How fast the direction turns with the length; positive to the left.
    marks : array of shape (K,), metres
        Length at which each of the points that the route was made of is passed.
    """

    along: Array
    places: Array
    headings: Array
    curvatures: Array
    marks: Array
    __setstate__ = restore_read_only

    def __post_init__(self) -> None:
        for name in ("along", "places", "headings", "curvatures", "marks"):
            object.__setattr__(self, name, frozen_array(getattr(self, name)))

    @property
    def length(self) -> float:
        """Of the whole way, metres."""
        return float(self.along[-1])

    @property
    def tightest(self) -> float:
        """Smallest radius, metres; infinite where it is straight."""
        most = float(np.abs(self.curvatures).max())
        return 1.0 / most if most > 1e-9 else float(np.inf)

    def at(self, along: ArrayLike) -> GroundTransform:
        """Where the way leads after a length; straight on before its begin and behind its end.

        Parameters
        ----------
        along : array of shape (T,), metres
            Length from the begin.

        Returns
        -------
        GroundTransform
            Places and directions, arrays of shape (T,).
        """
        s = np.asarray(along, float)
        inside = np.clip(s, 0.0, self.length)
        beyond = s - inside
        x, z = (np.interp(inside, self.along, self.places[:, k]) for k in (0, 1))
        heading = np.interp(inside, self.along, self.headings)
        return GroundTransform(heading, x + beyond * np.sin(heading), z + beyond * np.cos(heading))

    def curvature_at(self, along: ArrayLike) -> Array:
        """Curvature after a length, per metre; 0 before the begin and behind the end."""
        s = np.asarray(along, float)
        bend: Array = np.interp(s, self.along, self.curvatures, left=0.0, right=0.0)
        return bend

    def scaled(self, size: float) -> Route:
        """The same way, larger: radii and lengths grow alike, the begin stays."""
        origin = self.places[0]
        return Route(
            along=self.along * size,
            places=origin + size * (self.places - origin),
            headings=self.headings,
            curvatures=self.curvatures / size,
            marks=self.marks * size,
        )


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


def route_through(
    points: ArrayLike,
    curve: str = "polyline",
    times: ArrayLike | None = None,
    radius: float = 0.5,
    step: float = STEP,
) -> Route:
    """A way through points, as path constraints give it.

    Corners of a polyline are rounded by clothoid, arc and clothoid, so that a body can follow them;
    a spline has no corners.

    Parameters
    ----------
    points : array of shape (K, 2), metres
        x and z, in order; points at the same place as the one before are a pause.
    curve : {"polyline", "spline"}
        As in `PathConstraint`.
    times : array of shape (K,), seconds, optional
        On which the shape of a spline depends.
    radius : float, metres
        Of a corner's arc, where there is room, and where it does not cut farther than `CUT`.
    step : float, metres
        Between samples.

    Returns
    -------
    Route
        Its marks are those of the given points.

    Raises
    ------
    InvalidInputError
        When the points lead nowhere, or back on themselves.
    """
    given = np.asarray(points, float)
    moves = np.linalg.norm(np.diff(given, axis=0), axis=1) > 1e-6
    keep = np.concatenate([[True], moves])
    if not moves.any():
        raise InvalidInputError("a path needs two points apart; all of its points are one place")
    own = None if times is None else np.asarray(times, float)[keep]
    if curve == "spline" and keep.sum() > 2:
        route = _splined(given[keep], own, step)
    else:
        route = _rounded(given[keep], radius, step)
    return Route(
        route.along,
        route.places,
        route.headings,
        route.curvatures,
        route.marks[np.cumsum(keep) - 1],
    )


def _splined(points: Array, times: Array | None, step: float) -> Route:
    if times is None:
        times = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    return curved(scipy.interpolate.CubicSpline(times, points), times, step)


def curved(spline: Any, knots: Array, step: float = STEP) -> Route:
    """The way of a curve.

    Parameters
    ----------
    spline : scipy.interpolate.PPoly
        x and z (metres) over any parameter.
    knots : array of shape (K,)
        The parameter, from the begin to the end of the way, at the points that become its marks.
    step : float, metres
        Between samples.

    Returns
    -------
    Route
    """
    rough = float(np.linalg.norm(np.diff(spline(knots), axis=0), axis=1).sum())
    dense = np.linspace(knots[0], knots[-1], int(4 * rough / step) + 2)
    u = np.unique(np.concatenate([knots, dense]))
    first = spline(u, 1)
    speed = np.linalg.norm(first, axis=1)
    along = scipy.integrate.cumulative_trapezoid(speed, u, initial=0)
    second = spline(u, 2)
    turning = first[:, 1] * second[:, 0] - first[:, 0] * second[:, 1]
    even = np.linspace(0.0, along[-1], max(2, int(np.ceil(along[-1] / step)) + 1))
    x, z = (np.interp(even, along, spline(u)[:, k]) for k in (0, 1))
    headings = np.unwrap(np.arctan2(first[:, 0], first[:, 1]))
    return Route(
        along=even,
        places=np.column_stack([x, z]),
        headings=np.interp(even, along, headings),
        curvatures=np.interp(even, along, turning / np.maximum(speed, 1e-9) ** 3),
        marks=np.interp(knots, u, along),
    )


def _rounded(points: Array, radius: float, step: float) -> Route:
    legs = np.diff(points, axis=0)
    lengths = np.linalg.norm(legs, axis=1)
    headings = np.arctan2(legs[:, 0], legs[:, 1])
    turns = (np.diff(headings) + np.pi) % (2 * np.pi) - np.pi
    _refuse_reversals(points, turns)
    room = 0.5 * np.minimum(lengths[:-1], lengths[1:])
    corners = [_corner(turn, radius, space) for turn, space in zip(turns, room, strict=True)]
    bends: list[Bend] = []
    marks = [0.0]
    gone = 0.0
    tangents = [0.0, *(tangent for _, tangent, _ in corners), 0.0]
    for i, length in enumerate(lengths):
        straight = float(length - tangents[i] - tangents[i + 1])
        bends.append(Bend(length=max(straight, 0.0)))
        gone += max(straight, 0.0)
        if i < len(corners):
            bend, _, way = corners[i]
            bends.append(bend)
            marks.append(gone + 0.5 * way)
            gone += way
    marks.append(gone)
    start = GroundTransform(float(headings[0]), float(points[0, 0]), float(points[0, 1]))
    route = route_of_bends(bends, start, step)
    return Route(route.along, route.places, route.headings, route.curvatures, np.array(marks))


def _refuse_reversals(points: Array, turns: Array) -> None:
    sharp = np.abs(np.degrees(turns)) > SHARPEST
    if sharp.any():
        i = int(np.flatnonzero(sharp)[0])
        x, z = points[i + 1]
        raise InvalidInputError(
            f"the path turns back by {abs(np.degrees(turns[i])):.0f} degrees at [{x:g}, {z:g}],"
            f" which does not say how wide to turn; up to {SHARPEST:g} are rounded: add points"
            " along the turn, or make it a spline"
        )


def _corner(turn: float, radius: float, room: float) -> tuple[Bend, float, float]:
    """Rounding of a corner (radians): the piece, where before the corner it begins, its length."""
    if abs(turn) < _STRAIGHT:
        return Bend(), 0.0, 0.0
    tangent, cut, way = _size_of(turn)
    own = min(radius, room / tangent, CUT / max(cut, 1e-9), WIDEST)
    lead = 2 * CLOTHOID_SHARE * abs(turn) * own
    return Bend(angle=float(np.degrees(turn)), radius=own, lead=lead), own * tangent, own * way


def _size_of(turn: float) -> tuple[float, float, float]:
    """Of a corner of radius 1: where it begins before the point, how far it cuts, its length."""
    lead = 2 * CLOTHOID_SHARE * abs(turn)
    bend = Bend(angle=float(np.degrees(abs(turn))), radius=1.0, lead=lead)
    shape = route_of_bends([bend], step=0.005)
    aside, ahead = shape.places[-1]
    tangent = ahead / (1.0 + np.cos(turn)) if abs(turn) < 2.0 else aside / np.sin(abs(turn))
    middle = shape.at(0.5 * shape.length)
    return tangent, float(np.hypot(middle.x, middle.z - tangent)), shape.length
