"""What is asked of a pose as a whole: what places are relative to, and how the body stands."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from motionloom.constraints.kinds.kind import Kind
from motionloom.constraints.values import Model, Point, Weight


class MassConstraint(Model):
    """Where the centre of mass of a body is.

    Parameters
    ----------
    position : tuple of (float, float, float), metres
        x, y, z in the world, y up.
    axes : {"xz", "y", "xyz"}
        What of it is asked for: above which place, how high, or both.
    priority : int
        As of joints.
    weight : float
        Importance beside other constraints of the same priority.
    """

    position: Point = Field(
        description="three numbers [x, y, z] in metres, y up, within 1000 m",
        json_schema_extra={"example": [0.0, 0.9, 0.1]},
    )
    axes: Literal["xz", "y", "xyz"] = Field(
        default="xz", description="'xz', 'y' or 'xyz'", json_schema_extra={"example": "xz"}
    )
    priority: Annotated[int, Field(strict=True, ge=1, le=100)] = Field(
        default=1,
        description="a whole number from 1 (met first) to 100",
        json_schema_extra={"example": 1},
    )
    weight: Weight = 1.0


FRAME = Kind(
    "frame",
    advice="positions of a motion are always in the world; leave it out",
    hint=None,
)
FEET = Kind("feet", advice="feet of a motion keep their contacts; leave it out", hint=None)
CENTER_OF_MASS = Kind(
    "center_of_mass",
    advice="it is for single poses; leave it out, or ask for one pose",
    hint="make pose",
)
BALANCE = Kind("balance", advice="motions are not checked for it; leave it out", hint=None)
