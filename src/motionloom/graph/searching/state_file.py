"""The state of a search on disk: one ``.npz`` file that holds numbers only and belongs to one graph
and one task.
"""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from zlib import crc32

import numpy as np

from motionloom.errors import FormatError
from motionloom.graph.searching.problem import Problem
from motionloom.graph.searching.results import SearchOptions
from motionloom.graph.searching.state import SearchState, Stream
from motionloom.graph.searching.state_check import check_state
from motionloom.io.records import FileKind, kind_of, load, save
from motionloom.io.stored import brief

#: What cannot change while a search goes on, besides its options.
_MARKS = ("motion graph", "constraint file")


@dataclass(frozen=True)
class _Fixed:
    """Options that a search cannot change on its way."""

    seed: int
    method: str
    beam: int
    restarts: int
    w_cost: float
    w_way: float
    w_turning: float
    w_idle: float


@dataclass(frozen=True, eq=False)
class _SearchRecord:
    marks: tuple[int, int]
    options: _Fixed
    streams: list[Stream]


SEARCH = FileKind(
    record=_SearchRecord,
    name="state of a search",
    version=4,
    again="name a new file, or the one that a search wrote",
)


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
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    save(path, _SearchRecord(_marks(problem), _fixed(options), state.streams), SEARCH)


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

    def check(record: _SearchRecord) -> None:
        for name, saved, mark in zip(_MARKS, record.marks, _marks(problem), strict=True):
            if saved != mark:
                raise FormatError(
                    f"this search was saved for another {name}; name a new file to begin anew", path
                )
        for name, value in vars(_fixed(options)).items():
            if (saved := getattr(record.options, name)) != value:
                raise FormatError(
                    f"this search was saved with {name} {brief(saved)}, not {brief(value)}; name a"
                    " new file",
                    path,
                )
        check_state(SearchState(record.streams), problem, options)

    return SearchState(load(path, SEARCH, check).streams)


def check_state_file(path: Path) -> None:
    """Refuse before long work a file that cannot be the state of a search; a missing one is none
    yet.

    Raises
    ------
    FormatError
        When it is something else.
    """
    if path.exists() and kind_of(path) not in (SEARCH.name, "search"):
        raise FormatError(f"this is not {SEARCH}; {SEARCH.again}", path)


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


def _fixed(options: SearchOptions) -> _Fixed:
    return _Fixed(**{name: getattr(options, name) for name in _Fixed.__annotations__})


def _marks(problem: Problem) -> tuple[int, int]:
    """Numbers that change with the graph and with what is asked for, in the order of `_MARKS`."""
    wish = (problem.terms, problem.span, problem.pins, problem.boundaries)
    return _mark((problem.ground, problem.adjacency), 0), _mark(wish, 0)


def _mark(value: object, so_far: int) -> int:
    """Checksum of nested tuples of arrays and numbers."""
    if isinstance(value, np.ndarray):
        return crc32(np.ascontiguousarray(value).tobytes(), so_far)
    if isinstance(value, tuple):
        for item in value:
            so_far = _mark(item, so_far)
        return so_far
    return crc32(repr(value).encode(), so_far)
