"""What a search is asked for, where it stands and what it found.

What tells a search the time: handed in, so that nothing but the options decides when it ends.

Methods of search by name.
"""

from __future__ import annotations

import pathlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from motionloom.errors import InvalidInputError
from motionloom.options import check_options, option_field
from motionloom.plugins import SEARCHES, load_plugins, names_of

# The command line reads the options below for its help, which must not load the search.
if TYPE_CHECKING:
    from motionloom.clips.pieces import GraphWalk
    from motionloom.constraints.kinds.measures import ConstraintError
    from motionloom.graph.scoring._price import Price
    from motionloom.graph.searching.problem import Problem
    from motionloom.graph.searching.state import Stream
    from motionloom.motion import GroundTransform

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


def _check_method(name: str) -> None:
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
    _check_method(name)
    if name == _OURS:
        from motionloom.graph.searching.rounds import MEET

        return MEET
    if name not in _registered:
        load_plugins(SEARCHES, register_method, name)
    return _registered[name]


@dataclass(frozen=True)
class Clock:
    """What tells a search the time.

    Parameters
    ----------
    passed : callable
        Seconds that have passed, for when the state is written.
    worked : callable
        Seconds that the processor has worked for this thread, for when the search ends; those of
        others on a busy machine do not count.
    """

    passed: Callable[[], float] = time.perf_counter
    worked: Callable[[], float] = time.thread_time


#: The clock of options that name none.
SYSTEM = Clock()

#: Iterations that stand for one second of budget; an idle laptop core does more, so the clock
#: rarely ends a search.
ITERATIONS_PER_SECOND = 400_000


@dataclass(frozen=True)
class SearchOptions:
    """How to search.

    Parameters
    ----------
    seed : int
        The same seed, graph, constraints and options give the same result.
    budget : float, seconds
        Counted as ``budget * ITERATIONS_PER_SECOND`` iterations, so that the result does not depend
        on the machine. The clock ends a search only after twice this time, and the result then says
        so.
    iterations : int, optional
        Iterations instead of those that follow from `budget`; the clock then does not count at all.
    alternatives : int
        Most motions returned.
    method : str
        ``"meet"`` meets in the middle from constraint to constraint and anneals the whole. To
        compare with: ``"anneal"`` only anneals random walks of the whole; ``"paper"`` is the
        steepest descent of Arikan & Forsyth (2002). Or a name given to `register_method`.
    beam : int
        Walks kept at every constraint.
    restarts : int
        Independent searches, each with the whole budget; their results are put together.
    workers : int
        Processes that share the restarts. The result does not depend on it. They import the calling
        script, so that must keep its work under ``if __name__ == "__main__":``.
    state_file : path, optional
        Go on from the state in this file if it exists, and keep it up to date, also on Ctrl-C.
    w_cost : float
        Score of one transition at the threshold, beside 1 for 30 cm, 10 degrees or 10 frames.
    w_way : float
        Score of a metre that the body goes between body constraints; 0 lets it go any way round.
    w_turning : float
        Score of a radian that it turns there, to either side.
    w_idle : float
        Score of a metre that limbs, head and hips move beyond what calm clips show at that pace,
        wherever no limb, pose, style or cost of the user's own is asked for within a second.
    clock : Clock
        What tells the search the time. Several workers have one each, so it must be one that can be
        pickled.
    """

    seed: int = option_field(0, "Seed of the search.", minimum=0)
    budget: float = option_field(5.0, "Seconds of search.", above=0)
    iterations: int | None = option_field(None, "Iterations in place of seconds.", minimum=1)
    alternatives: int = option_field(5, "Most motions returned.", minimum=1)
    method: str = "meet"
    beam: int = option_field(8, "Walks kept at every constraint.", minimum=1)
    restarts: int = option_field(
        1, "Independent searches, each with the whole budget.", unit="N", minimum=1
    )
    workers: int = option_field(1, "Processes that share the searches.", unit="M", minimum=1)
    state_file: pathlib.Path | None = None
    w_cost: float = option_field(0.03, "Score of a transition at the threshold.", minimum=0)
    w_way: float = option_field(0.05, "Score of a metre of the way.", minimum=0)
    w_turning: float = option_field(0.05, "Score of a radian of turning.", minimum=0)
    w_idle: float = option_field(0.5, "Score of a metre that limbs move unasked.", minimum=0)
    clock: Clock = field(default_factory=lambda: SYSTEM, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_options(self)
        _check_method(self.method)

    @property
    def price(self) -> Price:
        """What travelling between body constraints costs, and doing what nobody asked for."""
        from motionloom.graph.scoring._price import Price

        return Price(self.w_way, self.w_turning, self.w_idle)

    @property
    def limit(self) -> int:
        """Iterations after which each of the restarts ends."""
        return self.iterations or max(int(self.budget * ITERATIONS_PER_SECOND), 1)


@dataclass(frozen=True)
class PoseError:
    """How far a motion is from a hard constraint.

    Parameters
    ----------
    frame : int
        Frame of the motion for which it is asked.
    shows : int
        Frame of the clip set that is asked for.
    frames : int or None
        How many frames later than asked the motion shows it: 0 when it is met; None when it never
        does.
    """

    frame: int
    shows: int
    frames: int | None


@dataclass(frozen=True)
class Candidate:
    """One motion that was found.

    Parameters
    ----------
    path : GraphWalk
        Exactly as many frames as were asked for.
    start : GroundTransform
        Transform of its first piece.
    score : float
        Weighted squared errors, costs of frames and edge costs; smaller is better.
    edge_costs : tuple of float
        Relative cost of every seam: 1 is at the threshold; switching gait or style costs more.
    errors : tuple of ConstraintError
        Errors at the constraints before anything is spread.
    poses : tuple of PoseError
        Errors at the hard constraints, ordered by time.
    """

    path: GraphWalk
    start: GroundTransform
    score: float
    edge_costs: tuple[float, ...]
    errors: tuple[ConstraintError, ...]
    poses: tuple[PoseError, ...] = ()


@dataclass(frozen=True, eq=False)
class SearchResult:
    """What a search found.

    Parameters
    ----------
    alternatives : tuple of Candidate
        Distinct motions, best first.
    iterations : int
        Mutations tried, those before a resume included.
    seconds : float
        Time of this call.
    stopped_because : {"iterations", "time", "interrupted"}
        Only after ``"iterations"`` the same seed gives the same result on any machine.
    state : list of Stream
        To resume from.
    out_of_reach : tuple of PoseError
        Hard constraints that no motion can meet; the motions meet them as soon as they can, or
        never.
    """

    alternatives: tuple[Candidate, ...]
    iterations: int
    seconds: float
    stopped_because: str
    state: list[Stream]
    out_of_reach: tuple[PoseError, ...] = ()

    @property
    def best(self) -> Candidate:
        """The best motion."""
        return self.alternatives[0]

    @property
    def reproducible(self) -> bool:
        """Whether the same seed gives this result again."""
        return self.stopped_because == "iterations"
