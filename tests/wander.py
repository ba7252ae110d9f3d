"""Random walks through a graph, by its rules and nothing else."""

import numpy as np

from motionloom.clips.pieces import GraphWalk, Piece


def wander(graph, frames, seed):
    """A random path of so many frames that leaves each piece by a transition, never stuck."""
    rng = np.random.default_rng(seed)
    clips, edges, least = graph.clips, graph.edges, graph.options.min_piece
    here = int(rng.choice(np.flatnonzero(graph.core)))
    pieces, left, first = [], frames, True
    while True:
        clip = int(clips.clip_of[here])
        end = int(clips.starts[clip + 1])
        own = np.flatnonzero(
            (edges.source >= here + (0 if first else least)) & (edges.source < end)
        )
        own = own[edges.source[own] > here]
        edge = int(rng.choice(own)) if len(own) else -1
        leaves = int(edges.source[edge]) if len(own) else end
        begin = here - int(clips.starts[clip])
        if leaves - here >= left:
            return GraphWalk((*pieces, Piece(clip, begin, begin + left)))
        if edge < 0:
            return wander(graph, frames, seed + 1000)
        pieces.append(Piece(clip, begin, begin + leaves - here))
        left -= leaves - here
        here, first = int(edges.target[edge]), False
