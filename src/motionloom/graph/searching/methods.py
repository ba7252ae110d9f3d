"""Run the streams of a search with one of the methods until their budget is spent."""

from __future__ import annotations

from time import perf_counter

import numpy as np
from numba.core.event import install_timer

from motionloom.graph.searching import paper, rounds
from motionloom.graph.searching.problem import Problem
from motionloom.graph.searching.results import SearchOptions
from motionloom.graph.searching.state import SearchState, Stream
from motionloom.progress import Progress

_STEPS = {"meet": rounds.step, "anneal": rounds.anneal_step, "paper": paper.step}


def advance(problem: Problem, options: SearchOptions, state: SearchState, progress: Progress) -> str:
    """Bring all streams to the limit, in turn, changing `state`; returns why it stopped.

    A stream that met no motion by then gives up a hard constraint and goes on for as long again, and so on.
    """
    deadline = np.inf if options.iterations else perf_counter() + 2 * options.budget * len(state.streams)
    total, compiling = options.limit * len(state.streams), [0.0]
    try:
        while unfinished := [s for s in state.streams if _goes_on(problem, options, s)]:
            for stream in unfinished:
                # The first search on a machine compiles; that time is no search.
                with install_timer("numba:compile", compiling.append):
                    _STEPS[options.method](problem, options, stream)
            done = sum(min(s.iterations, options.limit) for s in state.streams)
            progress("searching", done, total)
            if perf_counter() - sum(compiling) > deadline and done < total:
                return "time"
    except KeyboardInterrupt:
        return "interrupted"
    return "iterations"


def _goes_on(problem: Problem, options: SearchOptions, stream: Stream) -> bool:
    """Whether a stream has something left to do."""
    if stream.iterations < options.limit * (1 + stream.extra):
        return True
    if stream.minima or not rounds.give_up(problem, stream):
        return False
    stream.extra += 1
    return True
