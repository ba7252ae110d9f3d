"""The vocabulary of joins: over which time what a span leaves behind dies away."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, model_validator

from motionloom.constraints.values import Model, Number, field_error
from motionloom.shot.script.values import entry

#: Longest time over which a join dies away, seconds.
LONGEST_JOIN = 3.0


class Joins(Model):
    """How spans are joined.

    In a file the name of a join, ``stop->turn: {over: 0.5}``, goes before what holds for all, which
    is told as ``over: 0.4`` or ``default: {over: 0.4}``.

    Parameters
    ----------
    over : float, seconds
        Time over which what the earlier span leaves behind dies away.
    each : dict of str to float
        The same of single joins, by the names of their spans.
    """

    over: Annotated[Number, Field(gt=0, le=LONGEST_JOIN)] = entry("seconds above 0", 0.4, 0.4)
    each: dict[str, float] = entry("times of single joins", {"stop->turn": 0.5}, {})

    @model_validator(mode="before")
    @classmethod
    def _take_names(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        rest = {name: value for name, value in data.items() if not _is_join(name)}
        each = {name: _over_of(name, value) for name, value in data.items() if name not in rest}
        if "default" in rest and "over" not in rest:
            rest["over"] = _over_of("default", rest.pop("default"))
        return {**rest, "each": {**rest.get("each", {}), **each}} if each else rest

    def of(self, before: str, after: str) -> float:
        """Time over which a join dies away, seconds."""
        return self.each.get(f"{before}->{after}", self.over)


def _is_join(name: Any) -> bool:
    return isinstance(name, str) and "->" in name


def _over_of(name: str, value: Any) -> float:
    """Seconds of ``{over: 0.5}``."""
    over = value.get("over") if isinstance(value, dict) and len(value) == 1 else None
    is_number = isinstance(over, (int, float)) and not isinstance(over, bool)
    if over is None or not is_number or not 0 < over <= LONGEST_JOIN:
        raise field_error(
            (name,), f"expected seconds above 0, up to {LONGEST_JOIN:g}, as {{over: 0.5}}"
        )
    return float(over)
