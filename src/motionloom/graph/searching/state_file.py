"""The state of a search on disk: one ``.npz`` file that holds numbers only and belongs to one graph
and one task.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from os import PathLike
from pathlib import Path
from typing import Annotated, Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from motionloom.errors import FormatError
from motionloom.graph.scoring.walk import STEP
from motionloom.graph.searching.problem import Problem
from motionloom.graph.searching.results import SearchOptions
from motionloom.graph.searching.state import SearchState, Stream, Walk
from motionloom.graph.searching.state_check import check_state
from motionloom.io.files import atomic_write
from motionloom.io.stored import (
    MOST,
    Facts,
    Fault,
    Stored,
    brief,
    open_stored,
    read_facts,
    read_version,
)

VERSION = 3
_NO_STATE = (
    "this is not the state of a search ({reason}); name a new file, or the one that a search wrote"
)
#: Options that a search cannot change on its way, and what to say of them.
_FIXED = ("seed", "method", "beam", "w_cost", "w_way", "w_turning", "w_idle", "restarts")
#: Fields of a stream that are plain numbers.
_NUMBERS = tuple(f.name for f in fields(Stream) if f.name not in ("rng", "beam", "minima"))
_Count = Annotated[int, Field(ge=0, le=MOST)]
#: W walks of the beams and the minima together, K steps.
_SCHEMA = {
    "rng": Stored(np.uint64, ("streams",)),
    "score": Stored(np.float64, ("W",)),
    "start": Stored(np.int64, ("W",), 0, below="N"),
    "length": Stored(np.int64, ("W",), 0, MOST),
    "steps": Stored(STEP, ("K",)),
}


class _Stream(Facts):
    round: Annotated[int, Field(ge=-1, le=MOST)]
    segment: _Count
    task: _Count
    iterations: _Count
    failures: _Count
    stuck: _Count
    extra: _Count
    given_up: list[_Count]
    beam: _Count
    minima: _Count


class _Options(Facts):
    seed: int
    method: str
    beam: int
    restarts: int
    w_cost: float
    w_way: float
    w_turning: float
    w_idle: float


class _Head(Facts):
    motionloom_search: int
    motion_graph: int = Field(alias="motion graph")
    constraint_file: int = Field(alias="constraint file")
    options: _Options
    streams: tuple[_Stream, ...]


def save_state(
    path: str | PathLike[str], state: SearchState, problem: Problem, options: SearchOptions
) -> None:
    """Write the state of a search.

    Parameters
    ----------
    path : path-like
        An ``.npz`` file, replaced in one step; its folder is made where it is missing.
    state : SearchState
        Where the search stands.
    problem : Problem
        Checksums of its graph and its constraints go with it.
    options : SearchOptions
        Those that a search cannot change on its way go with it.
    """
    walks = [w for s in state.streams for w in (*s.beam, *s.minima)]
    head = {
        "motionloom_search": VERSION,
        **_marks(problem),
        "options": _fixed(options),
        "streams": [
            {name: getattr(s, name) for name in _NUMBERS}
            | {"beam": len(s.beam), "minima": len(s.minima)}
            for s in state.streams
        ],
    }
    Path(path).parent.mkdir(parents=True, exist_ok=True)
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

    Parameters
    ----------
    path : path-like
        File written by `save_state`.
    problem : Problem
        The graph and what is asked for; they must be those of the file.
    options : SearchOptions
        Those that a search cannot change on its way must be those of the file.

    Returns
    -------
    SearchState
        One stream for each of ``options.restarts``.

    Raises
    ------
    FormatError
        When the file is no such state, belongs to another graph, other constraints or other
        options, or holds what no search can have come to.
    """
    with open_stored(path, _NO_STATE) as file:
        text = file.text()
        version = read_version(text, "motionloom_search")
        if version is not None and version != VERSION:
            raise FormatError(
                "this search was saved by another version of motionloom; name a new file", path
            )
        head = read_facts(_Head, text)
        for name, mark in _marks(problem).items():
            if getattr(head, name.replace(" ", "_")) != mark:
                raise FormatError(
                    f"this search was saved for another {name}; name a new file to begin anew", path
                )
        for name, value in _fixed(options).items():
            if (saved := getattr(head.options, name)) != value:
                raise FormatError(
                    f"this search was saved with {name} {brief(saved)}, not {brief(value)}; name a"
                    " new file",
                    path,
                )
        arrays = file.arrays(_SCHEMA, {"N": len(problem.ground.place), "streams": options.restarts})
        state = SearchState(_streams(head.streams, arrays))
        check_state(state, problem, options)
    return state


def check_state_file(path: Path) -> None:
    """Refuse before long work a file that cannot be the state of a search; a missing one is none
    yet.

    Raises
    ------
    FormatError
        When it is something else.
    """
    if not path.exists():
        return
    with open_stored(path, _NO_STATE) as file:
        if read_version(file.text(), "motionloom_search") is None:
            raise Fault("it does not say that it is one")


def load_if_there(path: Path, problem: Problem, options: SearchOptions) -> SearchState | None:
    """The state in a file, None when there is no such file yet.

    Parameters
    ----------
    path : Path
        File written by `save_state`.
    problem : Problem
        As for `load_state`.
    options : SearchOptions
        As for `load_state`.

    Returns
    -------
    SearchState or None
        As `load_state` gives it.

    Raises
    ------
    FormatError
        As `load_state` does.
    """
    return load_state(path, problem, options) if path.exists() else None


def _streams(rows: Sequence[_Stream], arrays: dict[str, NDArray[Any]]) -> list[Stream]:
    lengths = arrays["length"].tolist()
    if sum(lengths) != len(arrays["steps"]) or sum(row.beam + row.minima for row in rows) != len(
        lengths
    ):
        raise Fault("it counts other walks than it holds")
    if len(rows) != len(arrays["rng"]):
        raise Fault("it has no random numbers for each of its searches")
    ends = np.cumsum(arrays["length"])
    walks = [
        Walk(float(score), int(start), arrays["steps"][end - n : end].copy())
        for score, start, n, end in zip(
            arrays["score"], arrays["start"], arrays["length"], ends, strict=True
        )
    ]
    streams = []
    at = 0
    for k, row in enumerate(rows):
        middle = at + row.beam
        end = at + row.beam + row.minima
        numbers = {name: getattr(row, name) for name in _NUMBERS}
        streams.append(
            Stream(
                arrays["rng"][k : k + 1].copy(),
                beam=walks[at:middle],
                minima=walks[middle:end],
                **numbers,
            )
        )
        at = end
    return streams


def _fixed(options: SearchOptions) -> dict[str, Any]:
    return {name: getattr(options, name) for name in _FIXED}


def _marks(problem: Problem) -> dict[str, int]:
    """Numbers that change with the graph and with what is asked for."""
    wish = (problem.terms, problem.span, problem.pins, problem.boundaries)
    return {
        "motion graph": _mark((problem.ground, problem.adjacency), 0),
        "constraint file": _mark(wish, 0),
    }


def _mark(value: object, so_far: int) -> int:
    """Checksum of nested tuples of arrays and numbers."""
    if isinstance(value, np.ndarray):
        return crc32(np.ascontiguousarray(value).tobytes(), so_far)
    if isinstance(value, tuple):
        for item in value:
            so_far = _mark(item, so_far)
        return so_far
    return crc32(repr(value).encode(), so_far)
