"""Obstacles as arrays, how deep points of a body are in them, and the compiled penalty of a piece that goes through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from motionloom.constraints import Box, Cylinder, HeightMap
from motionloom.graph.clips import ClipSet
from motionloom.skeleton import Skeleton

#: Bones longer than this are also watched at their middle, metres.
LONG_BONE = 0.25
#: Depth that costs 1 for every second, metres.
DEPTH_SCALE = 0.05
#: The search looks at a body this often, seconds.
EVERY = 0.1
#: Feet may press this far into a height map before it counts, metres: soles are soft and captures are not exact.
PRESS = 0.02


class Obstacles(NamedTuple):
    """Solids and height maps as arrays; ground positions are complex, ``z + i x``.

    Solid q is a box of half sizes ``half[q]`` (along x, along z) about `center`, turned by `turn` and rounded by
    `radius`, between `bottom` and `top`. Map m has ``shape[m]`` heights from ``heights[offset[m]]`` on, `cell` apart,
    the first at `origin`.
    """

    center: NDArray[np.complex128]
    turn: NDArray[np.complex128]
    half: NDArray[np.float64]
    radius: NDArray[np.float64]
    bottom: NDArray[np.float64]
    top: NDArray[np.float64]
    weight: NDArray[np.float64]
    heights: NDArray[np.float64]
    shape: NDArray[np.int64]
    offset: NDArray[np.int64]
    origin: NDArray[np.complex128]
    cell: NDArray[np.float64]
    map_weight: NDArray[np.float64]


class Bodies(NamedTuple):
    """Points of the body in every frame of the clips: `place` (N, B) complex and `height` (N, B), metres; how far the
    farthest is from the hips on the ground, `reach` (N,); and how many frames apart the search looks, `stride`, and
    what each look costs, `share`.
    """

    place: NDArray[np.complex64]
    height: NDArray[np.float32]
    reach: NDArray[np.float32]
    stride: int
    share: float


def compile_obstacles(avoid: Sequence[Cylinder | Box | HeightMap]) -> Obstacles:
    """Obstacles as arrays."""
    solids = [o for o in avoid if not isinstance(o, HeightMap)]
    maps = [o for o in avoid if isinstance(o, HeightMap)]
    grids = [np.array(m.heights, float) for m in maps]
    sizes = [o.size if isinstance(o, Box) else (0.0, 0.0) for o in solids]
    return Obstacles(
        center=np.array([complex(o.center[1], o.center[0]) for o in solids], complex),
        turn=np.exp(1j * np.radians([o.angle if isinstance(o, Box) else 0.0 for o in solids])),
        half=np.array(sizes, float).reshape(-1, 2) / 2,
        radius=np.array([o.radius if isinstance(o, Cylinder) else 0.0 for o in solids], float),
        bottom=np.array([-np.inf if o.bottom is None else o.bottom for o in solids], float),
        top=np.array([np.inf if o.top is None else o.top for o in solids], float),
        weight=np.array([o.weight for o in solids], float),
        heights=np.concatenate([np.zeros(0), *(g.ravel() for g in grids)]),
        shape=np.array([g.shape for g in grids], np.int64).reshape(-1, 2),
        offset=np.cumsum([0, *(g.size for g in grids)])[:-1],
        origin=np.array([complex(m.origin[1], m.origin[0]) for m in maps], complex),
        cell=np.array([m.cell for m in maps], float),
        map_weight=np.array([m.weight for m in maps], float),
    )


def watched_bones(skeleton: Skeleton, positions: NDArray[np.float64]) -> NDArray[np.int64]:
    """Joints whose bone to the parent is long, shape (L,); `positions` is (J, 3), one pose."""
    lengths = np.linalg.norm(positions - positions[np.maximum(skeleton.parents, 0)], axis=-1)
    return np.flatnonzero((lengths > LONG_BONE) & (skeleton.parents > 0))


def body_points(skeleton: Skeleton, positions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points that stand for a body: its joints and the middles of long bones, shape (T, B, 3), metres."""
    if len(positions) == 0:
        return positions
    long = watched_bones(skeleton, positions[0])
    middles = 0.5 * (positions[:, long] + positions[:, skeleton.parents[long]])
    return np.concatenate([positions, middles], axis=1)


def compile_bodies(clips: ClipSet, wanted: bool) -> Bodies:
    """Points of the body in every frame of the clips; none when nothing is `wanted` of them."""
    if not wanted:
        empty = np.zeros((0, 0))
        return Bodies(empty.astype(np.complex64), empty.astype(np.float32), np.zeros(0, np.float32), 1, 0.0)
    points = body_points(clips.skeleton, clips.positions)
    place = (points[..., 2] + 1j * points[..., 0]).astype(np.complex64)
    hips = clips.body[:, 1] + 1j * clips.body[:, 0]
    stride = max(round(EVERY * clips.fps), 1)
    return Bodies(
        place,
        points[..., 1].astype(np.float32),
        np.abs(place - hips[:, None]).max(axis=1).astype(np.float32),
        stride,
        stride / clips.fps,
    )


