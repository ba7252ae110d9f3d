"""Why a motion graph's motion misses what was asked, as far as the graph can tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from motionloom.clips.coverage import Coverage, measure_coverage
from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.measures import Adherence, ConstraintError
from motionloom.constraints.kinds.paths import follow
from motionloom.constraints.kinds.still import STANDING
from motionloom.graph.explain.impossible import find_impossible
from motionloom.graph.explain.reasons import why_missed, why_speed
from motionloom.graph.searching.reach import OutOfReach
from motionloom.graph.transitions.build import MotionGraph
from motionloom.synthesis.generator import Reason

#: Said of what is missed where no other reason is known.
_SEARCHED = "the search found nothing nearer; a larger budget, another seed or more clips may"


def explain_missed(
    graph: MotionGraph,
    constraints: ConstraintSet,
    errors: Sequence[ConstraintError],
    adherence: Sequence[Adherence],
    out_of_reach: Callable[[], Sequence[OutOfReach]],
) -> tuple[Reason, ...]:
    """Say why constraints are missed: what is certain first, else what is likely.

    Parameters
    ----------
    graph : MotionGraph
        The graph that was searched.
    constraints : ConstraintSet
        What was asked for.
    errors : sequence of ConstraintError
        Of the constraints that are missed.
    adherence : sequence of Adherence
        Of what was asked over time and is not kept to.
    out_of_reach : callable
        Gives the poses that no walk through the graph shows in time; called when a pose is missed.

    Returns
    -------
    tuple of Reason
        At most one for each constraint.
    """
    certain = {
        (p.kind, p.index): f"it cannot be met, {p.text}"
        for p in find_impossible(graph, constraints)
    }
    if any(a.kind in ("pose", "key_pose") for a in adherence):
        late = {o.frame: _why_out_of_reach(graph, constraints, o) for o in out_of_reach()}
        for kind, asked in (("pose", constraints.poses), ("key_pose", constraints.key_poses)):
            frames = enumerate(constraints.frame_of(c.time) for c in asked)
            certain |= {(kind, i): late[frame] for i, frame in frames if frame in late}
    coverage = measure_coverage(graph.clips, graph.core)
    found = [
        (
            e.kind,
            e.index,
            certain.get((e.kind, e.index)) or why_missed(graph, constraints, coverage, e),
        )
        for e in errors
    ]
    found += [
        (
            a.kind,
            a.index,
            certain.get((a.kind, a.index)) or _why_left(graph, constraints, coverage, a),
        )
        for a in adherence
    ]
    # Of ground that is not level more is known than of the search.
    unknown = "" if constraints.ground else _SEARCHED
    texts = [(kind, index, text or unknown) for kind, index, text in found]
    return tuple(Reason(kind, index, text) for kind, index, text in texts if text)


def _why_left(
    graph: MotionGraph, constraints: ConstraintSet, coverage: Coverage, left: Adherence
) -> str | None:
    """Likeliest reason why a path is left, a style not shown or a pose missed."""
    if left.kind == "path":
        frames, way = follow(constraints.paths[left.index], constraints)
        length = float(np.linalg.norm(np.diff(way.ground, axis=0), axis=1).sum())
        return why_speed(coverage, length, max(len(frames) - 1, 1) / constraints.fps)
    if left.kind == "still":
        if coverage.slowest < STANDING:
            return None
        return f"nobody in the clips moves slower than {coverage.slowest:.2f} m/s"
    if left.kind == "style":
        return _why_style(graph, constraints.style[left.index].label)
    if left.kind == "pose":
        pose = constraints.poses[left.index]
        return _where_connected(graph, graph.clips.frame_of_file(pose.clip, pose.frame))
    return None


def _why_style(graph: MotionGraph, label: str) -> str:
    """How much of a style there is among the connected frames, and how many transitions lead into
    it.
    """
    shown = graph.clips.labels[label]
    edges = graph.edges
    seconds = float((shown & graph.core).sum()) / graph.clips.fps
    if not seconds:
        return f"it cannot be met, no connected frame has the label {label!r}"
    into = int(np.sum(shown[edges.target] & ~shown[edges.source]))
    return (
        f"{seconds:.1f} s of the connected frames have the label {label!r}, and {into} of"
        f" {len(edges.source)} transitions lead there from frames without it"
    )


def _why_out_of_reach(graph: MotionGraph, constraints: ConstraintSet, pose: OutOfReach) -> str:
    if pose.earliest is not None:
        return (
            f"it cannot be met, the clips get there at {pose.earliest / constraints.fps:.2f} s at"
            " the earliest"
        )
    where = _where_connected(graph, pose.shows)
    return f"it cannot be met, no way leads there{': ' if where else ''}{where or ''}"


def _where_connected(graph: MotionGraph, frame: int) -> str | None:
    """That a frame is not connected, and which part of its clip is; None for a connected one."""
    if graph.core[frame]:
        return None
    clip = int(graph.clips.clip_of[frame])
    core = np.flatnonzero(graph.core[graph.clips.starts[clip] : graph.clips.starts[clip + 1]])
    times = graph.clips.file_time(clip)
    which = (
        f"from {times[core[0]]:.2f} to {times[core[-1]]:.2f} s it is"
        if len(core)
        else "no part of that clip is"
    )
    return f"that frame is not connected to the other clips ({which})"
