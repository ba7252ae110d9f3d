"""Transitions of one clip with those before it by name: the unit that is computed, sent to workers
and kept.

What is between two clips depends on these two alone, so a clip that comes or goes leaves all other
pairs as they are.

Where rows of transitions are computed: here, or on the workers of a Dask cluster; the results
are the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import numpy as np

from motionloom.clips.clip_set import ClipSet
from motionloom.clusters import run_on_cluster
from motionloom.declared import MOST, Range, Shape
from motionloom.graph.transitions.edges import EdgeList, find_edges, make_rules
from motionloom.graph.transitions.product import CostProduct
from motionloom.io.records import FileKind, load, save
from motionloom.io.stored import Fault
from motionloom.typing import Array, Ints

#: A clip, and its partners: itself may be among them.
RowJob = tuple[int, Sequence[int]]


def run_rows(
    table: FrameTable, jobs: Sequence[RowJob], cluster: str | None = None
) -> Iterator[Row]:
    """Compute rows, in any order.

    Parameters
    ----------
    table : FrameTable
        What the transitions follow from; it travels to every worker once.
    jobs : sequence of (int, sequence of int)
        Clip and partners of each row.
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
        ordered = sorted(jobs, key=lambda job: len(job[1]), reverse=True)
        lost = (
            "what was finished is kept, so start them, with more memory where they ran out of it,"
            " and build again"
        )
        yield from run_on_cluster(compute_row, table, ordered, cluster, lost)


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


@dataclass(frozen=True, eq=False)
class Row:
    """Transitions between one clip and its partners, in both directions; frames are counted within
    the clips.

    Parameters
    ----------
    clip, hash : str
        Name of the clip, and what `hash_clip` gave for it.
    partners : mapping of str to str
        Hash of every partner by its name.
    counts : int64 array of shape (P, 2)
        How many transitions lead from the clip to each partner, and from the partner to the clip
        (none for the clip itself, whose transitions are all in the first).
    edges : EdgeList
        The transitions in this order.
    """

    clip: str
    hash: str
    partners: Annotated[Mapping[str, str], Shape("P")]
    counts: Annotated[Ints, Shape("P", 2), Range(0, MOST)]
    edges: EdgeList

    @classmethod
    def of(cls, clip: str, own: str, partners: Mapping[str, tuple[str, EdgeList, EdgeList]]) -> Row:
        """The row of partners' hashes and transitions there and back, in the order of names."""
        partners = dict(sorted(partners.items()))
        lists = [edges for _, *both in partners.values() for edges in both]
        counts = np.array([len(edges.source) for edges in lists], np.int64).reshape(-1, 2)
        hashes = {name: theirs for name, (theirs, _, _) in partners.items()}
        return cls(clip, own, hashes, counts, EdgeList.join(lists))

    @cached_property
    def ends(self) -> Ints:
        """Where the transitions of every count begin, and end."""
        return np.concatenate([[0], np.cumsum(self.counts)])

    def lists(self) -> Iterator[tuple[str, EdgeList, EdgeList]]:
        """Every partner, the transitions to it, and those from it."""
        parts = (self.edges.take(slice(a, b)) for a, b in pairwise(self.ends.tolist()))
        yield from zip(self.partners, parts, parts, strict=True)

    def lacking(self, wanted: Mapping[str, str]) -> list[str]:
        """Which of some clips (names to hashes) this row does not have."""
        return [name for name, own in wanted.items() if self.partners.get(name) != own]

    def merged(self, other: Row | None, wanted: Mapping[str, str]) -> Row:
        """The row with those partners of another that are among some clips (names to hashes)."""
        rows = [self] if other is None or other.hash != self.hash else [other, self]
        found = {
            name: (wanted[name], forth, back)
            for row in rows
            for name, forth, back in row.lists()
            if row.partners[name] == wanted.get(name)
        }
        return Row.of(self.clip, self.hash, found)


def _check_partners(row: Row) -> None:
    names = list(row.partners)
    # A partner after the clip would have these transitions in a row of its own too.
    if max(names, default=row.clip) > row.clip or (
        row.clip in names and row.counts[names.index(row.clip), 1]
    ):
        raise Fault("its partners are not those of a row")
    total = len(row.edges.source)
    if (row.counts > total).any() or row.ends[-1] != total:
        raise Fault("it counts other transitions than it holds")


ROW = FileKind(
    record=Row,
    name="part of a motion graph",
    version=1,
    again="delete it and build again",
    check=_check_partners,
)


