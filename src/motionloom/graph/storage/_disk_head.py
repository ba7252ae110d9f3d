"""Head of a graph on disk: the options and the calibration, which stay when clips come or go.

Motion graphs on disk: one ``.npz`` file with a version, read back only with the clips it was
built from.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import Annotated, Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from motionloom.clips.clip_set import ClipSet
from motionloom.declared import MOST, Range, Shape
from motionloom.errors import FormatError
from motionloom.graph.transitions._threshold import Calibration
from motionloom.graph.transitions.build import GraphReport, MotionGraph
from motionloom.graph.transitions.edges import EdgeList
from motionloom.graph.transitions.hierarchy import Hierarchy, is_forest
from motionloom.graph.transitions.options import GraphOptions
from motionloom.io.files import read_bytes, write_file
from motionloom.io.owned import is_incidental, leftovers
from motionloom.io.records import FileKind, kind_of, load, save
from motionloom.io.stored import LONGEST_HEAD, Facts, Fault, brief, one_error, read_facts

#: What options may ask for at most when they come from a file: frames, pairs of frames, bridges.
LONGEST, LARGEST_BLOCK, MOST_BRIDGES = 1_000_000, 1 << 24, 64
#: Longest reason why clips are left out, characters; names may be long.
_LONGEST_SENTENCE = 10_000

#: Raised whenever the content of the folder or its meaning changes.
VERSION = 4
_KEY = "motionloom_graph_folder"
HEAD, ROWS, GRAPH, LOCK = "head.json", "rows", "graph.npz", ".lock"
_Factor = Annotated[float, Field(ge=0, le=1e12)]


class Head(Facts):
    """What a graph on disk was begun with: how it is built, the calibration that was fitted to the
    clips then, their frame rate and the names of their joints.
    """

    motionloom_graph_folder: int
    fps: Annotated[float, Field(gt=0, le=1e9)]
    joints: tuple[str, ...]
    options: GraphOptions
    pose: list[_Factor]
    change: list[_Factor]
    step: Annotated[int, Field(ge=1, le=LONGEST)] | None
    relative: Annotated[float, Field(ge=0, le=1)]
    pooled: _Factor
    factor: Annotated[float, Field(gt=0, le=1)]

    @classmethod
    def of(cls, clips: ClipSet, options: GraphOptions, own: Calibration) -> Head:
        """The head of a graph that is begun with some clips."""
        return cls(
            motionloom_graph_folder=VERSION,
            fps=clips.fps,
            joints=clips.skeleton.names,
            options=options,
            pose=own.scale[0].tolist(),
            change=own.scale[1].tolist(),
            step=own.step,
            relative=own.relative,
            pooled=own.pooled,
            factor=own.factor,
        )

    def to_calibration(self) -> Calibration:
        """The calibration, which must be of the joints."""
        if {len(self.pose), len(self.change)} != {len(self.joints) + 2}:
            raise Fault(f"its calibration is not of {len(self.joints)} joints")
        if not any(self.pose) and not any(self.change):
            raise Fault("its calibration finds all poses alike")
        scale = np.array(self.pose, float), np.array(self.change, float)
        return Calibration(scale, self.step, self.relative, self.pooled, self.factor)

    def write(self, folder: Path) -> None:
        """Write it to its file in the folder of the graph."""
        write_file(folder / HEAD, self.model_dump_json(indent=1) + "\n")

    def check(self, clips: ClipSet, options: GraphOptions | None, folder: Path) -> None:
        """Refuse clips or options that the graph is not of.

        Parameters
        ----------
        clips : ClipSet
            Its frame rate and the names of its joints count.
        options : GraphOptions or None
            Asked for; None takes those of the graph.
        folder : Path
            Where the graph is, for the message.

        Raises
        ------
        FormatError
            When they are at another frame rate, of another skeleton, or options differ.
        """
        said = ""
        if abs(self.fps / clips.fps - 1) > 1e-4:
            said = (
                f"this graph is at {self.fps:g} frames per second and the clips at {clips.fps:g};"
                " build it anew"
            )
        elif self.joints != clips.skeleton.names:
            said = "this graph is of another skeleton; build it anew or in another folder"
        elif options is not None and options != self.options:
            mine, theirs = asdict(options), asdict(self.options)
            name = next(n for n in mine if mine[n] != theirs[n])
            said = (
                f"this graph was built with {name} = {theirs[name]}, not {mine[name]}; build it"
                " anew or in another folder"
            )
        if said:
            raise FormatError(said, folder, hint="build graph anew")


def read_head(folder: Path) -> Head | None:
    """Read the head of the graph in a folder; None when the folder is empty or missing.

    Raises
    ------
    FormatError
        When the head is damaged or of another version, or the folder holds other files.
    """
    path = folder / HEAD
    data = check_folder(folder)
    if data is None:
        return None
    with one_error(
        path,
        "this is not the head of a motion graph ({reason}); build it anew",
        hint="build graph anew",
    ):
        text = read_bytes(path, LONGEST_HEAD)
        version = data[_KEY]
        if type(version) is int and version != VERSION:
            raise FormatError(
                f"this graph has version {brief(version)}, expected {VERSION}; build it anew",
                path,
                hint="build graph anew",
            )
        head = read_facts(Head, text)
        check_options(head.options)
        head.to_calibration()
        return head


def check_folder(folder: Path) -> dict[str, Any] | None:
    """Refuse a folder that is not of a graph; its head as it is written, else None.

    There is none when the folder is empty or missing.

    Raises
    ------
    FormatError
        When the folder holds other things.
    """
    path = folder / HEAD
    if not os.path.lexists(path):
        _check_free(folder)
        return None
    try:
        data = json.loads(read_bytes(path, LONGEST_HEAD))
    except (FormatError, ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or _KEY not in data:
        raise FormatError("this is not the head of a motion graph; choose another folder", path)
    return data


def row_name(clip: str) -> str:
    """Name of the file of a clip's row; names of clips may hold what names of files must not."""
    return f"{sha256(clip.encode()).hexdigest()[:24]}.npz"


