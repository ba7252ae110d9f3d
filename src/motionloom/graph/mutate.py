"""Compiled mutations of a walk, and the annealing that strings them together.

The two mutations are those of Arikan & Forsyth (2002): replace the edges between two pieces by one or two others, and
move two edges at once within their trees. Annealing also lets edges move sideways in their trees, replaces with edges
of any level, and changes the beginning and the end of the walk.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from motionloom.graph.walk import LAID, lay

#: Shares of the mutations: move edges, replace, another beginning; the rest is another ending.
_SHIFT, _REPLACE, _HEAD = 0.45, 0.35, 0.12
#: Most pieces between the two ends of a replacement.
_LONGEST = 4
#: An edge moves sideways by up to 2^k leaves, k below this.
_SCALES = 9


class Roads(NamedTuple):
    """Edges of a motion graph, found by number, by pair of clips and by source frame.

    `ends` (E, 2) holds the source and target frames; the other arrays are those of `Hierarchy`. Edges that leave
    frame i are ``out_edge[out_ptr[i]:out_ptr[i + 1]]``; `bridges` are the edges over the threshold that join islands.
    """

    ends: NDArray[np.int32]
    cost: NDArray[np.float32]
    pair_ptr: NDArray[np.int64]
    root_ptr: NDArray[np.int64]
    roots: NDArray[np.int32]
    children: NDArray[np.int32]
    medoid: NDArray[np.int32]
    out_ptr: NDArray[np.int64]
    out_edge: NDArray[np.int32]
    bridges: NDArray[np.int32]
    clip_of: NDArray[np.int32]
    n_clips: int


@njit(cache=True)
def random(state):  # pragma: no cover - compiled
    """Next number in [0, 1) of a SplitMix64 stream whose state is one uint64."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit(cache=True)
def below(state, n):  # pragma: no cover - compiled
    """Random integer in [0, n)."""
    return int(random(state) * n)


@njit(cache=True)
def _take(roads, node, step):  # pragma: no cover - compiled
    """Write a node and the edge that stands for it into one step of a walk."""
    n = len(roads.ends)
    e = node if node < n else roads.medoid[node - n]
    step.node, step.source, step.target, step.cost = node, roads.ends[e, 0], roads.ends[e, 1], roads.cost[e]


@njit(cache=True)
def _between(roads, rng, s, t, top):  # pragma: no cover - compiled
    """Random edge from clip s to clip t (a top-level node when `top`); -1 when there is none."""
    pair = s * roads.n_clips + t
    if top:
        n = roads.root_ptr[pair + 1] - roads.root_ptr[pair]
        return -1 if n == 0 else roads.roots[roads.root_ptr[pair] + below(rng, n)]
    n = roads.pair_ptr[pair + 1] - roads.pair_ptr[pair]
    return -1 if n == 0 else roads.pair_ptr[pair] + below(rng, n)


@njit(cache=True)
def _exit(roads, rng, low, high):  # pragma: no cover - compiled
    """Random edge that leaves a frame in [low, high) of one clip; -1 when none was met.

    One time in four it is drawn by the clip it leads to, or clips that few edges lead to would hardly be visited.
    """
    if high <= low:
        return -1
    if random(rng) < 0.25:
        for _ in range(8):
            e = _between(roads, rng, roads.clip_of[low], below(rng, roads.n_clips), False)
            if e >= 0 and low <= roads.ends[e, 0] < high:
                return e
    for _ in range(8):
        b = low + below(rng, high - low)
        n = roads.out_ptr[b + 1] - roads.out_ptr[b]
        if n > 0:
            return roads.out_edge[roads.out_ptr[b] + below(rng, n)]
    return -1


@njit(cache=True)
def _entry(start, steps, p):  # pragma: no cover - compiled
    """First frame of piece p."""
    return start if p == 0 else steps[p - 1].target


@njit(cache=True)
def _shortest(ground, span, p):  # pragma: no cover - compiled
    """Fewest frames of piece p; part of a given first piece has been played already."""
    if p == 0 and span.played >= 0:
        return max(ground.min_piece - span.played, 1)
    return ground.min_piece


@njit(cache=True)
def _long_enough(ground, span, start, steps, m, p):  # pragma: no cover - compiled
    """Whether piece p has enough frames; the last piece always has."""
    return p >= m or steps[p].source - _entry(start, steps, p) >= _shortest(ground, span, p)


