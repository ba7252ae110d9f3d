"""Which frames can be reached from which: strongly connected components, and bridges between those
that are apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from motionloom.clips.clip_set import ClipSet
from motionloom.compiling import kernel
from motionloom.graph.transitions.edges import EdgeList
from motionloom.graph.transitions.options import GraphOptions
from motionloom.typing import Array, Ints

Labels = NDArray[np.int32]
#: Finds the edges below some limits (N,); between islands only, where these are given.
Find = Callable[[Array, Labels | None], EdgeList]


@dataclass(frozen=True, eq=False)
class Connection:
    """Edges, bridges among them, and what they connect.

    Parameters
    ----------
    edges : EdgeList
        In the order of `find_edges`.
    component : int32 array of shape (N,)
        Strongly connected component of every frame, counted from the largest (0) down.
    sizes : int array
        Frames of every component.
    loosest : float
        Relative cost up to which bridges were let in; 1 when none was needed.
    bridged : tuple of str
        Clips of which frames are connected by the best bridges of islands alone.
    apart : tuple of str
        Of every island that is left the clips, and why nothing joins it, one sentence each.
    """

    edges: EdgeList
    component: Labels
    sizes: Ints
    loosest: float
    bridged: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()


def strong_components(
    clips: ClipSet, edges: EdgeList, min_piece: int, label: Labels | None = None
) -> Labels:
    """Strongly connected component of every frame.

    The node of a frame means "here, and at least `min_piece` frames into this piece", so a
    transition to frame c leads to the node of ``c + min_piece``. A transition to the very end of a
    clip leads nowhere.

    Parameters
    ----------
    clips : ClipSet
        The clips; their frames are the nodes.
    edges : EdgeList
        In the order of `find_edges`.
    min_piece : int, frames
        Shortest piece of a clip between two transitions.
    label : int32 array of shape (N,), optional
        Components that are known to be connected already; every frame is one when not given.

    Returns
    -------
    int32 array of shape (N,)
        Components are numbered from 0, in no order of size.
    """
    label = np.arange(clips.n_frames, dtype=np.int32) if label is None else label
    n = int(label.max()) + 1
    edges = edges.take(_essential(edges.source, edges.target, clips.clip_of))
    arrival = edges.target.astype(np.int64) + min_piece
    goes_on = arrival < clips.starts[clips.clip_of[edges.target] + 1]
    ahead = np.flatnonzero(clips.clip_of[1:] == clips.clip_of[:-1])
    # A transition counts as arrived when its piece is played; before that no other can leave.
    rows = np.concatenate([label[edges.source[goes_on]], label[ahead]])
    cols = np.concatenate([label[arrival[goes_on]], label[ahead + 1]])
    away = rows != cols
    links = coo_array(
        (np.ones(int(away.sum()), np.int8), (rows[away], cols[away])), shape=(n, n)
    ).tocsr()
    return connected_components(links, directed=True, connection="strong")[1][label]


@kernel
def _essential(source, target, clip_of):  # pragma: no cover - compiled
    """Edges that reach something of their own, latest first.

    Between the same clips, an edge that leaves no earlier and arrives no later than another reaches
    whatever that one does: the clips lead there themselves.
    """
    kept = np.empty(len(source), np.int64)
    n = 0
    earliest = 0
    for e in range(len(source) - 1, -1, -1):
        pair_ends = e + 1 == len(source) or (
            clip_of[source[e]] != clip_of[source[e + 1]]
            or clip_of[target[e]] != clip_of[target[e + 1]]
        )
        leads = e == 0 or source[e - 1] != source[e] or clip_of[target[e - 1]] != clip_of[target[e]]
        if pair_ends:
            earliest = np.iinfo(np.int64).max
        # Backwards over sources: an edge leads further only where it enters earlier than all later
        # ones, since whoever stands at its source can play on to theirs.
        if leads and target[e] < earliest:
            earliest = target[e]
            kept[n] = e
            n += 1
    return kept[:n].copy()


def connect(clips: ClipSet, limits: Array, find: Find, options: GraphOptions) -> Connection:
    """Edges under the threshold, and bridges between the islands that these leave.

    Parameters
    ----------
    clips : ClipSet
        Their frames are the nodes.
    limits : array of shape (N,)
        Square roots of the thresholds.
    find : function
        ``find(limits, island)`` gives the edges below some limits, between islands only where these
        are given.
    options : GraphOptions
        Shortest piece, how loose bridges may be, when enough is connected, smallest island.

    Returns
    -------
    Connection
        Costs of bridges are relative to thresholds raised to the median where they are lower.
    """
    edges = find(limits, None)
    label = strong_components(clips, edges, options.min_piece)
    # Frames that hardly move have thresholds so small that no gait could ever stop; a bridge takes
    # the usual one.
    usual = np.maximum(limits, np.median(limits))
    loosest = 1.0
    for looser in options.bridges:
        if np.bincount(label).max() >= options.connected * clips.n_frames:
            break
        found = find(np.sqrt(looser) * usual, find_islands(clips, label, options.smallest_island))
        # Found below raised limits: the cost is put back into units of the usual threshold.
        more = EdgeList(found.source, found.target, (looser * found.cost).astype(np.float32))
        label = strong_components(clips, more, options.min_piece, label)
        loosest = looser
        edges = join_edges(clips, edges, more)
    return Connection(edges, rank_labels(label), np.sort(np.bincount(label))[::-1], loosest)


def rank_labels(label: Labels) -> Labels:
    """The same components counted from the largest (0) down."""
    sizes = np.bincount(label)
    rank = np.empty(len(sizes), np.int32)
    # Stable: components of equal size keep their order, so a graph is the same on every machine.
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes), dtype=np.int32)
    return rank[label]


def join_edges(clips: ClipSet, edges: EdgeList, more: EdgeList) -> EdgeList:
    """Both lists in the order of `find_edges`; what is in both is taken from the first.

    Parameters
    ----------
    clips : ClipSet
        Whose frames the edges join.
    edges, more : EdgeList
        In the order of `find_edges`.

    Returns
    -------
    EdgeList
    """
    return EdgeList(*_union(edges.arrays, more.arrays, clips.clip_of))


def find_islands(clips: ClipSet, label: Labels, smallest: int) -> Labels:
    """Islands that bridges should join: large components, and what is left of clips that are mostly
    outside of those.

    The beginnings and ends of clips that are well connected otherwise are none (-1).

    Parameters
    ----------
    clips : ClipSet
        N frames.
    label : int32 array of shape (N,)
        Component of every frame.
    smallest : int, frames
        Smaller components are no islands.

    Returns
    -------
    int32 array of shape (N,)
        Island of every frame; -1 is none.
    """
    sizes = np.bincount(label)
    large = sizes[label] >= min(smallest, int(sizes.max()))
    share = np.add.reduceat(large.astype(float), clips.starts[:-1]) / np.diff(clips.starts)
    lost = ~large & (share < 0.5)[clips.clip_of]
    return np.where(large, label, np.where(lost, int(label.max()) + 1 + clips.clip_of, -1)).astype(
        np.int32
    )


@kernel
def _union(a, b, clip_of):  # pragma: no cover - compiled
    """Both lists of edges in the order of `find_edges`; what is in both is taken from the first."""
    most = len(a[0]) + len(b[0])
    out = np.empty(most, np.int32), np.empty(most, np.int32), np.empty(most, np.float32)
    i = j = n = 0
    while i < len(a[0]) or j < len(b[0]):
        order = -1  # which comes first; 0 is both
        if i == len(a[0]):
            order = 1
        elif j < len(b[0]):
            s = a[0][i]
            t = a[1][i]
            u = b[0][j]
            v = b[1][j]
            # Edges are ordered by pair of clips first; see `find_edges`.
            left = (clip_of[s], clip_of[t], s, t)
            right = (clip_of[u], clip_of[v], u, v)
            order = -1 if left < right else int(left > right)
        if order <= 0:
            out[0][n] = a[0][i]
            out[1][n] = a[1][i]
            out[2][n] = a[2][i]
        else:
            out[0][n] = b[0][j]
            out[1][n] = b[1][j]
            out[2][n] = b[2][j]
        i = i + (order <= 0)
        j = j + (order >= 0)
        n = n + 1
    return out[0][:n], out[1][:n], out[2][:n]
