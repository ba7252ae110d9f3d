"""When something is asked for: at a time, from a time to another, over a span."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from motionloom.constraints.values import Model, Time, field_error


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
