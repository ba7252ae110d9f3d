"""The state of a search on disk: one ``.npz`` file that holds numbers only and belongs to one graph and one task."""

from __future__ import annotations

import json
import zipfile
from dataclasses import asdict, fields
from os import PathLike
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import FormatError
from motionloom.graph.scoring.walk import STEP
from motionloom.graph.searching.problem import Problem
from motionloom.graph.searching.results import SearchOptions
from motionloom.graph.searching.state import SearchState, Stream, Walk
from motionloom.io.files import DAMAGED_NPZ, atomic_write

VERSION = 1
#: Options that a search cannot change on its way, and what to say of them.
_FIXED = ("seed", "method", "beam", "w_cost", "restarts")
#: Fields of a stream that are plain numbers.
_NUMBERS = tuple(f.name for f in fields(Stream) if f.name not in ("rng", "beam", "minima"))


def save_state(path: str | PathLike[str], state: SearchState, problem: Problem, options: SearchOptions) -> None:
    """Write the state of a search."""
    walks = [w for s in state.streams for w in (*s.beam, *s.minima)]
    head = {
        "motionloom_search": VERSION,
        **_marks(problem),
        "options": _fixed(options),
        "streams": [
            {name: getattr(s, name) for name in _NUMBERS} | {"beam": len(s.beam), "minima": len(s.minima)}
            for s in state.streams
        ],
    }
    with atomic_write(path) as file:
        np.savez(
            file,
            head=np.array(json.dumps(head)),
            rng=np.concatenate([s.rng for s in state.streams]),
            score=np.array([w.score for w in walks], float),
            start=np.array([w.start for w in walks], np.int64),
            length=np.array([len(w.steps) for w in walks], np.int64),
            steps=np.concatenate([np.zeros(0, STEP), *(w.steps for w in walks)]),
        )


def load_state(path: str | PathLike[str], problem: Problem, options: SearchOptions) -> SearchState:
    """Read the state of a search.

    Raises
    ------
    FormatError
        When the file is no such state or belongs to another graph, other constraints or other options.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            head = json.loads(str(file["head"]))
            arrays = {name: file[name] for name in ("rng", "score", "start", "length", "steps")}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise FormatError(
            "this is not the state of a search; name a new file, or the one that a search wrote", path
        ) from None
    if not isinstance(head, dict) or head.get("motionloom_search") != VERSION or arrays["steps"].dtype != STEP:
        raise FormatError("this search was saved by another version of motionloom; name a new file", path)
    for name, mark in _marks(problem).items():
        if head[name] != mark:
            raise FormatError(f"this search was saved for another {name}; name a new file to begin anew", path)
    for name, value in _fixed(options).items():
        if head["options"][name] != value:
            raise FormatError(
                f"this search was saved with {name} {head['options'][name]}, not {value}; name a new file",
                path,
            )
    return SearchState(_streams(head["streams"], arrays))


def check_state(path: Path) -> None:
    """Refuse before long work a file that cannot be the state of a search; a missing one is none yet.

    Raises
    ------
    FormatError
        When it is something else.
    """
    try:
        if not path.exists():
            return
        with np.load(path, allow_pickle=False) as file:
            is_state = "motionloom_search" in str(file["head"])
    except DAMAGED_NPZ:
        is_state = False
    if not is_state:
        raise FormatError("this is not the state of a search; name a new file, or the one that a search wrote", path)


def load_if_there(path: Path, problem: Problem, options: SearchOptions) -> SearchState | None:
    """The state in a file, None when there is no such file yet."""
    return load_state(path, problem, options) if path.exists() else None


def _streams(rows: list[dict[str, Any]], arrays: dict[str, NDArray]) -> list[Stream]:
    ends = np.cumsum(arrays["length"])
    walks = [
        Walk(float(score), int(start), arrays["steps"][end - n : end].copy())
        for score, start, n, end in zip(arrays["score"], arrays["start"], arrays["length"], ends, strict=True)
    ]
    streams, at = [], 0
    for k, row in enumerate(rows):
        middle, end = at + row["beam"], at + row["beam"] + row["minima"]
        numbers = {name: row[name] for name in _NUMBERS}
        streams.append(
            Stream(arrays["rng"][k : k + 1].copy(), beam=walks[at:middle], minima=walks[middle:end], **numbers)
        )
        at = end
    return streams


def _fixed(options: SearchOptions) -> dict[str, Any]:
    return {name: value for name, value in asdict(options).items() if name in _FIXED}


def _marks(problem: Problem) -> dict[str, int]:
    """Numbers that change with the graph and with what is asked for."""
    wish = (problem.terms, problem.span, problem.pins, problem.boundaries)
    return {"motion graph": _mark((problem.ground, problem.roads), 0), "constraint file": _mark(wish, 0)}


def _mark(value: object, so_far: int) -> int:
    """Checksum of nested tuples of arrays and numbers."""
    if isinstance(value, np.ndarray):
        return crc32(np.ascontiguousarray(value).tobytes(), so_far)
    if isinstance(value, tuple):
        for item in value:
            so_far = _mark(item, so_far)
        return so_far
    return crc32(repr(value).encode(), so_far)
