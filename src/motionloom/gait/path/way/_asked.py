"""What a constraint set asks of a gait: its way and its times."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.body import BodyConstraint
from motionloom.constraints.kinds.paths import PathConstraint, curve_of, even_times
from motionloom.constraints.kinds.speeds import schedule
from motionloom.constraints.path_curve import spline_through
from motionloom.errors import InvalidInputError, SynthesisError
from motionloom.gait.path.way.route import Route, route_through
from motionloom.gait.path.way.timing import Timing, passing
from motionloom.typing import Array

#: A smooth way through several paths is sampled this densely, metres.
DENSE = 0.15
#: A body nearer than this to where it was has not moved on, metres.
SAME = 0.02


@dataclass(frozen=True, eq=False)
class Knots:
    """Places to be passed and when.

    Parameters
    ----------
    points : array of shape (K, 2), metres
        x and z.
    times : array of shape (K,), seconds
        Ascending.
    curve : str
        ``polyline``, ``spline`` or ``facing``: a smooth way that leads where the body faces.
    headings : array of shape (K,), radians
        Where the body faces; NaN where any direction will do.
    """

    points: Array
    times: Array
    curve: str
    headings: Array


def way_asked(constraints: ConstraintSet) -> tuple[Route, Timing]:
    """The way that constraints ask a body to go, and when.

    Paths come first; body constraints outside their times are passed too. Without paths the way
    leads smoothly from body constraint to body constraint, into the directions that they face.

    Parameters
    ----------
    constraints : ConstraintSet
        With a path, or two body constraints apart.

    Returns
    -------
    route : Route
    timing : Timing
        With as many frames as the constraints ask for.

    Raises
    ------
    SynthesisError
        When no way is asked for.
    InvalidInputError
        When times of paths overlap, or a way turns back in a point.
    """
    _refuse_speeds(constraints)
    knots = knots_of(constraints)
    if knots is None:
        _refuse_spot(constraints)
        raise SynthesisError(
            "gait goes along a way, and none is asked for; add a path, or two body constraints at"
            " different places"
        )
    route = route_of(knots)
    marks, times = route.marks, knots.times
    if constraints.speeds:
        marks, times = _at_speeds(constraints, marks, times)
    timing = passing(marks, times, constraints.n_frames, constraints.fps)
    return route, timing


def _refuse_spot(constraints: ConstraintSet) -> None:
    """Say of body constraints at one place that face different ways why they are no gait."""
    facings = [c.facing for c in constraints.body if c.facing is not None]
    if len(facings) > 1 and np.ptp(np.unwrap(facings, period=360.0)) > 1.0:
        raise SynthesisError(
            "gait goes ahead along a way, and these body constraints only turn on the spot; no"
            " captured cycle does: put them half a metre apart or more, or take another generator"
        )


def route_of(knots: Knots) -> Route:
    """The way through knots.

    Parameters
    ----------
    knots : Knots
        At least two places apart.

    Returns
    -------
    Route
        Its marks are those of the knots.
    """
    if knots.curve == "facing":
        return _route_facing(knots)
    lengths = np.linalg.norm(np.diff(knots.points, axis=0), axis=1)
    return route_through(knots.points, knots.curve, float(np.max(lengths / np.diff(knots.times))))


def knots_of(constraints: ConstraintSet) -> Knots | None:
    """Places that a set asks to be passed, and when; None where it asks for no way.

    Parameters
    ----------
    constraints : ConstraintSet
        Its paths and body constraints count.

    Returns
    -------
    Knots or None

    Raises
    ------
    InvalidInputError
        When times of paths overlap.
    """
    if not constraints.paths:
        return _knots_of_body(constraints.body)
    every = [(_times_of(path, constraints), path) for path in constraints.paths]
    every.sort(key=lambda one: float(one[0][0]))
    paths = [path for _, path in every]
    spans = [times for times, _ in every]
    rows: list[tuple[float, float, float]] = []
    for path, times in zip(paths, spans, strict=True):
        if rows and times[0] < rows[-1][0] - 1e-9:
            raise InvalidInputError(
                f"two paths overlap in time at {times[0]:g} s; a gait follows one way after the"
                " other"
            )
        points, times = _points_of(path, times, alone=len(paths) == 1)
        rows += [(t, x, z) for t, (x, z) in zip(times.tolist(), points.tolist(), strict=True)]
    for c in constraints.body:
        if all(not t[0] - 1e-9 <= c.time <= t[-1] + 1e-9 for t in spans):
            rows += [(t, *c.position) for t in _moments(c)]
    kept = np.array(_once(sorted(rows)))
    alone = paths[0].curve if len(paths) == 1 and len(kept) == len(paths[0].points) else "polyline"
    return Knots(kept[:, 1:], kept[:, 0], alone, np.full(len(kept), np.nan))


def _times_of(path: PathConstraint, constraints: ConstraintSet) -> Array:
    """When each point of a path is passed."""
    times = even_times(path, constraints.duration)
    if path.times is not None or not constraints.speeds:
        return times
    curve = curve_of(path)
    begin, end = float(times[0]), float(times[-1])
    when, gone = schedule(curve.length, begin, end, constraints.speeds, path.end is not None)
    return np.interp(curve.marks, gone + 1e-9 * np.arange(len(gone)), when)


def _at_speeds(constraints: ConstraintSet, marks: Array, times: Array) -> tuple[Array, Array]:
    """Marks of a route and their times, with those in between that speeds need.

    The length of the route is not quite that of the path: corners are rounded.
    """
    for path in constraints.paths:
        if path.times is not None:
            continue
        own = _times_of(path, constraints)
        begin, end = (float(t) for t in (own[0], own[-1]))
        first, last = np.interp([begin, end], times, marks)
        when, gone = schedule(float(last - first), begin, end, constraints.speeds, ends=True)
        outside = (times < begin - 1e-9) | (times > end + 1e-9)
        found = np.concatenate([times[outside], when])
        order = np.argsort(found, kind="stable")
        times = found[order]
        marks = np.concatenate([marks[outside], first + gone])[order]
    return marks, times


def _refuse_speeds(constraints: ConstraintSet) -> None:
    """Refuse speeds that no path without times is there for."""
    spans = [_times_of(p, constraints) for p in constraints.paths if p.times is None]
    for c in constraints.speeds:
        if not any(c.begin < t[-1] and c.end > t[0] for t in spans):
            raise InvalidInputError(
                f"speeds: from {c.begin:g} to {c.end:g} s there is no path without times of its own"
                " that could be gone at this speed; add one, or give its points no times",
                field="speeds",
            )


def _points_of(path: PathConstraint, times: Array, alone: bool) -> tuple[Array, Array]:
    """Points and times of a path; a smooth one of several is told by many points."""
    points = np.array(path.points, float)
    keep = np.concatenate([[True], np.diff(times) > 1e-9])
    points = points[keep]
    times = times[keep]
    if path.curve != "spline" or alone:
        return points, times
    curve = curve_of(path)
    dense = np.linspace(0.0, curve.length, max(3, int(curve.length / DENSE)))
    when = np.interp(dense, curve.marks[keep], times)
    inside = np.concatenate([[True], np.diff(when) > 1e-9])
    return curve.at(dense[inside]).ground, when[inside]


def _moments(c: BodyConstraint) -> list[float]:
    return [c.time] if c.end is None else [c.time, c.end]


def _once(rows: list[tuple[float, float, float]]) -> list[tuple[float, float, float]]:
    """Rows in the order of time, no two at once."""
    kept: list[tuple[float, float, float]] = []
    for row in rows:
        if not kept or row[0] > kept[-1][0] + 1e-9:
            kept.append(row)
    return kept


def _knots_of_body(body: tuple[BodyConstraint, ...]) -> Knots | None:
    rows = [(t, c) for c in body for t in _moments(c)]
    points = np.array([c.position for _, c in rows], float)
    if len(rows) < 2 or np.ptp(points, axis=0).max() < SAME:
        return None
    headings = [np.nan if c.facing is None else np.radians(c.facing) for _, c in rows]
    return Knots(points, np.array([t for t, _ in rows]), "facing", np.array(headings))


def _route_facing(knots: Knots) -> Route:
    """A smooth way that leads where the body faces."""
    moves = np.linalg.norm(np.diff(knots.points, axis=0), axis=1) > SAME
    keep = np.concatenate([[True], moves])
    curve = spline_through(knots.points[keep], knots.headings[keep])
    return Route(**{**vars(curve), "marks": curve.marks[np.cumsum(keep) - 1]})
