"""Shapes that a constraint file asks for besides targets: obstacles, height maps and paths."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from motionloom.constraints import Box, ConstraintSet, Cylinder, HeightMap
from motionloom.constraints.ways import follow
from motionloom.view.solids import Mesh

Array = NDArray[np.float64]
Solid = Cylinder | Box

#: Corners of a cylinder, and most heights of a map that are drawn along each side.
_CORNERS, _MOST_HEIGHTS = 40, 60


def solids_of(targets: ConstraintSet | None) -> list[Solid]:
    """Cylinders and boxes that the body keeps out of."""
    return [] if targets is None else [o for o in targets.avoid if not isinstance(o, HeightMap)]


def maps_of(targets: ConstraintSet | None) -> list[HeightMap]:
    """Height maps that the body stays above."""
    return [] if targets is None else [o for o in targets.avoid if isinstance(o, HeightMap)]


def outline(solid: Solid) -> Array:
    """Corners (K, 2) of a solid from above, x and z, metres, anticlockwise with +Z up, +X right."""
    if isinstance(solid, Cylinder):
        angles = np.linspace(0, 2 * np.pi, _CORNERS, endpoint=False)
        return np.array(solid.center) + solid.radius * np.column_stack(
            [np.cos(angles), np.sin(angles)]
        )
    c = np.cos(np.radians(solid.angle))
    s = np.sin(np.radians(solid.angle))
    x, z = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]).T * np.array(solid.size)[:, None] / 2
    corners: Array = np.array(solid.center) + np.column_stack([c * x + s * z, c * z - s * x])
    return corners


def heights_of(solid: Solid, tallest: float) -> tuple[float, float]:
    """Bottom and top of a solid as drawn: from the ground, up to `tallest` if it has no end."""
    bottom = 0.0 if solid.bottom is None else solid.bottom
    return bottom, max(tallest, bottom + 0.1) if solid.top is None else solid.top


def prism(corners: Array, bottom: float, top: float) -> Mesh:
    """Upright solid with a convex outline (K, 2), with flat sides, lid and floor."""
    k = len(corners)
    vertices = np.concatenate([np.insert(corners, 1, height, axis=1) for height in (bottom, top)])
    i = np.arange(k)
    j = (i + 1) % k
    sides = np.concatenate([np.column_stack([i, i + k, j]), np.column_stack([j, i + k, j + k])])
    fan = np.column_stack([np.zeros(k - 2, int), i[1:-1], i[2:]])
    return vertices, np.concatenate([sides, fan, fan[:, ::-1] + k])


def height_grid(ground: HeightMap) -> Array:
    """World points of a height map, at most 60 along each side, shape (R, C, 3), metres."""
    heights = np.array(ground.heights, float)
    rows, columns = (
        np.unique(np.linspace(0, n - 1, min(n, _MOST_HEIGHTS)).round().astype(int))
        for n in heights.shape
    )
    z, x = np.meshgrid(
        ground.origin[1] + rows * ground.cell,
        ground.origin[0] + columns * ground.cell,
        indexing="ij",
    )
    return np.stack([x, heights[np.ix_(rows, columns)], z], axis=-1)


def height_mesh(ground: HeightMap) -> Mesh:
    """Triangles of a height map, seen from above."""
    grid = height_grid(ground)
    rows, columns = grid.shape[:2]
    i, j = np.meshgrid(np.arange(rows - 1), np.arange(columns - 1), indexing="ij")
    a = (i * columns + j).ravel()
    b = a + 1
    c = a + columns
    d = a + columns + 1
    return grid.reshape(-1, 3), np.concatenate(
        [np.column_stack([a, c, b]), np.column_stack([b, c, d])]
    )


def ways_of(targets: ConstraintSet | None) -> list[tuple[Array, Sequence[tuple[float, float]]]]:
    """Ways that the body is to follow: places (T, 2) by frame, and the points that give them."""
    return [] if targets is None else [(follow(p, targets).places, p.points) for p in targets.paths]


def lid_middles(targets: ConstraintSet | None, tallest: float) -> Array:
    """Middle of the lid of every solid as it is drawn, shape (K, 3), metres."""
    lids = [(s.center[0], heights_of(s, tallest)[1], s.center[1]) for s in solids_of(targets)]
    return np.array(lids, float).reshape(-1, 3)


def ground_marks(targets: ConstraintSet | None) -> Array:
    """Places on the ground that a picture of the targets must show, x and z, shape (K, 2), metres.

    Of obstacles only the middle, of height maps nothing: they may be far larger than the motion.
    """
    if targets is None:
        return np.zeros((0, 2))
    marks = [b.position for b in targets.body]
    marks += [(j.position[0], j.position[2]) for j in targets.joints if j.position is not None]
    marks += [point for path in targets.paths for point in path.points]
    marks += [s.center for s in solids_of(targets)]
    return np.array(marks, float).reshape(-1, 2)
