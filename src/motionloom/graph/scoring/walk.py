"""Compiled scoring of a walk through the graph in O(pieces).

A walk is a start frame and a row of edges; it ends where the wanted number of frames is reached, so
its length is exact by construction and edges beyond the end do not count. Ground positions are
complex numbers ``z + i x``: turning by a facing angle is then a multiplication, and no trigonometry
is left in the loop.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from motionloom.compiling import lean_kernel, part
from motionloom.graph.scoring.clearance import Around, around_penalty
from motionloom.typing import Array, Ints

#: What is out of reach counts so many times.
OUT_OF_REACH = 9.0
#: One step of a walk: node of the hierarchy, the edge's source and target frame, its relative cost.
STEP = np.dtype(
    (
        np.record,
        [("node", np.int32), ("source", np.int32), ("target", np.int32), ("cost", np.float32)],
    )
)
#: How piece p is laid down (``turn * place + shift``) and what came before it: frames, terms,
#: penalty and edge costs.
LAID = np.dtype(
    (
        np.record,
        [
            ("turn", np.complex128),
            ("shift", np.complex128),
            ("cost", np.float64),
            ("penalty", np.float64),
            ("frames", np.int64),
            ("terms", np.int64),
        ],
    )
)


class Ground(NamedTuple):
    """Where the body is in every frame of the clips.

    `place` (N,) is ``z + i x`` in metres, `turn` (N,) the facing as a unit complex number; the
    frame's clip owns frames ``begin <= i < end``. A piece has at least `min_piece` frames.
    """

    place: NDArray[np.complex128]
    turn: NDArray[np.complex128]
    begin: Ints
    end: Ints
    min_piece: int


class Sums(NamedTuple):
    """Costs of showing frames, summed up beforehand; S spans.

    Frames `begin` to `end` (exclusive) of the motion cost what ``before[s, i]``, the cost of all
    frames of the clips before frame i, grows by.
    """

    begin: Ints
    end: Ints
    before: Array


class Terms(NamedTuple):
    """Constraints compiled to arrays, ordered by frame; K terms.

    A term with ``joint < 0`` asks for a place (`at`) and a heading (`turn`) of the body; another
    asks for the position (`at`, `height`) of the joint whose places and heights in every frame of
    the clips are row `joint` of `joint_place` and `joint_height`, and beyond `joint_radius` of
    `joint_root` out of reach. Rows may hold velocities just as well: they turn with the piece but
    do not move with it (`moves` is 0). Weights are 1 / (scale squared), 0 for what does not matter.
    `sums` and `around` say what every frame costs.
    """

    frame: Ints
    joint: Ints
    at: NDArray[np.complex128]
    height: Array
    turn: NDArray[np.complex128]
    w_place: Array
    w_turn: Array
    moves: Array
    joint_place: NDArray[np.complex128]
    joint_height: Array
    joint_root: NDArray[np.complex128]
    joint_radius: Array
    sums: Sums
    around: Around


class Span(NamedTuple):
    """What a walk has to fill: frames ``first_frame <= i < last_frame`` of the motion.

    The walk is laid down so that in frame `anchor` the body is at `place`, facing `turn`. `played`
    >= 0 says that the start is given, `played` frames into its piece; -1 leaves it free. `w_cost`
    weighs relative edge costs and `w_short` the squared number of frames that the last clip lacks.
    """

    first_frame: int
    last_frame: int
    anchor: int
    place: complex
    turn: complex
    played: int
    w_cost: float
    w_short: float


@part
def _term_penalty(ground, terms, k, frame, turn, shift):  # pragma: no cover - compiled
    """Penalty of term k when `frame`, laid down by ``turn * place + shift``, is shown then."""
    j = terms.joint[k]
    if j >= 0:
        miss = turn * terms.joint_place[j, frame] + terms.moves[k] * shift - terms.at[k]
        rise = terms.joint_height[j, frame] - terms.height[k]
        away = miss.real**2 + miss.imag**2 + rise * rise
        radius = terms.joint_radius[j, frame]
        root = turn * terms.joint_root[j, frame] + shift - terms.at[k]
        far = root.real**2 + root.imag**2
        if far > radius * radius:
            left = np.sqrt(far) - radius
            away += OUT_OF_REACH * left * left
        return terms.w_place[k] * away
    miss = turn * ground.place[frame] + shift - terms.at[k]
    off = turn * ground.turn[frame] * terms.turn[k].conjugate()
    angle = np.arctan2(off.imag, off.real)
    return terms.w_place[k] * (miss.real**2 + miss.imag**2) + terms.w_turn[k] * angle * angle


@part
def sums_penalty(sums, n, a, length):  # pragma: no cover - compiled
    """What showing frames ``a <= i < a + length`` from frame n of the motion on costs."""
    penalty = 0.0
    for s in range(len(sums.begin)):
        low = max(sums.begin[s], n)
        high = min(sums.end[s], n + length)
        if low < high:
            penalty += sums.before[s, a + high - n] - sums.before[s, a + low - n]
    return penalty


def cost_of_showing(sums: Sums, n: int, a: int, length: int) -> float:
    """What `sums_penalty` says, for Python.

    Parameters
    ----------
    sums : Sums
        Costs of frames in spans of the motion.
    n, a : int
        Frame of the motion in which frame a of the clips is shown.
    length : int
        How many frames are shown from there on.

    Returns
    -------
    float
    """
    low = np.maximum(sums.begin, n)
    high = np.minimum(sums.end, n + length)
    s = np.flatnonzero(low < high)
    before = sums.before
    return float((before[s, a + high[s] - n] - before[s, a + low[s] - n]).sum())


@part
def carry(ground, turn, shift, b, c):  # pragma: no cover - compiled
    """Lay down the piece that enters at frame c so that its body is where frame b's was."""
    after = turn * ground.turn[b] * ground.turn[c].conjugate()
    return after, turn * ground.place[b] + shift - after * ground.place[c]


