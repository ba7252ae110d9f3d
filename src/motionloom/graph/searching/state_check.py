"""Whether a search can have come to a state that was read from a file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.graph.searching.annealing import capacity, is_complete
from motionloom.graph.searching.problem import Problem
from motionloom.graph.searching.registry import find_method
from motionloom.graph.searching.results import SearchOptions
from motionloom.graph.searching.state import MINIMA, SearchState, Stream, Walk
from motionloom.io.stored import Fault


def check_state(state: SearchState, problem: Problem, options: SearchOptions) -> None:
    """Refuse walks that the graph does not have and counts that do not fit them.

    Parameters
    ----------
    state : SearchState
        As read from a file.
    problem : Problem
        The graph and what is asked for.
    options : SearchOptions
        Its method says what the counts of a stream mean.

    Raises
    ------
    Fault
        When no search of this problem can have come to this state.
    """
    if len(state.streams) != options.restarts:
        raise Fault("it has another number of searches")
    _check_walks(
        [walk for stream in state.streams for walk in (*stream.beam, *stream.minima)], problem
    )
    for stream in state.streams:
        _check_counts(stream, problem)
        if not find_method(options.method).fits(problem, options, stream):
            raise Fault("it counts walks that it does not hold")
        scores = [walk.score for walk in stream.minima]
        if len(scores) > MINIMA or scores != sorted(scores):
            raise Fault("its motions are not the best in their order")
        if not all(is_complete(walk, problem, problem.span) for walk in stream.minima):
            raise Fault("a walk is not what its score says")


def _check_walks(walks: Sequence[Walk], problem: Problem) -> None:
    """Every step is an edge of the graph that leaves a piece which is long enough."""
    ground = problem.ground
    adjacency = problem.adjacency
    if any(walk.start >= len(ground.place) for walk in walks):
        raise Fault("a walk begins at no frame")
    room = capacity(problem, problem.span) + 2
    if any(len(walk.steps) > room for walk in walks):
        raise Fault("a walk is longer than the motion")
    if not any(len(walk.steps) for walk in walks):
        return
    steps = np.concatenate([walk.steps for walk in walks])
    n = len(adjacency.cost)
    if steps["node"].min() < 0 or steps["node"].max() >= 2 * n:
        raise Fault("a walk passes a transition that is not there")
    inner = np.flatnonzero(steps["node"] >= n)
    edge = steps["node"].astype(np.int64)
    if (adjacency.children[edge[inner] - n, 0] < 0).any():
        raise Fault("a walk passes a transition that is not there")
    edge[inner] = adjacency.medoid[edge[inner] - n]
    same = (steps["source"] == adjacency.ends[edge, 0]) & (
        steps["target"] == adjacency.ends[edge, 1]
    )
    if not (same & (steps["cost"] == adjacency.cost[edge])).all():
        raise Fault("a step of a walk is not the transition that it names")
    entries = np.concatenate(
        [[walk.start, *walk.steps["target"][:-1]] for walk in walks if len(walk.steps)]
    )
    entries = entries.astype(np.int64)
    short = steps["source"] - entries < ground.min_piece
    if (short | (ground.begin[steps["source"]] != ground.begin[entries])).any():
        raise Fault("a walk leaves a clip where it is not")


def _check_counts(stream: Stream, problem: Problem) -> None:
    """What was given up was asked for, and budgets were spent for that alone."""
    given_up = stream.given_up
    if len(set(given_up)) != len(given_up) or not set(given_up) <= set(problem.pins[:, 0].tolist()):
        raise Fault("it gave up what was not asked for")
    if stream.extra > len(given_up) or stream.stuck > problem.span.last_frame:
        raise Fault("it counts more than it can have done")