def leftovers_of(folder: Path) -> Iterator[Path]:
    """Files that a build which was killed had not finished."""
    yield from leftovers(folder, "|".join(map(re.escape, (HEAD, GRAPH))))
    if (folder / ROWS).is_dir():
        yield from leftovers(folder / ROWS, r"[0-9a-f]{24}\.npz")


def _check_free(folder: Path) -> None:
    """Refuse a folder that holds anything but what a build leaves that was killed before it wrote
    the head.
    """
    if not os.path.lexists(folder):
        return
    if not folder.is_dir():
        raise FormatError("this is a file; a graph is kept in a folder", folder)
    ours = {*leftovers_of(folder), folder / LOCK, folder / ROWS}
    found = [
        p for place in (folder, folder / ROWS) if place.is_dir() for p in sorted(place.iterdir())
    ]
    odd = [p for p in found if p not in ours and not is_incidental(p.name)]
    if odd:
        raise FormatError(
            f"this folder holds other files, such as {odd[0].relative_to(folder)}; choose an"
            " empty one",
            folder,
        )


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
    numbers = (options.connected, *options.bridges, *(options.joint_weights or ()))
    if not np.isfinite(numbers).all():
        raise Fault("its options are not finite")


def _transitions_fit(graph: MotionGraph) -> bool:
    """Whether all transitions are shared out among the pairs of clips, and each keeps its pair's
    rules.
    """
    source, target = graph.edges.source, graph.edges.target
    ptr, starts = graph.hierarchy.pair_ptr, graph.clips.starts
    counts = np.diff(ptr)
    if ptr[0] != 0 or ptr[-1] != len(source) or (ptr[1:] < ptr[:-1]).any():
        return False
    s, t = np.divmod(np.repeat(np.arange(len(counts)), counts), graph.clips.n_clips)
    piece, jump = graph.options.min_piece, graph.options.min_jump
    fits = (starts[s] + piece <= source) & (source < starts[s + 1])
    fits &= (starts[t] <= target) & (target <= starts[t + 1] - piece)
    fits &= (s != t) | (np.abs(source - target) >= jump)
    return bool(fits.all())


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
    if not _transitions_fit(graph):
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