@part
def _lay_start(ground, span, start, steps, m):  # pragma: no cover - compiled
    """Turn and shift of the first piece that put the body at the anchor's place in the anchor's
    frame.
    """
    turn = 1.0 + 0.0j
    shift = 0.0 + 0.0j
    a = start
    n = span.first_frame
    for p in range(m):
        length = steps[p].source - a
        if n + length + ground.min_piece > span.last_frame or n + length > span.anchor:
            break
        turn, shift = carry(ground, turn, shift, steps[p].source, steps[p].target)
        a = steps[p].target
        n = n + length
    frame = min(a + span.anchor - n, ground.end[a] - 1)
    # The whole walk is then moved by the one transform that takes this frame's body to the wanted
    # place.
    whole = span.turn * (turn * ground.turn[frame]).conjugate()
    return whole, span.place - whole * (turn * ground.place[frame] + shift)


@lean_kernel
def lay(ground, terms, span, start, steps, m, first, laid):  # pragma: no cover - compiled
    """Lay a walk down from piece `first` on (rows of `laid` up to it are valid) and score it.

    Returns
    -------
    score : float
        Penalties of what is missed and of frames the clip lacks, and edge costs; smaller is better.
    used : int
        Edges before the end; later ones do not count.
    short : int
        Frames that the last clip lacks.
    """
    if first == 0 or span.anchor > span.first_frame:
        first = 0
        turn, shift = _lay_start(ground, span, start, steps, m)
        n = span.first_frame
        k = 0
        penalty = 0.0
        cost = 0.0
        while k < len(terms.frame) and terms.frame[k] < n:
            k += 1
        laid[0].turn = turn
        laid[0].shift = shift
        laid[0].frames = n
        laid[0].terms = k
        laid[0].penalty = laid[0].cost = 0.0
    else:
        turn = laid[first].turn
        shift = laid[first].shift
        n = laid[first].frames
        k = laid[first].terms
        penalty = laid[first].penalty
        cost = laid[first].cost
    a = start if first == 0 else steps[first - 1].target
    p = first
    n_sums = len(terms.sums.begin)
    while True:
        left = span.last_frame - n
        length = steps[p].source - a if p < m else left
        last = p == m or length + ground.min_piece > left
        if last:
            length = min(left, ground.end[a] - a)
        while k < len(terms.frame) and terms.frame[k] < n + length:
            penalty += _term_penalty(ground, terms, k, a + terms.frame[k] - n, turn, shift)
            k += 1
        # Not even called where nothing is asked for: handing over the arrays alone would cost as
        # much as the rest.
        if n_sums > 0:
            penalty += sums_penalty(terms.sums, n, a, length)
        if terms.around.stride > 0:
            penalty += around_penalty(terms.around, n, a, length, turn, shift)
        if last:
            short = left - length
            while k < len(terms.frame) and terms.frame[k] < span.last_frame:
                penalty += _term_penalty(ground, terms, k, a + length - 1, turn, shift)
                k += 1
            return cost + penalty + span.w_short * short * short, p, short
        turn, shift = carry(ground, turn, shift, steps[p].source, steps[p].target)
        cost += span.w_cost * steps[p].cost
        a = steps[p].target
        n = n + length
        p += 1
        row = laid[p]
        row.turn = turn
        row.shift = shift
        row.frames = n
        row.terms = k
        row.penalty = penalty
        row.cost = cost
