"""The search of Arikan & Forsyth (2002): the best of all mutations, again and again, until none
improves.

The best of some random walks of the coarsest level is taken; all its mutations are tried and the
best replaces it, until it is a local minimum, which is kept; then the next one. Every mutation
tried counts as one iteration, so budgets compare with those of the other methods.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from motionloom.graph.scoring.walk import STEP
from motionloom.graph.searching.adjacency import below
from motionloom.graph.searching.annealing import capacity, lay_walk
from motionloom.graph.searching.problem import Problem, without_pins
from motionloom.graph.searching.results import SearchOptions
from motionloom.graph.searching.rounds import grow
from motionloom.graph.searching.state import Stream, Walk, keep_minimum
from motionloom_evaluation.graph_search.steepest import (
    Descent,
    best_demotion,
    best_replacement,
    seed_walk,
)

#: Random walks of which the best is taken.
SEEDS = 64
#: Half walks each way when a first walk is grown between pins.
PINNED_SIZE = 500


def step(problem: Problem, options: SearchOptions, stream: Stream) -> None:
    """Try the mutations at one place of the walk, or begin with a new one.

    ``beam[0]`` is the walk, ``beam[1]`` the best mutation so far, `task` the place: pairs of
    pieces, then demotions.

    Parameters
    ----------
    problem : Problem
        The graph and what is asked for.
    options : SearchOptions
        Its `beam` counts where a first walk is grown between hard constraints.
    stream : Stream
        Changed in place; a walk that no mutation improves leaves an empty beam.
    """
    problem = without_pins(problem, stream.given_up)
    if not stream.beam:
        _begin(problem, options, stream)
        return
    walk, best = stream.beam
    m = len(walk.steps)
    pairs = [(i, j) for i in range(m + 1) for j in range(i, m + 1)]
    steps = np.zeros(capacity(problem, problem.span) + 2, STEP)
    steps[:m] = walk.steps
    best_steps = steps.copy()
    task = Descent(
        ground=problem.ground,
        adjacency=problem.adjacency,
        terms=problem.terms,
        span=problem.span,
        pins=problem.pins,
        start=walk.start,
        steps=steps,
        m=m,
    )
    if stream.task < len(pairs):
        score, count, tried = best_replacement(task, *pairs[stream.task], best.score, best_steps)
    else:
        score, tried = best_demotion(task, best.score, best_steps)
        count = m
    stream.iterations += tried + 1
    if score < best.score:
        best = _trimmed(problem, stream, walk.start, best_steps[:count])
    stream.task += 1
    stream.beam = [walk, best]
    if stream.task > len(pairs):  # all were tried
        stream.task = 0
        stream.beam = [best, best] if best.score < walk.score else []


def fits(problem: Problem, options: SearchOptions, stream: Stream) -> bool:
    """Whether a stream can have come to where it is: no walk, or one and its best mutation.

    Parameters
    ----------
    problem : Problem
        Not used.
    options : SearchOptions
        Not used.
    stream : Stream
        As read from a file.

    Returns
    -------
    bool
        False also when `task` is beyond the last place of the walk.
    """
    m = len(stream.beam[0].steps) if stream.beam else 0
    return len(stream.beam) in (0, 2) and stream.task <= (m + 1) * (m + 2) // 2


def _begin(problem: Problem, options: SearchOptions, stream: Stream) -> None:
    """Take the best of some random walks of the coarsest level, or one grown between the pins where
    there are any.
    """
    span = problem.span
    walks: list[Walk] = []
    if len(problem.pins):
        for leg in problem.legs:
            walks = grow(problem, options, stream, leg, walks, PINNED_SIZE)
            if not walks:
                break
    else:
        for _ in range(SEEDS):
            start = int(problem.starts[below(stream.rng, len(problem.starts))])
            steps = np.zeros(capacity(problem, span), STEP)
            m = seed_walk(problem.ground, problem.adjacency, span, stream.rng, start, steps)
            walks.append(_trimmed(problem, stream, start, steps[:m]))
        stream.iterations += SEEDS
    best = min(walks, key=lambda w: w.score, default=None)
    stream.beam = [] if best is None else [best, best]
    stream.task = 0


def _trimmed(problem: Problem, stream: Stream, start: int, steps: NDArray[np.void]) -> Walk:
    """The walk without edges beyond its end; a complete one is something to show."""
    score, _, used, short = lay_walk(problem, Walk(np.inf, start, steps), problem.span)
    walk = Walk(score, start, steps[:used].copy())
    if short == 0:
        keep_minimum(stream, walk)
    return walk
