"""Meeting in the middle, compiled: half walks grown from both ends of a leg, and the pairs of them
that fit.

Both halves are random. A half walk backwards is laid down from its goal, which it meets exactly.
Where one forwards shows, at the same time, a frame with an edge to the one shown backwards, the two
make a walk, and what they lack to fit in place and heading is its error at the goal. A hash over
place and heading finds the pairs that nearly fit, so n half walks each way are up to n squared
walks looked at.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from motionloom.compiling import kernel, part
from motionloom.graph.scoring.walk import Sums, carry, sums_penalty
from motionloom.graph.searching.adjacency import (
    below,
    edge_towards,
    find_edge,
    in_edge,
    out_edge,
    random,
)
from motionloom.typing import Array, Ints

#: Two half walks joined: their last nodes, the edge between them, the score as far as it is known
#: from these.
JOIN = np.dtype(
    (
        np.record,
        [("ahead", np.int32), ("behind", np.int32), ("edge", np.int32), ("score", np.float64)],
    )
)


#: Joins that are kept when so many were written down as there is room for.
KEPT, ROOM = 64, 256


@part
def _add(joins, found, ahead, behind, edge, score):  # pragma: no cover - compiled
    """Write down a pair."""
    row = joins[found]
    row.ahead = ahead
    row.behind = behind
    row.edge = edge
    row.score = score


@part
def _best_joins(joins, count):  # pragma: no cover - compiled
    """Keep the best of the first `count` joins, best first, of equal ones the first; returns how
    many.
    """
    # An insertion sort: most are in order already, and NumPy's takes a second to compile.
    for k in range(1, count):
        ahead = joins[k].ahead
        behind = joins[k].behind
        edge = joins[k].edge
        score = joins[k].score
        i = k
        while i > 0 and joins[i - 1].score > score:
            joins[i] = joins[i - 1]
            i -= 1
        _add(joins, i, ahead, behind, edge, score)
    return min(count, KEPT)


#: A piece of a half walk. Forwards: its first frame and its time; backwards: the frame it is left
#: at and that time. `edge` leads to it from its parent (backwards: from it to its parent); the
#: piece has at least `least` frames.
NODE = np.dtype(
    (
        np.record,
        [
            ("parent", np.int32),
            ("edge", np.int32),
            ("frame", np.int32),
            ("time", np.int32),
            ("least", np.int32),
            ("turn", np.complex128),
            ("shift", np.complex128),
            ("cost", np.float64),
        ],
    )
)
#: Pairs after which `join_anywhere` stops looking.
_ENOUGH = 4096  #: Half walks that are looked at in one cell of the hash.
_MOST = 24
#: Edges that it passes in the time in which `join` looks at a pair.
_EASY = 8
#: Share of the half walks forwards that are led to frames worth showing at the end of their leg,
#: and how often these go there before time presses.
LED, EARLY = 0.5, 0.1


class Goal(NamedTuple):
    """What half walks backwards start from: a `place` and a `turn`, and what missing them costs.

    Weights are those of the terms; both are 0 where only the frame that is shown matters.
    """

    place: complex
    turn: complex
    w_place: float
    w_turn: float


#: Cells of the hash: their size, metres, and how many there are around the compass. Pairs up to
#: half a cell apart are found.
Grid = tuple[float, int]


#: What half walks cost on their way: a transition at its threshold, and showing frames.
Fares = tuple[float, Sums]


@part
def _shown(sums, n, a, length):  # pragma: no cover - compiled
    """What it costs to show frames from a on; without sums it is not even looked at."""
    return sums_penalty(sums, n, a, length) if len(sums.begin) > 0 else 0.0


@part
def _add_ahead(ground, adjacency, nodes, count, at, e, fares):  # pragma: no cover - compiled
    """Let the half walk that ends in node `at` go on through edge e."""
    row = nodes[at]
    new = nodes[count]
    b = adjacency.ends[e, 0]
    c = adjacency.ends[e, 1]
    # A transition shows c where b would be shown, so the piece is turned and moved to fit.
    new.turn, new.shift = carry(ground, row.turn, row.shift, b, c)
    new.parent = at
    new.edge = e
    new.frame = c
    new.time = row.time + b - row.frame
    new.least = ground.min_piece
    w_cost, sums = fares
    shown = _shown(sums, row.time, row.frame, b - row.frame)
    new.cost = row.cost + shown + w_cost * adjacency.cost[e]


@part
def _add_behind(ground, adjacency, nodes, count, at, e, fares):  # pragma: no cover - compiled
    """Let the half walk that begins in node `at` be entered through edge e."""
    row = nodes[at]
    new = nodes[count]
    b = adjacency.ends[e, 0]
    c = adjacency.ends[e, 1]
    # Backwards the later piece is where it has to be, and the earlier one is brought to it.
    new.turn, new.shift = carry(ground, row.turn, row.shift, c, b)
    new.parent = at
    new.edge = e
    new.frame = b
    new.time = row.time - (row.frame - c)
    new.least = ground.min_piece
    w_cost, sums = fares
    shown = _shown(sums, new.time, c, row.frame - c)
    new.cost = row.cost + shown + w_cost * adjacency.cost[e]


@kernel
def graft(ground, adjacency, nodes, count, at, edges, ahead, fares):  # pragma: no cover - compiled
    """Add the pieces of a known walk that goes on from node `at`, or comes to it.

    `nodes` are rows of `NODE`, `edges` (M,) are in the order of the walk; returns the new count.
    """
    for k in range(len(edges)):
        if count == len(nodes):
            break
        if ahead:
            _add_ahead(ground, adjacency, nodes, count, at, edges[k], fares)
        else:
            _add_behind(ground, adjacency, nodes, count, at, edges[len(edges) - 1 - k], fares)
        at = count
        count += 1
    return count


class Guide(NamedTuple):
    """What leads to frames worth showing at the end of a leg: `soon` (N,), frames to go from
    entering each frame, and `via` (N,), the edge by which each gets there first, -1 to play on.

    Both are empty where nothing leads; `via` alone is where the frame is pinned, so that all must
    come to it.
    """

    soon: Ints
    via: Ints


@part
def _in_time(adjacency, rng, low, high, guide, arrival):  # pragma: no cover - compiled
    """Random one of the first ways out of the frames [low, high) that get there in time; -1 when
    none does.
    """
    found = -1
    same = 0
    for b in range(low, high):
        e = guide.via[b]
        if e >= 0 and guide.soon[adjacency.ends[e, 1]] <= arrival - b:
            same += 1
            if below(rng, same) == 0:
                found = e
    return found


@part
def _led_edge(adjacency, rng, low, high, guide, arrival):  # pragma: no cover - compiled
    """Random edge that leaves a frame in [low, high), and one that gets there first where that
    would be too late, and now and then before.
    """
    e = out_edge(adjacency, rng, low, high)
    late = e < 0 or guide.soon[adjacency.ends[e, 1]] > arrival - adjacency.ends[e, 0]
    if late or random(rng) < EARLY:
        first = _in_time(adjacency, rng, low, high, guide, arrival)
        return first if first >= 0 else e
    return e


@kernel
def grow_ahead(
    ground, adjacency, rng, nodes, n_roots, latest, guide, fares
):  # pragma: no cover - compiled
    """Fill `nodes` after its roots with random half walks forwards, up to frame `latest`.

    `nodes` are rows of `NODE`; returns how many are filled, roots included. What leads to the end
    is followed by half of the half walks, and where it is a pin by all.
    """
    count = n_roots
    idle = 0
    pinned = len(guide.soon) > 0 and len(guide.via) == 0
    # Roots from which no edge leads in time are met again and again: after so many in vain, give
    # up.
    while count < len(nodes) and idle < 64:
        at = below(rng, n_roots)
        idle += 1
        led = len(guide.via) > 0 and random(rng) < LED
        while count < len(nodes):
            a = nodes[at].frame
            low = a + nodes[at].least
            high = ground.end[a]
            if pinned:
                e = edge_towards(adjacency, rng, low, high, guide.soon, latest - nodes[at].time + a)
            elif led:
                e = _led_edge(adjacency, rng, low, high, guide, latest - nodes[at].time + a)
            else:
                e = out_edge(adjacency, rng, low, high)
            if e < 0 or nodes[at].time + adjacency.ends[e, 0] - a + ground.min_piece > latest:
                break
            _add_ahead(ground, adjacency, nodes, count, at, e, fares)
            at = count
            count += 1
            idle = 0
    return count


@kernel
def grow_behind(
    ground, adjacency, rng, nodes, n_roots, earliest, fares
):  # pragma: no cover - compiled
    """Fill `nodes` after its roots with random half walks backwards, down to frame `earliest`.

    `nodes` are rows of `NODE`; returns how many are filled, roots included.
    """
    count = n_roots
    idle = 0
    while count < len(nodes) and idle < 64:
        at = below(rng, n_roots)
        idle += 1
        while count < len(nodes):
            b = nodes[at].frame  # for a root it may be the end of its clip
            e = in_edge(adjacency, rng, ground.begin[b - 1], b - nodes[at].least + 1)
            if e < 0 or nodes[at].time - (b - adjacency.ends[e, 1]) - ground.min_piece < earliest:
                break
            if adjacency.ends[e, 0] - ground.begin[adjacency.ends[e, 0]] < ground.min_piece:
                break
            _add_behind(ground, adjacency, nodes, count, at, e, fares)
            at = count
            count += 1
            idle = 0
    return count


@part
def _look(ground, nodes, m, fares, sight):  # pragma: no cover - compiled
    """Half walks forwards that may be left in frame m of the motion: what they show and where;
    returns how many.
    """
    n = 0
    for k in range(len(nodes)):
        row = nodes[k]
        i = row.frame + m - row.time
        if m - row.time >= row.least and i < ground.end[row.frame]:
            sight.frame[n] = i
            sight.node[n] = k
            sight.place[n] = row.turn * ground.place[i] + row.shift
            sight.turn[n] = row.turn * ground.turn[i]
            sight.cost[n] = row.cost + _shown(fares[1], row.time, row.frame, m - row.time)
            n += 1
    return n


@part
def _cells(place, turn, grid, half):  # pragma: no cover - compiled
    """Cell of a place and a heading, `half` a cell lower."""
    size, around = grid
    way = np.arctan2(turn.imag, turn.real) * around / (2 * np.pi)
    x = np.floor(place.real / size - half)
    z = np.floor(place.imag / size - half)
    return int(x), int(z), int(np.floor(way - half))


@part
def _bucket(x, z, way, around, mask):  # pragma: no cover - compiled
    """Row of the hash table for a cell."""
    # Spatial hashing after Teschner et al. 2003; headings go round, so theirs is taken modulo.
    # Cells that share a row cost time only: whatever is found there is scored like any other.
    return ((x * 73856093) ^ (z * 19349663) ^ ((way % around) * 83492791)) & mask


@part
def _with_misfit(cost, goal, place, turn, at, to, worst):  # pragma: no cover - compiled
    """A cost with the penalty at the goal when what is laid down to be at (`at`, `to`) has to begin
    at (`place`, `turn`) instead; without that of the heading where the place alone brings it to
    `worst`.
    """
    # The later half is turned by `off` to fit the earlier one, and its end swings about the
    # meeting.
    off = turn * to.conjugate()
    miss = place + off * (goal.place - at) - goal.place
    missed = goal.w_place * (miss.real**2 + miss.imag**2)
    if cost + missed >= worst:
        return worst
    bend = np.arctan2(off.imag, off.real)
    return cost + (missed + goal.w_turn * bend * bend)


#: Half walks from both ends (rows of `NODE`), the times at which they may meet, and what they cost
#: on their way.
Halves = tuple[NDArray[np.void], NDArray[np.void], Ints, Fares]


class Sight(NamedTuple):
    """What half walks forwards show at a time: the frame, which half walk it is, where it is laid
    down, what it costs up to there; and, from the last to the first, those that share a cell.
    """

    frame: Ints
    node: Ints
    place: NDArray[np.complex128]
    turn: NDArray[np.complex128]
    cost: Array
    after: Ints


def make_sight(n: int) -> Sight:
    """Room for what n half walks show; made here, as compiling its making takes longer."""
    return Sight(
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.empty(n, np.complex128),
        np.empty(n, np.complex128),
        np.empty(n, np.float64),
        np.empty(n, np.int64),
    )


@part
def _spread(sight, n, grid, head):  # pragma: no cover - compiled
    """Put what is shown into the cells of the hash."""
    for h in range(len(head)):
        head[h] = -1
    for k in range(n):
        x, z, way = _cells(sight.place[k], sight.turn[k], grid, 0.0)
        h = _bucket(x, z, way, grid[1], len(head) - 1)
        sight.after[k] = head[h]
        head[h] = k


@part
def _pair(hunt, q, j, cost, at, to, found, worst):  # pragma: no cover - compiled
    """Try half walk q backwards, which costs so much from where it shows frame j at (`at`, `to`),
    with all that nearly fit.

    `hunt` is what `join` looks in; `head` has the last half walk in every cell. Returns (pairs
    found so far, pairs looked at, score that a pair must be below).
    """
    adjacency, w_cost, goal, grid, sight, head, joins = hunt
    around = grid[1]
    looked = 0
    x, z, way = _cells(at, to, grid, 0.5)
    for corner in range(8):  # of the cells whose borders are nearest
        cell = x + (corner & 1), z + (corner >> 1 & 1), way + (corner >> 2)
        k = head[_bucket(cell[0], cell[1], cell[2], around, len(head) - 1)]
        left = _MOST
        while k >= 0 and left > 0:
            left -= 1
            looked += 1
            score = sight.cost[k] + cost
            if score < worst:
                score = _with_misfit(score, goal, sight.place[k], sight.turn[k], at, to, worst)
            if score < worst:
                # A search among edges takes about as long as looking at four pairs; the budget
                # counts both.
                looked += 4
                e = find_edge(adjacency, sight.frame[k], j)
                score += w_cost * adjacency.cost[e] if e >= 0 else np.inf
                if score < worst:
                    _add(joins, found, sight.node[k], q, e, score)
                    found += 1
                    if found == len(joins):
                        # Full: sorted down to the best, and from now on only better ones are taken.
                        found = _best_joins(joins, found)
                        worst = joins[found - 1].score
            k = sight.after[k]
    return found, looked, worst


@kernel
def join(ground, adjacency, halves, goal, grid, sight, joins):  # pragma: no cover - compiled
    """Find the best pairs of half walks that meet at one of the times.

    Returns
    -------
    found : int
        Rows of `joins`, best first.
    looked : int
        Pairs looked at, each edge looked up counting as four more.
    """
    ahead, behind, times, fares = halves
    size = 16
    # A power of two, so that a bit mask takes the place of a division.
    while size < 2 * len(ahead):
        size *= 2
    head = np.empty(size, np.int64)
    hunt = adjacency, fares[0], goal, grid, sight, head, joins
    found = np.int64(0)
    looked = 0
    worst = np.inf
    for m in times:
        n = _look(ground, ahead, m, fares, sight)
        if n == 0:
            continue
        _spread(sight, n, grid, head)
        for q in range(len(behind)):
            row = behind[q]
            j = row.frame - (row.time - m)
            # `frame - 1` is shown last: `frame` may be the first one of the next clip.
            if row.time - m < row.least or j < ground.begin[row.frame - 1] or row.cost >= worst:
                continue
            cost = row.cost + _shown(fares[1], m, j, row.time - m)
            at = row.turn * ground.place[j] + row.shift
            to = row.turn * ground.turn[j]
            found, more, worst = _pair(hunt, q, j, cost, at, to, found, worst)
            looked += more
    return _best_joins(joins, found), looked


@kernel
def join_anywhere(ground, adjacency, halves, sight, joins):  # pragma: no cover - compiled
    """Find pairs of half walks that meet at one of the times, wherever they are; see `join`.

    All edges are looked at, until a few thousand pairs were met: a frame given in advance may be
    hard to come to.
    """
    ahead, behind, times, fares = halves
    frame = sight.frame
    after = sight.after
    # Frames are their own cells here: where half walks are makes no difference.
    head = np.full(len(ground.place), -1, np.int64)
    found = np.int64(0)
    looked = 0
    met = 0
    for m in times:
        n = _look(ground, ahead, m, fares, sight)
        for k in range(n):
            after[k] = head[frame[k]]
            head[frame[k]] = k
        for q in range(len(behind) if n > 0 else 0):
            row = behind[q]
            j = row.frame - (row.time - m)
            if row.time - m < row.least or j < ground.begin[row.frame - 1]:
                continue
            looked += adjacency.in_ptr[j + 1] - adjacency.in_ptr[j]
            cost = row.cost + _shown(fares[1], m, j, row.time - m)
            for i in range(adjacency.in_ptr[j], adjacency.in_ptr[j + 1]):
                e = adjacency.in_edge[i]
                k = head[adjacency.in_source[i]]
                while k >= 0:
                    node = sight.node[k]
                    score = sight.cost[k] + cost + fares[0] * adjacency.cost[e]
                    _add(joins, found, node, q, e, score)
                    found = found + 1
                    met = met + 1
                    k = after[k]
                    if found == len(joins):
                        found = _best_joins(joins, found)
            if met > _ENOUGH:
                return _best_joins(joins, found), looked // _EASY
        # Only what was set: clearing all frames at every time would take longer than looking.
        for k in range(n):
            head[frame[k]] = -1
    return _best_joins(joins, found), looked // _EASY
