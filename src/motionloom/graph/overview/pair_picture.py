"""The costs between two clips as a picture: the valleys that transitions lie in, and the hierarchy
over them.
"""

from __future__ import annotations

from os import PathLike

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import InvalidInputError
from motionloom.graph.transitions.build import MotionGraph, fit_calibration
from motionloom.typing import Array, Ints
from motionloom.view.canvas import new_canvas, write_canvas


def pair_costs(graph: MotionGraph, source: int, target: int) -> Array:
    """Cost over its threshold of every transition between two clips.

    The thresholds are calibrated anew on the clips of the graph, with its options.

    Parameters
    ----------
    graph : MotionGraph
        Its clips and options.
    source, target : int
        Clips that transitions leave and enter.

    Returns
    -------
    array of shape (frames of source, frames of target)
        Transitions may be where it is below 1.
    """
    clips = graph.clips
    calibration = fit_calibration(clips, graph.options)
    features = calibration.features(clips)
    limits = calibration.limits(clips, features)
    rows, cols = (slice(*clips.starts[c : c + 2]) for c in (source, target))
    gap = features[rows, None] - features[None, cols]
    return np.einsum("ijd,ijd->ij", gap, gap) / np.outer(limits[rows], limits[cols])


def write_pair_picture(
    graph: MotionGraph, source: str, target: str, path: str | PathLike[str], dpi: int = 100
) -> None:
    """Draw the costs between two clips, their transitions by tree, and which one stands for each.

    Parameters
    ----------
    graph : MotionGraph
        Its hierarchy says which transitions are of one tree.
    source, target : str
        Names of the clips that transitions leave and enter.
    path : path-like
        PNG file.
    dpi : int
        Dots per inch; the picture is 8 by 6 inches.

    Raises
    ------
    InvalidInputError
        When the graph has no clip of that name.
    """
    from matplotlib.colors import LogNorm

    s, t = (_clip(graph, name) for name in (source, target))
    costs = pair_costs(graph, s, t)
    tree = graph.hierarchy
    pair = s * graph.clips.n_clips + t
    low, high = tree.pair_ptr[pair : pair + 2]
    rows = graph.edges.source[low:high] - graph.clips.starts[s]
    cols = graph.edges.target[low:high] - graph.clips.starts[t]
    roots = tree.roots[tree.root_ptr[pair] : tree.root_ptr[pair + 1]]
    chosen = np.array([tree.edge(int(r)) - low for r in roots], int)
    figure = new_canvas(8, 6, dpi, layout="constrained")
    axes = figure.add_subplot()
    norm = LogNorm(max(float(costs.min()), 0.05), float(costs.max()))
    image = axes.imshow(
        costs, origin="lower", cmap="Greys_r", norm=norm, aspect="equal", interpolation="nearest"
    )
    axes.scatter(
        cols,
        rows,
        c=_trees(graph, roots, int(low), int(high)) % 10,
        cmap="tab10",
        vmin=0,
        vmax=9,
        s=7,
        lw=0,
    )
    axes.scatter(
        cols[chosen], rows[chosen], s=9, facecolors="white", edgecolors="black", linewidths=0.6
    )
    axes.set(xlabel=f"frame of {target}, entered", ylabel=f"frame of {source}, left")
    axes.set_title(
        f"{high - low} transitions in {len(roots)} trees; circles stand for their trees",
        fontsize=10,
    )
    figure.colorbar(image, ax=axes, label="cost / threshold", shrink=0.8)
    write_canvas(figure, path)


def _clip(graph: MotionGraph, name: str) -> int:
    if name not in graph.clips.names:
        raise InvalidInputError(
            f"the graph has no clip {name!r}; it has {', '.join(graph.clips.names[:10])}"
        )
    return graph.clips.names.index(name)


def _trees(graph: MotionGraph, roots: NDArray[np.int32], low: int, high: int) -> Ints:
    """Number of the tree of every edge ``low <= e < high``; trees own contiguous ranges of edges,
    one after another.
    """
    children = graph.hierarchy.children
    n = len(graph.hierarchy.medoid)
    first = []
    for root in roots.tolist():
        node = root
        while node >= n:
            node = int(children[node - n, 0])
        first.append(node - low)
    return np.searchsorted(first, np.arange(high - low), side="right") - 1
