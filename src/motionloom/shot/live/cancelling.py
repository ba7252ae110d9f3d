"""Work that is given up when nobody waits for its result any more."""

from __future__ import annotations

from collections.abc import Callable

from motionloom.progress import Progress, silent

#: Says whether work is to be given up.
Cancel = Callable[[], bool]


class Cancelled(Exception):
    """Nobody waits for the result any more; nothing has changed."""


def never() -> bool:
    """Work that is never given up."""
    return False


def cancellable(cancel: Cancel, progress: Progress = silent) -> Progress:
    """Progress that gives work up.

    Parameters
    ----------
    cancel : callable
        Says whether to.
    progress : Progress
        Told of everything.

    Returns
    -------
    Progress
        Raises `Cancelled` wherever work tells how far it is.
    """

    def report(stage: str, done: float, total: float) -> None:
        check(cancel)
        progress(stage, done, total)

    return report


def check(cancel: Cancel) -> None:
    """Give up, if that is wanted.

    Raises
    ------
    Cancelled
        If it is.
    """
    if cancel():
        raise Cancelled
