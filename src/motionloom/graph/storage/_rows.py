"""Transitions of one clip with those before it by name: the unit that is computed, sent to workers
and kept.

What is between two clips depends on these two alone, so a clip that comes or goes leaves all other
pairs as they are.

Where rows of transitions are computed: here, or on the workers of a Dask cluster; the results
are the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Annotated, TypeVar

import numpy as np
from pydantic import Field, RootModel

from motionloom.clips.clip_set import ClipSet
from motionloom.clusters import run_on_cluster
from motionloom.declared import MOST
from motionloom.graph.storage.fits import runs_fit
from motionloom.graph.transitions.edges import EdgeList, find_edges, make_rules
from motionloom.graph.transitions.product import CostProduct
from motionloom.io.files import atomic_write
from motionloom.io.stored import Fault, Stored, StoredFile, open_stored, read_facts
from motionloom.typing import Array, Ints

T = TypeVar("T")
Rules = tuple[int, int]
#: Shortest piece and jump of any transitions.
ANY: Rules = (0, 0)
_Count = Annotated[int, Field(ge=0, le=MOST)]
_SCHEMA = {
    "source": Stored(np.int32, ("E",), 0),
    "target": Stored(np.int32, ("E",), 0),
    "cost": Stored(np.float32, ("E",), 0, 1),
}


def run_rows(
    table: FrameTable, jobs: Sequence[RowJob], cluster: str | None = None
) -> Iterator[Row]:
    """Compute rows, in any order.

    Parameters
    ----------
    table : FrameTable
        What the transitions follow from; it travels to every worker once.
    jobs : sequence of RowJob
        One for each row.
    cluster : str, optional
        Address of a Dask scheduler, such as ``tcp://host:8786``; computed here when not given.

    Returns
    -------
    iterator of Row
        Each row as soon as it is known.

    Raises
    ------
    MissingExtraError
        When a cluster is named and Dask is not installed.
    InvalidInputError
        When no scheduler answers there, it has no workers, other versions of packages run there, or
        it is lost.
    """
    if cluster is None:
        yield from (compute_row(table, job) for job in jobs)
    elif jobs:
        # Long rows first, so that no worker is left with one when the others are done.
        ordered = sorted(jobs, key=lambda job: len(job.partners), reverse=True)
        lost = (
            "what was finished is kept, so start them, with more memory where they ran out of it,"
            " and build again"
        )
        yield from run_on_cluster(compute_row, table, ordered, cluster, lost)


class _Head(RootModel[tuple[str, str, list[tuple[str, str, _Count, _Count]]]]):
    """Clip and hash; of every partner its name and hash, and how many transitions lead to it and
    back.
    """


@dataclass(frozen=True, eq=False)
class FrameTable:
    """What the transitions of some clips follow from; small enough to be sent to every worker.

    Parameters
    ----------
    names : tuple of str
        The clips.
    hashes : tuple of str
        What tells the content of a clip from another.
    starts : int64 array of shape (C + 1,)
        First frame of every clip, and the number of frames N.
    features : array of shape (N, D)
        Scaled features; their squared distance is the cost.
    limits : array of shape (N,)
        Square roots of the thresholds.
    min_piece, min_jump : int, frames
        As of `GraphOptions`.
    """

    names: tuple[str, ...]
    hashes: tuple[str, ...]
    starts: Ints
    features: Array
    limits: Array
    min_piece: int
    min_jump: int

    @cached_property
    def product(self) -> CostProduct:
        """Product of the costs of all pairs of frames."""
        return CostProduct(self.features, self.limits)


def hash_clip(clips: ClipSet, clip: int) -> str:
    """What tells a clip's content from another's: of its name, rate, and where its joints are.

    Parameters
    ----------
    clips : ClipSet
        The clip's set.
    clip : int
        Number of the clip.

    Returns
    -------
    str
        First 32 hexadecimal digits of a SHA-256.
    """
    span = slice(int(clips.starts[clip]), int(clips.starts[clip + 1]))
    digest = sha256(f"{clips.names[clip]}\n{clips.fps!r}\n".encode())
    digest.update(clips.positions[span].tobytes())
    digest.update(clips.body[span].tobytes())
    return digest.hexdigest()[:32]


@dataclass(frozen=True)
class RowJob:
    """Transitions to be found: between clip `row` and the clips `partners` (itself may be among
    them), both ways.
    """

    row: int
    partners: tuple[int, ...]


@dataclass(frozen=True)
class RowHead:
    """What a row on disk holds, without its transitions.

    Parameters
    ----------
    clip, hash : str
        Name of the clip, and what `hash_clip` gave for it.
    partners : mapping of str to (str, int, int)
        By name: the partner's hash, and how many transitions lead to it and back.
    """

    clip: str
    hash: str
    partners: Mapping[str, tuple[str, int, int]]

    def lacking(self, wanted: Mapping[str, str]) -> list[str]:
        """Which of some clips (names to hashes) this row does not have."""
        return [
            name
            for name, own in wanted.items()
            if name not in self.partners or self.partners[name][0] != own
        ]


@dataclass(frozen=True, eq=False)
class Row:
    """Transitions between one clip and its partners, in both directions; frames are counted within
    the clips.

    Parameters
    ----------
    clip, hash : str
        Name of the clip, and what `hash_clip` gave for it.
    partners : mapping of str to (str, EdgeList, EdgeList)
        By name: the partner's hash, transitions from the clip to the partner, and from the partner
        to the clip (none for the clip itself, whose transitions are all in the first).
    """

    clip: str
    hash: str
    partners: Mapping[str, tuple[str, EdgeList, EdgeList]]

    def only(self, wanted: Mapping[str, str]) -> Row:
        """The row with no other partners than some clips (names to hashes)."""
        kept = {n: p for n, p in self.partners.items() if n in wanted and wanted[n] == p[0]}
        return Row(self.clip, self.hash, kept)

    def merged(self, other: Row) -> Row:
        """The row with the partners of another added, in the order of their names."""
        both = {**self.partners, **other.partners}
        return Row(self.clip, self.hash, {name: both[name] for name in sorted(both)})


def compute_row(table: FrameTable, job: RowJob) -> Row:
    """Find the transitions of one row.

    Parameters
    ----------
    table : FrameTable
        Features and thresholds of all clips.
    job : RowJob
        The clip and its partners.

    Returns
    -------
    Row
        Partners in the order of their names.
    """
    n_clips = len(table.names)
    wanted = np.zeros((n_clips, n_clips), bool)
    wanted[job.row, list(job.partners)] = True
    wanted |= wanted.T
    rules = make_rules(table.starts, table.min_piece, table.min_jump, wanted=wanted)
    edges = find_edges(table.product, rules)
    leaves, enters = rules.clip_of[edges.source], rules.clip_of[edges.target]
    starts = table.starts.astype(np.int32)
    local = EdgeList(edges.source - starts[leaves], edges.target - starts[enters], edges.cost)
    # Ordered by the clips they leave and enter, so those between two clips are one run.
    pair = leaves.astype(np.int64) * n_clips + enters
    order = np.array(sorted(job.partners, key=lambda c: table.names[c]), np.int64)
    forth = _runs(local, pair, job.row * n_clips + order)
    # What leads from the clip to itself leads nowhere else.
    back = _runs(local, pair, np.where(order == job.row, -1, order * n_clips + job.row))
    partners = {
        table.names[p]: (table.hashes[p], *both)
        for p, *both in zip(order.tolist(), forth, back, strict=True)
    }
    return Row(table.names[job.row], table.hashes[job.row], partners)


def _runs(edges: EdgeList, keys: Ints, wanted: Ints) -> list[EdgeList]:
    """The edges with each of some keys, which are sorted."""
    ends = zip(
        np.searchsorted(keys, wanted), np.searchsorted(keys, wanted, side="right"), strict=True
    )
    return [EdgeList(edges.source[a:b], edges.target[a:b], edges.cost[a:b]) for a, b in ends]


def gather_edges(clips: ClipSet, heads: Iterable[RowHead], rows: Iterable[Row]) -> EdgeList:
    """All transitions between clips, in the order of `find_edges`.

    One row at a time is in memory besides them.

    Parameters
    ----------
    clips : ClipSet
        The clips of the graph.
    heads, rows : iterables of RowHead and Row
        Of every clip; partners that are not among the clips do not count.

    Returns
    -------
    EdgeList
        Frames are counted through all clips.
    """
    index = {name: c for c, name in enumerate(clips.names)}
    counts = np.zeros((clips.n_clips, clips.n_clips), np.int64)
    for head in heads:
        own = index[head.clip]
        for name, (_, forth, back) in head.partners.items():
            if (other := index.get(name)) is not None:
                counts[own, other] += forth
                counts[other, own] += back
    begins = np.concatenate([[0], np.cumsum(counts)])[:-1].reshape(counts.shape)
    total = int(counts.sum())
    found = EdgeList(
        np.empty(total, np.int32), np.empty(total, np.int32), np.empty(total, np.float32)
    )
    starts = clips.starts.astype(np.int32)
    for row in rows:
        own = index[row.clip]
        for name, (_, *both) in row.partners.items():
            if (other := index.get(name)) is not None:
                for a, b, edges in zip((own, other), (other, own), both, strict=True):
                    span = slice(begins[a, b], begins[a, b] + len(edges.source))
                    found.source[span] = edges.source + starts[a]
                    found.target[span] = edges.target + starts[b]
                    found.cost[span] = edges.cost
    return found


def write_row(row: Row, path: str | PathLike[str]) -> None:
    """Write a row to an ``.npz`` file; the same row gives the same bytes.

    Parameters
    ----------
    row : Row
        Its transitions, and the hashes that they belong to.
    path : path-like
        Replaced in one step.
    """
    counts = [
        [name, own, len(forth.source), len(back.source)]
        for name, (own, forth, back) in row.partners.items()
    ]
    joined = EdgeList.join(
        [edges for _, forth, back in row.partners.values() for edges in (forth, back)]
    )
    with atomic_write(path) as file:
        np.savez(
            file,
            allow_pickle=False,
            head=np.array(json.dumps([row.clip, row.hash, counts]).encode()),
            source=joined.source,
            target=joined.target,
            cost=joined.cost,
        )


def read_row(
    path: str | PathLike[str], frames: Mapping[str, int] | None = None, rules: Rules = ANY
) -> Row | None:
    """Read a row; None when there is no such file.

    Parameters
    ----------
    path : path-like
        File written by `write_row`.
    frames : mapping of str to int, optional
        Frames of clips; transitions between these must be such as `find_edges` finds, all others
        are taken as they are.
    rules : (int, int), frames
        Shortest piece and shortest jump.

    Returns
    -------
    Row or None
        With all partners that the file has.

    Raises
    ------
    FormatError
        When the file is damaged.
    """
    return _read(path, lambda file: _row_of(file, frames or {}, rules))


def read_head(path: str | PathLike[str]) -> RowHead | None:
    """Read what a row holds, but not its transitions; None when there is no such file.

    Raises
    ------
    FormatError
        When the file is damaged.
    """
    return _read(path, _head_of)


def _row_of(file: StoredFile, frames: Mapping[str, int], rules: Rules) -> Row:
    head = _head_of(file)
    ends = np.cumsum(
        [0, *(count for _, *both in head.partners.values() for count in both)], dtype=np.int64
    )
    arrays = file.arrays(_SCHEMA, {"E": int(ends[-1])})
    source, target, cost = (arrays[name] for name in _SCHEMA)
    own = frames.get(head.clip, -1)
    others = [frames.get(name, -1) for name in head.partners]
    known = np.array(
        [(own, n, n, own) if min(own, n) >= 0 else (-1, -1, -1, -1) for n in others], np.int64
    )
    jumps = np.array(
        [(rules[1], 0) if name == head.clip else (0, 0) for name in head.partners], np.int64
    )
    n_from, n_to = known.reshape(-1, 2).T.copy()
    if not runs_fit(source, target, cost, ends, n_from, n_to, rules[0], jumps.reshape(-1)):
        raise Fault("its transitions do not fit these clips")
    lists = [EdgeList(source[a:b], target[a:b], cost[a:b]) for a, b in pairwise(ends)]
    each = enumerate(head.partners.items())
    return Row(
        head.clip,
        head.hash,
        {name: (p[0], lists[2 * k], lists[2 * k + 1]) for k, (name, p) in each},
    )


def _head_of(file: StoredFile) -> RowHead:
    clip, own, listed = read_facts(_Head, file.text()).root
    partners = {name: (theirs, forth, back) for name, theirs, forth, back in listed}
    names = list(partners)
    # A partner after the clip would have these transitions in a row of its own too.
    if (
        len(partners) != len(listed)
        or max(names, default=clip) > clip
        or partners.get(clip, ("", 0, 0))[2]
    ):
        raise Fault("its partners are not those of a row")
    room = min(file.n_bytes(name) for name in _SCHEMA)
    if 4 * sum(forth + back for _, forth, back in partners.values()) > room:
        raise Fault("it counts more transitions than it holds")
    return RowHead(clip, own, partners)


def _read(path: str | PathLike[str], part: Callable[[StoredFile], T]) -> T | None:
    if not Path(path).exists():
        return None
    with open_stored(
        path, "this part of a motion graph is damaged ({reason}); delete it and build again"
    ) as file:
        return part(file)


def plan_rows(names: Sequence[str]) -> list[RowJob]:
    """All rows of a graph: every clip with itself and those before it by name."""
    order = sorted(range(len(names)), key=lambda c: names[c])
    return [RowJob(c, tuple(order[: k + 1])) for k, c in enumerate(order)]
