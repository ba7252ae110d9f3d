"""Compiled random mutations of a walk, as annealing draws them.

They begin from the two of Arikan & Forsyth (2002), replacing the edges between two pieces by one or
two others and moving two edges at once within their trees. Here edges also move sideways in their
trees and are replaced by edges of any level, and the beginning and the end of the walk change too.
A stretch may be exchanged for one that takes just as long, so that somebody waits otherwise and
what follows stays when it was. Pinned frames stay where and when they are.

Hard constraints in compiled code: frames of the clips that a walk must show at given frames of
the motion.

A pin is a row (frame of the motion, frame of the clip set), ordered by the first. A mutation that
moves a pinned frame in time is repaired: another edge between the pin and the one before it is
moved to an edge that gives the frames back. Edges come in blobs, so one that leaves as much earlier
or later is usually at hand.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from motionloom.compiling import lean_kernel, part
from motionloom.graph.scoring.walk import Ground, Span
from motionloom.graph.searching.adjacency import (
    Adjacency,
    below,
    between,
    between_tops,
    find_edge,
    out_edge,
    random,
    take,
)
from motionloom.typing import Ints

#: Edges tried in one repair, and how many frames away from the one they replace.
_REPAIRS, _REACH = 12, 16
#: Given as the error in time where a pinned frame is not on the clip shown.
ELSEWHERE = 1 << 30


class Scope(NamedTuple):
    """Where walks are changed: the graph, what they fill, the frames they must show, the clips that
    cost least in spans of the motion, the random numbers.
    """

    ground: Ground
    adjacency: Adjacency
    span: Span
    pins: Ints
    cheap: Ints
    rng: NDArray[np.uint64]


@part
def first_missed(ground, span, pins, start, steps, m, first, n):  # pragma: no cover - compiled
    """First pin that a walk does not keep, looked for from piece `first` on, which begins at frame
    n of the motion.

    Returns
    -------
    pin : int
        -1 when all are kept.
    piece : int
        The one shown at its time.
    late : int
        How many frames after the wanted one it shows; `ELSEWHERE` on another clip.
    """
    k = 0
    while k < len(pins) and pins[k, 0] < n:
        k += 1
    p = first
    while k < len(pins):
        a = start if p == 0 else steps[p - 1].target
        while p < m and n + steps[p].source - a <= pins[k, 0]:
            if n + steps[p].source - a + ground.min_piece > span.last_frame:
                break  # this edge is beyond the end, see `lay`
            n += steps[p].source - a
            a = steps[p].target
            p += 1
        if ground.begin[pins[k, 1]] != ground.begin[a]:
            return k, p, ELSEWHERE
        late = a + pins[k, 0] - n - pins[k, 1]
        if late != 0:
            return k, p, late
        k += 1
    return -1, m, 0


@part
def shortest(ground, span, p):  # pragma: no cover - compiled
    """Fewest frames of piece p; part of a given first piece has been played already."""
    return (
        max(ground.min_piece - span.played, 1) if p == 0 and span.played >= 0 else ground.min_piece
    )


@part
def _give_back(scope, start, steps, m, low, piece, late):  # pragma: no cover - compiled
    """Move one edge between pieces `low` and `piece` so that `piece` begins `late` frames later;
    return which or -1.
    """
    if piece <= low:
        return -1
    ground = scope.ground
    rng = scope.rng
    for _ in range(_REPAIRS):
        p = low + below(rng, piece - low)
        a = start if p == 0 else steps[p - 1].target
        b = steps[p].source + below(rng, 2 * _REACH + 1) - _REACH
        c = b - (steps[p].source - steps[p].target) - late
        if b < a + shortest(ground, scope.span, p) or b >= ground.end[a]:
            continue
        if c < ground.begin[steps[p].target] or c >= ground.end[steps[p].target]:
            continue
        if p + 1 < m and steps[p + 1].source - c < ground.min_piece:
            continue
        e = find_edge(scope.adjacency, b, c)
        if e >= 0:
            take(scope.adjacency, e, steps[p])
            return p
    return -1


@part
def _keep_pins(scope, start, steps, m, first, n):  # pragma: no cover - compiled
    """Repair a walk that was changed from piece `first` on, which begins at frame n, so that it
    keeps its pins.

    Returns whether it now does.
    """
    pins = scope.pins
    for _ in range(len(pins) + 1):
        k, piece, late = first_missed(scope.ground, scope.span, pins, start, steps, m, first, n)
        if k < 0:
            return True
        if late == ELSEWHERE:
            return False
        low = first
        if k > 0:  # only edges after the pin before may move
            at = n
            for p in range(first, piece):
                a = start if p == 0 else steps[p - 1].target
                if at > pins[k - 1, 0]:
                    break
                low = p if at + steps[p].source - a > pins[k - 1, 0] else p + 1
                at += steps[p].source - a
        if _give_back(scope, start, steps, m, low, piece, late) < 0:
            return False
    return False


#: Shares of the mutations: move edges, replace, exchange, slide, another ending; the rest is
#: another beginning.
_SHIFT, _REPLACE, _EXCHANGE, _SLIDE, _TAIL = 0.42, 0.32, 0.08, 0.03, 0.07
#: Most pieces between the two ends of a replacement.
_LONGEST = 4
#: Pieces of which a new beginning takes the place, at most.
_EARLIEST = 6
#: Ways into the other stretch that an exchange tries, all of them in time.
_TRIES = 8
#: An edge moves sideways by up to 2^k leaves, k below this.
_SCALES = 9


@part
def _entry(start, steps, p):  # pragma: no cover - compiled
    """First frame of piece p."""
    return start if p == 0 else steps[p - 1].target


@part
def _long_enough(ground, span, start, steps, m, p):  # pragma: no cover - compiled
    """Whether piece p has enough frames; the last piece always has."""
    return p >= m or steps[p].source - _entry(start, steps, p) >= shortest(ground, span, p)


@lean_kernel
def extend(ground, adjacency, span, rng, start, steps, m, n):  # pragma: no cover - compiled
    """Append random edges after edge m until the walk is long enough; piece m begins at frame n of
    the motion.

    Returns the number of edges; the last clip may still be short where no way out was met.
    """
    while m < len(steps):
        a = _entry(start, steps, m)
        if n + ground.end[a] - a >= span.last_frame:
            return m
        e = out_edge(adjacency, rng, a + shortest(ground, span, m), ground.end[a])
        if e < 0:
            return m
        take(adjacency, e, steps[m])
        n += steps[m].source - a
        m += 1
    return m


@part
def _shift(scope, start, m, new):  # pragma: no cover - compiled
    """Move one or two edges within their trees; returns (edges, first changed piece), edges -1 when
    invalid.
    """
    ground, adjacency, span, _, _, rng = scope
    i = below(rng, m)
    # Two edges at once: moving one changes where everything after it goes, the other may undo that.
    j = below(rng, m)
    if random(rng) < 0.3:
        j = i
    for p in (i, j):
        # Leaves are numbered in tree order, so a step of up to 2^k leaves stays in a subtree of
        # that size.
        pair = (
            adjacency.clip_of[new[p].source] * adjacency.n_clips + adjacency.clip_of[new[p].target]
        )
        e = (
            new[p].node
            if new[p].node < len(adjacency.ends)
            else adjacency.medoid[new[p].node - len(adjacency.ends)]
        )
        reach = 1 << below(rng, _SCALES)
        e += below(rng, 2 * reach + 1) - reach
        take(
            adjacency,
            min(max(e, adjacency.pair_ptr[pair]), adjacency.pair_ptr[pair + 1] - 1),
            new[p],
        )
        if i == j:
            break
    low = min(i, j)
    high = max(i, j)
    for p in (low, low + 1, high, high + 1):
        if not _long_enough(ground, span, start, new, m, p):
            return -1, 0
    return m, low


@part
def _replace(scope, start, steps, m, new, top):  # pragma: no cover - compiled
    """Delete the edges between two pieces and join the pieces by one or two other edges.

    Returns (edges, first changed piece), edges -1 when no valid walk was met.
    """
    ground, adjacency, span, _, _, rng = scope
    i = below(rng, m + 1)
    j = min(i + below(rng, _LONGEST), m)
    a = _entry(start, steps, i)
    s = adjacency.clip_of[a]
    t = adjacency.clip_of[_entry(start, steps, j)]
    # `tail` is the edge that leads back into the old walk; one more is before it after two hops.
    tail = i
    if i == j or random(rng) < 0.5:  # two hops, through any clip that s leads to
        e = out_edge(adjacency, rng, a + shortest(ground, span, i), ground.end[a])
        if e < 0:
            return -1, 0
        s = adjacency.clip_of[adjacency.ends[e, 1]]
        tail = i + 1
    pair = s * adjacency.n_clips + t
    f = between_tops(adjacency, rng, pair) if top else between(adjacency, rng, pair)
    count = tail + 1 + m - j
    if f < 0 or count > len(new):
        return -1, 0
    for p in range(j, m):
        new[p + tail + 1 - j] = steps[p]
    if tail > i:
        take(adjacency, e, new[i])
    take(adjacency, f, new[tail])
    for p in range(i, tail + 2):
        if not _long_enough(ground, span, start, new, count, p):
            return -1, 0
    return count, i


@part
def _cheap_clip(scope):  # pragma: no cover - compiled
    """One time in two a clip in which showing frames costs little; -1 otherwise."""
    if len(scope.cheap) == 0 or random(scope.rng) < 0.5:
        return -1
    of = scope.cheap[below(scope.rng, len(scope.cheap))]
    return of[below(scope.rng, len(of))]


@part
def _next_clip(scope, a, low):  # pragma: no cover - compiled
    """A cheap clip, or one that a random edge from the frames of a's clip from `low` on leads to;
    -1 when there is none.
    """
    s = _cheap_clip(scope)
    if s >= 0:
        return s
    e = out_edge(scope.adjacency, scope.rng, low, scope.ground.end[a])
    return scope.adjacency.clip_of[scope.adjacency.ends[e, 1]] if e >= 0 else -1


@part
def _edge_on(adjacency, rng, low, high, k):  # pragma: no cover - compiled
    """Edge from a frame x in [low, high) to x - k; -1 when none was met."""
    for _ in range(_TRIES if high > low else 0):
        x = low + below(rng, high - low)
        e = find_edge(adjacency, x, x - k)
        if e >= 0:
            return e
    return -1


@part
def _exchange(scope, start, steps, m, new):  # pragma: no cover - compiled
    """Show a stretch of another clip instead of what is between two pieces, or in the midst of one,
    for just as long.

    Returns (edges, first changed piece), edges -1 when no valid walk was met.
    """
    ground, adjacency, span, _, _, rng = scope
    i = below(rng, m + 1)
    j = min(i + below(rng, _LONGEST), m)
    count = i + 2 + m - j
    a = _entry(start, steps, i)
    low = a + shortest(ground, span, i)
    s = _next_clip(scope, a, low) if count <= len(new) else -1
    if s < 0:
        return -1, 0
    entry = _entry(start, steps, j)
    f = between(adjacency, rng, s * adjacency.n_clips + adjacency.clip_of[entry])
    if f < 0:
        return -1, 0
    b = adjacency.ends[f, 0]
    # Piece j is entered in another frame, and so much earlier or later.
    lasts = adjacency.ends[f, 1] - entry
    for p in range(i, j):
        lasts += steps[p].source - _entry(start, steps, p)
    # From frame x of piece i to x - k of the other clip and on to b takes just as long.
    k = lasts + a - b
    low = max(low, ground.begin[b] + k)
    e = _edge_on(adjacency, rng, low, min(ground.end[a], b - ground.min_piece + k + 1), k)
    if e < 0:
        return -1, 0
    for p in range(j, m):
        new[p + i + 2 - j] = steps[p]
    take(adjacency, e, new[i])
    take(adjacency, f, new[i + 1])
    for p in range(i, i + 3):
        if not _long_enough(ground, span, start, new, count, p):
            return -1, 0
    return count, i


@part
def _slide(scope, start, steps, m, new):  # pragma: no cover - compiled
    """Show as many other frames of one piece's clip, earlier or later ones.

    Returns (edges, new start, first changed piece), edges -1 when no valid walk was met.
    """
    ground = scope.ground
    adjacency = scope.adjacency
    p = below(scope.rng, m + 1)
    reach = 1 << below(scope.rng, 7)
    by = below(scope.rng, 2 * reach + 1) - reach
    entry = _entry(start, steps, p)
    stop = steps[p].source if p < m else entry
    low = min(entry, stop) + by
    if low < ground.begin[entry] or max(entry, stop) + by >= ground.end[entry]:
        return -1, start, 0
    if p < m:
        e = find_edge(adjacency, stop + by, steps[p].target)
        if e < 0:
            return -1, start, 0
        take(adjacency, e, new[p])
    if p == 0:
        # A span that goes on from a walk already played begins where that is.
        return (m, start + by, 0) if scope.span.played < 0 else (-1, start, 0)
    e = find_edge(adjacency, steps[p - 1].source, entry + by)
    if e < 0:
        return -1, start, 0
    take(adjacency, e, new[p - 1])
    return m, start, p - 1


@part
def _new_head(scope, start, steps, m, new):  # pragma: no cover - compiled
    """Start elsewhere: slide the start, or enter an early piece from another clip at about the same
    time.

    Returns (edges, new start), edges -1 when no valid walk was met.
    """
    ground, adjacency, span, _, _, rng = scope
    if m == 0 or random(rng) < 0.5:
        # Steps of all sizes, up to 64 frames: small ones settle a start, large ones find it.
        reach = 1 << below(rng, 7)
        a = start + below(rng, 2 * reach + 1) - reach
        if a < ground.begin[start] or a >= ground.end[start] - ground.min_piece:
            return -1, 0
        return (m, a) if _long_enough(ground, span, a, new, m, 0) else (-1, 0)
    j = 1 + below(rng, min(m, _EARLIEST))
    s = _cheap_clip(scope)
    if s < 0:
        s = below(rng, adjacency.n_clips)
    f = between(adjacency, rng, s * adjacency.n_clips + adjacency.clip_of[steps[j - 1].target])
    if f < 0:
        return -1, 0
    b = adjacency.ends[f, 0]
    c = adjacency.ends[f, 1]
    length = c - steps[j - 1].target  # keeps the time at which frame c is shown
    for p in range(j):
        length += steps[p].source - _entry(start, steps, p)
    a = b - min(max(length, ground.min_piece), b - ground.begin[b])
    take(adjacency, f, new[0])
    for p in range(j, m):
        new[p + 1 - j] = steps[p]
    count = 1 + m - j
    if _long_enough(ground, span, a, new, count, 0) and _long_enough(
        ground, span, a, new, count, 1
    ):
        return count, a
    return -1, 0


@part
def _new_tail(scope, start, steps, m, new):  # pragma: no cover - compiled
    """Leave a piece by another edge, or for another island; what follows is yet to be filled.

    Returns (edges, first changed piece), edges -1 when no valid walk was met.
    """
    ground, adjacency, span, _, _, rng = scope
    i = below(rng, m + 1)
    a = _entry(start, steps, i)
    if len(adjacency.bridges) == 0 or random(rng) < 0.5 or i + 2 > len(new):
        e = out_edge(adjacency, rng, a + shortest(ground, span, i), ground.end[a])
        if e < 0 or i == len(new):
            return -1, 0
        take(adjacency, e, new[i])
        return i + 1, i
    # Bridges are so few among all edges that a random walk would hardly ever cross one.
    f = adjacency.bridges[below(rng, len(adjacency.bridges))]
    e = between(
        adjacency,
        rng,
        adjacency.clip_of[a] * adjacency.n_clips + adjacency.clip_of[adjacency.ends[f, 0]],
    )
    if e < 0:
        return -1, 0
    take(adjacency, e, new[i])
    take(adjacency, f, new[i + 1])
    for p in (i, i + 1):
        if not _long_enough(ground, span, start, new, i + 2, p):
            return -1, 0
    return i + 2, i


@lean_kernel
def propose(scope, start, steps, m, laid, new):  # pragma: no cover - compiled
    """Draw a mutation into `new`, a copy of the walk.

    Returns (edges, start, first changed piece); edges -1 when the walk became invalid or does not
    keep its pins.
    """
    at = start
    count = -1
    first = 0
    r = random(scope.rng)
    if r < _SHIFT and m > 0:
        count, first = _shift(scope, start, m, new)
    elif r < _SHIFT + _REPLACE:
        count, first = _replace(scope, start, steps, m, new, random(scope.rng) < 0.5)
    elif r < _SHIFT + _REPLACE + _EXCHANGE:
        count, first = _exchange(scope, start, steps, m, new)
    elif r < _SHIFT + _REPLACE + _EXCHANGE + _SLIDE:
        count, at, first = _slide(scope, start, steps, m, new)
    # A span that goes on from a walk already played has no beginning of its own to change.
    elif r < 1 - _TAIL and scope.span.played < 0:
        count, at = _new_head(scope, start, steps, m, new)
    else:
        count, first = _new_tail(scope, start, steps, m, new)
    if count < 0:
        return -1, start, 0
    # Filled before pins are looked at: they may lie in what is added.
    count = _fill(scope, at, new, count, first, laid[first].frames)
    if len(scope.pins) > 0 and not _keep_pins(scope, at, new, count, first, laid[first].frames):
        return -1, start, 0
    return count, at, first


@part
def _fill(scope, start, new, count, first, n):  # pragma: no cover - compiled
    """Extend a walk whose piece `first` begins at frame n, unless it is long enough; return the
    number of edges.
    """
    for p in range(first, count):
        n += new[p].source - _entry(start, new, p)
        if n >= scope.span.last_frame:
            return count
    return extend(scope.ground, scope.adjacency, scope.span, scope.rng, start, new, count, n)
