"""What all constraint models share: checked numbers, the frozen base, times and spans, errors of
checks that look at several fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError, PydanticUndefined

from motionloom.constraints.explain import explain
from motionloom.errors import InvalidInputError

#: Largest values that make sense; what is beyond is a slip, such as centimetres for metres.
MAX_DURATION, MAX_FPS, MAX_DISTANCE = 3600.0, 1000.0, 1000.0


def expects(description: str, example: Any, default: Any = PydanticUndefined, **limits: Any) -> Any:
    """A field, with what messages say of it.

    Parameters
    ----------
    description : str
        What is expected.
    example : object
        As a file has it.
    default : object
        When it is left out; it must be given when there is none.
    **limits
        What else `pydantic.Field` takes.

    Returns
    -------
    object
        A pydantic field.
    """
    extra = {"example": example}
    return Field(default, description=description, json_schema_extra=extra, **limits)


def _without_numpy(value: Any) -> Any:
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


Number = Annotated[float, BeforeValidator(_without_numpy), Field(strict=True, allow_inf_nan=False)]
Metres = Annotated[Number, Field(ge=-MAX_DISTANCE, le=MAX_DISTANCE)]
Degrees = Annotated[Number, Field(ge=-3600, le=3600)]
Ground = Annotated[tuple[Metres, Metres], BeforeValidator(_without_numpy)]
Point = Annotated[tuple[Metres, Metres, Metres], BeforeValidator(_without_numpy)]
Quaternion = Annotated[tuple[Number, Number, Number, Number], BeforeValidator(_without_numpy)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Time = Annotated[Number, expects("a time from 0 to the duration, in seconds", 2.5, ge=0)]
Weight = Annotated[Number, expects("a positive number", 1.0, gt=0, le=1e6)]
Priority = Annotated[
    int, expects("a whole number from 1 (met first) to 100", 1, strict=True, ge=1, le=100)
]
Duration = Annotated[
    Number, expects("a number of seconds above 0, at most 3600", 8.0, gt=0, le=MAX_DURATION)
]
FramesPerSecond = Annotated[
    Number, expects("frames per second above 0, at most 1000", 30, gt=0, le=MAX_FPS)
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


class Held(Model):
    """Something at a time, or held from a time to another.

    In a file ``from`` may stand for ``time``; ``to`` is `end`.
    """

    other_names: ClassVar[Mapping[str, str]] = {"from": "time"}

    time: Time
    end: Time | None = Field(default=None, alias="to")

    @model_validator(mode="before")
    @classmethod
    def _take_from(cls, data: Any) -> Any:
        if isinstance(data, dict) and "from" in data and "time" not in data:
            return {"time" if name == "from" else name: value for name, value in data.items()}
        return data

    @model_validator(mode="after")
    def _check_end(self) -> Self:
        if self.end is not None and self.end <= self.time:
            raise field_error(
                ("to",),
                f"expected a time after the begin of {self.time:g} s, got {self.end:g} s; swap"
                " the two",
            )
        return self


class Span(Model):
    """Something over a span of time: fields `begin` and `end`, ``from`` and ``to`` in a file."""

    @model_validator(mode="after")
    def _check_span(self) -> Self:
        begin = getattr(self, "begin", None)
        end = getattr(self, "end", None)
        if begin is not None and end is not None and begin >= end:
            raise field_error(
                ("to",), f"expected a time after 'from' ({begin:g} s), got {end:g} s; swap the two"
            )
        return self
