"""Methods of search by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from motionloom.errors import InvalidInputError
from motionloom.plugins import SEARCHES, load_plugins, names_of

if TYPE_CHECKING:
    from motionloom.graph.searching.problem import Problem
    from motionloom.graph.searching.results import SearchOptions
    from motionloom.graph.searching.state import Stream

#: The method to use; it is imported when it is first asked for.
_OURS = "meet"
_registered: dict[str, Method] = {}


@dataclass(frozen=True)
class Method:
    """A way to search.

    Parameters
    ----------
    step : callable
        Does the next piece of work of a stream and counts its iterations.
    fits : callable
        Whether the walks that a stream works on are as far as what is to be done next needs; asked
        of a state that was read from a file.
    """

    step: Callable[[Problem, SearchOptions, Stream], None]
    fits: Callable[[Problem, SearchOptions, Stream], bool]


def register_method(name: str, method: Method) -> None:
    """Make a method known by a name; a later one of the same name replaces it.

    Parameters
    ----------
    name : str
        By which `SearchOptions.method` asks for it.
    method : Method
        Its steps, and what they leave in a stream.
    """
    _registered[name] = method


def method_names() -> tuple[str, ...]:
    """Names of all methods; the first is the one to use, the others are there to compare with."""
    return tuple(dict.fromkeys((_OURS, *names_of(SEARCHES), *_registered)))


def check_method(name: str) -> None:
    """Refuse a name that no method has.

    Parameters
    ----------
    name : str
        Asked for.

    Raises
    ------
    InvalidInputError
        When there is none; it lists those there are.
    """
    if name not in method_names():
        raise InvalidInputError(f"method must be one of {', '.join(method_names())}, got {name!r}")


def find_method(name: str) -> Method:
    """The method of a name.

    Parameters
    ----------
    name : str
        One of `method_names`.

    Returns
    -------
    Method
        Its module is imported when it is first asked for.

    Raises
    ------
    InvalidInputError
        When there is none; it lists those there are.
    """
    check_method(name)
    if name == _OURS:
        from motionloom.graph.searching.rounds import MEET

        return MEET
    if name not in _registered:
        load_plugins(SEARCHES, register_method, name)
    return _registered[name]
