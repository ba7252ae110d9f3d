"""What joints carry, and how an edited clip goes over into a constraint."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from motionloom.constraints.times import Held
from motionloom.constraints.values import MAX_DURATION, Model, Number, Point, Quaternion

Ease = Annotated[
    Number | None,
    Field(
        ge=0,
        le=MAX_DURATION,
        description="a number of seconds, at least 0",
        json_schema_extra={"example": 0.4},
    ),
]


class Tool(Model):
    """Something that a joint carries and that moves with it, such as a club or a racket.

    Parameters
    ----------
    offset : tuple of (float, float, float), metres, optional
        The point of the tool that counts, in the joint's frame; the joint itself when not given.
    orientation : tuple of (float, float, float, float), optional
        Rotation w, x, y, z of the tool in the joint's frame; as the joint when not given.
    """

    offset: Point | None = Field(
        default=None,
        description="three numbers [x, y, z] in metres, in the joint's frame",
        json_schema_extra={"example": [0.0, 0.0, 0.3]},
    )
    orientation: Quaternion | None = Field(
        default=None,
        description="a rotation [w, x, y, z] of the tool in the joint's frame",
        json_schema_extra={"example": [1.0, 0.0, 0.0, 0.0]},
    )


class Eased(Held):
    """Something held that an edited clip goes over into, and back.

    Parameters
    ----------
    ease_in, ease_out : float, seconds, optional
        Time before and after; that of the edit when not given.
    """

    ease_in: Ease = None
    ease_out: Ease = None
