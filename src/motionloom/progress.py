"""How long work reports how far it is; the command line draws bars from it."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

#: Called as ``progress(stage, done, total)``: `done` of `total` units of `stage`, which names the
#: work, such as ``"reading clips"``, are finished.
Progress = Callable[[str, float, float], None]


def silent(stage: str, done: float, total: float) -> None:
    """Report nothing.

    Parameters
    ----------
    stage : str
        Name of the work.
    done : float
        Units that are finished.
    total : float
        Units that there are.
    """


_LOOK: ContextVar[Callable[[], None] | None] = ContextVar("look", default=None)


@contextmanager
def interruptible(look: Callable[[], None]) -> Iterator[None]:
    """Within it, work that takes long calls `look` at every `breathe`.

    Parameters
    ----------
    look : callable
        Raises what gives the work up, if it is to be.
    """
    token = _LOOK.set(look)
    try:
        yield
    finally:
        _LOOK.reset(token)


def breathe() -> None:
    """A moment at which work may be given up; does nothing where nobody may want that."""
    look = _LOOK.get()
    if look is not None:
        look()


#: Takes a line for people.
Tell = Callable[[str], None]


def quiet(message: str) -> None:
    """Say nothing."""


_TELL: ContextVar[Tell | None] = ContextVar("tell", default=None)


@contextmanager
def told_to(tell: Tell) -> Iterator[None]:
    """Within it, lines for people go to `tell` instead of Python's warnings.

    Parameters
    ----------
    tell : callable
        Takes each line.
    """
    token = _TELL.set(tell)
    try:
        yield
    finally:
        _TELL.reset(token)


def as_warning(message: str) -> None:
    """Raise a line for people as a Python warning, or hand it to who listens by `told_to`.

    Parameters
    ----------
    message : str
        With or without the word "warning" before it.
    """
    tell = _TELL.get()
    if tell is not None:
        tell(message)
        return
    level = 1
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_globals["__name__"].startswith("motionloom"):
        frame = frame.f_back
        level += 1
    warnings.warn(message.removeprefix("warning: "), stacklevel=level)


def warn(messages: Iterable[str], tell: Tell, most: int = 20) -> None:
    """Tell warnings, a limited number of them, and how many more there are.

    Parameters
    ----------
    messages : iterable of str
        Without the word "warning".
    tell : callable
        Takes each line.
    most : int
        Most messages that are told.

    Examples
    --------
    >>> warn(["the unit was guessed", "no end sites", "a gap"], print, most=2)
    warning: the unit was guessed
    warning: no end sites
    warning: and 1 more
    """
    messages = list(messages)
    for message in messages[:most]:
        tell(f"warning: {message}")
    if len(messages) > most:
        tell(f"warning: and {len(messages) - most} more")


def warn_about(found: Iterable[tuple[str, str]], tell: Tell) -> None:
    """Tell warnings of files, each text once with the first file and how many more it holds for.

    Parameters
    ----------
    found : iterable of (str, str)
        File and what was guessed or mended.
    tell : callable
        Takes each line.

    Examples
    --------
    >>> warn_about([("a.bvh", "unit guessed"), ("b.bvh", "unit guessed")], print)
    warning: a.bvh and 1 more file: unit guessed
    """
    files: dict[str, list[str]] = {}
    for path, text in found:
        files.setdefault(text, []).append(path)
    warn((f"{paths[0]}{_and_more(len(paths) - 1)}: {text}" for text, paths in files.items()), tell)


def _and_more(files: int) -> str:
    return f" and {files} more file{'s' if files > 1 else ''}" if files else ""
