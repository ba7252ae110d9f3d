"""Values of shot files: places and points that may be marks, lengths of time, names."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from motionloom.constraints.values import MAX_DISTANCE, Ground, Number, Point

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")


def _check_place(value: Any) -> Any:
    """A mark, or two numbers."""
    return _check_point(value, 2)


def _check_point(value: Any, count: int = 3) -> Any:
    """A mark, or three numbers."""
    is_name = isinstance(value, str) and _NAME.fullmatch(value) is not None
    is_list = isinstance(value, (list, tuple)) and len(value) == count
    if is_name or (is_list and all(_is_metres(v) for v in value)):
        return value
    raise PydanticCustomError("place", "neither a mark nor numbers")


def _is_metres(value: Any) -> bool:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and abs(value) <= MAX_DISTANCE


SpanName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,63}$")]
Seconds = Annotated[Number, Field(gt=0, le=3600)]
Seed = Annotated[int, Field(strict=True, ge=0, le=2**31)]
Place = Annotated[str | Ground, BeforeValidator(_check_place)]
Target = Annotated[str | Point, BeforeValidator(_check_point)]
File = Annotated[str, Field(min_length=1, max_length=1000)]


def entry(description: str, example: Any, default: Any = None) -> Any:
    """A field that may be left out.

    Parameters
    ----------
    description : str
        What it holds, as errors say it.
    example : object
        What might be written.
    default : object
        When it is left out.

    Returns
    -------
    pydantic field
    """
    return Field(default=default, description=description, json_schema_extra={"example": example})
