"""Motion graphs on disk: one ``.npz`` file with a version, read back only with the clips it was built from."""

from __future__ import annotations

import json
from dataclasses import asdict
from os import PathLike, fspath
from typing import Any
from zlib import crc32

import numpy as np

from motionloom.errors import FormatError
from motionloom.graph.clips import ClipSet
from motionloom.graph.splices.build import GraphOptions, GraphReport, MotionGraph
from motionloom.graph.splices.edges import EdgeList
from motionloom.graph.splices.hierarchy import Hierarchy
from motionloom.io.files import DAMAGED_NPZ, atomic_write

#: Raised whenever the content of the file or its meaning changes.
VERSION = 2
_EDGES = ("source", "target", "cost")
_TREE = ("pair_ptr", "root_ptr", "roots", "children", "medoid")


def fingerprint(clips: ClipSet) -> int:
    """Number that changes with the clips' names, frame rate or motion."""
    text = "\n".join(clips.names) + f"\n{clips.fps!r}\n{clips.starts.tolist()}"
    return crc32(clips.positions.tobytes(), crc32(clips.body.tobytes(), crc32(text.encode())))


def save_graph(graph: MotionGraph, path: str | PathLike[str]) -> None:
    """Write a motion graph (without its clips) to an ``.npz`` file."""
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
        with np.load(path, allow_pickle=False) as file:
            return "motionloom_graph" in json.loads(str(file["head"]))
    except DAMAGED_NPZ:
        return False


def load_graph(path: str | PathLike[str], clips: ClipSet) -> MotionGraph:
    """Read a motion graph.

    Parameters
    ----------
    path : path-like
    clips : ClipSet
        The clips it was built from.

    Raises
    ------
    FormatError
        When the file is no motion graph, was written by another version or belongs to other clips.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            head = json.loads(str(file["head"]))
            arrays = {name: file[name] for name in (*_EDGES, *_TREE, "component")}
    except FileNotFoundError:
        raise FormatError("there is no such file; save a motion graph first", path) from None
    except DAMAGED_NPZ:
        raise FormatError("this is not a motion graph; expected an .npz file written by save_graph", path) from None
    version = head.get("motionloom_graph") if isinstance(head, dict) else None
    if version != VERSION:
        raise FormatError(
            f"this motion graph has version {version}, expected {VERSION}; build it again from its clips", path
        )
    if head["clips"] != fingerprint(clips):
        raise FormatError(
            "this motion graph was built from other clips, in another order or at another frame rate; build it again",
            fspath(path),
        )
    return MotionGraph(
        clips,
        GraphOptions(**_with_tuples(head["options"])),
        EdgeList(*(arrays[name] for name in _EDGES)),
        Hierarchy(*(arrays[name] for name in _TREE)),
        arrays["component"],
        GraphReport(**_with_tuples(head["report"])),
    )


def _with_tuples(fields: dict[str, Any]) -> dict[str, Any]:
    """Fields as they were before JSON turned tuples into lists."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
