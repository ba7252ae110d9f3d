"""Edges of every pair of clips summarised as a forest: few top-level edges, each the root of a
binary tree.

Where two frames are alike their neighbours are too, so the edges between two clips form thin
diagonal blobs. Every blob (connected component) is sliced across its longest axis until its parts
are no longer than wide: the top-level nodes, each halved again and again down to single edges. A
node is represented by its medoid, a real edge of the graph, never by a mean that may be none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from motionloom.compiling import kernel, part
from motionloom.declared import Shape
from motionloom.graph.transitions.edges import EdgeList
from motionloom.graph.transitions.product import Frames
from motionloom.typing import Ints, Singles

#: Blobs are thin; their half minor axis counts as at least this many frames, or every edge would be
#: its own cluster.
MINOR_FLOOR = 3.0
#: A part of a blob is cut on while its axes differ by more than this ratio.
LONGEST = 1.5
#: One unit of relative cost weighs as much as this many frames when a node's medoid is chosen.
COST_FRAMES = 3.0


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """Forest over the edges, which are reordered so that every node owns a contiguous range.

    A node is an integer: below E it is the edge of that number (a leaf), else ``E + p``, the node
    whose two children meet at edge p (its left child owns edges up to p - 1, its right child starts
    at p).

    Parameters
    ----------
    pair_ptr : int64 array of shape (C * C + 1,)
        Edges from clip s to clip t are ``pair_ptr[s * C + t] <= e < pair_ptr[s * C + t + 1]``.
    root_ptr : int64 array of shape (C * C + 1,)
        The same for roots.
    roots : int32 array of shape (R,)
        Nodes of the coarsest graph.
    children : int32 array of shape (E, 2)
        Children of node ``E + p`` in row p; -1 where p is no such boundary.
    medoid : int32 array of shape (E,)
        Edge that stands for node ``E + p``.
    """

    pair_ptr: Annotated[Ints, Shape("c")]
    root_ptr: Annotated[Ints, Shape("c")]
    roots: Annotated[NDArray[np.int32], Shape("r")]
    children: Annotated[NDArray[np.int32], Shape("e", 2)]
    medoid: Annotated[NDArray[np.int32], Shape("e")]

    def edge(self, node: int) -> int:
        """Edge that stands for a node."""
        n = len(self.medoid)
        return node if node < n else int(self.medoid[node - n])


@part
def _find(parent, i):  # pragma: no cover - compiled
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@part
def _blobs(source, target, run, blob):  # pragma: no cover - compiled
    """Label the 8-connected components of one pair's edges, which are sorted by source and target.

    Writes the first edge of every run of targets into `run` (and the end of the last) and its
    component into `blob`; returns how many runs and components there are.
    """
    n_runs = 0
    for i in range(len(source)):
        if i == 0 or source[i] != source[i - 1] or target[i] != target[i - 1] + 1:
            run[n_runs] = i
            blob[n_runs] = n_runs
            n_runs += 1
    run[n_runs] = len(source)
    above = 0  # first run of the row above that may touch the current one
    for r in range(n_runs):
        row = source[run[r]]
        first = target[run[r]]
        last = target[run[r + 1] - 1]
        while source[run[above]] < row - 1 or (
            source[run[above]] == row - 1 and target[run[above + 1] - 1] < first - 1
        ):
            above += 1
        k = above
        while source[run[k]] == row - 1 and target[run[k]] <= last + 1:
            a = _find(blob, k)
            b = _find(blob, r)
            blob[max(a, b)] = min(a, b)
            k += 1
    count = 0
    for r in range(n_runs):
        if blob[r] == r:
            blob[r] = -1 - count
            count += 1
        else:
            blob[r] = blob[blob[r]]
    for r in range(n_runs):
        blob[r] = -1 - blob[r]
    return n_runs, count


class _Room(NamedTuple):
    """Edges of one pair of clips: their frames, counted from the first, costs and numbers; and room
    for edges that are sorted, for parts that wait for their turn, and for runs of targets: their
    first edges, the blobs they are in, and where those begin.
    """

    x: Singles
    y: Singles
    c: Singles
    edge: Frames
    old: Singles
    numbers: Frames
    ends: Ints
    stack: Ints
    run: Ints
    blob: Ints
    first: Ints


@part
def _shape(room, a, b):  # pragma: no cover - compiled
    """Mean of the edges ``a <= k < b``, a vector along their longest axis, and how much longer they
    are than wide.
    """
    x = room.x
    y = room.y
    n = b - a
    mx = my = mc = xx = xy = yy = 0.0
    for k in range(a, b):
        dx = x[k] - x[a]
        dy = y[k] - y[a]
        mx = mx + dx
        my = my + dy
        mc = mc + room.c[k]
        xx = xx + dx * dx
        xy = xy + dx * dy
        yy = yy + dy * dy
    mx = mx / n
    my = my / n
    mc = mc / n
    xx = xx / n - mx * mx
    xy = xy / n - mx * my
    yy = yy / n - my * my
    spread = np.sqrt((xx - yy) ** 2 + 4 * xy * xy)
    major = (xx + yy + spread) / 2
    minor = (xx + yy - spread) / 2
    axis = (major - yy, xy) if xx >= yy else (xy, major - xx)
    # The half axis of a uniform ellipse is twice the standard deviation along it.
    ratio = np.sqrt(4 * major / max(4 * minor, MINOR_FLOOR**2))
    return (mx + x[a], my + y[a], mc), axis, ratio


@part
def _halve(room, a, b, mean, axis):  # pragma: no cover - compiled
    """Bring the edges on one side of the mean to the front; return the medoid and where the other
    side begins.
    """
    x, y, c, edge = room.x, room.y, room.c, room.edge
    mx, my, mc = mean
    ux, uy = axis
    best = np.inf
    medoid = 0
    k = a
    end = b
    while k < end:
        dx = x[k] - mx
        dy = y[k] - my
        dc = COST_FRAMES * (c[k] - mc)
        far = dx * dx + dy * dy + dc * dc
        if far < best or (far == best and edge[k] < medoid):
            best = far
            medoid = edge[k]
        if dx * ux + dy * uy <= 0:
            k += 1
        else:
            end -= 1
            x[k], x[end] = x[end], x[k]
            y[k], y[end] = y[end], y[k]
            c[k], c[end] = c[end], c[k]
            edge[k], edge[end] = edge[end], edge[k]
    return medoid, k if a < k < b else (a + b) // 2


@part
def _slice(room, a, b, axis, k):  # pragma: no cover - compiled
    """Sort the edges into k slices of equal length along the axis; ``room.ends`` receives where
    each slice ends.
    """
    x, y, c, edge = room.x, room.y, room.c, room.edge
    old = room.old
    ends = room.ends
    ux, uy = axis
    low = np.inf
    high = -np.inf
    for i in range(a, b):
        t = x[i] * ux + y[i] * uy
        low = min(low, t)
        high = max(high, t)
        old[i, 0] = x[i]
        old[i, 1] = y[i]
        old[i, 2] = c[i]
        room.numbers[i] = edge[i]
    scale = k / (high - low)
    for g in range(k):
        ends[g] = 0
    for i in range(a, b):
        ends[min(int((old[i, 0] * ux + old[i, 1] * uy - low) * scale), k - 1)] += 1
    at = a
    for g in range(k):
        at, ends[g] = at + ends[g], at
    for i in range(a, b):
        g = min(int((old[i, 0] * ux + old[i, 1] * uy - low) * scale), k - 1)
        j = ends[g]
        x[j] = old[i, 0]
        y[j] = old[i, 1]
        c[j] = old[i, 2]
        edge[j] = room.numbers[i]
        ends[g] += 1


@part
def _grow(room, trees, offset, lo, hi, n_roots):  # pragma: no cover - compiled
    """Trees over one blob, the edges ``lo <= k < hi``, after `n_roots` others. Return how many
    trees there are then.

    Rows of the children and medoids are counted from `offset`.
    """
    edge = room.edge
    _, roots, children, medoid = trees
    stack = room.stack
    top = 1
    stack[0] = lo, hi, -1, 0
    while top > 0:
        top -= 1
        a, b, above, side = stack[top]
        node = offset + a
        middle = a + 1
        if b - a > 2 or (b - a == 2 and above < 0):
            mean, axis, ratio = _shape(room, a, b)
            if above < 0 and ratio > LONGEST:
                k = min(int(np.rint(ratio)), b - a)
                _slice(room, a, b, axis, k)
                for g in range(k - 1, -1, -1):
                    begin = a if g == 0 else room.ends[g - 1]
                    if room.ends[g] > begin:
                        stack[top] = begin, room.ends[g], -1, 0
                        top += 1
                continue
            middle_edge, middle = _halve(room, a, b, mean, axis)
            medoid[offset + middle] = middle_edge
        elif b - a == 2:
            medoid[offset + middle] = min(edge[a], edge[b - 1])
        if b - a > 1:
            p = offset + middle
            node = len(medoid) + p
            stack[top] = (middle, b, p, 1)
            stack[top + 1] = (a, middle, p, 0)
            top += 2
        if above < 0:
            roots[n_roots] = node
            n_roots += 1
        else:
            children[above, side] = node
    return n_roots


@part
def _gather(source, target, cost, room):  # pragma: no cover - compiled
    """Put the edges of one pair of clips one blob after the other; return how many blobs.

    ``room.first`` then holds where every blob ends.
    """
    run, blob, first = room.run, room.blob, room.first
    n_runs, n_blobs = _blobs(source, target, run, blob)
    for g in range(n_blobs + 1):
        first[g] = 0
    for r in range(n_runs):
        first[blob[r] + 1] += run[r + 1] - run[r]
    for g in range(n_blobs):
        first[g + 1] += first[g]
    for r in range(n_runs):
        for i in range(run[r], run[r + 1]):
            k = first[blob[r]]  # filling moves every start to the end of its blob
            room.x[k] = source[i] - source[0]
            room.y[k] = target[i] - target[0]
            room.c[k] = cost[i]
            room.edge[k] = i
            first[blob[r]] += 1
    return n_blobs


@kernel
def _forest(source, target, cost, pair_ptr, out, trees):  # pragma: no cover - compiled
    """Build all trees, the roots filled from the front; `out` is the edges in their new order.

    `trees` are the root pointers, roots, children and medoids of a `Hierarchy`.
    """
    n_roots = 0
    most = 0
    for pair in range(len(pair_ptr) - 1):
        most = max(most, pair_ptr[pair + 1] - pair_ptr[pair])
    room = _Room(
        np.empty(most, np.float32),
        np.empty(most, np.float32),
        np.empty(most, np.float32),
        np.empty(most, np.int32),
        np.empty((most, 3), np.float32),
        np.empty(most, np.int32),
        np.empty(most + 1, np.int64),
        np.empty((most + 2, 4), np.int64),
        np.empty(most + 1, np.int64),
        np.empty(most, np.int64),
        np.empty(most + 1, np.int64),
    )
    new = np.empty(most, np.int32)
    root_ptr, _, children, medoid = trees
    for pair in range(len(pair_ptr) - 1):
        root_ptr[pair] = n_roots
        lo = pair_ptr[pair]
        hi = pair_ptr[pair + 1]
        if lo == hi:
            continue
        s = source[lo:hi]
        t = target[lo:hi]
        for p in range(lo, hi):
            children[p, 0] = children[p, 1] = medoid[p] = -1
        begin = np.int64(0)
        for g in range(_gather(s, t, cost[lo:hi], room)):
            n_roots = _grow(room, trees, lo, begin, room.first[g], n_roots)
            begin = room.first[g]
        for k in range(hi - lo):
            new[room.edge[k]] = lo + k
            out[0][lo + k] = s[room.edge[k]]
            out[1][lo + k] = t[room.edge[k]]
            out[2][lo + k] = room.c[k]
        for p in range(lo, hi):
            if medoid[p] >= 0:
                medoid[p] = new[medoid[p]]
    root_ptr[-1] = n_roots
    return n_roots


def build_hierarchy(
    edges: EdgeList, pair_of_edge: Ints, n_clips: int
) -> tuple[EdgeList, Hierarchy]:
    """Summarise the edges of every pair of clips.

    The trees of a pair depend on its own edges alone.

    Parameters
    ----------
    edges : EdgeList
        Ordered by pair of clips, then source, then target.
    pair_of_edge : int array of shape (E,)
        ``source clip * C + target clip`` of every edge.
    n_clips : int
        Number of clips C.

    Returns
    -------
    edges : EdgeList
        The same edges in the order that the hierarchy refers to.
    hierarchy : Hierarchy
        Binary trees over the edges of each pair of clips.
    """
    n = len(edges.source)
    pair_ptr = np.searchsorted(pair_of_edge, np.arange(n_clips * n_clips + 1)).astype(np.int64)
    out = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.float32)
    roots = np.empty(n, np.int32)
    root_ptr = np.zeros(n_clips * n_clips + 1, np.int64)
    children = np.empty((n, 2), np.int32)
    medoid = np.empty(n, np.int32)
    trees = root_ptr, roots, children, medoid
    count = _forest(edges.source, edges.target, edges.cost, pair_ptr, out, trees)
    return EdgeList(*out), Hierarchy(pair_ptr, root_ptr, roots[:count].copy(), children, medoid)


#: Boundaries above one another in a tree that is read; halving edges never comes near.
_DEEPEST = 1 << 16


@part
def _is_tree(children, medoid, stack, node, at, end):  # pragma: no cover - compiled
    """First edge after the tree below a node, which begins with edge `at` and ends before `end`;
    -1 when it is no tree.

    Rows of the stack: boundary, first edge, where its node must end, and whether its right side is
    being looked at.
    """
    n = len(medoid)
    before = end
    top = 0
    while True:
        if node >= n:
            p = node - n
            if p <= at or p >= before or top == len(stack):
                return -1
            stack[top] = p, at, before, 0
            top += 1
            node = np.int64(children[p, 0])
            before = p
            continue
        if node != at:
            return -1
        at += 1
        while top > 0 and stack[top - 1, 3] == 1:
            top -= 1
            if not stack[top, 1] <= medoid[stack[top, 0]] < at:
                return -1
        if top == 0:
            return at
        if stack[top - 1, 0] != at:
            return -1
        stack[top - 1, 3] = 1
        node = np.int64(children[at, 1])
        before = stack[top - 1, 2]


@kernel
def is_forest(pair_ptr, root_ptr, roots, children, medoid):  # pragma: no cover - compiled
    """Whether arrays are a hierarchy over the edges that `pair_ptr` shares out, as `Hierarchy`
    says.

    `pair_ptr` must share them out indeed; the others may hold anything.

    In the order from left to right, trees must alternate between edges and boundaries, counting
    both upwards.
    """
    n = len(medoid)
    if root_ptr[0] != 0 or root_ptr[-1] != len(roots):
        return False
    for pair in range(len(pair_ptr) - 1):
        if root_ptr[pair] > root_ptr[pair + 1]:
            return False
    stack = np.empty((min(n, _DEEPEST) + 1, 4), np.int64)
    for pair in range(len(pair_ptr) - 1):
        at = pair_ptr[pair]
        end = pair_ptr[pair + 1]
        for r in range(root_ptr[pair], root_ptr[pair + 1]):
            if at >= end or children[at, 0] != -1 or children[at, 1] != -1 or medoid[at] != -1:
                return False
            at = _is_tree(children, medoid, stack, np.int64(roots[r]), at, end)
            if at < 0:
                return False
        if at != end:
            return False
    return True
