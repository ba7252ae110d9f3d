"""Meshes and extents of marks: what pictures show of constraints, ready for drawing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from motionloom.constraints.kinds.avoid import Solid
from motionloom.constraints.kinds.ground import Uneven
from motionloom.constraints.kinds.marks import Line, Mark, Point
from motionloom.typing import Array, Ints

Mesh = tuple[Array, Ints]
M = TypeVar("M", bound=Mark)


def of_type(marks: Sequence[Mark], wanted: type[M]) -> list[M]:
    """The marks of one type.

    Parameters
    ----------
    marks : sequence of Mark
        Of any types.
    wanted : type
        The type of those that are kept.

    Returns
    -------
    list of Mark
        In their order.
    """
    return [mark for mark in marks if isinstance(mark, wanted)]


def solids_of(marks: Sequence[Mark]) -> list[Solid]:
    """The solids among marks, in their order."""
    return [mark for mark in marks if isinstance(mark, Solid)]


def surfaces_of(marks: Sequence[Mark]) -> list[Uneven]:
    """Height maps, slopes and stairs among marks, in their order."""
    return [mark for mark in marks if isinstance(mark, Uneven)]


def heights_of(solid: Solid, tallest: float) -> tuple[float, float]:
    """Bottom and top of a solid as it is drawn; without a bottom it stands on the ground.

    Parameters
    ----------
    solid : Solid
        The solid.
    tallest : float, metres
        Top of one without a top, but never less than 0.1 m above its bottom.

    Returns
    -------
    bottom, top : float, metres
    """
    bottom = 0.0 if solid.bottom is None else solid.bottom
    return bottom, max(tallest, bottom + 0.1) if solid.top is None else solid.top


def prism(corners: Array, bottom: float, top: float) -> Mesh:
    """Upright solid with a convex outline: flat sides, lid and floor.

    Parameters
    ----------
    corners : array of shape (K, 2), metres
        x and z of the outline, in the order of `Solid.outline`.
    bottom, top : float, metres
        Heights of floor and lid.

    Returns
    -------
    vertices : array of shape (2 K, 3), metres
        Those of the floor, then those of the lid.
    faces : int array of shape (F, 3)
        Corners of the triangles.
    """
    k = len(corners)
    vertices = np.concatenate([np.insert(corners, 1, height, axis=1) for height in (bottom, top)])
    i = np.arange(k)
    j = (i + 1) % k
    sides = np.concatenate([np.column_stack([i, i + k, j]), np.column_stack([j, i + k, j + k])])
    fan = np.column_stack([np.zeros(k - 2, int), i[1:-1], i[2:]])
    return vertices, np.concatenate([sides, fan, fan[:, ::-1] + k])


def lid_middles(marks: Sequence[Mark], tallest: float) -> Array:
    """Middle of the lid of every solid as it is drawn.

    Parameters
    ----------
    marks : sequence of Mark
        Others than solids are passed over.
    tallest : float, metres
        Where solids without a top end.

    Returns
    -------
    array of shape (K, 3), metres
    """
    solids = solids_of(marks)
    lids = [(s.center[0], heights_of(s, tallest)[1], s.center[1]) for s in solids]
    return np.array(lids, float).reshape(-1, 3)


def ground_marks(marks: Sequence[Mark]) -> Array:
    """Places on the ground that a picture must show, x and z, shape (K, 2), metres.

    Of solids only the middle, of surfaces nothing: they may be far larger than the motion.
    """
    seen = [p.ground for p in of_type(marks, Point) if p.ground is not None]
    seen += [knot for line in of_type(marks, Line) for knot in line.knots]
    seen += [solid.center for solid in solids_of(marks)]
    return np.array(seen, float).reshape(-1, 2)