@njit(cache=True)
def _outside(obstacles, q, place):  # pragma: no cover - compiled
    """Distance on the ground from a solid's side, negative inside."""
    away = (place - obstacles.center[q]) * obstacles.turn[q].conjugate()
    dx, dz = abs(away.imag) - obstacles.half[q, 0], abs(away.real) - obstacles.half[q, 1]
    beyond = np.hypot(max(dx, 0.0), max(dz, 0.0))
    return beyond + min(max(dx, dz), 0.0) - obstacles.radius[q]


@njit(cache=True)
def _ground(obstacles, m, place):  # pragma: no cover - compiled
    """Height of a map under a place (bilinear); far below outside the map."""
    away = (place - obstacles.origin[m]) / obstacles.cell[m]
    rows, columns = obstacles.shape[m]
    r, c = away.real, away.imag
    if not (0.0 <= r <= rows - 1 and 0.0 <= c <= columns - 1):
        return -np.inf
    i, j = min(int(r), rows - 2), min(int(c), columns - 2)
    u, v = r - i, c - j
    k = obstacles.offset[m] + i * columns + j
    near = obstacles.heights[k] * (1 - v) + obstacles.heights[k + 1] * v
    far = obstacles.heights[k + columns] * (1 - v) + obstacles.heights[k + columns + 1] * v
    return near * (1 - u) + far * u


@njit(cache=True)
def _depth(obstacles, q, place, height):  # pragma: no cover - compiled
    """How deep a point is in solid q, the shortest way out; 0 outside."""
    depth = -_outside(obstacles, q, place)
    if depth <= 0.0:
        return 0.0
    return max(min(depth, height - obstacles.bottom[q], obstacles.top[q] - height), 0.0)


@njit(cache=True)
def obstacle_penalty(obstacles, bodies, hips, frame, turn, shift):  # pragma: no cover - compiled
    """Penalty of one look at a body laid down by ``turn * place + shift``; `hips` is its place already laid down."""
    penalty, reach = 0.0, bodies.reach[frame]
    points = bodies.place.shape[1]
    for q in range(len(obstacles.center)):
        if _outside(obstacles, q, hips) > reach:
            continue
        deepest = 0.0
        for b in range(points):
            place = turn * bodies.place[frame, b] + shift
            deepest = max(deepest, _depth(obstacles, q, place, bodies.height[frame, b]))
        penalty += obstacles.weight[q] * (deepest / DEPTH_SCALE) ** 2
    for m in range(len(obstacles.origin)):
        deepest = 0.0
        for b in range(points):
            place = turn * bodies.place[frame, b] + shift
            deepest = max(deepest, _ground(obstacles, m, place) - bodies.height[frame, b] - PRESS)
        penalty += obstacles.map_weight[m] * (deepest / DEPTH_SCALE) ** 2
    return penalty * bodies.share


@njit(cache=True)
def _depths(obstacles, place, height, press):  # pragma: no cover - compiled
    """Deepest point of every frame in every obstacle, shape (T, Q + M)."""
    solids, maps = len(obstacles.center), len(obstacles.origin)
    deepest = np.zeros((len(place), solids + maps))
    for t in range(len(place)):
        for b in range(place.shape[1]):
            for q in range(solids):
                deepest[t, q] = max(deepest[t, q], _depth(obstacles, q, place[t, b], height[t, b]))
            for m in range(maps):
                rise = _ground(obstacles, m, place[t, b]) - height[t, b] - press
                deepest[t, solids + m] = max(deepest[t, solids + m], rise)
    return deepest


def measure_depths(
    avoid: Sequence[Cylinder | Box | HeightMap], skeleton: Skeleton, positions: NDArray[np.float64]
) -> NDArray[np.float64]:
    """How deep a body is in every obstacle in every frame.

    Parameters
    ----------
    avoid : sequence of Cylinder, Box or HeightMap
    skeleton : Skeleton
    positions : array of shape (T, J, 3), metres

    Returns
    -------
    array of shape (T, len(avoid)), metres
        Of the deepest joint or middle of a long bone, 0 where none is inside; of a height map what is more than a
        small press of the sole.
    """
    points = body_points(skeleton, np.asarray(positions, float))
    place = points[..., 2] + 1j * points[..., 0]
    found = _depths(compile_obstacles(avoid), place, np.ascontiguousarray(points[..., 1]), PRESS)
    solids = [i for i, o in enumerate(avoid) if not isinstance(o, HeightMap)]
    maps = [i for i, o in enumerate(avoid) if isinstance(o, HeightMap)]
    ordered = np.empty_like(found)
    ordered[:, solids + maps] = found
    return ordered
