"""The vocabulary of constraints as frozen, validated models."""

from __future__ import annotations

from typing import Annotated, Any, Self

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from motionloom.constraints.explain import explain
from motionloom.errors import InvalidInputError

#: Largest values that make sense; what is beyond is a slip, such as centimetres for metres.
MAX_DURATION, MAX_FPS, MAX_DISTANCE = 3600.0, 1000.0, 1000.0


def _without_numpy(value: Any) -> Any:
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


Number = Annotated[float, BeforeValidator(_without_numpy), Field(strict=True, allow_inf_nan=False)]
Metres = Annotated[Number, Field(ge=-MAX_DISTANCE, le=MAX_DISTANCE)]
Ground = Annotated[tuple[Metres, Metres], BeforeValidator(_without_numpy)]
Point = Annotated[tuple[Metres, Metres, Metres], BeforeValidator(_without_numpy)]
Time = Annotated[
    Number, Field(ge=0, description="a time from 0 to the duration, in seconds", json_schema_extra={"example": 2.5})
]


class _Model(BaseModel):
    """Frozen, without unknown fields; raises our own error when built wrongly."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def __init__(self, **data: Any) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise InvalidInputError(explain(error, type(self))[0]) from None

    # Pydantic then builds the models inside a ConstraintSet without calling this, and errors keep their full path.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]


class BodyConstraint(_Model):
    """Where the body is and where it faces at a time.

    Parameters
    ----------
    time : float, seconds
    position : tuple of (float, float), metres
        x and z on the ground plane, below the hips.
    facing : float, degrees, optional
        From +Z towards +X; any direction will do when not given.
    """

    time: Time
    position: Ground = Field(
        description="two numbers [x, z] in metres, within 1000 m", json_schema_extra={"example": [1.0, 2.5]}
    )
    facing: Annotated[Number, Field(ge=-3600, le=3600)] | None = Field(
        default=None, description="an angle in degrees from +Z towards +X", json_schema_extra={"example": 90}
    )


class JointConstraint(_Model):
    """Where a joint is at a time.

    Parameters
    ----------
    time : float, seconds
    joint : str
        Name of a joint, or of a role such as ``right_hand``.
    position : tuple of (float, float, float), metres
        x, y, z in the world, y up.
    priority : int
        1 is met first; honoured by methods that solve for one pose, the motion graph treats all alike.
    weight : float
        Importance beside other constraints of the same priority.
    """

    time: Time
    joint: Annotated[str, Field(min_length=1, max_length=200)] = Field(
        description="the name of a joint or a role such as right_hand", json_schema_extra={"example": "RightHand"}
    )
    position: Point = Field(
        description="three numbers [x, y, z] in metres, y up, within 1000 m",
        json_schema_extra={"example": [0.3, 1.2, 2.5]},
    )
    priority: Annotated[int, Field(strict=True, ge=1, le=100)] = Field(
        default=1, description="a whole number from 1 (met first) to 100", json_schema_extra={"example": 1}
    )
    weight: Annotated[Number, Field(gt=0, le=1e6)] = Field(
        default=1.0, description="a positive number", json_schema_extra={"example": 1.0}
    )


class ConstraintSet(_Model):
    """Everything that is asked of one motion.

    Parameters
    ----------
    duration : float, seconds
        The last frame is at this time, so a motion has ``round(duration * fps) + 1`` frames.
    fps : float
        Frames per second.
    body : tuple of BodyConstraint
        At most one per frame; kept in the order of time.
    joints : tuple of JointConstraint
        At most one per joint and frame; kept in the order of time.

    Raises
    ------
    InvalidInputError
        In one sentence: which field, what was given and what was expected.
    """

    duration: Annotated[Number, Field(gt=0, le=MAX_DURATION)] = Field(
        description="a number of seconds above 0, at most 3600", json_schema_extra={"example": 8.0}
    )
    fps: Annotated[Number, Field(gt=0, le=MAX_FPS)] = Field(
        default=30.0, description="frames per second above 0, at most 1000", json_schema_extra={"example": 30}
    )
    body: tuple[BodyConstraint, ...] = Field(
        default=(),
        description="a list of body constraints",
        json_schema_extra={"example": "[{time: 0.0, position: [0.0, 0.0], facing: 0}]"},
    )
    joints: tuple[JointConstraint, ...] = Field(
        default=(),
        description="a list of joint constraints",
        json_schema_extra={"example": "[{time: 5.0, joint: RightHand, position: [1.2, 1.1, 1.9]}]"},
    )

    @property
    def n_frames(self) -> int:
        """Number of frames of a motion that answers this set."""
        return round(self.duration * self.fps) + 1

    def frame_of(self, time: float) -> int:
        """Frame nearest to a time."""
        return min(round(time * self.fps), self.n_frames - 1)

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        if self.n_frames < 2:
            raise _slip(
                ("duration",), f"{self.duration:g} s at {self.fps:g} fps is not even two frames; make it longer"
            )
        for name in ("body", "joints"):
            self._check_times(name)
            ordered = tuple(sorted(getattr(self, name), key=lambda c: c.time))
            object.__setattr__(self, name, ordered)
        return self

    def _check_times(self, name: str) -> None:
        taken: dict[tuple[int, str], int] = {}
        for i, constraint in enumerate(getattr(self, name)):
            where = (name, i, "time")
            if constraint.time > self.duration:
                raise _slip(
                    where,
                    f"{constraint.time:g} s is after the end of the motion; expected a time from 0 to the duration "
                    f"of {self.duration:g} s; move the constraint or make the duration longer",
                )
            key = (self.frame_of(constraint.time), getattr(constraint, "joint", ""))
            if key in taken:
                what = "the body" if name == "body" else f"joint {constraint.joint!r}"
                raise _slip(
                    where,
                    f"{constraint.time:g} s falls on the same frame as {name}[{taken[key]}]; "
                    f"expected at most one constraint of {what} per frame, so remove one of the two",
                )
            taken[key] = i


def _slip(where: tuple[str | int, ...], message: str) -> PydanticCustomError:
    """Error of a check that looks at several fields; `where` says which of them is to blame."""
    return PydanticCustomError("slip", "{message}", {"message": message, "where": where})
