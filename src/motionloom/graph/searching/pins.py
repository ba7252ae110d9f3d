"""Hard constraints in compiled code: frames of the clips that a walk must show at given frames of
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

from motionloom.compiling import part
from motionloom.graph.scoring.walk import Ground, Span
from motionloom.graph.searching.adjacency import Adjacency, below, find_edge, take
from motionloom.typing import Ints

#: Edges tried in one repair, and how many frames away from the one they replace.
_TRIES, _REACH = 12, 16
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
    for _ in range(_TRIES):
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
def keep_pins(scope, start, steps, m, first, n):  # pragma: no cover - compiled
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
