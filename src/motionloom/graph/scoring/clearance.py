"""What a walk through the graph pays for bodies in obstacles; where all obstacles are far away it
costs one look-up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.ndimage import maximum_filter

from motionloom.clips.clip_set import ClipSet
from motionloom.compiling import kernel, part
from motionloom.constraints import Box, Cylinder, HeightMap
from motionloom.constraints.depths import depth_in, ground_under, outside
from motionloom.constraints.kinds.avoid import compile_obstacles
from motionloom.constraints.obstacles import PRESS, Obstacles, body_points
from motionloom.typing import Array, Ints, Singles

#: A second in an obstacle costs ``((depth + INSIDE) / DEPTH_SCALE)^2``, depths in metres: thin
#: walls count, too.
DEPTH_SCALE, INSIDE = 0.05, 0.1
#: The search looks at a body this often, seconds.
EVERY = 0.1
#: Least cell of the grid of clearances, metres, and most cells along its longer side.
_CELL, _MOST_CELLS = 0.1, 192
#: Height of a map where there is none, metres.
_NOWHERE = -1e6


class Around(NamedTuple):
    """Obstacles, and bodies in every frame of the clips; N frames, B points of a body.

    `points` (N, B, 3) are z, x and height; `extent` (N, 4) is z and x of the hips, how far the
    farthest point is from them on the ground, and the height of the lowest. Cell (r, c) of `grid`
    (R, C, 2), `cell` large, the first with its corner at `origin`, says for hips in it how far the
    nearest solid is at least, and how high a map is at most wherever the body may reach. The search
    looks every `stride` frames, 0 without obstacles; a look stands for `share` seconds.
    """

    obstacles: Obstacles
    points: Singles
    extent: Singles
    grid: Singles
    origin: complex
    cell: float
    stride: int
    share: float


def compile_around(clips: ClipSet, avoid: Sequence[Cylinder | Box | HeightMap]) -> Around:
    """Obstacles and bodies as arrays; without obstacles they are empty.

    Parameters
    ----------
    clips : ClipSet
        Frames that a walk may show; their bodies are sampled by points.
    avoid : sequence of Cylinder, Box or HeightMap
        The obstacles.

    Returns
    -------
    Around
        With a grid of clearances whose cells measure at least 0.1 m.
    """
    obstacles = compile_obstacles(avoid)
    if not avoid:
        none = np.zeros((0, 1, 3), np.float32)
        return Around(obstacles, none, none[:, 0].copy(), none, 0j, 1.0, 0, 0.0)
    points = body_points(clips.skeleton, clips.roles, clips.positions)[..., [2, 0, 1]]
    hips = clips.body[:, [1, 0]]
    reach = np.linalg.norm(points[..., :2] - hips[:, None], axis=-1).max(axis=1)
    extent = np.column_stack([hips, reach, points[..., 2].min(axis=1)])
    grid, origin, cell = _clearance(obstacles, float(reach.max()))
    stride = max(round(EVERY * clips.fps), 1)
    return Around(
        obstacles,
        # In one order, with and without obstacles: the search is compiled once.
        np.ascontiguousarray(points, np.float32),
        np.ascontiguousarray(extent, np.float32),
        np.ascontiguousarray(grid, np.float32),
        origin,
        cell,
        stride,
        stride / clips.fps,
    )


def _clearance(obstacles: Obstacles, reach: float) -> tuple[Array, complex, float]:
    """Grid, origin and cell of `Around`; hips outside the grid are farther than `reach` from
    everything.
    """
    low, high = _bounds(obstacles)
    low = low - 1.01 * reach
    high = high + 1.01 * reach
    cell = max(_CELL, float((high - low).max()) / _MOST_CELLS)
    shape = np.ceil((high - low) / cell).astype(int) + 1
    z, x = (low[k] + cell * (np.arange(shape[k]) + 0.5) for k in (0, 1))
    half = cell / np.sqrt(2)
    middles = z[:, None] + 1j * x
    free = np.full(middles.shape, np.inf)
    for solid in obstacles.solids:
        free = np.minimum(free, _outside_all(solid, middles) - half)
    highest = np.full(middles.shape, _NOWHERE)
    for ground in obstacles.maps:
        highest = np.maximum(highest, _highest(obstacles, ground, low, cell, shape, reach))
    return np.stack([free, highest], axis=-1), complex(low[0], low[1]), cell


def _bounds(obstacles: Obstacles) -> tuple[Array, Array]:
    """Lowest and highest z and x of all obstacles."""
    solids = obstacles.solids
    maps = obstacles.maps
    around = np.hypot(solids["half_x"], solids["half_z"]) + solids["radius"]
    near = np.concatenate([solids["center"] - around * (1 + 1j), maps["origin"]])
    size = maps["cell"] * (maps["rows"] - 1 + 1j * (maps["columns"] - 1))
    far = np.concatenate([solids["center"] + around * (1 + 1j), maps["origin"] + size])
    return np.array([near.real.min(), near.imag.min()]), np.array([far.real.max(), far.imag.max()])


@kernel
def _outside_all(solid, places):  # pragma: no cover - compiled
    distances = np.empty(places.shape)
    for i in range(places.shape[0]):
        for j in range(places.shape[1]):
            distances[i, j] = outside(solid, places[i, j])
    return distances


def _highest(
    obstacles: Obstacles, ground: np.void, low: Array, cell: float, shape: Ints, reach: float
) -> Array:
    """How high a map is at most within `reach` of every cell of the grid."""
    rows = int(ground["rows"])
    columns = int(ground["columns"])
    top = obstacles.heights[int(ground["offset"]) :][: rows * columns].reshape(rows, columns)
    for axis, count in enumerate((rows, columns)):
        first = ground["origin"].real if axis == 0 else ground["origin"].imag
        own = (first + ground["cell"] * np.arange(count) - low[axis]) / cell
        top = _most_in_cells(top, own, int(shape[axis]), axis)
    away = int(np.ceil(reach / cell)) + 1
    return maximum_filter(top, size=2 * away + 1, mode="constant", cval=_NOWHERE)


def _most_in_cells(values: Array, places: Array, count: int, axis: int) -> Array:
    """Largest value in cells ``c <= place <= c + 1`` along an axis, of values that are linear
    between their places.
    """
    values = np.moveaxis(values, axis, 0)
    lines = np.arange(count + 1, dtype=float)
    between = np.clip(np.searchsorted(places, lines) - 1, 0, len(places) - 2)
    share = ((lines - places[between]) / np.diff(places)[between])[:, None]
    ends = (1 - share) * values[between] + share * values[between + 1]
    ends[(lines < places[0]) | (lines > places[-1])] = _NOWHERE
    most = np.maximum(ends[:-1], ends[1:])
    np.maximum.at(most, places.astype(int), values)
    return np.moveaxis(most, 0, axis)


@part
def around_penalty(around, n, a, length, turn, shift):  # pragma: no cover - compiled
    """Penalty of showing frames ``a <= i < a + length`` from frame n of the motion on, laid down by
    turn and shift.
    """
    grid = around.grid
    extent = around.extent
    rows = grid.shape[0]
    columns = grid.shape[1]
    penalty = 0.0
    for t in range(n + (-n) % around.stride, n + length, around.stride):
        frame = a + t - n
        hips = turn * complex(extent[frame, 0], extent[frame, 1]) + shift
        away = (hips - around.origin) / around.cell
        if 0.0 <= away.real < rows and 0.0 <= away.imag < columns:
            r = int(away.real)
            c = int(away.imag)
            if grid[r, c, 0] < extent[frame, 2]:
                penalty += _solid_penalty(
                    around.obstacles.solids,
                    around.points[frame],
                    extent[frame, 2],
                    hips,
                    turn,
                    shift,
                )
            if grid[r, c, 1] - PRESS > extent[frame, 3]:
                penalty += _map_penalty(
                    around.obstacles, around.points[frame], grid[r, c, 1] - PRESS, turn, shift
                )
    return penalty * around.share


@part
def _rate(deepest):  # pragma: no cover - compiled
    """What a second at a depth costs."""
    return ((deepest + INSIDE) / DEPTH_SCALE) ** 2 if deepest > 0.0 else 0.0


@part
def _solid_penalty(solids, points, reach, hips, turn, shift):  # pragma: no cover - compiled
    """Penalty of the deepest point in each solid that a body reaches."""
    penalty = 0.0
    for q in range(len(solids)):
        if outside(solids[q], hips) < reach:
            deepest = 0.0
            for b in range(len(points)):
                place = turn * complex(points[b, 0], points[b, 1]) + shift
                deepest = max(deepest, depth_in(solids[q], place, points[b, 2]))
            penalty += solids[q].weight * _rate(deepest)
    return penalty


@part
def _map_penalty(obstacles, points, highest, turn, shift):  # pragma: no cover - compiled
    """Penalty of the point that is deepest under each map; points above `highest` are not looked
    at.
    """
    penalty = 0.0
    for m in range(len(obstacles.maps)):
        deepest = 0.0
        for b in range(len(points)):
            if points[b, 2] < highest:
                place = turn * complex(points[b, 0], points[b, 1]) + shift
                rise = (
                    ground_under(obstacles.maps[m], obstacles.heights, place) - points[b, 2] - PRESS
                )
                deepest = max(deepest, rise)
        penalty += obstacles.maps[m].weight * _rate(deepest)
    return penalty
