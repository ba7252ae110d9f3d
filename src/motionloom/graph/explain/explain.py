"""Why a motion graph's motion misses what was asked, as far as the graph can tell.

Likeliest reasons why a finished motion misses a place, a facing or a velocity that was asked
for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from motionloom.clips.coverage import Coverage, measure_coverage
from motionloom.constraints import ConstraintSet, JointConstraint, check_joints
from motionloom.constraints.kinds.measures import NEAR, Adherence, ConstraintError
from motionloom.constraints.kinds.paths import follow
from motionloom.constraints.kinds.speeds import STANDING
from motionloom.graph.explain.impossible import Reach, find_impossible, joint_reach
from motionloom.graph.searching.reach import OutOfReach
from motionloom.graph.transitions.build import MotionGraph
from motionloom.rotations import wrap_angle
from motionloom.synthesis.generator import Reason

#: A mean speed or turn rate above this share of the clips' extreme leaves a search hardly a choice.
_EXTREME = 0.85
_SHARP = 0.5
#: Places nearer than this tell nothing about the direction of the way, metres.
_SHORT_WAY = 0.3
#: A body constraint this near in time says where the body is when a joint is to be somewhere,
#: seconds.
_MEANWHILE = 0.5

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


def why_missed(
    graph: MotionGraph, constraints: ConstraintSet, coverage: Coverage, error: ConstraintError
) -> str | None:
    """Likeliest reason why a body or joint constraint is missed; None when there is none.

    Parameters
    ----------
    graph : MotionGraph
        The graph that was searched.
    constraints : ConstraintSet
        What was asked for.
    coverage : Coverage
        What the connected frames of the graph cover.
    error : ConstraintError
        Of the constraint that is missed.

    Returns
    -------
    str or None
        A clause that does not name the constraint.
    """
    if error.kind == "body":
        return _why_body(constraints, coverage, error)
    joint = check_joints(constraints, graph.clips.skeleton, graph.clips.roles)[error.index]
    if error.position > NEAR:
        return _why_joint(constraints, error.index, joint_reach(graph, joint))
    return _why_velocity(graph, constraints.joints[error.index], joint)


def _why_body(constraints: ConstraintSet, coverage: Coverage, error: ConstraintError) -> str | None:
    """Likeliest reason why the body is elsewhere, from the way to it from the body constraint
    before.
    """
    if error.index == 0:
        return None
    a, b = constraints.body[error.index - 1 : error.index + 1]
    way = np.subtract(b.position, a.position)
    seconds = (constraints.frame_of(b.time) - constraints.frame_of(a.time)) / constraints.fps
    distance = float(np.hypot(*way))
    return why_speed(coverage, distance, seconds) or _why_turn(
        coverage, way, a.facing, b.facing, seconds
    )


def why_speed(c: Coverage, distance: float, seconds: float) -> str | None:
    """Why nobody gets just that far in that time; None when a walk at that mean speed is usual.

    Parameters
    ----------
    c : Coverage
        Speeds that the connected frames of the graph cover.
    distance : float, metres
        Length of the way that is asked for.
    seconds : float
        Time for it, above 0.

    Returns
    -------
    str or None
        A clause that does not name the constraint.
    """
    speed = distance / seconds
    asked = f"it asks for {distance:.2f} m in {seconds:.2f} s, {speed:.2f} m/s"
    if speed > _EXTREME * c.fastest:
        return f"{asked}, and nobody moves faster than {c.fastest:.2f} m/s"
    if speed < c.slowest / _EXTREME:
        detour = ": the body has to make a detour" if speed < c.slowest else ""
        return f"{asked}, and nobody moves slower than {c.slowest:.2f} m/s{detour}"
    gap = next(((low, high) for low, high in c.gaps if low < speed < high), None)
    return (
        None
        if gap is None
        else f"{asked}, and nobody moves at between {gap[0]:.2f} and {gap[1]:.2f} m/s"
    )


def _why_turn(
    c: Coverage, way: np.ndarray, before: float | None, after: float | None, seconds: float
) -> str | None:
    """Who walks ahead turns into the way and, on arrival, out of it; that may be too much in the
    time.
    """
    if float(np.hypot(*way)) > _SHORT_WAY:
        along = float(np.degrees(np.arctan2(way[0], way[1])))
        stations = [f for f in (before, along, after) if f is not None]
    else:
        stations = [f for f in (before, after) if f is not None]
    turns = [float(np.degrees(wrap_angle(np.radians(q - p)))) for p, q in pairwise(stations)]
    total = float(np.abs(turns).sum())
    sharpest = max(c.left, c.right)
    if total < _SHARP * sharpest * seconds:
        return None
    return (
        f"it asks to turn by {total:.0f} degrees in {seconds:.2f} s on the way there, and nobody"
        f" turns by more than {c.left:.0f} degrees a second to the left or {c.right:.0f} to the"
        " right"
    )


def _why_joint(constraints: ConstraintSet, index: int, reach: Reach) -> str | None:
    """Likeliest reason why a joint is elsewhere: the body is too far, or nobody has it there."""
    wish = constraints.joints[index]
    if wish.position is None:
        return None
    near = [b for b in constraints.body if abs(b.time - wish.time) <= _MEANWHILE]
    if near:
        body = min(near, key=lambda b: abs(b.time - wish.time))
        away = float(
            np.hypot(wish.position[0] - body.position[0], wish.position[2] - body.position[1])
        )
        if away > _EXTREME * reach.aside:
            return (
                f"body at {body.time:g} s is {away:.2f} m away from it, and the joint gets"
                f" {reach.aside:.2f} m far"
            )
    low, high = reach.captured
    if not low <= wish.position[1] <= high:
        return (
            f"nobody has the joint at a height of {wish.position[1]:.2f} m (captured: {low:.2f} to"
            f" {high:.2f} m)"
        )
    return None


def _why_velocity(graph: MotionGraph, wish: JointConstraint, joint: int) -> str | None:
    """Nobody moves the joint that fast."""
    clips = graph.clips
    if wish.velocity is None:
        return None
    step = np.diff(clips.positions[:, joint], axis=0)[
        (clips.clip_of[1:] == clips.clip_of[:-1]) & graph.core[1:]
    ]
    fastest = float(np.linalg.norm(step, axis=1).max()) * clips.fps
    asked = float(np.linalg.norm(wish.velocity))
    return (
        f"it asks for {asked:.1f} m/s and nobody moves the joint faster than {fastest:.1f} m/s"
        if (asked > _EXTREME * fastest)
        else None
    )
