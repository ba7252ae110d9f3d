"""How long work reports how far it is; the command line draws bars from it."""

from __future__ import annotations

from collections.abc import Callable

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
