"""Times of a shot: seconds, marks, and the begin or end of other spans.

A time is written as a number of seconds, or as text: ``knock``, ``walk.end``,
``anna.walk.end+0.5``. Text is resolved when all spans are known; what leads back to itself is
refused by naming the chain.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
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


@dataclass(frozen=True)
class NamedTime:
    """A time that is told by a name.

    Parameters
    ----------
    names : tuple of str
        A mark; or a span and an event of it, perhaps behind a character.
    shift : float, seconds
        Added to it.
    """

    names: tuple[str, ...]
    shift: float = 0.0

    def __str__(self) -> str:
        return ".".join(self.names)


def parse_time(text: str) -> NamedTime:
    """Read a time that is told by a name.

    Parameters
    ----------
    text : str
        Such as ``anna.walk.end+0.5``.

    Returns
    -------
    NamedTime

    Raises
    ------
    InvalidInputError
        When it cannot be read.
    """
    found = _TIME.fullmatch(text)
    if found is None:
        raise InvalidInputError(
            f"expected seconds, a mark, or the start, end or at of a span, got {text!r}; write for"
            " example 'walk.end+0.5'"
        )
    shift = (found["shift"] or "0").replace(" ", "")
    return NamedTime(tuple(found["names"].split(".")), float(shift))


@dataclass
class Resolver:
    """Finds values that depend on each other.

    Parameters
    ----------
    rules : dict
        By key: how the value is computed, given a function that finds other values.
    """

    rules: dict[Hashable, Callable[[Callable[[Hashable], float]], float]]
    _known: dict[Hashable, float] = field(default_factory=dict)
    _failed: dict[Hashable, FormatError] = field(default_factory=dict)
    _open: list[Hashable] = field(default_factory=list)

    def __call__(self, key: Hashable) -> float:
        """Value of a key.

        Raises
        ------
        InvalidInputError
            When a value depends on itself; the sentence names the chain.
        """
        if key in self._known:
            return self._known[key]
        if key in self._open:
            chain = [*self._open[self._open.index(key) :], key]
            told = " needs ".join(_in_words(one) for one in chain)
            raise InvalidInputError(
                f"times that depend on each other: {told}; give one of them in seconds"
            )
        if key in self._failed:
            raise self._failed[key]
        self._open.append(key)
        try:
            self._known[key] = self.rules[key](self)
        except FormatError as error:  # whoever needs it as well is told the same
            self._failed[key] = error
            raise
        finally:
            self._open.pop()
        return self._known[key]


def _in_words(key: Hashable) -> str:
    return ".".join(str(part) for part in key) if isinstance(key, tuple) else str(key)
