"""Shapes of a compiled model as spheres whose hull they are."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from motionloom.typing import Array

#: Points on the rim of a cylinder.
_RIM = 12
#: Directions in which the farthest points of a mesh are taken.
_DIRECTIONS = np.array([d for d in product((-1.0, 0.0, 1.0), repeat=3) if any(d)])


def hull_of(model: Any, geom: int) -> tuple[Array, float] | None:
    """Spheres whose hull is a simple geom; inside it for an ellipsoid.

    Parameters
    ----------
    model : mujoco.MjModel
        The model.
    geom : int
        Number of the geom.

    Returns
    -------
    centers : array of shape (B, 3), metres
        In the geom's frame.
    radius : float, metres
        Of all of them.

    None for meshes and other kinds.
    """
    from mujoco import mjtGeom

    kind = mjtGeom(model.geom_type[geom])
    size = np.array(model.geom_size[geom])
    if kind == mjtGeom.mjGEOM_SPHERE:
        return np.zeros((1, 3)), float(size[0])
    if kind == mjtGeom.mjGEOM_CAPSULE:
        return np.array([[0, 0, size[1]], [0, 0, -size[1]]]), float(size[0])
    if kind == mjtGeom.mjGEOM_BOX:
        return np.array(list(product((-1.0, 1.0), repeat=3))) * size, 0.0
    if kind == mjtGeom.mjGEOM_CYLINDER:
        angles = np.arange(_RIM) * (2 * np.pi / _RIM)
        rim = size[0] * np.column_stack([np.cos(angles), np.sin(angles)])
        ends = np.repeat([-size[1], size[1]], _RIM)
        return np.column_stack([np.tile(rim, (2, 1)), ends]), 0.0
    if kind == mjtGeom.mjGEOM_ELLIPSOID:
        return np.vstack([np.diag(size), -np.diag(size)]), 0.0
    return None


def points_of(model: Any, geom: int) -> Array | None:
    """Points of a mesh that are farthest in one of 26 directions.

    Parameters
    ----------
    model : mujoco.MjModel
        The model.
    geom : int
        Number of the geom.

    Returns
    -------
    array of shape (B, 3), metres, or None
        In the geom's frame; None for meshes that touch nothing, and for simple geoms.
    """
    mesh = model.geom_dataid[geom]
    if mesh < 0 or not model.geom_contype[geom] | model.geom_conaffinity[geom]:
        return None
    first = model.mesh_vertadr[mesh]
    points = np.array(model.mesh_vert[first : first + model.mesh_vertnum[mesh]], float)
    farthest: Array = points[np.unique(np.argmax(points @ _DIRECTIONS.T, axis=0))]
    return farthest
