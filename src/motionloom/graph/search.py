"""Search a motion graph for motions that meet constraints: randomized, hierarchical, anytime, resumable."""

from __future__ import annotations

from copy import deepcopy
from time import perf_counter

from motionloom.constraints import ConstraintSet
from motionloom.errors import SynthesisError
from motionloom.graph.alternatives import make_candidates
from motionloom.graph.build import MotionGraph
from motionloom.graph.methods import advance
from motionloom.graph.objective import compile_objective
from motionloom.graph.problem import make_problem
from motionloom.graph.reach import within_reach
from motionloom.graph.results import Candidate, SearchOptions, SearchResult
from motionloom.graph.state import SearchState, new_state
from motionloom.progress import Progress, silent

__all__ = ["Candidate", "SearchOptions", "SearchResult", "SearchState", "search_motion"]


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
    constraints : ConstraintSet
    options : SearchOptions, optional
    state : SearchState, optional
        Go on from here (with the same graph, constraints and options except the budget). It is not changed. The
        budget counts from the beginning of the first search, so a larger one is needed to do more.
    progress : Progress
        Called between the steps of the search; Ctrl-C, or a KeyboardInterrupt that it raises, ends the search with
        the best found so far.

    Raises
    ------
    SynthesisError
        When no walk through the graph has as many frames as are asked for, or none was found before Ctrl-C.
    """
    options = options or SearchOptions()
    objective = compile_objective(graph.clips, constraints, w_cost=options.w_cost)
    problem, out_of_reach = within_reach(make_problem(graph, objective))
    state = deepcopy(state) if state is not None else new_state(options.seed, options.restarts)
    began = perf_counter()
    reason = advance(problem, options, state, progress)
    walks = [walk for stream in state.streams for walk in stream.minima]
    found = make_candidates(graph.clips, constraints, objective, problem, walks, options.alternatives)
    if not found and reason == "interrupted":
        raise SynthesisError("the search was stopped before it had found a motion; let it run a little longer")
    if not found:
        raise SynthesisError(
            f"no walk through the motion graph has {constraints.n_frames} frames; add clips, raise tau or ask for less"
        )
    return SearchResult(found, state.iterations, perf_counter() - began, reason, state, out_of_reach)
