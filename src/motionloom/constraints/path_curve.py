"""PathCurve: the curve of a path through its points, by length.

There is one of it: what asks for a path, follows it, draws it or measures it takes this curve.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy
from numpy.typing import ArrayLike

from motionloom.motion import GroundTransform
from motionloom.skeleton import frozen_array, restore_read_only
from motionloom.typing import Array, Bools

#: Points nearer to the one before than this are the same point, metres.
SAME = 1e-6
#: A piece of a spline stays this near to the chord between its points, chord lengths. It cannot
#: leave the hull of the points by more.
BULGE = 0.1
#: A piece is sampled about this densely, metres, and within these numbers of samples.
STEP, FEWEST, MOST = 0.005, 32, 512
#: A cubic's inner control points pull it away from its chord by at most this share of their own
#: distance (the largest value of 3 t (1 - t)).
_PULL = 0.75
#: Curves that are kept: a set is measured again and again.
_KEPT = 64


@dataclass(frozen=True, eq=False)
class PathCurve:
    """A curve along the ground by its length.

    Parameters
    ----------
    along : array of shape (M,), metres
        Length from the first point, ascending from 0; twice the same at the corner of a polyline.
    positions : array of shape (M, 2), metres
        x and z there.
    headings : array of shape (M,), radians
        Direction there, from +Z towards +X, without jumps of a whole turn.
    curvatures : array of shape (M,), per metre
        Change of the direction with the length; 0 for a polyline.
    marks : array of shape (K,), metres
        Length at which each of the given points is passed.
    """

    along: Array
    positions: Array
    headings: Array
    curvatures: Array
    marks: Array
    __setstate__ = restore_read_only

    def __post_init__(self) -> None:
        for name in ("along", "positions", "headings", "curvatures", "marks"):
            object.__setattr__(self, name, frozen_array(getattr(self, name)))

    @property
    def length(self) -> float:
        """Of the whole curve, metres.

        Examples
        --------
        >>> path_curve([[0.0, 0.0], [3.0, 4.0]]).length
        5.0
        """
        return float(self.along[-1])

    def at(self, along: ArrayLike) -> GroundTransform:
        """Position and direction at lengths.

        Parameters
        ----------
        along : array of shape (T,), metres
            Length from the first point; the ends beyond them.

        Returns
        -------
        GroundTransform
            Arrays of shape (T,). At the corner of a polyline the direction of the piece behind it.

        Examples
        --------
        >>> path_curve([[0.0, 0.0], [0.0, 3.0], [4.0, 3.0]]).at(1.5).ground
        array([0. , 1.5])
        """
        gone = np.clip(np.asarray(along, float), 0.0, self.length)
        piece = np.searchsorted(self.along, gone, side="right") - 1
        piece = np.clip(piece, 0, max(len(self.along) - 2, 0))
        after = np.minimum(piece + 1, len(self.along) - 1)
        span = self.along[after] - self.along[piece]
        part = (gone - self.along[piece]) / np.where(span > 0, span, 1.0)
        x, z = ((1 - part) * v[piece] + part * v[after] for v in self.positions.T)
        heading = (1 - part) * self.headings[piece] + part * self.headings[after]
        return GroundTransform(heading, x, z)


def path_curve(points: ArrayLike, curve: str = "polyline") -> PathCurve:
    """The curve of a path.

    A spline runs through all points with a continuous direction, at each point that of the line
    from the point before to the point after (as in [Catmull1974]_). Its tangents are as long as
    those of an arc, and shorter where a piece would leave its chord by more than `BULGE`.

    Parameters
    ----------
    points : array of shape (K, 2), metres
        x and z, in order; a point at the same place as the one before is a pause.
    curve : {"polyline", "spline"}
        As in `PathConstraint`.

    Returns
    -------
    PathCurve
        Its marks are those of the points. A path of one place has length 0.

    Examples
    --------
    >>> curve = path_curve([[0.0, 0.0], [0.0, 3.0], [4.0, 3.0]])
    >>> curve.length  # metres
    7.0
    """
    given = np.ascontiguousarray(points, float)
    return _kept_curve(given.tobytes(), curve)


@lru_cache(maxsize=_KEPT)
def _kept_curve(data: bytes, curve: str) -> PathCurve:
    given = np.frombuffer(data).reshape(-1, 2)
    keep = apart(given)
    points = given[keep]
    if len(points) == 1:
        return _one_place(points, len(given))
    directions = np.full(len(points), np.nan)
    made = spline_through(points, directions) if curve == "spline" else _polyline(points)
    marks = made.marks[np.cumsum(keep) - 1]
    return PathCurve(made.along, made.positions, made.headings, made.curvatures, marks)


def apart(points: Array) -> Bools:
    """Which points (K, 2) differ from the last one that does; the first one always.

    Examples
    --------
    >>> apart(np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0]]))
    array([ True, False,  True])
    """
    keep = np.ones(len(points), bool)
    last = points[0]
    for k in range(1, len(points)):
        keep[k] = np.hypot(*(points[k] - last)) > SAME
        last = points[k] if keep[k] else last
    return keep


def _one_place(point: Array, count: int) -> PathCurve:
    nothing = np.zeros(1)
    return PathCurve(nothing, point, nothing, nothing, np.zeros(count))


def _polyline(points: Array) -> PathCurve:
    """Straight pieces; each corner is a sample of both pieces beside it."""
    sides = np.diff(points, axis=0)
    marks = np.concatenate([[0.0], np.cumsum(np.hypot(*sides.T))])
    headings = np.unwrap(np.arctan2(*sides.T))
    ends = np.repeat(np.arange(len(points)), 2)[1:-1]
    straight = np.zeros(len(ends))
    return PathCurve(marks[ends], points[ends], np.repeat(headings, 2), straight, marks)


def spline_through(points: ArrayLike, directions: ArrayLike) -> PathCurve:
    """A smooth curve through points that lie apart.

    Parameters
    ----------
    points : array of shape (K, 2), metres
        x and z, two or more.
    directions : array of shape (K,), radians
        Direction of the curve at each point, NaN where it follows from the points. Beside a given
        direction a piece may bulge farther than `BULGE`.

    Returns
    -------
    PathCurve
    """
    places = np.asarray(points, float)
    given = np.asarray(directions, float)
    sides = np.diff(places, axis=0)
    told = np.isfinite(given)
    tangents = _tangents(sides)
    tangents[told] = np.column_stack([np.sin(given[told]), np.cos(given[told])])
    _bend_ends(tangents, sides, told)
    return _sampled(places, tangents, _handles(tangents, sides, told), np.hypot(*sides.T))


def _tangents(sides: Array) -> Array:
    """Directions (K, 2) at points: from the one before to the one after, and nowhere back."""
    ahead = sides / np.hypot(*sides.T)[:, None]
    inner = sides[:-1] + sides[1:]
    for beside in (ahead[:-1], ahead[1:]):
        inner = inner - np.minimum(np.sum(inner * beside, axis=1), 0.0)[:, None] * beside
    sizes = np.hypot(*inner.T)
    # Who turns back to where they came from turns to the left.
    turns_back = sizes <= SAME
    inner[turns_back] = np.column_stack([ahead[:-1, 1], -ahead[:-1, 0]])[turns_back]
    sizes[turns_back] = 1.0
    return np.concatenate([ahead[:1], inner / sizes[:, None], ahead[-1:]])


def _bend_ends(tangents: Array, sides: Array, told: Bools) -> None:
    """Let the end pieces bend evenly, as arcs do, in place."""
    if len(tangents) == 2 and not told.any():
        return
    for end, beside, side in ((0, 1, sides[0]), (-1, -2, sides[-1])):
        if not told[end]:
            chord = side / np.hypot(*side)
            tangents[end] = 2.0 * (tangents[beside] @ chord) * chord - tangents[beside]


def _handles(tangents: Array, sides: Array, told: Bools) -> Array:
    """Distances (K - 1, 2) of the inner control points of each piece from its ends, metres."""
    chords = np.hypot(*sides.T)
    across = np.column_stack([-sides[:, 1], sides[:, 0]]) / chords[:, None]
    handles = np.empty((len(sides), 2))
    for end, at in enumerate((slice(None, -1), slice(1, None))):
        aside = np.abs(np.sum(tangents[at] * across, axis=1))
        aside[told[at]] = 0.0
        handles[:, end] = chords * np.minimum(1.0 / 3.0, BULGE / _PULL / np.maximum(aside, 1e-9))
    return handles


def _sampled(points: Array, unit: Array, handles: Array, chords: Array) -> PathCurve:
    """The cubic pieces, sampled and measured."""
    inner = points[:-1] + handles[:, :1] * unit[:-1]
    outer = points[1:] - handles[:, 1:] * unit[1:]
    bezier = scipy.interpolate.BPoly(
        np.stack([points[:-1], inner, outer, points[1:]]), np.arange(len(points), dtype=float)
    )
    counts = np.clip(np.ceil(chords / STEP).astype(int), FEWEST, MOST)
    pieces = [k + np.arange(n) / n for k, n in enumerate(counts)]
    u = np.concatenate([*pieces, [float(len(chords))]])
    positions = bezier(u)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(positions, axis=0).T))])
    first = bezier(u, 1)
    second = bezier(u, 2)
    speed = np.maximum(np.hypot(*first.T), 1e-9)
    turning = first[:, 1] * second[:, 0] - first[:, 0] * second[:, 1]
    at_points = np.concatenate([[0], np.cumsum(counts)])
    headings = np.unwrap(np.arctan2(*first.T))
    return PathCurve(along, positions, headings, turning / speed**3, along[at_points])
