"""Solids, surfaces and lines as objects of a viser scene."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from motionloom.constraints.kinds.marks import Line, Mark
from motionloom.view.figure import EARTH_COLOR, OBSTACLE_COLOR, WAY_COLOR
from motionloom.view.surroundings import (
    height_mesh,
    heights_of,
    of_type,
    prism,
    solids_of,
    surfaces_of,
)

if TYPE_CHECKING:
    from viser import SceneApi

Array = NDArray[np.float64]
#: How far ways are drawn above level ground, and height maps half as far, so that it does not hide
#: them, metres.
_LIFT = 0.006


def add_surroundings(
    scene: SceneApi, name: str, marks: Sequence[Mark], height: float, shift: Array
) -> None:
    """Draw what the body keeps out of and follows.

    Parameters
    ----------
    scene : viser.SceneApi
        Where the nodes are added.
    name : str
        Of the scene nodes' parent; unique.
    marks : sequence of Mark
        Others than solids, surfaces and lines are passed over.
    height : float, metres
        Of the figure; obstacles without a top end a little above it.
    shift : array of shape (3,), metres
        Where the figure's world lies in the scene.
    """
    for i, solid in enumerate(solids_of(marks)):
        vertices, faces = prism(solid.outline, *heights_of(solid, 1.1 * height))
        scene.add_mesh_simple(
            f"{name}/solid{i}",
            vertices.astype(np.float32),
            faces,
            color=OBSTACLE_COLOR,
            opacity=0.55,
            flat_shading=True,
            position=shift,
        )
    for i, surface in enumerate(surfaces_of(marks)):
        vertices, faces = height_mesh(surface)
        scene.add_mesh_simple(
            f"{name}/ground{i}",
            vertices.astype(np.float32),
            faces,
            color=EARTH_COLOR,
            flat_shading=True,
            side="double",
            cast_shadow=False,
            position=shift + np.array([0.0, _LIFT / 2, 0.0]),
        )
    for i, line in enumerate(of_type(marks, Line)):
        way = np.insert(line.places, 1, _LIFT, axis=1) + shift
        if len(way) > 1:
            steps = np.stack([way[:-1], way[1:]], axis=1)
            scene.add_line_segments(f"{name}/way{i}", steps, WAY_COLOR, thickness=0.008 * height)
