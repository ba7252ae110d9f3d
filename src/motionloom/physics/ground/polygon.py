"""Convex polygons on the ground over time, and how far points lie within them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


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
    counts: NDArray[np.int64]

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
        from motionloom.physics.ground.polygon_kernels import distances

        inside = np.empty(len(points))
        distances(self.vertices, self.counts, np.array(points, float, order="C"), inside)
        return inside


def support_polygons(places: Array, down: NDArray[np.bool_]) -> SupportPolygons:
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
    from motionloom.physics.ground.polygon_kernels import hulls

    flat = np.array(places[:, :, [0, 2]], order="C")
    vertices = np.zeros_like(flat)
    counts = np.zeros(len(flat), int)
    hulls(flat, np.array(down, order="C"), vertices, counts)
    return SupportPolygons(vertices, counts)
