"""A motion graph at a glance: its size, how its clips hang together, and what they cover.

A motion graph at a glance, as a person reads it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.clips.coverage import Coverage, describe_covered, describe_missing, measure_coverage
from motionloom.graph.transitions.build import GraphReport, MotionGraph
from motionloom.reports import Report, Section, fields_of
from motionloom.typing import Array, Ints

#: Only this many components are described; the rest are counted.
MOST_COMPONENTS = 8

#: Clips and kinds named in one line, at most.
_MOST_NAMES = 6
#: A clip of which less than this share is connected is worth a word.
_BARELY = 0.5


def report_overview(overview: GraphOverview) -> Report:
    """Size, connection and coverage of a graph."""
    o = overview
    sections = (
        Section("Size", _size(o)),
        Section("Connected", describe_ties(o)),
        Section("The connected frames cover", describe_covered(o.coverage)),
        Section("They lack", describe_missing(o.coverage) or ["nothing that is looked for"]),
    )
    rounded = {"kept": o.kept.round(6), "density": o.density.round(6)}
    data = fields_of(o) | rounded | {"n_frames": o.n_frames, "seconds": o.seconds}
    return Report("Motion graph", sections, data=data)


def _size(o: GraphOverview) -> list[str]:
    r = o.report
    seconds, clip = o.longest_wait
    lines = [
        f"{len(o.names)} clips, {o.n_frames} frames at {o.fps:g} fps, {o.seconds:.1f} s",
        (
            f"{r.n_edges} transitions, {r.n_edges / o.n_frames:.1f} a frame,"
            f" {100 * r.cross_share:.0f} % to another clip"
        ),
        (
            f"coarsest level: {r.n_roots} transitions, {100 * r.n_roots / max(r.n_edges, 1):.1f} %"
            " of all"
        ),
    ]
    return lines + (
        [f"longest stretch without a way out: {seconds:.2f} s, in {clip}"] if clip else []
    )


def describe_ties(o: GraphOverview) -> list[str]:
    """How the clips hang together, one line each."""
    r = o.report
    lines = [
        f"{100 * r.kept_share:.1f} % of all frames lie in the largest strongly connected component"
    ]
    lines += [f"{_ordinal(i)}: {_component(c, o.fps)}" for i, c in enumerate(o.components)]
    if o.scattered:
        lines.append(
            f"{o.scattered} frames are scattered over smaller ones, such as the beginnings and ends"
            " of clips"
        )
    if r.dropped_clips:
        lines.append(f"clips left out: {_few(r.dropped_clips)}")
    lines += [f"left out, {said}" for said in r.left_out]
    barely = [
        f"{n} ({100 * k:.0f} % kept)"
        for n, k in zip(o.names, o.kept, strict=True)
        if 0 < k < _BARELY
    ]
    if barely:
        lines.append(f"clips mostly left out: {_few(barely)}")
    if r.dropped_edges:
        lines.append(f"{r.dropped_edges} transitions into or between left-out frames were dropped")
    lines.append(
        f"no bridge {'could be added' if r.left_out else 'was needed'}"
        if r.loosest <= 1
        else f"held together by {r.n_bridges} bridges of up to {r.loosest:g} times the threshold"
    )
    if r.bridged_clips:
        lines.append(f"joined by the best bridges alone: {_few(r.bridged_clips)}")
    if o.neck is not None:
        n = o.neck
        lines.append(
            f"narrowest: {_few(_counted(n.kinds) if len(n.kinds) > 1 else n.clips)}; {n.out}"
            f" transitions lead from there to the other {_count(len(o.names) - len(n.clips))} and"
            f" {n.back} back, {100 * (n.out + n.back) / max(r.n_edges, 1):.2g} % of all"
        )
    return lines


def _counted(kinds: dict[str, int]) -> list[str]:
    return [f"{count} x {kind}" if count > 1 else kind for kind, count in kinds.items()]


def _component(c: Component, fps: float) -> str:
    names = f": {_few(_counted(c.kinds))}" if len(c.kinds) > 1 else ""
    return f"{c.frames} frames ({c.frames / fps:.1f} s) of {_count(len(c.clips))}{names}"


def _ordinal(i: int) -> str:
    return "largest" if i == 0 else f"no. {i + 1}"


def _count(clips: int) -> str:
    return "1 clip" if clips == 1 else f"{clips} clips"


def _few(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMES
    return ", ".join([*names[:_MOST_NAMES], *([f"and {more} more"] if more > 0 else [])])


@dataclass(frozen=True)
class Component:
    """Frames that can all reach one another.

    Parameters
    ----------
    frames : int
        How many.
    clips : tuple of str
        Clips with at least a tenth of their frames in it.
    kinds : mapping of str to int
        How many clips of each kind (the name without its number) that are.
    """

    frames: int
    clips: tuple[str, ...]
    kinds: dict[str, int]


@dataclass(frozen=True)
class Neck:
    """Where the clips hang together by the fewest transitions, compared with those on either side.

    Parameters
    ----------
    clips : tuple of str
        The clips on the smaller side.
    kinds : mapping of str to int
        How many clips of each kind these are.
    out, back : int
        Transitions from them to all others, and back.
    """

    clips: tuple[str, ...]
    kinds: dict[str, int]
    out: int
    back: int


@dataclass(frozen=True, eq=False)
class GraphOverview:
    """What a motion graph is like.

    Parameters
    ----------
    names : tuple of str
        Names of the clips.
    lengths : int array of shape (C,)
        Frames of every clip.
    fps : float
        Frames per second of the clips.
    kept : array of shape (C,)
        Share of every clip's frames that are connected.
    density : array of shape (C, C)
        Transitions per frame of the clip of the row that lead to the clip of the column.
    components : tuple of Component
        The strongly connected ones worth naming, largest first; the first is the graph's.
    scattered : int
        Frames in smaller components, such as the beginnings and ends of clips.
    neck : Neck or None
        None for a single clip.
    longest_wait : tuple of (float, str), seconds
        Longest stretch of connected frames that no transition leaves, and its clip.
    report : GraphReport
        What the graph is made of and what was left out.
    coverage : Coverage
        What its connected frames cover.
    """

    names: tuple[str, ...]
    lengths: Ints
    fps: float
    kept: Array
    density: Array
    components: tuple[Component, ...]
    scattered: int
    neck: Neck | None
    longest_wait: tuple[float, str]
    report: GraphReport
    coverage: Coverage

    @property
    def n_frames(self) -> int:
        """Frames of all clips."""
        return int(self.lengths.sum())

    @property
    def seconds(self) -> float:
        """Length of all clips, seconds."""
        return self.n_frames / self.fps


def kind_of(name: str) -> str:
    """Name of a clip without its number: ``walk_active_003`` is a ``walk_active``."""
    return re.sub(r"[\s_-]*\d+(\.\d+)?$", "", name) or name


def survey_graph(graph: MotionGraph) -> GraphOverview:
    """Look a motion graph over."""
    clips = graph.clips
    edges = graph.edges
    lengths = np.diff(clips.starts)
    pair = (
        clips.clip_of[edges.source].astype(np.int64) * clips.n_clips + clips.clip_of[edges.target]
    )
    transitions = np.bincount(pair, minlength=clips.n_clips**2).reshape(
        clips.n_clips, clips.n_clips
    )
    components, scattered = _components(graph)
    return GraphOverview(
        names=clips.names,
        lengths=lengths,
        fps=clips.fps,
        kept=np.add.reduceat(graph.core.astype(float), clips.starts[:-1]) / lengths,
        density=transitions / lengths[:, None],
        components=components,
        scattered=scattered,
        neck=_narrowest(clips.names, transitions),
        longest_wait=_longest_wait(graph),
        report=graph.report,
        coverage=measure_coverage(clips, graph.core),
    )


def _components(graph: MotionGraph) -> tuple[tuple[Component, ...], int]:
    """Components of at least `smallest_island` frames, and the frames of all others."""
    sizes = np.bincount(graph.component)
    large = np.flatnonzero(sizes >= min(graph.options.smallest_island, sizes[0]))[:MOST_COMPONENTS]
    found = []
    for label in large:
        inside = (graph.component == label).astype(float)
        share = np.add.reduceat(inside, graph.clips.starts[:-1]) / np.diff(graph.clips.starts)
        names = tuple(n for n, s in zip(graph.clips.names, share, strict=True) if s >= 0.1)
        found.append(Component(int(sizes[label]), names, dict(Counter(map(kind_of, names)))))
    return tuple(found), int(sizes.sum() - sizes[large].sum())


def _narrowest(names: tuple[str, ...], transitions: Ints) -> Neck | None:
    """Cut the clips in two where the fewest transitions are cut for what is on the smaller side
    (least conductance).

    The clips are ordered by the second eigenvector of their normalised Laplacian, and the best cut
    of that order taken.
    """
    weight = (transitions + transitions.T).astype(float)
    np.fill_diagonal(weight, 0.0)
    degree = weight.sum(axis=1)
    if len(names) < 2 or not degree.any():
        return None
    scale = 1.0 / np.sqrt(np.maximum(degree, 1e-9))
    order = np.argsort(
        np.linalg.eigh(weight * scale * scale[:, None])[1][:, -2] * scale, kind="stable"
    )
    sums = np.cumsum(degree[order])[:-1]
    ordered = weight[np.ix_(order, order)]
    cut = np.array([ordered[:k, k:].sum() for k in range(1, len(names))])
    best = int(np.argmin(cut / np.maximum(np.minimum(sums, degree.sum() - sums), 1e-9))) + 1
    inside = np.zeros(len(names), bool)
    inside[order[:best]] = True
    if 2 * best > len(names):
        inside = ~inside
    clips = tuple(n for n, i in zip(names, inside, strict=True) if i)
    out = transitions[inside][:, ~inside].sum()
    back = transitions[~inside][:, inside].sum()
    return Neck(clips, dict(Counter(map(kind_of, clips))), int(out), int(back))


def _longest_wait(graph: MotionGraph) -> tuple[float, str]:
    clips = graph.clips
    leaves = np.zeros(clips.n_frames, bool)
    leaves[graph.edges.source] = True
    # A run of connected frames of a clip ends where it can be left; only the frames between two
    # ways out count.
    exits = np.flatnonzero(leaves)
    wait = np.where(np.diff(clips.clip_of[exits]) == 0, np.diff(exits), 0)
    if not len(wait):
        return 0.0, ""
    i = int(np.argmax(wait))
    return float(wait[i]) / clips.fps, clips.names[clips.clip_of[exits[i]]]
