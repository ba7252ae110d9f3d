"""What a session asks of whoever makes the motions, and what it is told.

What a studio and the process that makes motions say to each other besides events.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from motionloom.analysis.moments import OddSeries
    from motionloom.shot.live.results import Alternative, LiveResult
    from motionloom.shot.script.reading import ShotFile


@dataclass(frozen=True, eq=False)
class Job:
    """What is asked of the solver; a newer one takes its place.

    Parameters
    ----------
    rev : int
        Of the document.
    kind : str
        ``preview``: at once, with searches behind it; ``search`` and ``final``: that alone;
        ``alternatives``: other motions of a span.
    file : ShotFile
        The shot.
    transient : bool
        Whether a drag goes on: no search begins.
    who, span : str
        Of alternatives.
    count : int
        How many of them.
    """

    rev: int
    kind: Literal["preview", "search", "final", "alternatives"]
    file: ShotFile
    transient: bool = False
    who: str = ""
    span: str = ""
    count: int = 4


@dataclass(frozen=True)
class Opened:
    """Clips were read.

    Parameters
    ----------
    clips : tuple of dict
        Name, seconds and labels of each.
    styles, models : tuple of str
        Labels that a walk can ask for; files of models.
    waits : bool
        Whether the body of the first character's clips can wait.
    """

    clips: tuple[Mapping[str, Any], ...]
    styles: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    waits: bool = True


@dataclass(frozen=True)
class Planned:
    """Times are known: the plan as the page is told it."""

    rev: int
    plan: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Solved:
    """Motions."""

    rev: int
    result: LiveResult


@dataclass(frozen=True, eq=False)
class Judged:
    """How natural the motions are that were told last.

    Parameters
    ----------
    rev : int
        Of the document that they are of.
    who : mapping of str to OddSeries
        By character, but for those of whom that cannot be said.
    """

    rev: int
    who: Mapping[str, OddSeries]


@dataclass(frozen=True, eq=False)
class Found:
    """Other motions of a span."""

    rev: int
    who: str
    span: str
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True)
class Progressed:
    """How far work is."""

    rev: int
    stage: str
    who: str
    done: float
    total: float


@dataclass(frozen=True)
class Failed:
    """What could not be made, in the library's sentence."""

    rev: int
    message: str
    hint: str | None = None
    line: int | None = None


@dataclass(frozen=True)
class Idle:
    """Nothing is being worked on."""

    rev: int


@dataclass(frozen=True)
class StateOf:
    """How the process is."""

    state: Literal["starting", "ready", "crashed", "restarted"]
    message: str = ""


Event = Opened | Planned | Solved | Judged | Found | Progressed | Failed | Idle | StateOf


class Solver(Protocol):
    """Makes motions, elsewhere; tells events from a thread of its own."""

    def start(self) -> None:
        """Begin; returns at once."""

    def submit(self, job: Job) -> None:
        """Take a job; returns at once."""

    def reload(self) -> None:
        """Read clips anew with the next job."""

    def close(self) -> None:
        """End."""


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
