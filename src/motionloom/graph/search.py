"""Search a motion graph for motions that meet constraints: randomized, hierarchical, anytime, resumable.

Seeds are grown from constraint to constraint: a beam of short walks is annealed up to the first boundary, each of the
best is continued to the next, and so on; the best complete walks are then annealed as a whole. Rounds of growing
effort repeat this with fresh random walks, so the search can be stopped at any time and resumed later.
"""

from __future__ import annotations

from copy import deepcopy
from time import perf_counter

import numpy as np

from motionloom.constraints import ConstraintSet
from motionloom.errors import SynthesisError
from motionloom.graph.build import MotionGraph
from motionloom.graph.objective import compile_objective
from motionloom.graph.results import Candidate, SearchOptions, SearchResult, SearchState
from motionloom.graph.searcher import Searcher
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
    searcher = Searcher(graph, compile_objective(graph.clips, constraints, w_cost=options.w_cost), options)
    state = deepcopy(state) if state is not None else SearchState(np.array([_first_state(options.seed)], np.uint64))
    began = perf_counter()
    deadline = np.inf if options.iterations else began + 2 * options.budget
    reason = "iterations"
    try:
        while state.iterations < options.limit:
            searcher.step(state)
            progress("searching", min(state.iterations, options.limit), options.limit)
            if perf_counter() > deadline and state.iterations < options.limit:
                reason = "time"
                break
    except KeyboardInterrupt:
        reason = "interrupted"
    walks = searcher.distinct(state.minima)
    if not walks and reason == "interrupted":
        raise SynthesisError("the search was stopped before it had found a motion; let it run a little longer")
    if not walks:
        raise SynthesisError(
            f"no walk through the motion graph has {constraints.n_frames} frames; add clips, raise tau or ask for less"
        )
    found = tuple(searcher.candidate(walk, constraints) for walk in walks)
    return SearchResult(found, state.iterations, perf_counter() - began, reason, state)


def _first_state(seed: int) -> int:
    return int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])
