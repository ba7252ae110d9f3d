"""How long work reports how far it is; the command line draws bars from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