@njit(cache=True)
def extend(ground, roads, span, rng, start, steps, m, n):  # pragma: no cover - compiled
    """Append random edges after edge m until the walk is long enough; piece m begins at frame n of the motion.

    Returns the number of edges; the last clip may still be short where no way out was met.
    """
    while m < len(steps):
        a = _entry(start, steps, m)
        if n + ground.end[a] - a >= span.last_frame:
            return m
        e = _exit(roads, rng, a + _shortest(ground, span, m), ground.end[a])
        if e < 0:
            return m
        _take(roads, e, steps[m])
        n += steps[m].source - a
        m += 1
    return m


@njit(cache=True)
def _shift(ground, roads, span, rng, start, m, new, plain):  # pragma: no cover - compiled
    """Move one or two edges within their trees: to a child (`plain`) or to any neighbour.

    Returns (edges, first changed piece), edges -1 when the walk became invalid.
    """
    i, j = below(rng, m), below(rng, m)
    if not plain and random(rng) < 0.3:
        j = i
    for p in (i, j):
        node = new[p].node
        if plain:
            if node >= len(roads.ends):
                node = roads.children[node - len(roads.ends), below(rng, 2)]
        else:
            # Leaves are numbered in tree order, so a step of up to 2^k leaves stays in a subtree of that size.
            pair = roads.clip_of[new[p].source] * roads.n_clips + roads.clip_of[new[p].target]
            e = node if node < len(roads.ends) else roads.medoid[node - len(roads.ends)]
            reach = 1 << below(rng, _SCALES)
            node = e + below(rng, 2 * reach + 1) - reach
            node = min(max(node, roads.pair_ptr[pair]), roads.pair_ptr[pair + 1] - 1)
        _take(roads, node, new[p])
        if i == j:
            break
    low, high = min(i, j), max(i, j)
    for p in (low, low + 1, high, high + 1):
        if not _long_enough(ground, span, start, new, m, p):
            return -1, 0
    return m, low


@njit(cache=True)
def _replace(ground, roads, span, rng, start, steps, m, new, top):  # pragma: no cover - compiled
    """Delete the edges between two pieces and join the pieces by one or two other edges.

    Returns (edges, first changed piece), edges -1 when no valid walk was met.
    """
    i = below(rng, m + 1)
    j = min(i + below(rng, _LONGEST), m)
    a = _entry(start, steps, i)
    s, t = roads.clip_of[a], roads.clip_of[_entry(start, steps, j)]
    tail = i
    if i == j or random(rng) < 0.5:  # two hops, through any clip that s leads to
        e = _exit(roads, rng, a + _shortest(ground, span, i), ground.end[a])
        if e < 0:
            return -1, 0
        s, tail = roads.clip_of[roads.ends[e, 1]], i + 1
    f = _between(roads, rng, s, t, top)
    count = tail + 1 + m - j
    if f < 0 or count > len(new):
        return -1, 0
    for p in range(j, m):
        new[p + tail + 1 - j] = steps[p]
    if tail > i:
        _take(roads, e, new[i])
    _take(roads, f, new[tail])
    for p in range(i, tail + 2):
        if not _long_enough(ground, span, start, new, count, p):
            return -1, 0
    return count, i


@njit(cache=True)
def _new_head(ground, roads, span, rng, start, steps, m, new):  # pragma: no cover - compiled
    """Start elsewhere: slide the start, or enter an early piece from another clip at about the same time.

    Returns (edges, new start), edges -1 when no valid walk was met.
    """
    if m == 0 or random(rng) < 0.5:
        reach = 1 << below(rng, 7)
        a = start + below(rng, 2 * reach + 1) - reach
        if a < ground.begin[start] or a >= ground.end[start] - ground.min_piece:
            return -1, 0
        return (m, a) if _long_enough(ground, span, a, new, m, 0) else (-1, 0)
    j = 1 + below(rng, min(m, 3))
    f = _between(roads, rng, below(rng, roads.n_clips), roads.clip_of[steps[j - 1].target], False)
    if f < 0:
        return -1, 0
    b, c = roads.ends[f, 0], roads.ends[f, 1]
    length = c - steps[j - 1].target  # keeps the time at which frame c is shown
    for p in range(j):
        length += steps[p].source - _entry(start, steps, p)
    a = b - min(max(length, ground.min_piece), b - ground.begin[b])
    _take(roads, f, new[0])
    for p in range(j, m):
        new[p + 1 - j] = steps[p]
    count = 1 + m - j
    if _long_enough(ground, span, a, new, count, 0) and _long_enough(ground, span, a, new, count, 1):
        return count, a
    return -1, 0


