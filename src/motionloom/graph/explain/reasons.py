"""Likeliest reasons why a finished motion misses a place, a facing or a velocity that was asked
for.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from motionloom.clips.coverage import Coverage
from motionloom.constraints import ConstraintSet, JointConstraint, check_joints
from motionloom.constraints.kinds.measures import NEAR, ConstraintError
from motionloom.graph.explain.limits import Reach, joint_reach
from motionloom.graph.transitions.build import MotionGraph
from motionloom.rotations import wrap_angle

#: A mean speed or turn rate above this share of the clips' extreme leaves a search hardly a choice.
_EXTREME = 0.85
_SHARP = 0.5
#: Places nearer than this tell nothing about the direction of the way, metres.
_SHORT_WAY = 0.3
#: A body constraint this near in time says where the body is when a joint is to be somewhere,
#: seconds.
_MEANWHILE = 0.5


def why_missed(
    graph: MotionGraph, constraints: ConstraintSet, coverage: Coverage, error: ConstraintError
) -> str | None:
    """Likeliest reason why a body or joint constraint is missed; None when there is none."""
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
    """Why nobody gets that far in that time, and no nearer either; None when a walk at that speed
    is usual.
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
