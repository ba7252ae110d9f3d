"""Ways on the ground that go around what stands there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np
import scipy

from motionloom.constraints.kinds.avoid import Box, Cylinder, HeightMap
from motionloom.polygons import convex_hull, distance_outside
from motionloom.typing import Array

#: A body keeps its middle so far from what stands there, metres.
CLEAR = 0.5
#: What hangs higher, or is lower, than this is no obstacle, metres.
HEAD, STEP = 1.9, 0.05
#: Corners of a rounded outline.
CORNERS = 16
#: Outlines are this much smaller where a way is tested, so that it may follow them, metres.
TOUCH = 0.02
#: Ways around something are told in steps of this length, metres.
FINE = 0.6


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
    is_high = one.bottom is not None and one.bottom > HEAD
    is_low = one.top is not None and one.top < STEP
    return not (is_high or is_low)


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
    found: Array = nodes[path[::-1]]
    return found


def _room(outline: Array, *places: Array) -> float:
    """How far from an outline the nearest of some places is, metres; a little less."""
    return max(float(distance_outside(outline, np.array(places)).min()) - TOUCH, TOUCH)


def _grown(outline: Array, by: float) -> Array:
    """A convex outline with everything that is nearer to it than so far, as a polygon."""
    angles = np.linspace(0, 2 * np.pi, CORNERS, endpoint=False)
    around = by * np.column_stack([np.cos(angles), np.sin(angles)])
    points = (outline[:, None] + around).reshape(-1, 2)
    return convex_hull(points)


def _crosses(start: Array, end: Array, hull: Array) -> bool:
    """Whether a straight way goes through the inside of a convex polygon."""
    sides = np.roll(hull, -1, axis=0) - hull
    normals = np.column_stack([sides[:, 1], -sides[:, 0]])
    inward = np.sign(np.sum(normals * (hull.mean(axis=0) - hull), axis=1))[:, None] * normals
    at = np.sum(inward * (start - hull), axis=1)
    rate = inward @ (end - start)
    first, last = 0.0, 1.0
    for offset, slope in zip(at, rate, strict=True):
        if abs(slope) < 1e-12:
            if offset <= 0:
                return False
            continue
        bound = -offset / slope
        first, last = (max(first, bound), last) if slope > 0 else (first, min(last, bound))
    return last - first > 1e-6


def _divided(leg: Array) -> Array:
    """A polyline with points so near each other that a smooth curve follows it."""
    places = [leg[0]]
    for start, end in pairwise(leg):
        count = max(int(np.ceil(np.linalg.norm(end - start) / FINE)), 1)
        places += [start + (end - start) * k / count for k in range(1, count + 1)]
    return np.array(places)