def compute_row(table: FrameTable, job: RowJob) -> Row:
    """Find the transitions of one row.

    Parameters
    ----------
    table : FrameTable
        Features and thresholds of all clips.
    job : (int, sequence of int)
        The clip and its partners.

    Returns
    -------
    Row
        Partners in the order of their names.
    """
    n_clips = len(table.names)
    wanted = np.zeros((n_clips, n_clips), bool)
    own, others = job
    wanted[own, list(others)] = True
    wanted |= wanted.T
    rules = make_rules(table.starts, table.min_piece, table.min_jump, wanted=wanted)
    edges = find_edges(table.product, rules)
    leaves, enters = rules.clip_of[edges.source], rules.clip_of[edges.target]
    starts = table.starts.astype(np.int32)
    local = EdgeList(edges.source - starts[leaves], edges.target - starts[enters], edges.cost)
    # Ordered by the clips they leave and enter, so those between two clips are one run.
    pair = leaves.astype(np.int64) * n_clips + enters
    order = np.array(others, np.int64)
    forth = _runs(local, pair, own * n_clips + order)
    # What leads from the clip to itself leads nowhere else.
    back = _runs(local, pair, np.where(order == own, -1, order * n_clips + own))
    partners = {
        table.names[p]: (table.hashes[p], *both)
        for p, *both in zip(order.tolist(), forth, back, strict=True)
    }
    return Row.of(table.names[own], table.hashes[own], partners)


def _runs(edges: EdgeList, keys: Ints, wanted: Ints) -> list[EdgeList]:
    """The edges with each of some keys, which are sorted."""
    ends = zip(
        np.searchsorted(keys, wanted), np.searchsorted(keys, wanted, side="right"), strict=True
    )
    return [EdgeList(edges.source[a:b], edges.target[a:b], edges.cost[a:b]) for a, b in ends]


def gather_edges(clips: ClipSet, rows: Iterable[Row]) -> EdgeList:
    """All transitions between clips, in the order of `find_edges`.

    Parameters
    ----------
    clips : ClipSet
        The clips of the graph.
    rows : iterable of Row
        Of every clip; partners that are not among the clips do not count.

    Returns
    -------
    EdgeList
        Frames are counted through all clips.
    """
    index = {name: c for c, name in enumerate(clips.names)}
    starts = clips.starts.astype(np.int32)
    found = {}
    for row in rows:
        own = index[row.clip]
        for name, forth, back in row.lists():
            if (other := index.get(name)) is not None:
                for a, b, edges in ((own, other, forth), (other, own, back)):
                    if len(edges.source):
                        source, target = edges.source + starts[a], edges.target + starts[b]
                        found[a, b] = EdgeList(source, target, edges.cost)
    return EdgeList.join([found[pair] for pair in sorted(found)])


def write_row(row: Row, path: Path) -> None:
    """Write a row to an ``.npz`` file; the same row gives the same bytes."""
    save(path, row, ROW)


def read_row(
    path: Path, frames: Mapping[str, int] | None = None, min_piece: int = 0, min_jump: int = 0
) -> Row | None:
    """Read a row; None when there is no such file.

    Parameters
    ----------
    path : Path
        File written by `write_row`.
    frames : mapping of str to int, optional
        Frames of clips; transitions between these must be such as `find_edges` finds, all others
        are taken as they are.
    min_piece, min_jump : int, frames
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

    def check(row: Row) -> None:
        if frames is not None and not _fits(row, frames, min_piece, min_jump):
            raise Fault("its transitions do not fit these clips")

    return load(path, ROW, check) if path.exists() else None


def _fits(row: Row, frames: Mapping[str, int], min_piece: int, min_jump: int) -> bool:
    """Whether transitions between clips of known frames keep to the rules, ordered by source,
    then target.
    """
    own = frames.get(row.clip, -1)
    others = [frames.get(name, -1) for name in row.partners]
    ends = [pair for n in others for pair in ((own, n), (n, own))]
    n_from, n_to = np.array(ends, np.int64).reshape(-1, 2).T
    jumps = [jump for name in row.partners for jump in (min_jump * (name == row.clip), 0)]
    run = np.repeat(np.arange(len(ends)), row.counts.ravel())
    i, j, cost = row.edges.arrays
    fits = (min_piece <= i) & (i < n_from[run]) & (j <= n_to[run] - min_piece) & (cost <= 1)
    fits &= np.abs(i - j) >= np.array(jumps, np.int64)[run]
    up = np.diff(i)
    fits[1:] &= (up > 0) | ((up == 0) & (np.diff(j) > 0)) | (np.diff(run) > 0)
    return bool(np.all(fits | (np.minimum(n_from, n_to)[run] < 0)))


def plan_rows(names: Sequence[str]) -> list[RowJob]:
    """All rows of a graph: every clip with itself and those before it by name."""
    order = sorted(range(len(names)), key=lambda c: names[c])
    return [(c, order[: k + 1]) for k, c in enumerate(order)]
