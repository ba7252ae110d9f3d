"""What a studio and the process that makes motions say to each other besides events."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from motionloom.studio.events import Job

#: A search begins when no job has come since, seconds.
QUIET = 0.15


@dataclass(frozen=True)
class Order:
    """What the process is told to do.

    Parameters
    ----------
    number : int
        Counted up; `Done` says it.
    job : Job, optional
        A job; without one only what is being worked on is given up.
    reload : bool
        Whether clips are read anew.
    """

    number: int
    job: Job | None = None
    reload: bool = False


@dataclass(frozen=True)
class Done:
    """An order was carried out, or given up; what may follow it can be interrupted."""

    number: int


@dataclass(frozen=True)
class Setting:
    """How a process makes motions.

    Parameters
    ----------
    folder : Path, optional
        Where spans are kept.
    budget : float, seconds
        How long walks are searched for in the end.
    quiet : float, seconds
        How long after a preview a search begins.
    """

    folder: Path | None = None
    budget: float = 5.0
    quiet: float = QUIET
