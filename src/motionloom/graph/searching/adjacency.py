"""Edges of a motion graph as compiled code finds them: by pair of clips, by source frame, by target
frame, by both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from motionloom.compiling import kernel, part
from motionloom.graph.scoring.walk import Ground
from motionloom.graph.transitions._momentum import momentum_costs, stride_costs
from motionloom.typing import Array, Ints, Singles

if TYPE_CHECKING:
    from motionloom.graph.transitions.build import MotionGraph


class Adjacency(NamedTuple):
    """Edges of a motion graph.

    `ends` (E, 2) holds the source and target frames; `cost` is that of the transition and of
    switching gait or style in it; `pair_ptr` to `medoid` are those of `Hierarchy`.
    Edges that leave frame i are ``out_edge[out_ptr[i]:out_ptr[i + 1]]``, ordered by their targets
    `out_target`; those that enter frame j are ``in_edge[in_ptr[j]:in_ptr[j + 1]]``, ordered by
    their sources `in_source`. `bridges` are the edges over the threshold that join islands.
    """

    ends: NDArray[np.int32]
    cost: Singles
    pair_ptr: Ints
    root_ptr: Ints
    roots: NDArray[np.int32]
    children: NDArray[np.int32]
    medoid: NDArray[np.int32]
    out_ptr: Ints
    out_edge: NDArray[np.int32]
    out_target: NDArray[np.int32]
    in_ptr: Ints
    in_edge: NDArray[np.int32]
    in_source: NDArray[np.int32]
    bridges: NDArray[np.int32]
    clip_of: NDArray[np.int32]
    n_clips: int


@part
def random(state):  # pragma: no cover - compiled
    """Next number in [0, 1) of a SplitMix64 stream whose state is one uint64."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@part
def below(state, n):  # pragma: no cover - compiled
    """Random integer in [0, n)."""
    return int(random(state) * n)


def randoms(state: NDArray[np.uint64], n: int) -> Array:
    """Next n numbers of the stream of `random`, for Python: state k is k steps on from the first.

    Parameters
    ----------
    state : uint64 array of shape (1,)
        It is advanced.
    n : int
        How many.

    Returns
    -------
    array of shape (n,)
        In [0, 1).
    """
    z = state + np.uint64(0x9E3779B97F4A7C15) * np.arange(n + 1, dtype=np.uint64)
    state[0] = z[n]
    z = z[1:]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(11)) * (1.0 / 9007199254740992.0)


def draws(state: NDArray[np.uint64], most: int, n: int) -> Ints:
    """Next n integers in [0, most), each as `below` has it.

    Parameters
    ----------
    state : uint64 array of shape (1,)
        It is advanced.
    most : int
        Above the largest.
    n : int
        How many.

    Returns
    -------
    int64 array of shape (n,)
    """
    return (randoms(state, n) * most).astype(np.int64)


@part
def take(adjacency, node, step):  # pragma: no cover - compiled
    """Write a node and the edge that stands for it into one step of a walk."""
    n = len(adjacency.ends)
    e = node if node < n else adjacency.medoid[node - n]
    step.node = node
    step.source = adjacency.ends[e, 0]
    step.target = adjacency.ends[e, 1]
    step.cost = adjacency.cost[e]


@part
def find_edge(adjacency, b, c):  # pragma: no cover - compiled
    """Edge from frame b to frame c; -1 when there is none."""
    low = adjacency.out_ptr[b]
    high = adjacency.out_ptr[b + 1]
    stop = high
    while low < high:
        middle = (low + high) >> 1
        if adjacency.out_target[middle] < c:
            low = middle + 1
        else:
            high = middle
    return adjacency.out_edge[low] if low < stop and adjacency.out_target[low] == c else -1


@part
def between_tops(adjacency, rng, pair):  # pragma: no cover - compiled
    """Random top-level node of a pair of clips; -1 when there is none."""
    n = adjacency.root_ptr[pair + 1] - adjacency.root_ptr[pair]
    return -1 if n == 0 else np.int64(adjacency.roots[adjacency.root_ptr[pair] + below(rng, n)])


@part
def between(adjacency, rng, pair):  # pragma: no cover - compiled
    """Random edge of a pair of clips, ``from * n_clips + to``; -1 when there is none."""
    n = adjacency.pair_ptr[pair + 1] - adjacency.pair_ptr[pair]
    return -1 if n == 0 else adjacency.pair_ptr[pair] + below(rng, n)


@part
def out_edge(adjacency, rng, low, high):  # pragma: no cover - compiled
    """Random edge that leaves a frame in [low, high) of one clip; -1 when none was met.

    One time in four it is drawn by the clip it leads to, or clips that few edges lead to would
    hardly be visited.
    """
    return _random_edge(adjacency, rng, low, high, 0, adjacency.out_ptr, adjacency.out_edge)


