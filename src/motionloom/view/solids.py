"""Small meshes that the page draws many times: a bone, a ball, a disc."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Mesh = tuple[Array, NDArray[np.int64]]


def turned_solid(profile: Array, sides: int = 10) -> Mesh:
    """Turn a profile about the y axis.

    Parameters
    ----------
    profile : array of shape (K, 2)
        Radius and height of each ring, from bottom to top; the first and last radius are 0.
    sides : int
        Corners of each ring.

    Returns
    -------
    vertices : array of shape (K * sides, 3)
    faces : int array of shape (F, 3)
        Anticlockwise seen from outside.
    """
    angles = np.arange(sides) * 2 * np.pi / sides
    ring = np.column_stack([np.cos(angles), np.zeros(sides), np.sin(angles)])
    vertices = np.concatenate([radius * ring + [0, height, 0] for radius, height in profile])
    k, i = np.meshgrid(np.arange(len(profile) - 1), np.arange(sides), indexing="ij")
    a = k * sides + i
    b = k * sides + (i + 1) % sides
    lower = np.stack([a, b + sides, b], -1)
    upper = np.stack([a, a + sides, b + sides], -1)
    return vertices, np.concatenate([lower.reshape(-1, 3), upper.reshape(-1, 3)])


def bone() -> Mesh:
    """A bone of length and radius 1 from the origin along +y, thickest near its start."""
    return turned_solid(np.array([[0, 0], [0.75, 0.0], [1, 0.12], [0.6, 1.0], [0, 1.0]], float))


def ball() -> Mesh:
    """A ball of radius 1."""
    angles = np.linspace(-np.pi / 2, np.pi / 2, 8)
    return turned_solid(np.column_stack([np.cos(angles), np.sin(angles)]), sides=12)


def disc() -> Mesh:
    """A flat disc of radius 1 on the ground."""
    return turned_solid(np.array([[0, 0], [1, 0], [0.9, 0.06], [0, 0.06]], float), sides=20)
