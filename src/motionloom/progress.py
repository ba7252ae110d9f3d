"""How long work reports how far it is; the command line draws bars from it."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Called as ``progress(stage, done, total)``.

    `stage` names the work, such as ``"reading clips"``.
    """

    def __call__(self, stage: str, done: float, total: float) -> None:
        """Report that `done` of `total` units of `stage` are finished."""


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
