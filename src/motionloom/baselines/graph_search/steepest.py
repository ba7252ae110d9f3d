"""Every mutation of a walk that Arikan & Forsyth (2002) allow, and the best of them; compiled."""

from __future__ import annotations

import numpy as np

from motionloom.compiling import kernel, part
from motionloom.graph.scoring.walk import LAID, lay
from motionloom.graph.searching.adjacency import below, between_tops, take
from motionloom.graph.searching.pins import first_missed, shortest


@kernel
def seed_walk(ground, adjacency, span, rng, start, steps):  # pragma: no cover - compiled
    """Fill `steps` with random edges of the coarsest level until the walk is long enough; return
    how many.
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


@part
def _try(
    ground, terms, span, pins, start, new, count, first, laid, trial, best
):  # pragma: no cover - compiled
    """Score a changed walk; returns its score when it is better than `best` and keeps the pins,
    else infinity.
    """
    for p in range(first, count):
        a = start if p == 0 else new[p - 1].target
        if new[p].source - a < shortest(ground, span, p):
            return np.inf
    if first_missed(ground, span, pins, start, new, count, first, laid[first].frames)[0] >= 0:
        return np.inf
    trial[first] = laid[first]
    score = lay(ground, terms, span, start, new, count, first, trial)[0]
    return score if score < best else np.inf


@kernel
def best_replacement(
    ground, adjacency, terms, span, pins, start, steps, m, i, j, best, best_steps
):  # pragma: no cover
    """Join pieces i <= j by every one or two edges of the coarsest level instead of those between
    them.

    Returns
    -------
    best : float
        Score of the best walk, written to `best_steps`; what was given when none was better.
    count : int
        Its edges.
    tried : int
    """
    laid = np.zeros(len(steps) + 2, LAID)
    trial = np.zeros(len(steps) + 2, LAID)
    lay(ground, terms, span, start, steps, m, np.int64(0), laid)
    a = start if i == 0 else steps[i - 1].target
    t = adjacency.clip_of[start if j == 0 else steps[j - 1].target]
    low = a + shortest(ground, span, i)
    high = (
        steps[j].source if j < m else ground.end[steps[j - 1].target if j > 0 else start]
    ) - ground.min_piece
    new = steps.copy()
    found = m
    tried = 0
    for hops in range(1, 3):
        count = i + hops + m - j
        if count > len(steps):
            break
        for p in range(j, m):
            new[p + i + hops - j] = steps[p]
        for u in range(adjacency.n_clips if hops == 2 else 1):
            ahead = adjacency.clip_of[a] * adjacency.n_clips + u
            to_t = (u if hops == 2 else adjacency.clip_of[a]) * adjacency.n_clips + t
            firsts = (
                range(adjacency.root_ptr[ahead], adjacency.root_ptr[ahead + 1])
                if hops == 2
                else range(-1, 0)
            )
            for r in firsts:
                after = low
                if hops == 2:
                    take(adjacency, adjacency.roots[r], new[i])
                    if new[i].source < low:
                        continue
                    after = new[i].target + ground.min_piece
                for q in range(adjacency.root_ptr[to_t], adjacency.root_ptr[to_t + 1]):
                    take(adjacency, adjacency.roots[q], new[i + hops - 1])
                    if new[i + hops - 1].source < after or new[i + hops - 1].target > high:
                        continue
                    tried += 1
                    score = _try(ground, terms, span, pins, start, new, count, i, laid, trial, best)
                    if score < best:
                        best = score
                        found = count
                        best_steps[:count] = new[:count]
    return best, found, tried


@kernel
def best_demotion(
    ground, adjacency, terms, span, pins, start, steps, m, best, best_steps
):  # pragma: no cover - compiled
    """Replace every two edges by every choice of their children, or one by a child; returns (best,
    tried).
    """
    laid = np.zeros(len(steps) + 2, LAID)
    trial = np.zeros(len(steps) + 2, LAID)
    lay(ground, terms, span, start, steps, m, np.int64(0), laid)
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
                new = steps.copy()
                take(adjacency, adjacency.children[steps[i].node - n, here - 1], new[i])
                if there > 0:
                    take(adjacency, adjacency.children[steps[j].node - n, there - 1], new[j])
                tried += 1
                score = _try(ground, terms, span, pins, start, new, m, i, laid, trial, best)
                if score < best:
                    best = score
                    best_steps[:m] = new[:m]
    return best, tried
