"""What the body keeps out of: cylinders and boxes that stand on the ground, and ground that is not
level.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from motionloom.constraints.kinds._kind import Kind, entries
from motionloom.constraints.kinds.measures import NEAR, Adherence, Shown
from motionloom.constraints.obstacles import MAP, SOLID, Obstacles
from motionloom.constraints.values import (
    Degrees,
    Ground,
    Metres,
    Model,
    Number,
    Weight,
    expects,
    field_error,
)
from motionloom.io.limits import MOST_HEIGHTS
from motionloom.motion import GroundTransform
from motionloom.typing import Array

#: A joint this deep in an obstacle is inside, metres.
INSIDE = 0.01
#: Corners of a cylinder, and most heights of a map that are drawn along each side.
_CORNERS, _MOST_HEIGHTS = 40, 60

Length = Annotated[Number, expects("a length above 0 in metres", 0.4, gt=0, le=1000)]
Center = Annotated[Ground, expects("two numbers [x, z] in metres, within 1000 m", [1.0, 1.5])]
Height = Annotated[Metres, expects("a height in metres, within 1000 m", 0.9)]


def _check_heights(self: Any) -> Any:
    """A solid whose bottom lies below its top."""
    if self.bottom is not None and self.top is not None and self.bottom >= self.top:
        raise field_error(
            ("top",),
            f"expected a top above the bottom of {self.bottom:g} m, got {self.top:g} m; swap the"
            " two",
        )
    return self


class Cylinder(Model):
    """An upright cylinder.

    Parameters
    ----------
    center : tuple of (float, float), metres
        x and z.
    radius : float, metres
        Above 0.
    bottom, top : float, metres, optional
        Without them it reaches from far below to far above.
    weight : float
        Importance beside other obstacles; 1 when not given.
    """

    bottom: Height | None = None
    top: Height | None = None
    weight: Weight = 1.0
    shape: Literal["cylinder"] = "cylinder"
    center: Center
    radius: Length

    _check = model_validator(mode="after")(_check_heights)

    @property
    def outline(self) -> Array:
        """Corners of a fine polygon seen from above (K, 2), as those of a `Box`, metres.

        Examples
        --------
        >>> outline = Cylinder(center=(0.0, 2.0), radius=0.5).outline
        >>> np.allclose(np.linalg.norm(outline - [0.0, 2.0], axis=1), 0.5)
        True
        """
        angles = np.linspace(0, 2 * np.pi, _CORNERS, endpoint=False)
        around = np.column_stack([np.cos(angles), np.sin(angles)])
        return np.array(self.center) + self.radius * around


class Box(Model):
    """An upright box.

    Parameters
    ----------
    center : tuple of (float, float), metres
        x and z.
    size : tuple of (float, float), metres
        Along x and z, before it is turned.
    angle : float, degrees
        Turned from +Z towards +X.
    bottom, top : float, metres, optional
        Without them it reaches from far below to far above.
    weight : float
        Importance beside other obstacles; 1 when not given.
    """

    bottom: Height | None = None
    top: Height | None = None
    weight: Weight = 1.0
    shape: Literal["box"] = "box"
    center: Center
    size: tuple[Length, Length] = expects(
        "two lengths above 0 [along x, along z] in metres", [1.0, 0.5]
    )
    angle: Degrees = expects("an angle in degrees from +Z towards +X", 30, 0.0)

    _check = model_validator(mode="after")(_check_heights)

    @property
    def outline(self) -> Array:
        """Corners seen from above (4, 2), anticlockwise with +Z up and +X right, metres.

        Examples
        --------
        >>> Box(center=(0.0, 0.0), size=(2.0, 1.0)).outline
        array([[ 1. ,  0.5],
               [-1. ,  0.5],
               [-1. , -0.5],
               [ 1. , -0.5]])
        """
        corners = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * np.array(self.size) / 2
        return GroundTransform.at_heading(self.angle, *self.center).apply(corners)


class HeightMap(Model):
    """Ground that is not level: no joint may be below it.

    Outside the map nothing is known and nothing asked.

    A constraint file may name a ``file`` of heights instead of giving them.

    Parameters
    ----------
    heights : tuple of tuple of float, metres
        Rows along +Z, each with its heights along +X.
    origin : tuple of (float, float), metres
        x and z of the first height.
    cell : float, metres
        Distance between heights.
    weight : float
        Importance beside other obstacles; 1 when not given.
    """

    shape: Literal["heightmap"] = "heightmap"
    heights: Annotated[
        tuple[Annotated[tuple[Metres, ...], Field(fail_fast=True)], ...], Field(fail_fast=True)
    ] = expects(
        "rows of heights in metres, all of one length, at least 2 x 2 (or 'file: hill.csv')",
        "[[0, 0, 0.2], [0, 0, 0.2]]",
    )
    origin: Center = (0.0, 0.0)
    cell: Length = 0.25
    weight: Weight = 1.0

    @model_validator(mode="after")
    def _check_grid(self) -> Self:
        lengths = {len(row) for row in self.heights}
        if len(self.heights) < 2 or len(lengths) != 1 or min(lengths) < 2:
            some = ", ".join(map(str, sorted(lengths)[:5])) + " ..." * (len(lengths) > 5)
            shown = f"{len(self.heights)} rows of {some} heights" if self.heights else "no rows"
            raise field_error(
                ("heights",),
                f"expected at least 2 rows of at least 2 heights, all of one length, got {shown}",
            )
        if len(self.heights) * len(self.heights[0]) > MOST_HEIGHTS:
            raise field_error(
                ("heights",), f"expected at most {MOST_HEIGHTS} heights; take a larger cell"
            )
        return self

    @property
    def grid(self) -> Array:
        """World points as pictures draw them, at most 60 along a side, shape (R, C, 3), metres."""
        heights = np.array(self.heights, float)
        rows, columns = (
            np.unique(np.linspace(0, n - 1, min(n, _MOST_HEIGHTS)).round().astype(int))
            for n in heights.shape
        )
        z, x = np.meshgrid(
            self.origin[1] + rows * self.cell, self.origin[0] + columns * self.cell, indexing="ij"
        )
        return np.stack([x, heights[np.ix_(rows, columns)], z], axis=-1)


#: What stands upright between two heights.
Solid = Cylinder | Box
Obstacle = Annotated[Solid | HeightMap, Field(discriminator="shape")]


def compile_obstacles(avoid: Sequence[Cylinder | Box | HeightMap]) -> Obstacles:
    """Obstacles as arrays."""
    solids = [_solid(o) for o in avoid if not isinstance(o, HeightMap)]
    maps = []
    grids = [np.zeros(0)]
    offset = 0
    for o in avoid:
        if isinstance(o, HeightMap):
            grid = np.array(o.heights, float)
            place, _ = GroundTransform(0.0, *o.origin).as_complex
            maps.append((place, o.cell, o.weight, *grid.shape, offset))
            grids.append(grid.ravel())
            offset += grid.size
    return Obstacles(np.array(solids, SOLID), np.array(maps, MAP), np.concatenate(grids))


def _solid(o: Solid) -> tuple[complex | float, ...]:
    """Row of `SOLID`."""
    angle, (x, z), radius = (
        (0.0, (0.0, 0.0), o.radius) if isinstance(o, Cylinder) else (o.angle, o.size, 0.0)
    )
    bottom = -np.inf if o.bottom is None else o.bottom
    top = np.inf if o.top is None else o.top
    place, turn = GroundTransform.at_heading(angle, *o.center).as_complex
    return place, turn, x / 2, z / 2, radius, bottom, top, o.weight


def measure_depths(avoid: Sequence[Cylinder | Box | HeightMap], points: Array) -> Array:
    """How deep a body is in every obstacle in every frame.

    Parameters
    ----------
    avoid : sequence of Cylinder, Box or HeightMap
        The obstacles.
    points : array of shape (T, B, 3), metres
        Of the body, as from `body_points`.

    Returns
    -------
    array of shape (T, len(avoid)), metres
        Of the deepest point, 0 where none is inside; of a height map what is more than a small
        press of the sole.

    Examples
    --------
    >>> points = np.array([[[0.0, 1.0, 0.2]], [[0.0, 1.0, 3.0]]])  # one point in two frames
    >>> measure_depths([Cylinder(center=(0.0, 0.0), radius=0.5)], points).round(3)
    array([[0.3],
           [0. ]])
    """
    from motionloom.constraints.depths import deepest_points

    found = deepest_points(compile_obstacles(avoid), np.ascontiguousarray(points, float))
    solids = [i for i, o in enumerate(avoid) if not isinstance(o, HeightMap)]
    maps = [i for i, o in enumerate(avoid) if isinstance(o, HeightMap)]
    ordered: Array = np.empty_like(found)
    ordered[:, solids + maps] = found
    return ordered


def fill_heights(obstacle: dict[str, Any], files: Any) -> dict[str, Any]:
    """A height map with the heights that its file holds."""
    if obstacle.get("shape") != "heightmap":
        return obstacle
    if "heights" in obstacle:
        raise files.fault(
            "a height map has either heights or a file of them; remove one of the two", "file"
        )
    own = {key: item for key, item in obstacle.items() if key != "file"}
    return {**own, "heights": files.heights(obstacle["file"])}


def _label(o: Obstacle, _: object) -> str:
    x, z = o.origin if isinstance(o, HeightMap) else o.center
    return f"avoid {o.shape} at {x:g} {z:g}"


def _adherence(o: Obstacle, index: int, shown: Shown) -> Adherence:
    """The deepest that a point of the body is inside, metres, and for how long any is, seconds."""
    assert shown.points is not None  # only finished motions are measured for obstacles
    depth = measure_depths((o,), shown.points())[:, 0]
    seconds = float((depth > INSIDE).sum() / shown.constraints.fps)
    return AVOID.measured(o, index, shown, float(depth.max()), seconds)


def _departure(a: Adherence) -> str:
    deep = a.value or 0.0
    return f"is entered for {a.more:.1f} s, up to {100 * deep:.0f} cm deep" if deep > NEAR else ""


AVOID = Kind(
    name="avoid",
    item="avoid",
    model=Obstacle,
    field=entries("a list of obstacles", "[{shape: cylinder, center: [1.0, 1.5], radius: 0.4}]"),
    fill=fill_heights,
    label=_label,
    adherence=_adherence,
    in_words=lambda a: (
        f"deepest joint {1000 * (a.value or 0.0):.0f} mm inside, {a.more:.2f} s in all"
    ),
    departure=_departure,
    marks=lambda o, _: (o,),
    asks="way",
    aside="always",
    retimed=True,
)
