"""Joined half walks as whole walks, scored in full; compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from motionloom.compiling import kernel
from motionloom.graph.scoring.walk import LAID, lay
from motionloom.graph.searching.adjacency import take
from motionloom.typing import Ints


class Joined(NamedTuple):
    """Half walks from both ends (rows of `NODE`), and which were joined (rows of `JOIN`)."""

    ahead: NDArray[np.void]
    behind: NDArray[np.void]
    joins: NDArray[np.void]


class Beam(NamedTuple):
    """Walks that are gone on from: walk r has ``lengths[r]`` rows of ``steps[r]``; `starts` and
    `lengths` are empty without any, `steps` has one row then.
    """

    starts: Ints
    lengths: Ints
    steps: NDArray[np.void]


class Traced(NamedTuple):
    """Where joined walks are written down.

    Row k of `edges` (K, M) has the edges after the beam; row k of `found` (K, 4) how many these are
    (0 for a walk that is not complete), the roots of both halves and the first frame of the walk.
    """

    edges: Ints
    found: Ints


@kernel
def _trace(ahead, behind, pair, edges):  # pragma: no cover - compiled
    """Write the edges of a joined walk; return (how many, root of the half ahead, root of the half
    behind).
    """
    n = 0
    a = pair.ahead
    while ahead[a].parent >= 0:
        edges[n] = ahead[a].edge
        n = n + 1
        a = ahead[a].parent
    for k in range(n // 2):
        edges[k], edges[n - 1 - k] = edges[n - 1 - k], edges[k]
    edges[n] = pair.edge
    n = n + 1
    b = pair.behind
    while behind[b].parent >= 0:
        edges[n] = behind[b].edge
        n = n + 1
        b = behind[b].parent
    return n, a, b


@kernel
def score_joined(ground, adjacency, terms, span, halves, beam, traced):  # pragma: no cover
    """Score joined walks, and write them down.

    Returns
    -------
    scores : float array of shape (K,)
        As `lay` gives them; infinite for a walk that is not complete.
    """
    ahead = halves.ahead
    joins = halves.joins
    starts = beam.starts
    steps = beam.steps
    edges = traced.edges
    found = traced.found
    scores = np.empty(len(joins))
    room = steps.shape[1]
    whole = steps[0].copy()
    laid = np.zeros(room + 1, LAID)
    for k in range(len(joins)):
        scores[k] = np.inf
        n, a, b = _trace(ahead, halves.behind, joins[k], edges[k])
        before = beam.lengths[a] if len(starts) > 0 else 0
        start = starts[a] if len(starts) > 0 else ahead[a].frame
        found[k, 0] = 0
        found[k, 1] = a
        found[k, 2] = b
        found[k, 3] = start
        if before + n > room:
            continue
        for p in range(before):
            whole[p] = steps[a, p]
        for p in range(n):
            take(adjacency, edges[k, p], whole[before + p])
        score, used, short = lay(ground, terms, span, start, whole, before + n, np.int64(0), laid)
        if short == 0 and used == before + n:
            scores[k] = score
            found[k, 0] = n
    return scores
