"""Edges of every pair of clips summarised as a forest: few top-level edges, each the root of a binary tree.

Where two frames are alike their neighbours are too, so the edges between two clips form thin diagonal blobs. Every
blob (connected component) is cut into clusters by k-means; a cluster is split in two again and again down to single
edges. A node is represented by its medoid, a real edge of the graph, never by a mean that may be none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from motionloom.graph.edges import EdgeList

#: Blobs are thin; their half minor axis counts as at least this many frames, or every edge would be its own cluster.
MINOR_FLOOR = 3.0
#: One unit of relative cost weighs as much as this many frames when edges are clustered.
COST_FRAMES = 3.0
_ROUNDS = 4


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """Forest over the edges, which are reordered so that every node owns a contiguous range.

    A node is an integer: below E it is the edge of that number (a leaf), else ``E + p``, the node whose two children
    meet at edge p (its left child owns edges up to p - 1, its right child starts at p).

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

    pair_ptr: NDArray[np.int64]
    root_ptr: NDArray[np.int64]
    roots: NDArray[np.int32]
    children: NDArray[np.int32]
    medoid: NDArray[np.int32]

    def edge(self, node: int) -> int:
        """Edge that stands for a node."""
        n = len(self.medoid)
        return node if node < n else int(self.medoid[node - n])


@njit(cache=True)
def _find(parent, i):  # pragma: no cover - compiled
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@njit(cache=True)
def _components(source, target, lo, hi):  # pragma: no cover - compiled
    """Label the 8-connected components of one pair's edges, which are sorted by source and target."""
    n = hi - lo
    parent = np.arange(n)
    above = 0  # first edge of the row above that may touch the current one
    for i in range(n):
        s, t = source[lo + i], target[lo + i]
        if i > 0 and source[lo + i - 1] == s and target[lo + i - 1] == t - 1:
            parent[_find(parent, i)] = _find(parent, i - 1)
        while above < i and (
            source[lo + above] < s - 1 or (source[lo + above] == s - 1 and target[lo + above] < t - 1)
        ):
            above += 1
        k = above
        while k < i and source[lo + k] == s - 1 and target[lo + k] <= t + 1:
            parent[_find(parent, k)] = _find(parent, i)
            k += 1
    label, names, count = np.empty(n, np.int64), np.full(n, -1), 0
    for i in range(n):
        root = _find(parent, i)
        if names[root] < 0:
            names[root] = count
            count += 1
        label[i] = names[root]
    return label, count


@njit(cache=True)
def _axis(points, order, lo, hi):  # pragma: no cover - compiled
    """Mean, direction of the longest spread in the frame plane, and the two variances."""
    n = hi - lo
    mx = my = mc = 0.0
    for k in range(lo, hi):
        p = points[order[k]]
        mx, my, mc = mx + p[0], my + p[1], mc + p[2]
    mx, my, mc = mx / n, my / n, mc / n
    xx = xy = yy = 0.0
    for k in range(lo, hi):
        dx, dy = points[order[k], 0] - mx, points[order[k], 1] - my
        xx, xy, yy = xx + dx * dx, xy + dx * dy, yy + dy * dy
    xx, xy, yy = xx / n, xy / n, yy / n
    spread = np.sqrt((xx - yy) ** 2 + 4 * xy * xy)
    angle = 0.5 * np.arctan2(2 * xy, xx - yy)
    return mx, my, mc, np.cos(angle), np.sin(angle), (xx + yy + spread) / 2, (xx + yy - spread) / 2


@njit(cache=True)
def _group(order, lo, hi, label, k):  # pragma: no cover - compiled
    """Stable counting sort of ``order[lo:hi]`` by `label` (by position from lo); return the k + 1 group starts."""
    starts = np.zeros(k + 1, np.int64)
    for i in range(hi - lo):
        starts[label[i] + 1] += 1
    for g in range(k):
        starts[g + 1] += starts[g]
    place, old = starts.copy(), order[lo:hi].copy()
    for i in range(hi - lo):
        order[lo + place[label[i]]] = old[i]
        place[label[i]] += 1
    return starts + lo


@njit(cache=True)
def _kmeans(points, order, lo, hi, k):  # pragma: no cover - compiled
    """Sort ``order[lo:hi]`` into at most k clusters, started as equal slices of the long axis; return group starts."""
    n = hi - lo
    mx, my, _, ux, uy, _, _ = _axis(points, order, lo, hi)
    along = np.empty(n)
    for i in range(n):
        p = points[order[lo + i]]
        along[i] = (p[0] - mx) * ux + (p[1] - my) * uy
    label = np.empty(n, np.int64)
    if k == 2:  # the usual case, split at the mean
        for i in range(n):
            label[i] = 1 if along[i] > 0 else 0
    else:
        rank = np.argsort(along, kind="mergesort")
        for i in range(n):
            label[rank[i]] = i * k // n
    centre, count = np.empty((k, 3)), np.empty(k)
    for _ in range(_ROUNDS):
        centre[:], count[:] = 0.0, 0.0
        for i in range(n):
            centre[label[i]] += points[order[lo + i]]
            count[label[i]] += 1
        for g in range(k):
            if count[g] > 0:
                centre[g] /= count[g]
        moved = False
        for i in range(n):
            p, best, at = points[order[lo + i]], np.inf, label[i]
            for g in range(k):
                if count[g] > 0:
                    d = (p[0] - centre[g, 0]) ** 2 + (p[1] - centre[g, 1]) ** 2 + (p[2] - centre[g, 2]) ** 2
                    if d < best:
                        best, at = d, g
            moved = moved or at != label[i]
            label[i] = at
        if not moved:
            break
    return _group(order, lo, hi, label, k)


