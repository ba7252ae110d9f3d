"""Constraints that a finished motion does not meet, each with its error and the likeliest reason."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from motionloom.constraints import ConstraintSet, check_joints
from motionloom.graph.build import MotionGraph
from motionloom.graph.coverage import Coverage, measure_coverage
from motionloom.graph.diagnose import NEAR, STRAIGHT, Problem, find_impossible, label_of
from motionloom.graph.limits import Reach, joint_reach
from motionloom.graph.objective import ConstraintError
from motionloom.rotations import wrap_angle

#: A mean speed or turn rate above this share of the clips' extreme leaves a search hardly a choice.
_EXTREME = 0.85
_SHARP = 0.5
#: Places nearer than this tell nothing about the direction of the way, metres.
_SHORT_WAY = 0.3
#: A body constraint this near in time says where the body is when a joint is to be somewhere, seconds.
_MEANWHILE = 0.5
_UNKNOWN = "the search found nothing nearer; a larger budget, another seed or more clips may"


def find_problems(graph: MotionGraph, constraints: ConstraintSet, errors: Sequence[ConstraintError]) -> tuple[str, ...]:
    """Say which constraints a motion does not meet, by how much, and why.

    Parameters
    ----------
    graph : MotionGraph
    constraints : ConstraintSet
    errors : sequence of ConstraintError
        Of the finished motion.

    Returns
    -------
    tuple of str
        One sentence for each constraint that is missed by more than 5 cm or 3 degrees; none when all are met.
    """
    missed = [e for e in errors if e.position > NEAR or (e.facing or 0.0) > STRAIGHT]
    if not missed:
        return ()
    certain = {(p.kind, p.index): p for p in find_impossible(graph, constraints)}
    coverage = measure_coverage(graph.clips, graph.core)
    return tuple(
        f"{label_of(constraints, e.kind, e.index)} is missed by {_amount(e)}: "
        f"{_reason(graph, constraints, coverage, certain, e)}"
        for e in missed
    )


def _amount(error: ConstraintError) -> str:
    miss = error.position
    parts = [f"{miss:.2f} m" if miss >= 1 else f"{100 * miss:.0f} cm"] if miss > NEAR else []
    if error.facing is not None and error.facing > STRAIGHT:
        parts.append(f"{error.facing:.0f} degrees")
    return " and ".join(parts)


def _reason(
    graph: MotionGraph,
    constraints: ConstraintSet,
    coverage: Coverage,
    certain: dict[tuple[str, int], Problem],
    error: ConstraintError,
) -> str:
    known = certain.get((error.kind, error.index))
    if known is not None:
        return f"it cannot be met, {known.reason}"
    if error.kind == "joint":
        joint = check_joints(constraints, graph.clips.skeleton, graph.clips.roles)[error.index]
        return _why_joint(constraints, error.index, joint_reach(graph, joint)) or _UNKNOWN
    return (_why_body(constraints, coverage, error) if error.kind == "body" else None) or _UNKNOWN


def _why_body(constraints: ConstraintSet, coverage: Coverage, error: ConstraintError) -> str | None:
    """Likeliest reason why the body is elsewhere, from the way to it from the body constraint before."""
    if error.index == 0:
        return None
    a, b = constraints.body[error.index - 1 : error.index + 1]
    way = np.subtract(b.position, a.position)
    seconds = (constraints.frame_of(b.time) - constraints.frame_of(a.time)) / constraints.fps
    distance = float(np.hypot(*way))
    return _why_speed(coverage, distance, seconds) or _why_turn(coverage, way, a.facing, b.facing, seconds)


def _why_speed(c: Coverage, distance: float, seconds: float) -> str | None:
    speed = distance / seconds
    asked = f"it asks for {distance:.2f} m in {seconds:.2f} s, {speed:.2f} m/s"
    if speed > _EXTREME * c.fastest:
        return f"{asked}, and nobody moves faster than {c.fastest:.2f} m/s"
    if speed < c.slowest:
        return f"{asked}, and nobody moves slower than {c.slowest:.2f} m/s: the body has to make a detour"
    gap = next(((low, high) for low, high in c.gaps if low < speed < high), None)
    return None if gap is None else f"{asked}, and nobody moves at between {gap[0]:.2f} and {gap[1]:.2f} m/s"


def _why_turn(c: Coverage, way: np.ndarray, before: float | None, after: float | None, seconds: float) -> str | None:
    """Who walks ahead turns into the way and, on arrival, out of it; that may be too much in the time."""
    if float(np.hypot(*way)) > _SHORT_WAY:
        along = float(np.degrees(np.arctan2(way[0], way[1])))
        stations = [f for f in (before, along, after) if f is not None]
    else:
        stations = [f for f in (before, after) if f is not None]
    turns = [float(np.degrees(wrap_angle(np.radians(q - p)))) for p, q in pairwise(stations)]
    total, sharpest = float(np.abs(turns).sum()), max(c.left, c.right)
    if total < _SHARP * sharpest * seconds:
        return None
    return (
        f"it asks to turn by {total:.0f} degrees in {seconds:.2f} s on the way there, and nobody turns by more than "
        f"{c.left:.0f} degrees a second to the left or {c.right:.0f} to the right"
    )


def _why_joint(constraints: ConstraintSet, index: int, reach: Reach) -> str | None:
    """Likeliest reason why a joint is elsewhere: the body is too far away, or nobody has it there."""
    wish = constraints.joints[index]
    if wish.position is None:
        return None
    near = [b for b in constraints.body if abs(b.time - wish.time) <= _MEANWHILE]
    if near:
        body = min(near, key=lambda b: abs(b.time - wish.time))
        away = float(np.hypot(wish.position[0] - body.position[0], wish.position[2] - body.position[1]))
        if away > _EXTREME * reach.aside:
            return f"body at {body.time:g} s is {away:.2f} m away from it, and the joint gets {reach.aside:.2f} m far"
    low, high = reach.captured
    if not low <= wish.position[1] <= high:
        return f"nobody has the joint at a height of {wish.position[1]:.2f} m (captured: {low:.2f} to {high:.2f} m)"
    return None
