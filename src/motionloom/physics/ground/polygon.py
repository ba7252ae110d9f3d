"""Convex polygons on the ground over time, and how far points lie within them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.polygons import convex_hull, distance_outside
from motionloom.typing import Array, Bools, Ints


@dataclass(frozen=True, eq=False)
class SupportPolygons:
    """What feet stand on, frame by frame.

    Parameters
    ----------
    vertices : array of shape (T, C, 2), metres
        Corners x and z of the hull, in order; the last one repeated where there are fewer than C.
    counts : int array of shape (T,)
        How many there are; 0 in flight.
    """

    vertices: Array
    counts: Ints

    def distance(self, points: Array) -> Array:
        """How far points lie within the polygons; negative outside, NaN in flight.

        Parameters
        ----------
        points : array of shape (T, 2), metres
            On the ground, x and z.

        Returns
        -------
        array of shape (T,), metres
            To the nearest edge.
        """
        return np.where(self.counts > 0, -distance_outside(self.vertices, points), np.nan)


def support_polygons(places: Array, down: Bools) -> SupportPolygons:
    """Hulls of the corners that bear weight.

    Parameters
    ----------
    places : array of shape (T, C, 3), metres
        Corners in the world.
    down : bool array of shape (T, C)
        Whether each bears weight.

    Returns
    -------
    SupportPolygons
    """
    flat = places[:, :, [0, 2]]
    vertices = np.zeros_like(flat)
    counts = np.zeros(len(flat), int)
    for t in np.flatnonzero(down.any(axis=1)):
        hull = convex_hull(flat[t, down[t]])
        counts[t] = len(hull)
        vertices[t] = hull[np.minimum(np.arange(len(down[t])), len(hull) - 1)]
    return SupportPolygons(vertices, counts)