@part
def edge_towards(adjacency, rng, low, high, soon, arrival):  # pragma: no cover - compiled
    """Edge that leaves a frame in [low, high) of one clip and from whose target c there are
    ``soon[c]`` frames to go.

    Left in frame b, c is shown ``arrival - b`` frames before the goal: that must be enough. Now and
    then, and where no random edge will do, it is one of those that get there first. -1 when none
    gets there in time.
    """
    if random(rng) < 0.8:
        for _ in range(4):
            e = out_edge(adjacency, rng, low, high)
            if e >= 0 and soon[adjacency.ends[e, 1]] <= arrival - adjacency.ends[e, 0]:
                return e
    found = -1
    same = 0
    least = arrival + 1
    for b in range(low, high):
        for i in range(adjacency.out_ptr[b], adjacency.out_ptr[b + 1]):
            when = b + soon[adjacency.out_target[i]]
            if when < least:
                found = adjacency.out_edge[i]
                same = 1
                least = when
            elif when == least and when <= arrival:
                same += 1
                if below(rng, same) == 0:
                    found = adjacency.out_edge[i]
    return found


@part
def in_edge(adjacency, rng, low, high):  # pragma: no cover - compiled
    """Random edge that enters a frame in [low, high) of one clip; -1 when none was met. See
    `out_edge`.
    """
    return _random_edge(adjacency, rng, low, high, 1, adjacency.in_ptr, adjacency.in_edge)


@part
def _random_edge(adjacency, rng, low, high, end, first, edges):  # pragma: no cover - compiled
    """Random edge whose `end` (0 where it leaves, 1 where it enters) is in [low, high); -1 when
    none was met. Those of frame b are ``edges[first[b] : first[b + 1]]``.
    """
    if high <= low:
        return -1
    if random(rng) < 0.25:
        own = adjacency.clip_of[low]
        for _ in range(8):
            other = below(rng, adjacency.n_clips)
            source, target = (own, other) if end == 0 else (other, own)
            e = between(adjacency, rng, source * adjacency.n_clips + target)
            if e >= 0 and low <= adjacency.ends[e, end] < high:
                return e
    for _ in range(8):
        frame = low + below(rng, high - low)
        n = first[frame + 1] - first[frame]
        if n > 0:
            return edges[first[frame] + below(rng, n)]
    return -1


def make_ground(graph: MotionGraph) -> Ground:
    """Where the body is in every frame of a graph's clips."""
    clips = graph.clips
    x, z, facing = clips.body.T
    return Ground(
        place=z + 1j * x,
        turn=np.exp(1j * facing),
        begin=clips.starts[clips.clip_of],
        end=clips.starts[clips.clip_of + 1],
        min_piece=graph.options.min_piece,
    )


#: Indexing millions of edges takes a noticeable part of a second, so each graph is indexed once.
_KNOWN: WeakKeyDictionary[MotionGraph, Adjacency] = WeakKeyDictionary()


def make_adjacency(graph: MotionGraph) -> Adjacency:
    """Index the edges of a graph, or return the index made before."""
    if graph not in _KNOWN:
        _KNOWN[graph] = _index(graph)
    return _KNOWN[graph]


def _index(graph: MotionGraph) -> Adjacency:
    edges = graph.edges
    tree = graph.hierarchy
    n = graph.clips.n_frames
    every = np.arange(len(edges.source), dtype=np.int32)
    in_ptr, by_target = _sort(edges.target, every, n)
    out_ptr, leaving = _sort(edges.source, by_target, n)
    in_ptr, entering = _sort(edges.target, leaving, n)
    return Adjacency(
        ends=np.column_stack([edges.source, edges.target]).astype(np.int32),
        cost=_costs(graph),
        pair_ptr=tree.pair_ptr,
        root_ptr=tree.root_ptr,
        roots=tree.roots,
        children=tree.children,
        medoid=tree.medoid,
        out_ptr=out_ptr,
        out_edge=leaving,
        out_target=edges.target[leaving].astype(np.int32),
        in_ptr=in_ptr,
        in_edge=entering,
        in_source=edges.source[entering].astype(np.int32),
        bridges=np.flatnonzero(edges.cost > 1).astype(np.int32),
        clip_of=graph.clips.clip_of,
        n_clips=graph.clips.n_clips,
    )


def _costs(graph: MotionGraph) -> Singles:
    """Costs of the edges, with that of switching gait or style, and of a jerk of the hips where a
    graph is to have none but could not do without.
    """
    edges = graph.edges
    costs: Singles = edges.cost + stride_costs(graph.clips, edges.source, edges.target)
    if graph.options.momentum is not None:
        costs += momentum_costs(graph.clips, edges.source, edges.target)
    return costs


@kernel
def _sort(frames, order, n):  # pragma: no cover - compiled
    """Stable counting sort of edges, given in some order, by their frame; returns (first of each
    frame, order).
    """
    first = np.zeros(n + 1, np.int64)
    for e in order:
        first[frames[e] + 1] += 1
    for i in range(n):
        first[i + 1] += first[i]
    at = first.copy()
    done = np.empty_like(order)
    for e in order:
        done[at[frames[e]]] = e
        at[frames[e]] += 1
    return first, done
