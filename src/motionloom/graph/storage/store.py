"""Motion graphs on disk: one ``.npz`` file with a version, read back only with the clips it was
built from.
"""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import Annotated
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from motionloom.clips.clip_set import ClipSet
from motionloom.declared import MOST, Range, Shape
from motionloom.errors import FormatError
from motionloom.graph.storage.fits import transitions_fit
from motionloom.graph.transitions.build import GraphOptions, GraphReport, MotionGraph
from motionloom.graph.transitions.edges import EdgeList
from motionloom.graph.transitions.hierarchy import Hierarchy, is_forest
from motionloom.io.records import FileKind, kind_of, load, save
from motionloom.io.stored import Fault

#: What options may ask for at most when they come from a file: frames, pairs of frames, bridges.
LONGEST, LARGEST_BLOCK, MOST_BRIDGES = 1_000_000, 1 << 24, 64
#: Longest reason why clips are left out, characters; names may be long.
_LONGEST_SENTENCE = 10_000


@dataclass(frozen=True, eq=False)
class _GraphRecord:
    """A graph with a checksum of its clips in place of them."""

    clips: int
    options: GraphOptions
    report: GraphReport
    edges: EdgeList
    hierarchy: Hierarchy
    component: Annotated[NDArray[np.int32], Shape("N"), Range(0)]


def fingerprint(clips: ClipSet) -> int:
    """Number that changes with the clips' names, frame rate or motion."""
    text = "\n".join(clips.names) + f"\n{clips.fps!r}\n{clips.starts.tolist()}"
    return crc32(clips.positions.tobytes(), crc32(clips.body.tobytes(), crc32(text.encode())))


def save_graph(graph: MotionGraph, path: str | PathLike[str]) -> None:
    """Write a motion graph (without its clips) to an ``.npz`` file.

    Parameters
    ----------
    graph : MotionGraph
        A checksum of its clips goes with it.
    path : path-like
        Replaced in one step.
    """
    clips = fingerprint(graph.clips)
    parts = (graph.options, graph.report, graph.edges, graph.hierarchy, graph.component)
    save(path, _GraphRecord(clips, *parts), MOTION_GRAPH)


def is_graph(path: str | PathLike[str]) -> bool:
    """Whether a file says that it is a motion graph, of whatever version."""
    return kind_of(path) in (MOTION_GRAPH.name, "graph")


def load_graph(path: str | PathLike[str], clips: ClipSet) -> MotionGraph:
    """Read a motion graph.

    Parameters
    ----------
    path : path-like
        File written by `save_graph`.
    clips : ClipSet
        The clips it was built from.

    Returns
    -------
    MotionGraph
        On these clips.

    Raises
    ------
    FormatError
        When the file is no motion graph, was written by another version, belongs to other clips or
        holds what no graph of these clips can hold.
    """

    def check(record: _GraphRecord) -> None:
        if record.clips != fingerprint(clips):
            raise FormatError(
                "this motion graph was built from other clips, in another order or at another frame"
                " rate; build it again",
                path,
            )
        check_options(record.options)
        _check(_graph_of(record, clips))

    return _graph_of(load(path, MOTION_GRAPH, check), clips)


def _graph_of(record: _GraphRecord, clips: ClipSet) -> MotionGraph:
    tree = record.hierarchy
    parts = (tree.pair_ptr, tree.root_ptr, tree.roots, tree.children, tree.medoid)
    hierarchy = Hierarchy(*map(np.ascontiguousarray, parts))
    return MotionGraph(
        clips, record.options, record.edges, hierarchy, record.component, record.report
    )


def check_options(options: GraphOptions) -> None:
    """Refuse options out of a file that no graph was built with, or that would take up all memory.

    Raises
    ------
    Fault
        When one is out of range or not finite.
    """
    frames = [options.step or 1, options.min_piece, options.min_jump, options.smallest_island]
    if (
        not all(0 <= n <= LONGEST for n in frames)
        or options.block > LARGEST_BLOCK
        or len(options.bridges) > MOST_BRIDGES
    ):
        raise Fault("its options are out of range")
    numbers = (
        options.density,
        options.connected,
        options.farthest,
        options.momentum or 1.0,
        *options.bridges,
        *(options.joint_weights or ()),
    )
    if not np.isfinite(numbers).all():
        raise Fault("its options are not finite")


def _check(graph: MotionGraph) -> None:
    """Refuse a graph whose parts do not fit together."""
    report = graph.report
    edges = graph.edges
    tree = graph.hierarchy
    clips = graph.clips
    pairs = clips.n_clips**2 + 1
    if len(tree.pair_ptr) != pairs or len(tree.medoid) != len(edges.source):
        raise Fault("it is of other clips or transitions than it says")
    if len(graph.component) != clips.n_frames or graph.component.max() >= clips.n_frames:
        raise Fault("its components are not of its frames")
    if not transitions_fit(
        edges.source,
        edges.target,
        tree.pair_ptr,
        clips.starts,
        graph.options.min_piece,
        graph.options.min_jump,
    ):
        raise Fault("its transitions do not lead from clip to clip as they should")
    if not is_forest(tree.pair_ptr, tree.root_ptr, tree.roots, tree.children, tree.medoid):
        raise Fault("its hierarchy is none over its transitions")
    sizes = np.bincount(graph.component)
    if sizes.min() == 0 or (np.diff(sizes) > 0).any():
        raise Fault("its components are not counted from the largest down")
    if (report.n_edges, report.n_roots) != (len(edges.source), len(tree.roots)):
        raise Fault("its report counts other transitions")
    numbers = (report.tau, report.cross_share, report.kept_share, report.loosest)
    counts = (report.dropped_edges, report.n_bridges, *report.component_sizes)
    if not np.isfinite(numbers).all() or min(*numbers, *counts) < 0 or max(counts) > MOST:
        raise Fault("its report is out of range")
    if not {*report.dropped_clips, *report.bridged_clips} <= set(clips.names):
        raise Fault("its report names other clips")
    if not all(len(said) <= _LONGEST_SENTENCE and said.isprintable() for said in report.left_out):
        raise Fault("its report holds what is no sentence")


MOTION_GRAPH = FileKind(
    record=_GraphRecord, name="motion graph", version=4, again="build it again from its clips"
)
