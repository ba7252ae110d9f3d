"""Everything that a finished motion does not keep to, each in a sentence with its error and the likeliest reason."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.clips.coverage import Coverage, measure_coverage
from motionloom.constraints import ConstraintSet
from motionloom.constraints.ways import follow
from motionloom.graph.explain.impossible import NEAR, STRAIGHT, find_impossible, label_of
from motionloom.graph.explain.reasons import why_missed, why_speed
from motionloom.graph.searching.reach import OutOfReach
from motionloom.graph.splices.build import MotionGraph
from motionloom.synthesis.errors import Adherence, ConstraintError

#: Velocity that counts as met, metres per second.
STEADY = 0.5
#: What is asked for all along counts as kept to up to this depth in obstacles and mean distance from paths, metres,
#: and from this share of the time in a style.
_DEPTH, _ASIDE, _SHARE = NEAR, 0.3, 0.5
_UNKNOWN = "the search found nothing nearer; a larger budget, another seed or more clips may"


def find_problems(
    graph: MotionGraph,
    constraints: ConstraintSet,
    errors: Sequence[ConstraintError],
    kept: Sequence[Adherence] = (),
    out_of_reach: Sequence[OutOfReach] = (),
) -> tuple[str, ...]:
    """Say which constraints a motion does not meet, by how much, and why.

    Parameters
    ----------
    graph : MotionGraph
    constraints : ConstraintSet
    errors : sequence of ConstraintError
        Of the finished motion.
    kept : sequence of Adherence
        How it keeps to poses, obstacles, paths, styles and costs, in this order; or nothing.
    out_of_reach : sequence of OutOfReach
        Poses that the search found no way to.

    Returns
    -------
    tuple of str
        One sentence for each constraint that is missed by more than 5 cm, 3 degrees or 0.5 m/s, each pose that is not
        shown in time, each obstacle the body is in, each path it leaves and each style it mostly lacks.
    """
    missed = [e for e in errors if _amount(e)]
    spans = _missed_spans(constraints, kept)
    if not missed and not spans:
        return ()
    certain = {(p.kind, p.index): f"it cannot be met, {p.reason}" for p in find_impossible(graph, constraints)}
    certain |= {("pose", o.index): _why_out_of_reach(graph, constraints, o) for o in out_of_reach}
    coverage = measure_coverage(graph.clips, graph.core)
    return (
        *(
            f"{label_of(constraints, e.kind, e.index)} is missed by {_amount(e)}: "
            f"{certain.get((e.kind, e.index)) or why_missed(graph, constraints, coverage, e) or _UNKNOWN}"
            for e in missed
        ),
        *(
            f"{text}: {certain.get((kind, i)) or _why_span(graph, constraints, coverage, kind, i) or _UNKNOWN}"
            for kind, i, text in spans
        ),
    )


def _amount(error: ConstraintError) -> str:
    """What an error amounts to; empty where the constraint counts as met."""
    miss, parts = error.position, []
    if miss > NEAR:
        parts.append(f"{miss:.2f} m" if miss >= 1 else f"{100 * miss:.0f} cm")
    if error.facing is not None and error.facing > STRAIGHT:
        parts.append(f"{error.facing:.0f} degrees")
    if error.velocity is not None and error.velocity > STEADY:
        parts.append(f"{error.velocity:.1f} m/s")
    return " and ".join(parts)


def _missed_spans(constraints: ConstraintSet, kept: Sequence[Adherence]) -> list[tuple[str, int, str]]:
    """Kind, index and what is wrong of everything asked all along that is not kept to."""
    counts = {
        "pose": len(constraints.poses),
        "avoid": len(constraints.avoid),
        "path": len(constraints.paths),
        "style": len(constraints.style),
    }
    places = ((kind, i) for kind, count in counts.items() for i in range(count))
    return [
        (kind, i, f"{a.what} {text}") for (kind, i), a in zip(places, kept, strict=False) if (text := _departs(kind, a))
    ]


def _departs(kind: str, a: Adherence) -> str | None:
    """How something is not kept to; None where it is."""
    if kind == "pose":
        late = a.value
        if late is None:
            return "is never shown"
        return None if late == 0 else f"is shown {abs(late):.0f} frames too {'late' if late > 0 else 'early'}"
    value = 0.0 if a.value is None else a.value
    if kind == "avoid" and value > _DEPTH:
        return f"is entered for {a.more:.1f} s, up to {100 * value:.0f} cm deep"
    if kind == "path" and value > _ASIDE:
        return f"is missed by {value:.2f} m on average"
    if kind == "style" and value < _SHARE:
        return f"is shown for {100 * value:.0f} % of that time only"
    return None


def _why_span(graph: MotionGraph, constraints: ConstraintSet, coverage: Coverage, kind: str, index: int) -> str | None:
    """Likeliest reason why a path is left, a style not shown or a pose missed."""
    if kind == "path":
        way = follow(constraints.paths[index], constraints)
        length = float(np.linalg.norm(np.diff(way.places, axis=0), axis=1).sum())
        return why_speed(coverage, length, max(len(way.frames) - 1, 1) / constraints.fps)
    if kind == "style":
        return _why_style(graph, constraints.style[index].label)
    if kind == "pose":
        pose = constraints.poses[index]
        return _where_connected(graph, graph.clips.frame_of_file(pose.clip, pose.frame))
    return None


def _why_style(graph: MotionGraph, label: str) -> str:
    """How much of a style there is among the connected frames, and how many splices lead into it."""
    shown, edges = graph.clips.labels[label], graph.edges
    seconds = float((shown & graph.core).sum()) / graph.clips.fps
    if not seconds:
        return f"it cannot be met, no connected frame has the label {label!r}"
    into = int(np.sum(shown[edges.target] & ~shown[edges.source]))
    return (
        f"{seconds:.1f} s of the connected frames have the label {label!r}, and {into} of {len(edges.source)} splices "
        "lead there from frames without it"
    )


def _why_out_of_reach(graph: MotionGraph, constraints: ConstraintSet, pose: OutOfReach) -> str:
    if pose.earliest is not None:
        return f"it cannot be met, the clips get there at {pose.earliest / constraints.fps:.2f} s at the earliest"
    where = _where_connected(graph, pose.shows)
    return f"it cannot be met, no way leads there{': ' if where else ''}{where or ''}"


def _where_connected(graph: MotionGraph, frame: int) -> str | None:
    """That a frame is not connected, and which part of its clip is; None for a connected one."""
    if graph.core[frame]:
        return None
    clip = int(graph.clips.clip_of[frame])
    core = np.flatnonzero(graph.core[graph.clips.starts[clip] : graph.clips.starts[clip + 1]])
    times = graph.clips.file_time(clip)
    which = f"from {times[core[0]]:.2f} to {times[core[-1]]:.2f} s it is" if len(core) else "no part of that clip is"
    return f"that frame is not connected to the other clips ({which})"
