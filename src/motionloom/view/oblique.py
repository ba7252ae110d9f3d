"""Solids, surfaces and lines in the oblique view of the contact sheet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from motionloom.constraints.kinds.avoid import Solid
from motionloom.constraints.kinds.ground import Uneven
from motionloom.constraints.kinds.marks import Line, Mark
from motionloom.typing import Array
from motionloom.view.ink import EARTH_INK, OBSTACLE_INK, WAY_INK
from motionloom.view.surroundings import heights_of, of_type, prism, solids_of, surfaces_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: World points (..., 3) to the picture plane (..., 2).
Projection = Callable[[Array], Array]


def draw_surroundings(
    axes: Axes, project: Projection, marks: Sequence[Mark], tallest: float
) -> None:
    """Draw surfaces, solids and ways behind the poses.

    Parameters
    ----------
    axes : matplotlib axes
        The oblique view.
    project : callable
        From world points (..., 3), metres, to the picture plane (..., 2).
    marks : sequence of Mark
        Others than surfaces, solids and lines are passed over.
    tallest : float, metres
        Where obstacles without a top end.
    """
    for surface in surfaces_of(marks):
        _draw_surface(axes, project, surface)
    for solid in solids_of(marks):
        _draw_solid(axes, project, solid, tallest)
    for line in of_type(marks, Line):
        way = np.insert(line.places, 1, 0.0, axis=1)
        axes.plot(*project(way).T, color=WAY_INK, lw=1.4, ls=(0, (5, 2)), zorder=1.2)


def _draw_surface(axes: Axes, project: Projection, surface: Uneven) -> None:
    """A surface as a net of lines along x and z."""
    from matplotlib.collections import LineCollection

    flat = project(surface.grid)
    lines = [*flat, *flat.swapaxes(0, 1)]
    axes.add_collection(LineCollection(lines, colors=EARTH_INK, linewidths=0.9, zorder=0.4))


def _draw_solid(axes: Axes, project: Projection, solid: Solid, tallest: float) -> None:
    """A see-through solid: edges of floor and lid, and its upright edges where it has few."""
    from matplotlib.collections import LineCollection, PolyCollection

    bottom, top = heights_of(solid, tallest)
    vertices, faces = prism(solid.outline, bottom, top)
    flat = project(vertices)
    k = len(solid.outline)
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
