"""What all constraint models share: checked numbers, the frozen base, errors of checks that look at
several fields.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from motionloom.constraints.explain import explain
from motionloom.errors import InvalidInputError

#: Largest values that make sense; what is beyond is a slip, such as centimetres for metres.
MAX_DURATION, MAX_FPS, MAX_DISTANCE = 3600.0, 1000.0, 1000.0


def _without_numpy(value: Any) -> Any:
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


Number = Annotated[float, BeforeValidator(_without_numpy), Field(strict=True, allow_inf_nan=False)]
Metres = Annotated[Number, Field(ge=-MAX_DISTANCE, le=MAX_DISTANCE)]
Degrees = Annotated[Number, Field(ge=-3600, le=3600)]
Ground = Annotated[tuple[Metres, Metres], BeforeValidator(_without_numpy)]
Point = Annotated[tuple[Metres, Metres, Metres], BeforeValidator(_without_numpy)]
Quaternion = Annotated[tuple[Number, Number, Number, Number], BeforeValidator(_without_numpy)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Time = Annotated[
    Number,
    Field(
        ge=0,
        description="a time from 0 to the duration, in seconds",
        json_schema_extra={"example": 2.5},
    ),
]
Weight = Annotated[
    Number, Field(gt=0, le=1e6, description="a positive number", json_schema_extra={"example": 1.0})
]
Priority = Annotated[
    int,
    Field(
        strict=True,
        ge=1,
        le=100,
        description="a whole number from 1 (met first) to 100",
        json_schema_extra={"example": 1},
    ),
]
Duration = Annotated[
    Number,
    Field(
        gt=0,
        le=MAX_DURATION,
        description="a number of seconds above 0, at most 3600",
        json_schema_extra={"example": 8.0},
    ),
]
FramesPerSecond = Annotated[
    Number,
    Field(
        gt=0,
        le=MAX_FPS,
        description="frames per second above 0, at most 1000",
        json_schema_extra={"example": 30},
    ),
]


class Model(BaseModel):
    """Frozen, without unknown fields; raises our own error when built wrongly."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", validate_by_name=True, validate_by_alias=True
    )

    def __init__(self, **data: Any) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise InvalidInputError(explain(error, type(self))[0]) from None

    # Pydantic then builds the models inside a ConstraintSet without calling this, and errors keep
    # their full path.
    vars(__init__)["__pydantic_base_init__"] = True


def field_error(where: tuple[str | int, ...], message: str) -> PydanticCustomError:
    """Error of a check that looks at several fields.

    Parameters
    ----------
    where : tuple of str and int
        Path of the field that is to blame, from the model that is checked.
    message : str
        What was expected, what was got and what to do.

    Returns
    -------
    PydanticCustomError
        To be raised inside a validator; `explain` puts it into a sentence.
    """
    return PydanticCustomError("slip", "{message}", {"message": message, "where": where})
