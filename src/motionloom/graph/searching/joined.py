"""Joined half walks as whole walks, scored in full; compiled."""

from __future__ import annotations

import numpy as np

from motionloom.compiling import kernel
from motionloom.graph.scoring.walk import LAID, lay
from motionloom.graph.searching.adjacency import take


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
def score_joined(
    ground, adjacency, terms, span, ahead, behind, joins, starts, lengths, steps, edges, found
):  # pragma: no cover
    """Score joined walks; walk r of the beam has ``lengths[r]`` rows of ``steps[r]``, all are empty
    without a beam.

    Row k of `edges` (K, M) and of `found` (K, 4) are filled with the edges after the beam, and with
    how many these are (0 for a walk that is not complete), the roots of both halves and the first
    frame of the walk.

    Returns
    -------
    scores : float array of shape (K,)
    """
    scores = np.empty(len(joins))
    room = steps.shape[1]
    whole = steps[0].copy()
    laid = np.zeros(room + 1, LAID)
    for k in range(len(joins)):
        scores[k] = np.inf
        n, a, b = _trace(ahead, behind, joins[k], edges[k])
        before = lengths[a] if len(starts) > 0 else 0
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
