"""Constraints that no walk through a graph can meet, each with the reason: found without any
search.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from motionloom.constraints import ConstraintSet, check_joints
from motionloom.constraints.kinds.avoid import INSIDE, measure_depths
from motionloom.constraints.kinds.measures import NEAR, STRAIGHT
from motionloom.constraints.kinds.table import label_of
from motionloom.graph.explain.limits import Reach, TravelLimits, joint_reach, travel_limits
from motionloom.graph.transitions.build import MotionGraph
from motionloom.rotations import wrap_angle
from motionloom.synthesis.generator import Reason
from motionloom.synthesis.spread import SHIFT, TURN


@dataclass(frozen=True)
class _Place:
    """A place on the ground that the body must come near, by `aside`, at a frame."""

    kind: str
    index: int
    label: str
    frame: int
    x: float
    z: float
    aside: float


def find_impossible(graph: MotionGraph, constraints: ConstraintSet) -> tuple[Reason, ...]:
    """Find constraints that no walk can meet, one problem for each.

    Only what is certain is told: a set without a problem may still be beyond the clips.

    Parameters
    ----------
    graph : MotionGraph
        Its clips bound how far a walk gets, how much it turns and where a joint can be.
    constraints : ConstraintSet
        Body and joint constraints are looked at, and obstacles that cover one of these.

    Returns
    -------
    tuple of Reason
        One for each constraint that cannot be met; several causes are joined by semicolons.
    """
    limits = travel_limits(graph)
    joints = check_joints(constraints, graph.clips.skeleton, graph.clips.roles)
    known = {j: joint_reach(graph, j) for j in set(joints)}
    reaches = [known[j] for j in joints]
    found = [
        *_bad_heights(constraints, reaches),
        *_too_far(limits, constraints, reaches),
        *_too_much_turning(limits, constraints),
        *_covered(graph, constraints),
    ]
    reasons: dict[tuple[str, int], list[str]] = {}
    for problem in found:
        reasons.setdefault((problem.kind, problem.index), []).append(problem.text)
    return tuple(Reason(kind, index, "; ".join(own)) for (kind, index), own in reasons.items())


def _bad_heights(constraints: ConstraintSet, reaches: list[Reach]) -> list[Reason]:
    found = []
    for i, (wish, reach) in enumerate(zip(constraints.joints, reaches, strict=True)):
        if wish.position is None:
            continue
        height, (low, high) = wish.position[1], reach.captured
        if reach.low - NEAR <= height <= reach.high + NEAR:
            continue
        most = (
            f"no higher than {reach.high:.2f} m"
            if height > reach.high
            else f"no lower than {reach.low:.2f} m"
        )
        found.append(
            Reason(
                "joint",
                i,
                f"a height of {height:.2f} m is asked for; the joint was captured between {low:.2f}"
                f" and {high:.2f} m and gets {most}",
            )
        )
    return found


def _too_far(
    limits: TravelLimits, constraints: ConstraintSet, reaches: list[Reach]
) -> list[Reason]:
    """Places farther from an earlier one than anybody gets in the time between; the worst such pair
    of each.
    """
    places = _places(constraints, reaches)
    found = []
    for i, place in enumerate(places):
        misses = [_excess(limits, constraints.fps, before, place) for before in places[:i]]
        if misses and max(misses) > NEAR:
            before = places[int(np.argmax(misses))]
            found.append(_too_far_from(limits, constraints.fps, before, place))
    return found


def _places(constraints: ConstraintSet, reaches: list[Reach]) -> list[_Place]:
    """All places in the order of time; without a body constraint the body starts at the origin."""
    places = [
        _Place(
            "body",
            i,
            label_of(constraints, "body", i),
            constraints.frame_of(b.time),
            *b.position,
            0.0,
        )
        for i, b in enumerate(constraints.body)
    ] or [_Place("start", 0, "the start", 0, 0.0, 0.0, 0.0)]
    for i, (wish, reach) in enumerate(zip(constraints.joints, reaches, strict=True)):
        if wish.position is not None:
            x, _, z = wish.position
            label = label_of(constraints, "joint", i)
            places.append(
                _Place("joint", i, label, constraints.frame_of(wish.time), x, z, reach.aside)
            )
    return sorted(places, key=lambda p: p.frame)


def _excess(limits: TravelLimits, fps: float, a: _Place, b: _Place) -> float:
    """By how much b is too far from a, metres; negative when it is not."""
    frames = b.frame - a.frame
    able = limits.distance.over(frames) if frames else 0.0
    return float(np.hypot(b.x - a.x, b.z - a.z)) - a.aside - b.aside - able - SHIFT * frames / fps


def _too_far_from(limits: TravelLimits, fps: float, a: _Place, b: _Place) -> Reason:
    away = float(np.hypot(b.x - a.x, b.z - a.z))
    seconds = (b.frame - a.frame) / fps
    aside = a.aside + b.aside
    arms = f", {aside:.2f} m of them by reaching" if aside else ""
    if not seconds:
        return Reason(
            b.kind, b.index, f"it is {away:.2f} m from {a.label}; {aside:.2f} m are possible"
        )
    able = limits.distance.over(b.frame - a.frame) + aside
    return Reason(
        b.kind,
        b.index,
        f"it is {away:.2f} m from {a.label}, {seconds:.2f} s earlier ({away / seconds:.1f} m/s);"
        f" the clips get at most {able:.2f} m far in that time{arms}",
    )


def _too_much_turning(limits: TravelLimits, constraints: ConstraintSet) -> list[Reason]:
    """Facings that nobody gets to from the facing before in the time between."""
    found = []
    known = [(i, b, b.facing) for i, b in enumerate(constraints.body) if b.facing is not None]
    for (_, a, before), (i, b, after) in pairwise(known):
        frames = constraints.frame_of(b.time) - constraints.frame_of(a.time)
        wanted = float(wrap_angle(np.radians(after - before)))
        left, right = (w if w >= 0 else w + 2 * np.pi for w in (wanted, -wanted))
        able = limits.left.over(frames), limits.right.over(frames)
        slack = np.radians(STRAIGHT + TURN * frames / constraints.fps)
        if left > able[0] + slack and right > able[1] + slack:
            found.append(
                Reason(
                    "body",
                    i,
                    f"it faces {abs(np.degrees(wanted)):.0f} degrees away from how body at"
                    f" {a.time:g} s does, {frames / constraints.fps:.2f} s earlier; the clips turn"
                    f" by at most {np.degrees(able[0]):.0f} degrees to the left and"
                    f" {np.degrees(able[1]):.0f} to the right in that time",
                )
            )
    return found


def _covered(graph: MotionGraph, constraints: ConstraintSet) -> list[Reason]:
    """Obstacles in which a body or joint constraint lies; the body's whatever the height of the
    hips is.
    """
    clips = graph.clips
    heights = clips.positions[:, clips.roles.joints["hips"], 1]
    span = float(heights.min()), float(heights.max())
    wishes = [
        (label_of(constraints, "body", i), b.position, span) for i, b in enumerate(constraints.body)
    ]
    wishes += [
        (
            label_of(constraints, "joint", i),
            (c.position[0], c.position[2]),
            (c.position[1], c.position[1]),
        )
        for i, c in enumerate(constraints.joints)
        if c.position is not None
    ]
    covers: dict[int, list[str]] = {}
    for label, (x, z), at in wishes if constraints.avoid else []:
        points = np.array([[[x, height, z]] for height in at])
        for i in np.flatnonzero((measure_depths(constraints.avoid, points) > INSIDE).all(axis=0)):
            covers.setdefault(int(i), []).append(label)
    return [Reason("avoid", i, f"it covers {' and '.join(labels)}") for i, labels in covers.items()]
