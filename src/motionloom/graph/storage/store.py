"""Motion graphs on disk: one ``.npz`` file with a version, read back only with the clips it was
built from.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from os import PathLike
from zlib import crc32

import numpy as np

from motionloom.clips.clip_set import ClipSet
from motionloom.errors import FormatError
from motionloom.graph.storage.fits import transitions_fit
from motionloom.graph.transitions.build import GraphOptions, GraphReport, MotionGraph
from motionloom.graph.transitions.edges import EdgeList
from motionloom.graph.transitions.hierarchy import Hierarchy, is_forest
from motionloom.io.files import atomic_write
from motionloom.io.stored import MOST, Facts, Fault, Stored, open_stored, read_head, read_version

#: Raised whenever the content of the file or its meaning changes.
VERSION = 3
_EDGES = ("source", "target", "cost")
_TREE = ("pair_ptr", "root_ptr", "roots", "children", "medoid")
#: E edges, N frames, C clips, R roots. What edges, roots and nodes may hold is checked together,
#: when all are there.
_SCHEMA = {
    "source": Stored(np.int32, ("E",)),
    "target": Stored(np.int32, ("E",)),
    "cost": Stored(np.float32, ("E",), 0),
    "pair_ptr": Stored(np.int64, ("C * C + 1",)),
    "root_ptr": Stored(np.int64, ("C * C + 1",)),
    "roots": Stored(np.int32, ("R",)),
    "children": Stored(np.int32, ("E", 2)),
    "medoid": Stored(np.int32, ("E",)),
    "component": Stored(np.int32, ("N",), 0, below="N"),
}
#: What options may ask for at most when they come from a file: frames, pairs of frames, bridges.
LONGEST, LARGEST_BLOCK, MOST_BRIDGES = 1_000_000, 1 << 24, 64
#: Longest reason why clips are left out, characters; names may be long.
_LONGEST_SENTENCE = 10_000
_OUTDATED = (
    "this motion graph has version {found}, expected {expected}; build it again from its clips"
)
_UNKNOWN = "this is not a motion graph ({reason}); expected an .npz file written by save_graph"


class _Head(Facts):
    motionloom_graph: int
    clips: int
    options: GraphOptions
    report: GraphReport


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
    head = {
        "motionloom_graph": VERSION,
        "clips": fingerprint(graph.clips),
        "options": asdict(graph.options),
        "report": asdict(graph.report),
    }
    arrays = {name: getattr(graph.edges, name) for name in _EDGES}
    arrays |= {name: getattr(graph.hierarchy, name) for name in _TREE}
    with atomic_write(path) as file:
        np.savez(file, head=np.array(json.dumps(head)), component=graph.component, **arrays)


def is_graph(path: str | PathLike[str]) -> bool:
    """Whether a file says that it is a motion graph, of whatever version."""
    try:
        with open_stored(path, "{reason}") as file:
            return read_version(file.text(), "motionloom_graph") is not None
    except FormatError:
        return False


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
    with open_stored(path, _UNKNOWN, "there is no such file; save a motion graph first") as file:
        head = read_head(_Head, file, "motionloom_graph", VERSION, _OUTDATED)
        if head.clips != fingerprint(clips):
            raise FormatError(
                "this motion graph was built from other clips, in another order or at another frame"
                " rate; build it again",
                path,
            )
        check_options(head.options)
        arrays = file.arrays(_SCHEMA, {"N": clips.n_frames, "C * C + 1": clips.n_clips**2 + 1})
        graph = MotionGraph(
            clips,
            head.options,
            EdgeList(*(arrays[name] for name in _EDGES)),
            Hierarchy(*(np.ascontiguousarray(arrays[name]) for name in _TREE)),
            arrays["component"],
            head.report,
        )
        _check(graph)
    return graph


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