@njit(cache=True)
def _medoid(points, order, lo, hi):  # pragma: no cover - compiled
    """Position in `order` of the edge nearest to the mean of ``order[lo:hi]``."""
    m = np.zeros(3)
    for k in range(lo, hi):
        m += points[order[k]]
    m /= hi - lo
    best, at = np.inf, lo
    for k in range(lo, hi):
        p = points[order[k]]
        d = (p[0] - m[0]) ** 2 + (p[1] - m[1]) ** 2 + (p[2] - m[2]) ** 2
        if d < best:
            best, at = d, k
    return order[at]


@njit(cache=True)
def _split(points, order, lo, hi, offset, n_edges, children, medoid):  # pragma: no cover - compiled
    """Grow the binary tree over ``order[lo:hi]``; rows of `children` and `medoid` are counted from `offset`."""
    if hi - lo == 1:
        return offset + lo
    stack = [(lo, hi, -1, 0)]
    root = -1
    while len(stack) > 0:
        a, b, above, side = stack.pop()
        if b - a == 1:
            node = offset + a
        else:
            middle = a + 1
            if b - a > 2:
                starts = _kmeans(points, order, a, b, 2)
                middle = starts[1] if a < starts[1] < b else (a + b) // 2
            p = offset + middle
            node = n_edges + p
            medoid[p] = _medoid(points, order, a, b)
            stack.append((a, middle, p, 0))
            stack.append((middle, b, p, 1))
        if above < 0:
            root = node
        else:
            children[above, side] = node
    return root


@njit(cache=True)
def _forest(source, target, cost, pair_ptr, order, roots, root_ptr, children, medoid):  # pragma: no cover - compiled
    """Build all trees; `medoid` holds old edge numbers and `roots` is filled from the front."""
    n_edges, n_roots = len(source), 0
    for pair in range(len(pair_ptr) - 1):
        root_ptr[pair] = n_roots
        lo, hi = pair_ptr[pair], pair_ptr[pair + 1]
        if lo == hi:
            continue
        n = hi - lo
        points = np.empty((n, 3))
        for i in range(n):
            points[i, 0], points[i, 1] = source[lo + i], target[lo + i]
            points[i, 2] = COST_FRAMES * cost[lo + i]
        label, count = _components(source, target, lo, hi)
        local = np.arange(n)
        blobs = _group(local, 0, n, label, count)
        for c in range(count):
            a, b = blobs[c], blobs[c + 1]
            _, _, _, _, _, major, minor = _axis(points, local, a, b)
            # The half axis of a uniform ellipse is twice the standard deviation along it.
            ratio = 2 * np.sqrt(major) / max(2 * np.sqrt(max(minor, 0.0)), MINOR_FLOOR)
            k = min(max(int(np.rint(ratio)), 1), b - a)
            starts = _kmeans(points, local, a, b, k) if k > 1 else np.array([a, b])
            for g in range(len(starts) - 1):
                if starts[g + 1] > starts[g]:
                    roots[n_roots] = _split(points, local, starts[g], starts[g + 1], lo, n_edges, children, medoid)
                    n_roots += 1
        for i in range(n):
            order[lo + i] = lo + local[i]
    root_ptr[-1] = n_roots
    return n_roots


@njit(cache=True)
def _renumber(order, children, medoid, pair_ptr):  # pragma: no cover - compiled
    """Turn medoids from numbers within their pair before reordering into numbers after it."""
    new = np.empty(len(order), np.int32)
    for k in range(len(order)):
        new[order[k]] = k
    for pair in range(len(pair_ptr) - 1):
        for p in range(pair_ptr[pair], pair_ptr[pair + 1]):
            if children[p, 0] >= 0:
                medoid[p] = new[pair_ptr[pair] + medoid[p]]


def build_hierarchy(edges: EdgeList, pair_of_edge: NDArray[np.int64], n_clips: int) -> tuple[EdgeList, Hierarchy]:
    """Summarise the edges of every pair of clips.

    Parameters
    ----------
    edges : EdgeList
        Ordered by pair of clips, then source, then target.
    pair_of_edge : int array of shape (E,)
        ``source clip * C + target clip`` of every edge.
    n_clips : int

    Returns
    -------
    edges : EdgeList
        The same edges in the order that the hierarchy refers to.
    hierarchy : Hierarchy
    """
    n = len(edges.source)
    pair_ptr = np.searchsorted(pair_of_edge, np.arange(n_clips * n_clips + 1)).astype(np.int64)
    order, roots = np.empty(n, np.int64), np.empty(n, np.int32)
    root_ptr = np.zeros(n_clips * n_clips + 1, np.int64)
    children, medoid = np.full((n, 2), -1, np.int32), np.full(n, -1, np.int32)
    count = _forest(edges.source, edges.target, edges.cost, pair_ptr, order, roots, root_ptr, children, medoid)
    _renumber(order, children, medoid, pair_ptr)
    return edges.take(order), Hierarchy(pair_ptr, root_ptr, roots[:count].copy(), children, medoid)
