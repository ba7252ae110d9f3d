"""Obstacles, height maps and ways in the oblique view of the contact sheet."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from motionloom.constraints import ConstraintSet, HeightMap
from motionloom.view.ink import EARTH_INK, OBSTACLE_INK, WAY_INK
from motionloom.view.surroundings import (
    Solid,
    height_grid,
    heights_of,
    maps_of,
    outline,
    prism,
    solids_of,
    ways_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]
#: World points (..., 3) to the picture plane (..., 2).
Projection = Callable[[Array], Array]


def draw_surroundings(
    axes: Axes, project: Projection, targets: ConstraintSet | None, tallest: float
) -> None:
    """Draw them behind the poses; obstacles without a top end at `tallest`, metres."""
    for ground in maps_of(targets):
        _draw_ground(axes, project, ground)
    for solid in solids_of(targets):
        _draw_solid(axes, project, solid, tallest)
    for places, _ in ways_of(targets):
        way = np.insert(places, 1, 0.0, axis=1)
        axes.plot(*project(way).T, color=WAY_INK, lw=1.4, ls=(0, (5, 2)), zorder=1.2)


def _draw_ground(axes: Axes, project: Projection, ground: HeightMap) -> None:
    """A height map as a net of lines along x and z."""
    from matplotlib.collections import LineCollection

    flat = project(height_grid(ground))
    lines = [*flat, *flat.swapaxes(0, 1)]
    axes.add_collection(LineCollection(lines, colors=EARTH_INK, linewidths=0.9, zorder=0.4))


def _draw_solid(axes: Axes, project: Projection, solid: Solid, tallest: float) -> None:
    """A see-through solid: edges of floor and lid, and its upright edges where it has few."""
    from matplotlib.collections import LineCollection, PolyCollection

    bottom, top = heights_of(solid, tallest)
    corners = outline(solid)
    vertices, faces = prism(corners, bottom, top)
    flat = project(vertices)
    k = len(corners)
    seen = flat[faces]
    # Only what looks at the viewer, so that every spot is painted once for the sides and the lid
    # together.
    a = seen[:, 1] - seen[:, 0]
    b = seen[:, 2] - seen[:, 0]
    near = seen[a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] > 0]
    axes.add_collection(
        PolyCollection(list(near), facecolors=OBSTACLE_INK, alpha=0.18, linewidths=0, zorder=0.6)
    )
    rings = [np.concatenate([r, r[:1]]) for r in (flat[:k], flat[k:])]
    upright = [flat[[i, i + k]] for i in range(k)] if k <= 8 else []
    axes.add_collection(
        LineCollection([*rings, *upright], colors=OBSTACLE_INK, linewidths=1.0, zorder=0.7)
    )
