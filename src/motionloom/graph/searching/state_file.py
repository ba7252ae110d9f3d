"""The state of a search on disk: one ``.npz`` file that holds numbers only and belongs to one graph
and one task.

Whether a search can have come to a state that was read from a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from os import PathLike
from pathlib import Path
from zlib import crc32

import numpy as np

from motionloom.errors import FormatError
from motionloom.graph.searching.annealing import capacity, is_complete
from motionloom.graph.searching.problem import Problem
from motionloom.graph.searching.results import SearchOptions, find_method
from motionloom.graph.searching.state import MINIMA, Stream, Walk
from motionloom.io.records import FileKind, kind_of, load, save
from motionloom.io.stored import Fault, brief

#: What cannot change while a search goes on, besides its options.
_MARKS = ("motion graph", "constraint file")


@dataclass(frozen=True, eq=False)
class _SearchRecord:
    """Streams, with checksums and options that a search cannot change on its way."""

    marks: tuple[int, int]
    seed: int
    method: str
    beam: int
    restarts: int
    w_cost: float
    w_way: float
    w_turning: float
    w_idle: float
    streams: list[Stream]


#: What of the options is in the file.
_FIXED = [f.name for f in fields(_SearchRecord) if f.name not in ("marks", "streams")]
SEARCH = FileKind(
    record=_SearchRecord,
    name="state of a search",
    version=5,
    again="name a new file, or the one that a search wrote",
)


def save_state(
    path: str | PathLike[str], state: list[Stream], problem: Problem, options: SearchOptions
) -> None:
    """Write the state of a search.

    Parameters
    ----------
    path : path-like
        An ``.npz`` file, replaced in one step; its folder is made where it is missing.
    state : list of Stream
        Where the search stands.
    problem : Problem
        Checksums of its graph and its constraints go with it.
    options : SearchOptions
        Those that a search cannot change on its way go with it.
    """
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    fixed = {name: getattr(options, name) for name in _FIXED}
    save(path, _SearchRecord(_marks(problem), **fixed, streams=state), SEARCH)


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


def load_if_there(path: Path, problem: Problem, options: SearchOptions) -> list[Stream] | None:
    """The state in a file that `save_state` wrote, None when there is no such file yet.

    Raises
    ------
    FormatError
        When the file is no such state, belongs to another graph, other constraints or other
        options, or holds what no search can have come to.
    """
    if not path.exists():
        return None

    def check(record: _SearchRecord) -> None:
        for name, saved, mark in zip(_MARKS, record.marks, _marks(problem), strict=True):
            if saved != mark:
                raise FormatError(
                    f"this search was saved for another {name}; name a new file to begin anew", path
                )
        for name in _FIXED:
            saved, value = getattr(record, name), getattr(options, name)
            if saved != value:
                raise FormatError(
                    f"this search was saved with {name} {brief(saved)}, not {brief(value)}; name a"
                    " new file",
                    path,
                )
        check_state(record.streams, problem, options)

    return load(path, SEARCH, check).streams


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


def check_state(state: list[Stream], problem: Problem, options: SearchOptions) -> None:
    """Refuse walks that the graph does not have and counts that do not fit them.

    Parameters
    ----------
    state : list of Stream
        As read from a file.
    problem : Problem
        The graph and what is asked for.
    options : SearchOptions
        Its method says what the counts of a stream mean.

    Raises
    ------
    Fault
        When no search of this problem can have come to this state.
    """
    if len(state) != options.restarts:
        raise Fault("it has another number of searches")
    _check_walks([walk for stream in state for walk in (*stream.beam, *stream.minima)], problem)
    for stream in state:
        _check_counts(stream, problem)
        if not find_method(options.method).fits(problem, options, stream):
            raise Fault("it counts walks that it does not hold")
        scores = [walk.score for walk in stream.minima]
        if len(scores) > MINIMA or scores != sorted(scores):
            raise Fault("its motions are not the best in their order")
        if not all(is_complete(walk, problem, problem.span) for walk in stream.minima):
            raise Fault("a walk is not what its score says")


def _check_walks(walks: Sequence[Walk], problem: Problem) -> None:
    """Every step is an edge of the graph that leaves a piece which is long enough."""
    ground = problem.ground
    adjacency = problem.adjacency
    if any(walk.start >= len(ground.place) for walk in walks):
        raise Fault("a walk begins at no frame")
    room = capacity(problem, problem.span) + 2
    if any(len(walk.steps) > room for walk in walks):
        raise Fault("a walk is longer than the motion")
    if not any(len(walk.steps) for walk in walks):
        return
    steps = np.concatenate([walk.steps for walk in walks])
    n = len(adjacency.cost)
    if steps["node"].min() < 0 or steps["node"].max() >= 2 * n:
        raise Fault("a walk passes a transition that is not there")
    inner = np.flatnonzero(steps["node"] >= n)
    edge = steps["node"].astype(np.int64)
    if (adjacency.children[edge[inner] - n, 0] < 0).any():
        raise Fault("a walk passes a transition that is not there")
    edge[inner] = adjacency.medoid[edge[inner] - n]
    same = (steps["source"] == adjacency.ends[edge, 0]) & (
        steps["target"] == adjacency.ends[edge, 1]
    )
    if not (same & (steps["cost"] == adjacency.cost[edge])).all():
        raise Fault("a step of a walk is not the transition that it names")
    entries = np.concatenate(
        [[walk.start, *walk.steps["target"][:-1]] for walk in walks if len(walk.steps)]
    )
    entries = entries.astype(np.int64)
    short = steps["source"] - entries < ground.min_piece
    if (short | (ground.begin[steps["source"]] != ground.begin[entries])).any():
        raise Fault("a walk leaves a clip where it is not")


def _check_counts(stream: Stream, problem: Problem) -> None:
    """What was given up was asked for, and budgets were spent for that alone."""
    given_up = stream.given_up
    if len(set(given_up)) != len(given_up) or not set(given_up) <= set(problem.pins[:, 0].tolist()):
        raise Fault("it gave up what was not asked for")
    if stream.extra > len(given_up) or stream.stuck > problem.span.last_frame:
        raise Fault("it counts more than it can have done")
