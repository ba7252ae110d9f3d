"""Search a motion graph for motions that meet constraints: randomized, hierarchical, anytime,
resumable.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field

from motionloom.constraints import ConstraintSet
from motionloom.errors import SynthesisError
from motionloom.graph.scoring.terms import Objective, compile_objective
from motionloom.graph.searching.alternatives import make_candidates
from motionloom.graph.searching.methods import advance
from motionloom.graph.searching.parallel import advance_in_processes
from motionloom.graph.searching.problem import Problem, make_problem
from motionloom.graph.searching.reach import OutOfReach, within_reach
from motionloom.graph.searching.results import Candidate, SearchOptions, SearchResult
from motionloom.graph.searching.state import SearchState, new_state
from motionloom.graph.searching.state_file import load_if_there, save_state
from motionloom.graph.transitions.build import MotionGraph
from motionloom.progress import Progress, silent
from motionloom.threads import one_thread

__all__ = [
    "Candidate",
    "SearchOptions",
    "SearchResult",
    "SearchState",
    "find_out_of_reach",
    "search_motion",
]


#: Seconds between writing the state while a search goes on.
SAVE_EVERY = 10.0


@dataclass(eq=False)
class _Keeper:
    """Writes the state to its file, if one was asked for."""

    state: SearchState
    problem: Problem
    options: SearchOptions
    written: float = field(init=False)

    def __post_init__(self) -> None:
        self.written = self.options.clock.passed()

    def now(self) -> None:
        if self.options.state_file is not None:
            save_state(self.options.state_file, self.state, self.problem, self.options)
            self.written = self.options.clock.passed()

    def along(self, progress: Progress) -> Progress:
        """`progress`, and the state written now and then."""

        def report(stage: str, done: float, total: float) -> None:
            progress(stage, done, total)
            if self.options.clock.passed() - self.written > SAVE_EVERY:
                self.now()

        return report


@one_thread()
def search_motion(
    graph: MotionGraph,
    constraints: ConstraintSet,
    options: SearchOptions | None = None,
    *,
    state: SearchState | None = None,
    progress: Progress = silent,
) -> SearchResult:
    """Search for motions that meet constraints.

    Parameters
    ----------
    graph : MotionGraph
        The graph that is searched.
    constraints : ConstraintSet
        What is asked for, at the frame rate of the clips.
    options : SearchOptions, optional
        How to search, and for how long.
    state : SearchState, optional
        Go on from here (with the same graph, constraints and options except the budget). It is not
        changed. The budget counts from the beginning of the first search, so a larger one is needed
        to do more. The same holds for a state in ``options.state_file``.
    progress : Progress
        Called between the steps of the search; Ctrl-C, or a KeyboardInterrupt that it raises, ends
        the search with the best found so far.

    Returns
    -------
    SearchResult
        At least one motion, and the state to go on from.

    Raises
    ------
    InvalidInputError
        When the frame rates differ, or a joint, label or cost is not known.
    FormatError
        When the state file belongs to another graph, other constraints or other options.
    SynthesisError
        When no walk through the graph has as many frames as are asked for, or none was found before
        Ctrl-C.
    """
    options = options or SearchOptions()
    objective = _objective_of(graph, constraints, options)
    problem, out_of_reach = within_reach(make_problem(graph, objective))
    if state is None and options.state_file is not None:
        state = load_if_there(options.state_file, problem, options)
    state = deepcopy(state) if state is not None else new_state(options.seed, options.restarts)
    keep = _Keeper(state, problem, options)
    began = options.clock.passed()
    if options.workers > 1 and len(state.streams) > 1:
        reason = advance_in_processes(problem, options, state, progress, keep.now)
    else:
        reason = advance(problem, options, state, keep.along(progress))
    keep.now()
    walks = [walk for stream in state.streams for walk in stream.minima]
    found = make_candidates(
        graph.clips, constraints, objective, problem, walks, options.alternatives
    )
    if not found and reason == "interrupted":
        raise SynthesisError(
            "the search was stopped before it had found a motion; let it run a little longer"
        )
    if not found:
        raise SynthesisError(
            f"no walk through the motion graph has {constraints.n_frames} frames; add clips, raise"
            " tau or ask for less"
        )
    seconds = options.clock.passed() - began
    return SearchResult(found, state.iterations, seconds, reason, state, out_of_reach)


def find_out_of_reach(
    graph: MotionGraph, constraints: ConstraintSet, options: SearchOptions | None = None
) -> tuple[OutOfReach, ...]:
    """Hard constraints that no walk through the graph meets, without searching.

    Parameters
    ----------
    graph : MotionGraph
        The graph whose walks are meant.
    constraints : ConstraintSet
        What is asked for, at the frame rate of the clips.
    options : SearchOptions, optional
        Makes no difference to what is found.

    Returns
    -------
    tuple of OutOfReach
        Ordered by time. A pose more than `HORIZON` frames away from the one before counts as never.
    """
    objective = _objective_of(graph, constraints, options or SearchOptions())
    return within_reach(make_problem(graph, objective))[1]


def _objective_of(
    graph: MotionGraph, constraints: ConstraintSet, options: SearchOptions
) -> Objective:
    return compile_objective(
        graph.clips,
        constraints,
        w_cost=options.w_cost,
        connected=graph.core,
        price=options.price,
        toll=graph.toll,
    )
