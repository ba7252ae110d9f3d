"""How soon a walk through a graph can get from one frame of the clips to another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from motionloom.graph.build import MotionGraph


def way_lengths(graph: MotionGraph, begins: Sequence[int], most: int) -> NDArray[np.float64]:
    """Fewest frames that a walk needs from some frames to every other.

    Parameters
    ----------
    graph : MotionGraph
    begins : sequence of int
        Frames of the clip set that a walk shows first; it may have been in that piece for a while.
    most : int, frames
        Longer ways are not looked for.

    Returns
    -------
    array of shape (len(begins), N)
        Frames from one to the other; infinite where there is no way of at most `most`, 0 for the same frame.
    """
    clips, edges, least = graph.clips, graph.edges, graph.options.min_piece
    source, target = edges.source.astype(np.int64), edges.target.astype(np.int64)
    # A node means "here, and at least `least` frames into this piece": a splice leads that far into its target.
    arrival = target + least
    inside = arrival < clips.starts[clips.clip_of[target] + 1]
    ahead = np.flatnonzero(clips.clip_of[1:] == clips.clip_of[:-1])
    rows, columns = np.concatenate([source[inside], ahead]), np.concatenate([arrival[inside], ahead + 1])
    cost = np.concatenate([np.full(int(inside.sum()), float(least)), np.ones(len(ahead))])
    steps = csr_array((cost, (rows, columns)), shape=(clips.n_frames, clips.n_frames))
    lengths = dijkstra(steps, indices=list(begins), limit=float(most))
    for own in lengths:
        entered = np.full(clips.n_frames, np.inf)
        np.minimum.at(entered, target, own[source])
        # The frames that a piece shows before it may be left count as well.
        for k in range(least):
            here = clips.clip_of[k:] == clips.clip_of[: clips.n_frames - k]
            own[k:] = np.where(here, np.minimum(own[k:], entered[: clips.n_frames - k] + k), own[k:])
        own[own > most] = np.inf
    return lengths
