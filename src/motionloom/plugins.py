"""Plug-ins: generators, formats, kinds of constraints and checks of others, found by entry points.

An installed package names them in its metadata, in the groups below; a file is run when a user
names it. Nothing is found in folders, and no constraint file can name one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from motionloom.errors import InvalidInputError, MotionloomError

#: Groups of entry points.
GENERATORS, FORMATS = "motionloom.generators", "motionloom.formats"
KINDS, CHECKS = "motionloom.kinds", "motionloom.checks"
#: Methods to compare with, of poses, of searching and of filling gaps, and commands of the command
#: line.
SOLVERS, SEARCHES = "motionloom.solvers", "motionloom.searches"
FILLERS = "motionloom.fillers"
COMMANDS = "motionloom.commands"

#: Takes the name of an entry point and what it leads to.
Register = Callable[[str, Any], None]

_loaded: set[tuple[str, str, str]] = set()
_registered: list[str] = []


def note_registered(what: str) -> None:
    """Remember that something was registered.

    Parameters
    ----------
    what : str
        Such as ``"generator mine"``.
    """
    _registered.append(what)


def registered_so_far() -> tuple[str, ...]:
    """All that was registered in this process, in order."""
    return tuple(_registered)


def names_of(group: str) -> tuple[str, ...]:
    """Names of the entry points of a group, sorted.

    Parameters
    ----------
    group : str
        One of the groups of this module.
    """
    return tuple(sorted({point.name for point in _points(group, tuple(sys.path))}))


def load_plugins(group: str, register: Register, name: str | None = None) -> None:
    """Load entry points that are not loaded yet.

    Parameters
    ----------
    group : str
        One of the groups of this module.
    register : callable
        ``register(name, thing)`` makes known what an entry point leads to.
    name : str, optional
        Only those of this name; all when not given.

    Raises
    ------
    InvalidInputError
        For one that cannot be imported or has a wrong shape, in one sentence with its package.
    """
    for point in _points(group, tuple(sys.path)):
        key = (group, point.name, point.value)
        if key in _loaded or (name is not None and point.name != name):
            continue
        _load(point, register)
        _loaded.add(key)


@lru_cache(maxsize=32)
def _points(group: str, places: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """Entry points of packages in `places`, read once."""
    return tuple(entry_points(group=group))


def _load(point: EntryPoint, register: Register) -> None:
    package = "" if point.dist is None else f" of the package {point.dist.name}"
    what = f"the plug-in {point.name!r} ({point.value}){package}"
    try:
        register(point.name, point.load())
    except MotionloomError as error:
        raise InvalidInputError(f"{what}: {error}") from error
    except Exception as error:  # whatever somebody's package does, it is that package's error
        raise InvalidInputError(
            f"{what} cannot be loaded ({type(error).__name__}: {error}); mend or uninstall it"
        ) from error
