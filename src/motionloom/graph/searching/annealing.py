"""Walks laid down, drawn at random and annealed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from motionloom.compiling import kernel, part
from motionloom.graph.scoring.walk import LAID, STEP, Span, lay
from motionloom.graph.searching.adjacency import draws, random
from motionloom.graph.searching.mutate import Scope, extend, first_missed, propose
from motionloom.graph.searching.problem import Problem
from motionloom.graph.searching.state import Walk
from motionloom.typing import Ints

#: Temperatures of annealing in units of the score: from scratch, for what is good already, and at
#: the end.
HOT, WARM, COLD = 1.0, 0.02, 1e-3
#: By how much of itself a score that was kept may differ from that of the walk laid down anew.
_SAME = 1e-6


@part
def _accept(new, trial, first, used, steps, laid):  # pragma: no cover - compiled
    """Go on from a changed walk, as far as it was changed."""
    for p in range(first, used):
        steps[p] = new[p]
    for p in range(first, used + 1):
        laid[p] = trial[p]


@part
def _chance(hot, share, worse):  # pragma: no cover - compiled
    """How likely a walk that is so much worse is accepted after a share of the iterations."""
    # Geometric cooling: a score falls by factors on its way, so should what is still accepted.
    return np.exp(-worse / (hot * (COLD / hot) ** share))


@kernel
def _anneal(scope, terms, start, m, steps, best, effort, hot):  # pragma: no cover - compiled
    """Anneal a walk of m `steps`; the best complete walk met so far is written to `best`.

    Returns
    -------
    best_score : float
        Infinite when no complete walk was met or the walk does not keep its pins.
    best_start, best_m : int
        Start and number of steps of the best walk.
    """
    ground = scope.ground
    span = scope.span
    rng = scope.rng
    best_score = np.inf
    best_start = start
    best_m = m
    laid = np.zeros(len(steps) + 1, LAID)
    trial = np.zeros(len(steps) + 1, LAID)
    new = steps.copy()
    if (
        first_missed(ground, span, scope.pins, start, steps, m, np.int64(0), span.first_frame)[0]
        >= 0
    ):
        return best_score, best_start, best_m
    score, m, short = lay(ground, terms, span, start, steps, m, np.int64(0), laid)
    if short == 0:
        best_score = score
        best_m = m
    for i in range(effort):
        count, at, first = propose(scope, start, steps, m, laid, new)
        keep = False
        if count >= 0:
            # Only what follows the first changed piece is laid anew; where it begins is as before.
            trial[first] = laid[first]
            value, used, short = lay(ground, terms, span, at, new, count, first, trial)
            # The Metropolis rule; the random number is drawn only for a worse walk, and that order
            # is part of what a seed means.
            keep = value <= score or random(rng) < _chance(hot, i / effort, value - score)
        if not keep:
            for p in range(m):
                new[p] = steps[p]
            continue
        # Laid down from a frame in its middle, a walk moves as a whole when what is before changes.
        if span.anchor > span.first_frame:
            first = 0
        _accept(new, trial, first, used, steps, laid)
        score = value
        start = at
        m = used
        if score < best_score and short == 0:
            best_score = score
            best_start = start
            best_m = m
            for p in range(m):
                best[p] = steps[p]
    return best_score, best_start, best_m


def capacity(problem: Problem, span: Span) -> int:
    """Most edges that a walk over a span can have.

    Parameters
    ----------
    problem : Problem
        Its shortest piece counts.
    span : Span
        Frames to fill.

    Returns
    -------
    int
        With a little room to spare.
    """
    return (span.last_frame - span.first_frame) // problem.ground.min_piece + 3


def make_steps(problem: Problem, edges: Ints) -> NDArray[np.void]:
    """Rows of `STEP` for a row of edges.

    Parameters
    ----------
    problem : Problem
        The graph that the edges are of.
    edges : int64 array of shape (M,)
        Numbers of edges, not of inner nodes of the hierarchy.

    Returns
    -------
    array of STEP of shape (M,)
        Node, source, target and relative cost.
    """
    steps = np.zeros(len(edges), STEP)
    steps["node"] = edges
    steps["cost"] = problem.adjacency.cost[edges]
    steps["source"], steps["target"] = problem.adjacency.ends[edges].T
    return steps


def lay_walk(problem: Problem, walk: Walk, span: Span) -> tuple[float, NDArray[np.void], int, int]:
    """Lay a walk down over a span and score it.

    Parameters
    ----------
    problem : Problem
        The graph and the terms.
    walk : Walk
        Its start and M edges; its own score is not looked at.
    span : Span
        Frames to fill.

    Returns
    -------
    score : float
        Weighted squared errors plus edge costs.
    laid : array of LAID of shape (M + 1,)
        How every piece is laid down; rows after the last piece that is used are zero.
    used : int
        Edges before the end; later ones do not count.
    short : int
        Frames that the last clip lacks.
    """
    laid = np.zeros(len(walk.steps) + 1, LAID)
    score, used, short = lay(
        problem.ground, problem.terms, span, walk.start, walk.steps, len(walk.steps), 0, laid
    )
    return score, laid, used, short


def is_complete(walk: Walk, problem: Problem, span: Span) -> bool:
    """Whether a walk shows something in every frame, and no more, and its score is its own.

    Parameters
    ----------
    walk : Walk
        A walk with its score.
    problem : Problem
        The graph and the terms.
    span : Span
        Frames to fill.

    Returns
    -------
    bool
        Scores are compared to a relative `_SAME`.
    """
    score, _, used, short = lay_walk(problem, walk, span)
    same = abs(score - walk.score) <= _SAME * (1 + abs(score))
    return short == 0 and used == len(walk.steps) and same


def random_walk(
    problem: Problem, rng: NDArray[np.uint64], span: Span, start: int | None = None
) -> Walk:
    """Random walk over a span, from a given or a random start.

    Parameters
    ----------
    problem : Problem
        The graph; its `starts` are those a random start is drawn from.
    rng : uint64 array of shape (1,)
        State of the random numbers; it is advanced.
    span : Span
        Frames to fill.
    start : int, optional
        Frame of the clip set.

    Returns
    -------
    Walk
        Not scored (infinite); it may lack frames, and pins are not looked at.
    """
    steps = np.zeros(capacity(problem, span), STEP)
    first = int(problem.starts[draws(rng, len(problem.starts), 1)[0]]) if start is None else start
    m = extend(problem.ground, problem.adjacency, span, rng, first, steps, 0, span.first_frame)
    return Walk(np.inf, first, steps[:m])


def anneal_walk(
    problem: Problem, rng: NDArray[np.uint64], span: Span, walk: Walk, effort: int, hot: float
) -> Walk | None:
    """Anneal a walk; None when no complete walk was met or it does not keep the pins.

    Parameters
    ----------
    problem : Problem
        The graph, the terms, and the pins that must be kept.
    rng : uint64 array of shape (1,)
        State of the random numbers; it is advanced.
    span : Span
        Frames to fill; pins after it do not count.
    walk : Walk
        Where annealing begins; it is not changed.
    effort : int
        Mutations tried.
    hot : float
        Temperature at the beginning, in units of the score; it falls geometrically to `COLD`.

    Returns
    -------
    Walk or None
        The best complete walk that was met.
    """
    m = len(walk.steps)
    # Two more than there are: a mutation may add two edges before it is cut to length.
    steps = np.zeros(max(capacity(problem, span), m + 2), STEP)
    steps[:m] = walk.steps
    best = steps.copy()
    # A pin beyond the span cannot be kept yet, and would refuse every walk.
    pins = problem.pins[problem.pins[:, 0] < span.last_frame]
    scope = Scope(problem.ground, problem.adjacency, span, pins, problem.cheap, rng)
    score, start, count = _anneal(scope, problem.terms, walk.start, m, steps, best, effort, hot)
    # A copy: the rows belong to a buffer that is as long as any walk can be.
    return Walk(score, start, best[:count].copy()) if np.isfinite(score) else None


def anneal_tail(
    problem: Problem,
    rng: NDArray[np.uint64],
    before: Walk,
    frame: int,
    last: int,
    tail: NDArray[np.void] | None,
    effort: int,
) -> Walk | None:
    """Anneal what follows a walk that ends in `frame`, up to frame `last`.

    Parameters
    ----------
    problem : Problem
        The graph, the terms, and the pins that must be kept.
    rng : uint64 array of shape (1,)
        State of the random numbers; it is advanced.
    before : Walk
        A walk up to `frame`, which stays as it is.
    frame, last : int
        Frames of the motion between which edges are changed.
    tail : array of STEP or None
        Edges to begin with, annealed from `WARM`; a random walk, annealed from `HOT`, when None.
    effort : int
        Mutations tried.

    Returns
    -------
    Walk or None
        The whole walk up to `last`; None when none was met that is complete and keeps the pins.
    """
    laid = lay_walk(problem, before, problem.until(frame))[1]
    row = laid[len(before.steps)]
    entered = int(before.steps[-1]["target"]) if len(before.steps) else before.start
    played = frame - int(row["frames"])
    here = entered + played
    span = problem.until(last)._replace(
        first_frame=frame,
        anchor=frame,
        place=complex(row["turn"] * problem.ground.place[here] + row["shift"]),
        turn=complex(row["turn"] * problem.ground.turn[here]),
        played=played,
    )
    walk = random_walk(problem, rng, span, here) if tail is None else Walk(np.inf, here, tail)
    found = anneal_walk(problem, rng, span, walk, effort, HOT if tail is None else WARM)
    if found is None:
        return None
    joined = Walk(np.inf, before.start, np.concatenate([before.steps, found.steps]))
    # The score of the tail alone does not know what the walk before it costs: scored as one.
    score, _, used, short = lay_walk(problem, joined, problem.until(last))
    return Walk(score, joined.start, joined.steps[:used]) if short == 0 else None