@njit(cache=True)
def _new_tail(ground, roads, span, rng, start, steps, m, new):  # pragma: no cover - compiled
    """Leave a piece by another edge, or for another island; what follows is yet to be filled.

    Returns (edges, first changed piece), edges -1 when no valid walk was met.
    """
    i = below(rng, m + 1)
    a = _entry(start, steps, i)
    if len(roads.bridges) == 0 or random(rng) < 0.5 or i + 2 > len(new):
        e = _exit(roads, rng, a + _shortest(ground, span, i), ground.end[a])
        if e < 0 or i == len(new):
            return -1, 0
        _take(roads, e, new[i])
        return i + 1, i
    f = roads.bridges[below(rng, len(roads.bridges))]
    e = _between(roads, rng, roads.clip_of[a], roads.clip_of[roads.ends[f, 0]], False)
    if e < 0:
        return -1, 0
    _take(roads, e, new[i])
    _take(roads, f, new[i + 1])
    for p in (i, i + 1):
        if not _long_enough(ground, span, start, new, i + 2, p):
            return -1, 0
    return i + 2, i


@njit(cache=True)
def _propose(ground, roads, span, rng, start, steps, m, laid, new, plain):  # pragma: no cover - compiled
    """Draw a mutation into `new`, a copy of the walk: (edges, start, first changed piece); edges -1 when invalid."""
    at, count, first = start, -1, 0
    r = random(rng)
    if r < _SHIFT and m > 0:
        count, first = _shift(ground, roads, span, rng, start, m, new, plain)
    elif r < _SHIFT + _REPLACE or plain:
        top = plain or random(rng) < 0.5
        count, first = _replace(ground, roads, span, rng, start, steps, m, new, top)
    elif r < _SHIFT + _REPLACE + _HEAD and span.played < 0:
        count, at = _new_head(ground, roads, span, rng, start, steps, m, new)
    else:
        count, first = _new_tail(ground, roads, span, rng, start, steps, m, new)
    if count < 0:
        return -1, start, 0
    n = laid[first].frames
    for p in range(first, count):
        n += new[p].source - _entry(at, new, p)
        if n >= span.last_frame:
            return count, at, first
    return extend(ground, roads, span, rng, at, new, count, n), at, first


@njit(cache=True)
def anneal(  # pragma: no cover - compiled
    ground,
    roads,
    terms,
    span,
    rng,
    walk,
    steps,
    best_walk,
    best_steps,
    best_score,
    hot,
    cold,
    begin,
    stop,
    total,
    plain,
):
    """Run iterations ``begin <= i < stop`` of an annealing of `total` iterations, temperature from `hot` to `cold`.

    `walk` is (start, edges); it, `steps` and the best complete walk met so far are changed in place. With ``hot <= 0``
    only improvements are taken; `plain` draws only the two mutations of the paper.

    Returns
    -------
    best_score : float
    """
    start, m = walk[0], walk[1]
    laid, trial = np.zeros(len(steps) + 1, LAID), np.zeros(len(steps) + 1, LAID)
    new = steps.copy()
    score, m, short = lay(ground, terms, span, start, steps, m, 0, laid)
    if score < best_score and short == 0:
        best_score = score
        best_walk[0], best_walk[1] = start, m
        best_steps[:m] = steps[:m]
    for i in range(begin, stop):
        count, at, first = _propose(ground, roads, span, rng, start, steps, m, laid, new, plain)
        keep = False
        if count >= 0:
            trial[first] = laid[first]
            value, used, short = lay(ground, terms, span, at, new, count, first, trial)
            keep = value <= score
            if not keep and hot > 0:
                temperature = hot * (cold / hot) ** (i / total)
                keep = random(rng) < np.exp((score - value) / temperature)
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
