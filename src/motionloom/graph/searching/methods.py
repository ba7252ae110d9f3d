"""Run the streams of a search with one of the methods until their budget is spent."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba.core.event import Event, Listener, install_listener

from motionloom.graph.searching.problem import Problem
from motionloom.graph.searching.registry import find_method
from motionloom.graph.searching.results import SearchOptions
from motionloom.graph.searching.rounds import give_up
from motionloom.graph.searching.state import SearchState, Stream
from motionloom.progress import Progress, breathe


class _Compiling(Listener):
    """Adds up the seconds that compiling takes, by a clock."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.depth = 0
        self.began = 0.0
        self.seconds = 0.0

    def on_start(self, event: Event) -> None:
        """Compiling begins, perhaps within other compiling."""
        if self.depth == 0:
            self.began = self.clock()
        self.depth += 1

    def on_end(self, event: Event) -> None:
        """And ends."""
        self.depth -= 1
        if self.depth == 0:
            self.seconds += self.clock() - self.began


def advance(
    problem: Problem, options: SearchOptions, state: SearchState, progress: Progress
) -> str:
    """Bring all streams to the limit, in turn, changing `state`; returns why it stopped.

    A stream that met no motion by then gives up a hard constraint and goes on for as long again,
    and so on.

    Parameters
    ----------
    problem : Problem
        The graph and what is asked for.
    options : SearchOptions
        The method, the budget and the clock.
    state : SearchState
        Changed in place.
    progress : Progress
        Told of the iterations of all streams; a KeyboardInterrupt that it raises ends the search.

    Returns
    -------
    {"iterations", "time", "interrupted"}
        Which limit ended it, or that it was stopped.
    """
    clock = options.clock.worked
    step = find_method(options.method).step
    deadline = np.inf if options.iterations else clock() + 2 * options.budget * len(state.streams)
    total = options.limit * len(state.streams)
    compiling = _Compiling(clock)
    try:
        while unfinished := [s for s in state.streams if _goes_on(problem, options, s)]:
            for stream in unfinished:
                breathe()
                # The first search on a machine compiles; that time is no search.
                with install_listener("numba:compile", compiling):
                    step(problem, options, stream)
            done = sum(min(s.iterations, options.limit) for s in state.streams)
            progress("searching", done, total)
            if clock() - compiling.seconds > deadline and done < total:
                return "time"
    except KeyboardInterrupt:
        return "interrupted"
    return "iterations"


def _goes_on(problem: Problem, options: SearchOptions, stream: Stream) -> bool:
    """Whether a stream has something left to do."""
    if stream.iterations < options.limit * (1 + stream.extra):
        return True
    if stream.minima or not give_up(problem, stream):
        return False
    stream.extra += 1
    return True
