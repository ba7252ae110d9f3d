"""Simulated annealing of a walk, compiled."""

from __future__ import annotations

import numpy as np

from motionloom.compiling import kernel
from motionloom.graph.scoring.walk import LAID, lay
from motionloom.graph.searching.mutate import propose
from motionloom.graph.searching.pins import first_missed
from motionloom.graph.searching.roads import random


@kernel
def anneal(
    ground, roads, terms, span, pins, rng, walk, steps, best_walk, best_steps, hot, cold, effort
):  # pragma: no cover
    """Run `effort` iterations, the temperature falling from `hot` to `cold`.

    `walk` is (start, edges); it, `steps` and the best complete walk met so far are changed in place.

    Returns
    -------
    best_score : float
        Infinite when no complete walk was met or the walk does not keep its pins.
    """
    start, m = walk[0], walk[1]
    laid, trial = np.zeros(len(steps) + 1, LAID), np.zeros(len(steps) + 1, LAID)
    new = steps.copy()
    if first_missed(ground, span, pins, start, steps, m, np.int64(0), span.first_frame)[0] >= 0:
        return np.inf
    score, m, short = lay(ground, terms, span, start, steps, m, np.int64(0), laid)
    best_score = np.inf
    if short == 0:
        best_score = score
        best_walk[0], best_walk[1] = start, m
        for p in range(m):
            best_steps[p] = steps[p]
    for i in range(effort):
        count, at, first = propose(ground, roads, span, pins, rng, start, steps, m, laid, new)
        keep = False
        if count >= 0:
            trial[first] = laid[first]
            value, used, short = lay(ground, terms, span, at, new, count, first, trial)
            temperature = hot * (cold / hot) ** (i / effort)
            keep = value <= score or random(rng) < np.exp((score - value) / temperature)
        if not keep:
            for p in range(m):
                new[p] = steps[p]
            continue
        if span.anchor > span.first_frame:
            first = 0
        for p in range(first, used):
            steps[p] = new[p]
        for p in range(first, used + 1):
            laid[p] = trial[p]
        score, start, m = value, at, used
        if score < best_score and short == 0:
            best_score = score
            best_walk[0], best_walk[1] = start, m
            for p in range(m):
                best_steps[p] = steps[p]
    walk[0], walk[1] = start, m
    return best_score
