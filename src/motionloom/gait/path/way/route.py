"""Route: a way along the ground by its length, whose direction and curvature do not jump."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy
from numpy.typing import ArrayLike

from motionloom.constraints.path_curve import SAME, PathCurve, path_curve
from motionloom.errors import InvalidInputError
from motionloom.motion import GroundTransform
from motionloom.typing import Array

#: Distance between the samples of a route, metres.
STEP = 0.01
#: Corners are rounded over up to this length of the path, metres.
ROUNDED = 2.0
#: The mean's weights rise and fall over this part of half its length (one in so many): curvature is
#: even in a corner, as in an arc, and comes and goes gently.
EASED = 6
#: A route leaves its path by no more than this, metres: the hips' own sway beside it (3 cm) stays
#: within the limit of a path. At a speed at which a corner would ask for more centripetal
#: acceleration than `CORNERING`, metres per second squared, it is cut by up to `FAST_CUT`, metres,
#: and the path is missed.
CUT, FAST_CUT = 0.21, 0.3
CORNERING = 5.0
#: A polyline that turns by more than this at a point, degrees, does not say how to turn back.
SHARPEST = 150.0
#: A mean that hardly moves has no curvature of its own, metres per metre.
_SLOW = 0.05


class Route(PathCurve):
    """A way along the ground: a curve without corners, gone straight on at its ends."""

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
        way = super().at(inside)
        x = way.x + beyond * np.sin(way.angle)
        return GroundTransform(way.angle, x, way.z + beyond * np.cos(way.angle))

    def curvature_at(self, along: ArrayLike) -> Array:
        """Curvature after a length, per metre; 0 before the begin and behind the end."""
        s = np.asarray(along, float)
        return np.asarray(np.interp(s, self.along, self.curvatures, left=0.0, right=0.0))

    def scaled(self, size: float) -> Route:
        """The same way, larger: radii and lengths grow alike, the begin stays."""
        origin = self.positions[0]
        return replace(
            self,
            along=self.along * size,
            positions=origin + size * (self.positions - origin),
            curvatures=self.curvatures / size,
            marks=self.marks * size,
        )


def straight_route(length: float) -> Route:
    """A way straight ahead from the origin along +Z; its marks are its ends.

    Parameters
    ----------
    length : float, metres
        Above 0.

    Returns
    -------
    Route
    """
    ends = np.array([0.0, length])
    still = np.zeros(2)
    return Route(ends, np.column_stack([still, ends]), still, still, ends)


def route_through(points: ArrayLike, curve: str = "polyline", speed: float = 0.0) -> Route:
    """The route of a path: its curve, with corners rounded so that a body can follow them.

    Parameters
    ----------
    points : array of shape (K, 2), metres
        x and z, in order; points at the same place as the one before are a pause.
    curve : {"polyline", "spline"}
        As in `PathConstraint`.
    speed : float, metres per second
        Fastest on it.

    Returns
    -------
    Route
        Its marks are those of the given points.

    Raises
    ------
    InvalidInputError
        When the points lead nowhere, or a polyline back on itself.
    """
    asked = path_curve(points, curve)
    if asked.length <= SAME:
        raise InvalidInputError("a path needs two points apart; all of its points are one place")
    if curve == "polyline":
        _refuse_reversals(asked)
    route = rounded(asked, CUT)
    if speed**2 <= CORNERING * route.tightest:
        return route
    return rounded(asked, FAST_CUT)


def rounded(curve: PathCurve, cut: float) -> Route:
    """The route along a curve, each position the mean of the curve's around it.

    The mean is over `ROUNDED` metres, less where that leaves the curve by more than `cut`; its
    weights come and go gently. Direction and curvature of the result are continuous. Beyond its
    ends the curve is continued point-symmetrically, so that the route begins and ends with it.

    Parameters
    ----------
    curve : PathCurve
        With or without corners.
    cut : float, metres
        Largest distance of the route from the curve.

    Returns
    -------
    Route
        It passes its marks where the curve does.
    """
    n = max(2, int(np.ceil(curve.length / STEP)) + 1)
    along = np.linspace(0.0, curve.length, n)
    step = float(along[1])
    smooth = _near(curve.at(along).ground, round(0.5 * ROUNDED / step), cut)
    gone = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(smooth, axis=0).T))])
    first = np.gradient(smooth, step, axis=0)
    second = np.gradient(first, step, axis=0)
    speed = np.maximum(np.hypot(*first.T), _SLOW)
    turning = first[:, 1] * second[:, 0] - first[:, 0] * second[:, 1]
    return Route(
        along=gone,
        positions=smooth,
        headings=np.unwrap(np.arctan2(*first.T)),
        curvatures=turning / speed**3,
        marks=np.interp(curve.marks, along, gone),
    )


def _near(places: Array, widest: int, cut: float) -> Array:
    """Means over as many samples as leave the positions by no more than `cut`."""
    low, high = 0, widest + 1
    while high - low > 1:
        middle = (low + high) // 2 if high <= widest else widest
        is_near = np.hypot(*(_averaged(places, middle) - places).T).max() <= cut
        low, high = (middle, high) if is_near else (low, middle)
    return _averaged(places, low)


def _averaged(places: Array, half: int) -> Array:
    """Weighted means of positions (N, 2) over so many samples on both sides."""
    half = min(half, len(places) - 1)
    if half < 1:
        return places
    before = 2.0 * places[0] - places[half:0:-1]
    behind = 2.0 * places[-1] - places[-2 : -half - 2 : -1]
    window = np.convolve(np.ones(2 * (half - half // EASED) + 1), np.ones(2 * (half // EASED) + 1))
    wide = np.concatenate([before, places, behind])
    return scipy.signal.fftconvolve(wide, (window / window.sum())[:, None], "valid", axes=0)


def _refuse_reversals(curve: PathCurve) -> None:
    """Refuse a polyline that turns back in a point."""
    turns = np.degrees(np.diff(curve.headings))
    sharp = np.flatnonzero(np.abs(turns) > SHARPEST)
    if len(sharp):
        x, z = curve.positions[sharp[0] + 1]
        raise InvalidInputError(
            f"the path turns back by {abs(turns[sharp[0]]):.0f} degrees at [{x:g}, {z:g}],"
            f" which does not say how wide to turn; up to {SHARPEST:g} are rounded: add points"
            " along the turn, or make it a spline"
        )
