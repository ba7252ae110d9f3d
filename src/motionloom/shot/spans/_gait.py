"""Walking or running at any speed, along a way that goes around what stands there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np
import scipy

from motionloom.constraints import PathConstraint
from motionloom.constraints.kinds.avoid import Box, Cylinder, HeightMap
from motionloom.constraints.path_curve import apart, spline_through
from motionloom.constraints.values import Ground
from motionloom.gait.generator import FittedGait, GaitGeneratorOptions
from motionloom.gait.space.space import Walker
from motionloom.polygons import convex_hull, distance_outside
from motionloom.shot.plan.planned import PlannedSpan, place_of
from motionloom.shot.script.span_fields import GaitSpan
from motionloom.shot.spans._asked import constraints_of
from motionloom.shot.stage import Piece, Place, Stage, State
from motionloom.synthesis.generator import Fitted
from motionloom.typing import Array

#: A body keeps its middle so far from what stands there, metres.
CLEAR = 0.5
#: What hangs higher, or is lower, than this is no obstacle, metres.
HEAD, SILL = 1.9, 0.05
#: Corners of a rounded outline.
CORNERS = 16
#: Outlines are this much smaller where a way is tested, so that it may follow them, metres.
TOUCH = 0.02
#: Ways around something are told in steps of this length, metres.
LEG = 0.6


def way_around(
    avoid: Sequence[Cylinder | Box | HeightMap], way: Array, scale: float = 1.0
) -> Array:
    """The shortest way through places that keeps clear of obstacles.

    Shortest paths among polygons go straight from corner to corner (Lozano-Perez and Wesley 1979).

    Parameters
    ----------
    avoid : sequence of Cylinder, Box or HeightMap
        Height maps are walked through: they are ground.
    way : array of shape (P, 2), metres
        Places that it leads through.
    scale : float
        Obstacles are multiplied by this.

    Returns
    -------
    array of shape (Q, 2), metres
        The same places where nothing stands in the way, with more of them between otherwise. A
        place inside an obstacle stays.
    """
    solids = [one for one in avoid if not isinstance(one, HeightMap)]
    middles = [scale * one.outline for one in solids if _is_in_the_way(one)]
    if not middles:
        return way
    places = [way[0]]
    for start, end in pairwise(way):
        leg = _leg(middles, start, end)
        places += [*_divided(leg)[1:]] if len(leg) > 2 else [end]
    return np.array(places)


def _is_in_the_way(one: Cylinder | Box) -> bool:
    return (one.bottom or 0.0) <= HEAD and (SILL if one.top is None else one.top) >= SILL


def _leg(outlines: Sequence[Array], start: Array, end: Array) -> Array:
    """Corners of the shortest way from a place to another."""
    hulls = [_grown(one, min(CLEAR, _room(one, start, end))) for one in outlines]
    inner = [_grown(one, min(CLEAR, _room(one, start, end)) - TOUCH) for one in outlines]
    if not any(_crosses(start, end, hull) for hull in inner):
        return np.array([start, end])
    corners = [
        corner
        for i, hull in enumerate(hulls)
        for corner in hull
        if all(distance_outside(other, corner) > -1e-9 for other in inner[:i] + inner[i + 1 :])
    ]
    nodes = np.array([start, end, *corners])
    lengths = np.zeros((len(nodes), len(nodes)))
    for i, k in combinations(range(len(nodes)), 2):
        if not any(_crosses(nodes[i], nodes[k], hull) for hull in inner):
            lengths[i, k] = max(float(np.linalg.norm(nodes[i] - nodes[k])), 1e-6)
    _, before = scipy.sparse.csgraph.dijkstra(
        lengths, directed=False, indices=[0], return_predecessors=True
    )
    before = before[0]
    if before[1] < 0:
        return np.array([start, end])
    path = [1]
    while path[-1] != 0:
        path.append(int(before[path[-1]]))
    return nodes[path[::-1]]


def _room(outline: Array, *places: Array) -> float:
    """How far from an outline the nearest of some places is, metres; a little less."""
    return max(float(distance_outside(outline, np.array(places)).min()) - TOUCH, TOUCH)


def _grown(outline: Array, by: float) -> Array:
    """A convex outline with everything that is nearer to it than so far, as a polygon."""
    angles = np.linspace(0, 2 * np.pi, CORNERS, endpoint=False)
    around = by * np.column_stack([np.cos(angles), np.sin(angles)])
    return convex_hull((outline[:, None] + around).reshape(-1, 2))


def _crosses(start: Array, end: Array, hull: Array) -> bool:
    """Whether a straight way goes through the inside of a convex polygon."""
    sides = np.roll(hull, -1, axis=0) - hull
    normals = np.column_stack([sides[:, 1], -sides[:, 0]])
    inward = np.sign(np.sum(normals * (hull.mean(axis=0) - hull), axis=1))[:, None] * normals
    at = np.sum(inward * (start - hull), axis=1)
    rate = inward @ (end - start)
    moves = np.abs(rate) >= 1e-12
    if np.any(at[~moves] <= 0):
        return False
    bounds = -at[moves] / rate[moves]
    first = bounds[rate[moves] > 0].max(initial=0.0)
    return bool(bounds[rate[moves] < 0].min(initial=1.0) - first > 1e-6)


def _divided(leg: Array) -> Array:
    """A polyline with points so near each other that a smooth curve follows it."""
    places = [leg[0]]
    for start, end in pairwise(leg):
        count = max(int(np.ceil(np.linalg.norm(end - start) / LEG)), 1)
        places += [start + (end - start) * k / count for k in range(1, count + 1)]
    return np.array(places)


#: Spans before which a gait comes to a stand.
STANDING = ("idle", "between")
#: How hard a gait speeds up and slows down, metres per second squared.
RAMP = 1.2
#: The way is told in steps of this length, metres.
STEP = 0.25
#: Speed of a gait straight ahead that says none, metres per second.
USUAL = 1.3
#: Nobody goes faster, metres per second.
FASTEST = 12.0
#: Speeds are added up over so many times.
FINE = 400


def make(stage: Stage, planned: PlannedSpan, state: State | Place) -> Piece:
    """Go a way; see `motionloom.shot.making.MAKERS`."""
    span = planned.of(GaitSpan)
    begin = state.place
    duration = (planned.last - planned.first) / stage.fps
    points = np.array([begin.position, *_places(stage, planned, span)])
    way = way_around(stage.file.shot.avoid, points, stage.file.scale)
    stops = planned.following in STANDING
    usual = USUAL * stage.file.scale
    speed = None if span.speed is None else span.speed * stage.file.scale
    first = state.pace
    if not span.path:
        ahead = np.array(begin.transform.ahead)
        way = np.array([way[0], way[0] + (speed or usual) * duration * ahead])
    else:
        way = _smooth(way, np.array(begin.transform.ahead))
    length = float(np.linalg.norm(np.diff(way, axis=0), axis=1).sum())
    times = np.linspace(0.0, duration, FINE)
    gone = _distances(times, first, speed or (None if span.path else usual), stops, length)
    marks = np.linspace(0.0, gone[-1], max(round(gone[-1] / STEP), 2) + 1)
    path = PathConstraint(
        points=tuple((float(x), float(z)) for x, z in _along(way, marks)),
        times=tuple(float(t) for t in _when(times, gone, marks)),
        curve="polyline",
        face_along=True,
    )
    asked = constraints_of(stage.file, planned, {}, paths=[path])
    fitted = _fitted(stage, span)
    made = stage.synthesize(fitted, asked, planned)
    return stage.piece(fitted, made, bound=bool(span.path))


def check(stage: Stage, planned: PlannedSpan) -> None:
    """Refuse places that there are not, a model that does not fit the clips, and a person or style
    that was not captured.

    Raises
    ------
    MotionloomError
        When it cannot be made.
    """
    span = planned.of(GaitSpan)
    _places(stage, planned, span)
    if span.model is not None or span.person is not None or span.style is not None:
        fitted = _fitted(stage, span)
        assert isinstance(fitted, FittedGait)
        fitted.space.check_style(span.style)
        fitted.space.body(span.person)


def _places(stage: Stage, planned: PlannedSpan, span: GaitSpan) -> list[Ground]:
    """Places that the way leads through."""
    return [
        place_of(stage.file, (*planned.where, "path", i), place)[0]
        for i, place in enumerate(span.path)
    ]


def _fitted(stage: Stage, span: GaitSpan) -> Fitted:
    """The gait that is asked for."""
    if span.model is None and span.person is None and span.style is None:
        return stage.fitted("gait")
    model = None if span.model is None else stage.file.beside(span.model)
    options = GaitGeneratorOptions(model, Walker(person=span.person, style=span.style))
    return stage.fitted("gait", options)


def _distances(
    times: Array, first: float | None, speed: float | None, stops: bool, length: float
) -> Array:
    """Metres gone at every time: from the first speed to the asked one, and to a stand."""

    def gone_at(top: float) -> Array:
        begin = top if first is None else first
        speeds = begin + np.clip(top - begin, -RAMP * times, RAMP * times)
        if stops:
            speeds = np.minimum(speeds, RAMP * (times[-1] - times))
        steps = 0.5 * (speeds[1:] + speeds[:-1]) * np.diff(times)
        return np.concatenate([[0.0], np.cumsum(steps)])

    if speed is not None:
        return gone_at(speed)
    # The top speed at which the way is just gone in the time there is.
    low, high = 0.0, 2.0 * FASTEST
    for _ in range(50):
        middle = 0.5 * (low + high)
        is_short = gone_at(middle)[-1] < length
        low = middle if is_short else low
        high = high if is_short else middle
    gone = gone_at(high)
    return gone * (length / max(float(gone[-1]), 1e-9))


def _when(times: Array, gone: Array, marks: Array) -> Array:
    """When distances are gone; where the body stands, when it begins to go on."""
    moves = np.concatenate([[True], np.diff(gone) > 1e-9])
    when: Array = np.interp(marks, gone[moves], times[moves])
    when[0], when[-1] = times[0], times[-1]
    return when


def _smooth(way: Array, ahead: Array) -> Array:
    """A smooth way through places, that begins in the direction in which the body faces."""
    places = way[apart(way)]
    if len(places) < 2:
        return way
    first = places[1] - places[0]
    faces = float(ahead @ first) > 0.3 * float(np.linalg.norm(first))
    directions = np.full(len(places), np.nan)
    if faces:
        directions[0] = np.arctan2(*ahead)
    curve = spline_through(places, directions)
    return curve.at(np.linspace(0.0, curve.length, FINE)).ground


def _along(way: Array, gone: Array) -> Array:
    """Points at distances along a polyline; straight on behind its end."""
    sides = np.diff(way, axis=0)
    lengths = np.linalg.norm(sides, axis=1)
    marks = np.concatenate([[0.0], np.cumsum(lengths)])
    inside = np.stack([np.interp(gone, marks, axis) for axis in way.T], axis=1)
    ahead = sides[-1] / max(float(lengths[-1]), 1e-9)
    beyond = np.maximum(gone - marks[-1], 0.0)
    return inside + beyond[:, None] * ahead
