"""Times of a shot: seconds, marks, and the begin or end of other spans.

A time is written as a number of seconds, or as text: ``knock``, ``walk.end``,
``anna.walk.end+0.5``. Text is resolved when all spans are known; what leads back to itself is
refused by naming the chain.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from motionloom.errors import FormatError, InvalidInputError

#: What of a span can be named in a time.
EVENTS = ("start", "end", "at")
#: Latest time, seconds.
LONGEST = 3600.0

_TIME = re.compile(
    r"\s*(?P<names>[A-Za-z][A-Za-z0-9_-]*?(\.[A-Za-z][A-Za-z0-9_-]*?){0,2})"
    r"\s*(?P<shift>[+-]\s*[0-9]*\.?[0-9]+)?\s*"
)


def _check_time(value: object) -> object:
    """Seconds, or text that names a time."""
    is_time = isinstance(value, str) and _TIME.fullmatch(value) is not None
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not (is_time or (is_number and 0 <= float(str(value)) <= LONGEST)):
        raise PydanticCustomError("time", "not a time")
    return value


#: Seconds, or text that names a time.
When = Annotated[
    float | str,
    BeforeValidator(_check_time),
    Field(
        description="seconds, a mark, or the start, end or at of a span, such as walk.end+0.5",
        json_schema_extra={"example": "walk.end+0.5"},
    ),
]


def parse_time(text: str) -> tuple[tuple[str, ...], float]:
    """Read a time that is told by a name.

    Parameters
    ----------
    text : str
        As ``walk.end+0.5``; it has been checked as `When`.

    Returns
    -------
    names : tuple of str
        A mark; a span and what of it; or a character before both.
    shift : float, seconds
        Added to it.
    """
    found = _TIME.fullmatch(text)
    assert found is not None
    return tuple(found["names"].split(".")), float((found["shift"] or "0").replace(" ", ""))


@dataclass
class Resolver:
    """Finds values that depend on each other.

    Parameters
    ----------
    rule : callable
        The value of a key; it may ask for those of others here.
    """

    rule: Callable[[tuple[str, ...]], float]
    _known: dict[tuple[str, ...], float] = field(default_factory=dict)
    _failed: dict[tuple[str, ...], FormatError] = field(default_factory=dict)
    _open: list[tuple[str, ...]] = field(default_factory=list)

    def __call__(self, key: tuple[str, ...]) -> float:
        """Value of a key.

        Raises
        ------
        InvalidInputError
            When keys depend on each other in a loop.
        """
        if key in self._known:
            return self._known[key]
        if key in self._open:
            chain = [*self._open[self._open.index(key) :], key]
            told = " needs ".join(".".join(one) for one in chain)
            raise InvalidInputError(
                f"times that depend on each other: {told}; give one of them in seconds"
            )
        if key in self._failed:
            raise self._failed[key]
        self._open.append(key)
        try:
            self._known[key] = self.rule(key)
        except FormatError as error:  # whoever needs it as well is told the same
            self._failed[key] = error
            raise
        finally:
            self._open.pop()
        return self._known[key]
