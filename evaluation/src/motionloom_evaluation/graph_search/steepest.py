"""Every mutation of a walk that Arikan & Forsyth (2002) allow, and the best of them; compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from motionloom.compiling import kernel, part
from motionloom.graph.scoring.walk import LAID, Ground, Span, Terms, lay
from motionloom.graph.searching.adjacency import Adjacency, below, between_tops, take
from motionloom.graph.searching.mutate import first_missed, shortest


@kernel
def seed_walk(ground, adjacency, span, rng, start, steps):  # pragma: no cover - compiled
    """Fill `steps`, rows of `STEP`, with random edges of the coarsest level; return how many.

    It stops where the walk is long enough, or where no edge leads on.
    """
    m = 0
    n = span.first_frame
    a = start
    while m < len(steps) and n + ground.end[a] - a < span.last_frame:
        node = -1
        for _ in range(64):
            r = between_tops(
                adjacency,
                rng,
                adjacency.clip_of[a] * adjacency.n_clips + below(rng, adjacency.n_clips),
            )
            if r >= 0:
                take(adjacency, r, steps[m])
                if a + shortest(ground, span, m) <= steps[m].source:
                    node = r
                    break
        if node < 0:
            break
        n = n + steps[m].source - a
        a = steps[m].target
        m = m + 1
    return m


class Descent(NamedTuple):
    """A walk whose mutations are tried: a start and the first `m` of `steps`; the pins it keeps."""

    ground: Ground
    adjacency: Adjacency
    terms: Terms
    span: Span
    pins: NDArray[np.int64]
    start: int
    steps: NDArray[np.void]
    m: int


class _Draft(NamedTuple):
    """Room for a changed walk: how the walk and the changed one are laid down, its steps, the best
    steps so far.
    """

    laid: NDArray[np.void]
    trial: NDArray[np.void]
    new: NDArray[np.void]
    kept: NDArray[np.void]


@kernel
def _draft(task, kept):  # pragma: no cover - compiled
    """Room for the mutations of a walk."""
    steps = task.steps
    laid = np.zeros(len(steps) + 2, LAID)
    trial = np.zeros(len(steps) + 2, LAID)
    lay(task.ground, task.terms, task.span, task.start, steps, task.m, np.int64(0), laid)
    return _Draft(laid, trial, steps.copy(), kept)


@part
def _try(task, draft, count, first, best):  # pragma: no cover - compiled
    """Score a walk that was changed from piece `first` on; when it is better than `best` and keeps
    the pins it is kept and its score returned, else `best`.
    """
    start = task.start
    span = task.span
    new = draft.new
    laid = draft.laid
    for p in range(first, count):
        a = start if p == 0 else new[p - 1].target
        if new[p].source - a < shortest(task.ground, span, p):
            return best
    if (
        first_missed(task.ground, span, task.pins, start, new, count, first, laid[first].frames)[0]
        >= 0
    ):
        return best
    draft.trial[first] = laid[first]
    score = lay(task.ground, task.terms, span, start, new, count, first, draft.trial)[0]
    if not score < best:
        return best
    for p in range(count):
        draft.kept[p] = new[p]
    return score


@part
def _close(task, draft, first, at, count, room, pair, best):  # pragma: no cover - compiled
    """Try every edge of a pair of clips as step `at` of a walk that was changed from piece `first`
    on.

    `room` is the first frame in which it may leave and the last that it may enter. Returns (best
    score, tried).
    """
    adjacency = task.adjacency
    step = draft.new[at]
    tried = 0
    for q in range(adjacency.root_ptr[pair], adjacency.root_ptr[pair + 1]):
        take(adjacency, adjacency.roots[q], step)
        if step.source < room[0] or step.target > room[1]:
            continue
        tried += 1
        best = _try(task, draft, count, first, best)
    return best, tried


@kernel
def best_replacement(task, i, j, best, best_steps):  # pragma: no cover - compiled
    """Join pieces i <= j by every one or two edges of the coarsest level instead of what is
    between.

    Returns
    -------
    best : float
        Score of the best walk, written to `best_steps`; what was given when none was better.
    count : int
        Its edges.
    tried : int
        Walks that were scored.
    """
    ground = task.ground
    adjacency = task.adjacency
    steps = task.steps
    m = task.m
    draft = _draft(task, best_steps)
    new = draft.new
    a = task.start if i == 0 else steps[i - 1].target
    t = adjacency.clip_of[task.start if j == 0 else steps[j - 1].target]
    low = a + shortest(ground, task.span, i)
    high = (
        steps[j].source if j < m else ground.end[steps[j - 1].target if j > 0 else task.start]
    ) - ground.min_piece
    found = m
    tried = 0
    for hops in range(1, 3):
        count = i + hops + m - j
        if count > len(steps):
            break
        before = best
        for p in range(j, m):
            new[p + i + hops - j] = steps[p]
        if hops == 1:
            pair = adjacency.clip_of[a] * adjacency.n_clips + t
            best, more = _close(task, draft, i, i, count, (low, high), pair, best)
            tried += more
        for u in range(adjacency.n_clips if hops == 2 else 0):
            ahead = adjacency.clip_of[a] * adjacency.n_clips + u
            pair = u * adjacency.n_clips + t
            for r in range(adjacency.root_ptr[ahead], adjacency.root_ptr[ahead + 1]):
                take(adjacency, adjacency.roots[r], new[i])
                if new[i].source < low:
                    continue
                after = new[i].target + ground.min_piece
                best, more = _close(task, draft, i, i + 1, count, (after, high), pair, best)
                tried += more
        if best < before:
            found = count
    return best, found, tried


@kernel
def best_demotion(task, best, best_steps):  # pragma: no cover - compiled
    """Replace every two edges by every choice of their children, or one by a child.

    Returns (best score, walks that were scored); the best walk is written to `best_steps`.
    """
    adjacency = task.adjacency
    steps = task.steps
    m = task.m
    draft = _draft(task, best_steps)
    n = len(adjacency.ends)
    tried = 0
    for i in range(m):
        for j in range(i, m):
            for choice in range(
                1, 3 if i == j else 9
            ):  # base 3: stay, left or right child of i and of j
                here = choice % 3
                there = choice // 3
                if (here > 0 and steps[i].node < n) or (there > 0 and steps[j].node < n):
                    continue
                if i != j and (here == 0 or there == 0):
                    continue  # one edge alone is tried where i == j
                draft.new[:] = steps
                take(adjacency, adjacency.children[steps[i].node - n, here - 1], draft.new[i])
                if there > 0:
                    take(adjacency, adjacency.children[steps[j].node - n, there - 1], draft.new[j])
                tried += 1
                best = _try(task, draft, m, i, best)
    return best, tried
