"""A motion graph at a glance, as a person reads it."""

from __future__ import annotations

from collections.abc import Sequence

from motionloom.clips.coverage_text import describe_covered, describe_missing
from motionloom.graph.overview.survey import Component, GraphOverview
from motionloom.reports import Report, Section, fields_of

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
