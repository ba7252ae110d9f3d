"""What the body keeps out of: cylinders and boxes that stand on the ground, and ground that is not
level.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from motionloom.constraints.values import (
    Degrees,
    Ground,
    Metres,
    Model,
    Number,
    Weight,
    field_error,
)
from motionloom.io.limits import MOST_HEIGHTS

Length = Annotated[
    Number,
    Field(
        gt=0, le=1000, description="a length above 0 in metres", json_schema_extra={"example": 0.4}
    ),
]
Center = Annotated[
    Ground,
    Field(
        description="two numbers [x, z] in metres, within 1000 m",
        json_schema_extra={"example": [1.0, 1.5]},
    ),
]
Height = Annotated[
    Metres,
    Field(description="a height in metres, within 1000 m", json_schema_extra={"example": 0.9}),
]


class _Solid(Model):
    bottom: Height | None = None
    top: Height | None = None
    weight: Weight = 1.0

    @model_validator(mode="after")
    def _check_heights(self) -> Self:
        if self.bottom is not None and self.top is not None and self.bottom >= self.top:
            raise field_error(
                ("top",),
                f"expected a top above the bottom of {self.bottom:g} m, got {self.top:g} m; swap"
                " the two",
            )
        return self


class Cylinder(_Solid):
    """An upright cylinder.

    Parameters
    ----------
    center : tuple of (float, float), metres
        x and z.
    radius : float, metres
    bottom, top : float, metres, optional
        Without them it reaches from far below to far above.
    weight : float
    """

    shape: Literal["cylinder"] = "cylinder"
    center: Center
    radius: Length


class Box(_Solid):
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
    weight : float
    """

    shape: Literal["box"] = "box"
    center: Center
    size: tuple[Length, Length] = Field(
        description="two lengths above 0 [along x, along z] in metres",
        json_schema_extra={"example": [1.0, 0.5]},
    )
    angle: Degrees = Field(
        default=0.0,
        description="an angle in degrees from +Z towards +X",
        json_schema_extra={"example": 30},
    )


class HeightMap(Model):
    """Ground that is not level: no joint may be below it. Outside the map nothing is known and
    nothing asked.

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
    """

    shape: Literal["heightmap"] = "heightmap"
    heights: Annotated[
        tuple[Annotated[tuple[Metres, ...], Field(fail_fast=True)], ...], Field(fail_fast=True)
    ] = Field(
        description=(
            "rows of heights in metres, all of one length, at least 2 x 2 (or 'file: hill.csv')"
        ),
        json_schema_extra={"example": "[[0, 0, 0.2], [0, 0, 0.2]]"},
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


Obstacle = Annotated[Cylinder | Box | HeightMap, Field(discriminator="shape")]
