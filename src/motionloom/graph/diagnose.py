"""Constraints that no walk through a graph can meet, each with the reason: found without any search."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from motionloom.analysis.hinges import Limb
from motionloom.constraints import ConstraintSet, check_joints
from motionloom.edit.lean import LARGEST_LEAN
from motionloom.edit.reach import find_limb
from motionloom.graph.build import MotionGraph
from motionloom.graph.limits import TravelLimits, travel_limits
from motionloom.graph.spread import LARGEST_RISE, LARGEST_STEP, BendLimits
from motionloom.rotations import wrap_angle

Array = NDArray[np.float64]

#: A constraint counts as met when the motion is as near as this, metres and degrees.
NEAR, STRAIGHT = 0.05, 3.0
#: Joints of the trunk that can lean, and how far a shrug raises a shoulder at most, metres.
_LEANING, _SHRUG = 3, 0.1


@dataclass(frozen=True)
class Problem:
    """A constraint that cannot be met.

    Parameters
    ----------
    kind : str
        ``"body"``, ``"joint"``, ``"pose"`` ... as in `ConstraintError`.
    index : int
        Which of its kind in the constraint set.
    reason : str
        Why, without naming the constraint.
    """

    kind: str
    index: int
    reason: str


@dataclass(frozen=True)
class Reach:
    """Where a joint can be, what reaching and leaning add included.

    Parameters
    ----------
    aside : float, metres
        Farthest from the hips, seen from above.
    low, high : float, metres
        Lowest and highest above the ground.
    captured : tuple of (float, float), metres
        Lowest and highest that it was captured.
    """

    aside: float
    low: float
    high: float
    captured: tuple[float, float]


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


def label_of(constraints: ConstraintSet, kind: str, index: int) -> str:
    """How a constraint is called in sentences: ``body at 2.5 s``."""
    if kind == "body":
        return f"body at {constraints.body[index].time:g} s"
    if kind == "joint":
        return f"{constraints.joints[index].joint} at {constraints.joints[index].time:g} s"
    return f"{kind} {index + 1}"


def find_impossible(
    graph: MotionGraph, constraints: ConstraintSet, bend: BendLimits | None = None
) -> tuple[Problem, ...]:
    """Find constraints that no walk can meet, one problem for each.

    Only what is certain is told: a set without a problem may still be beyond the clips.

    Parameters
    ----------
    graph : MotionGraph
    constraints : ConstraintSet
    bend : BendLimits, optional
        How much the path will be bent to meet body constraints.
    """
    limits, bend = travel_limits(graph), bend or BendLimits()
    joints = check_joints(constraints, graph.clips.skeleton, graph.clips.roles)
    reaches = {j: joint_reach(graph, j) for j in set(joints)}
    found = [
        *_bad_heights(constraints, [reaches[j] for j in joints]),
        *_too_far(limits, constraints, [reaches[j].aside for j in joints], bend),
        *_too_much_turning(limits, constraints, bend),
    ]
    reasons: dict[tuple[str, int], list[str]] = {}
    for problem in found:
        reasons.setdefault((problem.kind, problem.index), []).append(problem.reason)
    return tuple(Problem(kind, index, "; ".join(own)) for (kind, index), own in reasons.items())


def joint_reach(graph: MotionGraph, joint: int) -> Reach:
    """Where a joint can be in frames of the clips that a walk may show.

    A limb may be stretched from wherever its root was, the trunk lean, and the body step and rise a little.
    """
    clips = graph.clips
    used = (np.add.reduceat(graph.core, clips.starts[:-1]) > 0)[clips.clip_of]
    positions, hips = clips.positions[used], clips.positions[used, clips.roles.joints["hips"]]
    limb = find_limb(clips.motions[0], clips.roles, joint)
    root, length = (joint, 0.0) if limb is None else (limb.root, _length(positions[0], limb))
    from_hips = positions[:, root] - hips
    trunk = float(np.linalg.norm(from_hips, axis=-1).max())
    lean = float(np.sin(min(_LEANING * LARGEST_LEAN, np.pi / 2))) * trunk
    height, own = positions[:, root, 1], positions[:, joint, 1]
    return Reach(
        aside=float(np.hypot(from_hips[:, 0], from_hips[:, 2]).max()) + lean + length + LARGEST_STEP,
        low=float(height.min()) - LARGEST_RISE - lean - length,
        high=float(height.max()) + LARGEST_RISE + _SHRUG + length,
        captured=(float(own.min()), float(own.max())),
    )


def _length(pose: Array, limb: Limb) -> float:
    chain = pose[[limb.root, limb.middle, limb.tip]]
    return float(np.linalg.norm(np.diff(chain, axis=0), axis=-1).sum())


def _bad_heights(constraints: ConstraintSet, reaches: list[Reach]) -> list[Problem]:
    found = []
    for i, (wish, reach) in enumerate(zip(constraints.joints, reaches, strict=True)):
        height, (low, high) = wish.position[1], reach.captured
        if reach.low - NEAR <= height <= reach.high + NEAR:
            continue
        most = f"no higher than {reach.high:.2f} m" if height > reach.high else f"no lower than {reach.low:.2f} m"
        found.append(
            Problem(
                "joint",
                i,
                f"a height of {height:.2f} m is asked for; the joint was captured between {low:.2f} and {high:.2f} m "
                f"and gets {most}",
            )
        )
    return found


def _too_far(limits: TravelLimits, constraints: ConstraintSet, aside: list[float], bend: BendLimits) -> list[Problem]:
    """Places farther from an earlier one than anybody gets in the time between; the worst such pair of each."""
    places = _places(constraints, aside)
    found = []
    for i, place in enumerate(places):
        misses = [_excess(limits, constraints.fps, bend, before, place) for before in places[:i]]
        if misses and max(misses) > NEAR:
            before = places[int(np.argmax(misses))]
            found.append(_too_far_from(limits, constraints.fps, before, place))
    return found


def _places(constraints: ConstraintSet, aside: list[float]) -> list[_Place]:
    """All places in the order of time; without a body constraint the body starts at the origin."""
    places = [
        _Place("body", i, label_of(constraints, "body", i), constraints.frame_of(b.time), *b.position, 0.0)
        for i, b in enumerate(constraints.body)
    ] or [_Place("start", 0, "the start", 0, 0.0, 0.0, 0.0)]
    places += [
        _Place(
            "joint", i, label_of(constraints, "joint", i), constraints.frame_of(c.time), c.position[0], c.position[2], a
        )
        for i, (c, a) in enumerate(zip(constraints.joints, aside, strict=True))
    ]
    return sorted(places, key=lambda p: p.frame)


def _excess(limits: TravelLimits, fps: float, bend: BendLimits, a: _Place, b: _Place) -> float:
    """By how much b is too far from a, metres; negative when it is not."""
    frames = b.frame - a.frame
    able = limits.distance.over(frames) if frames else 0.0
    return float(np.hypot(b.x - a.x, b.z - a.z)) - a.aside - b.aside - able - bend.shift * frames / fps


def _too_far_from(limits: TravelLimits, fps: float, a: _Place, b: _Place) -> Problem:
    away, seconds = float(np.hypot(b.x - a.x, b.z - a.z)), (b.frame - a.frame) / fps
    aside = a.aside + b.aside
    arms = f", {aside:.2f} m of them by reaching" if aside else ""
    if not seconds:
        return Problem(b.kind, b.index, f"it is {away:.2f} m from {a.label}; {aside:.2f} m are possible")
    able = limits.distance.over(b.frame - a.frame) + aside
    return Problem(
        b.kind,
        b.index,
        f"it is {away:.2f} m from {a.label}, {seconds:.2f} s earlier ({away / seconds:.1f} m/s); the clips get at most "
        f"{able:.2f} m far in that time{arms}",
    )


def _too_much_turning(limits: TravelLimits, constraints: ConstraintSet, bend: BendLimits) -> list[Problem]:
    """Facings that nobody gets to from the facing before in the time between."""
    found = []
    known = [(i, b, b.facing) for i, b in enumerate(constraints.body) if b.facing is not None]
    for (_, a, before), (i, b, after) in pairwise(known):
        frames = constraints.frame_of(b.time) - constraints.frame_of(a.time)
        wanted = float(wrap_angle(np.radians(after - before)))
        left, right = (w if w >= 0 else w + 2 * np.pi for w in (wanted, -wanted))
        able = limits.left.over(frames), limits.right.over(frames)
        slack = np.radians(STRAIGHT + bend.turn * frames / constraints.fps)
        if left > able[0] + slack and right > able[1] + slack:
            found.append(
                Problem(
                    "body",
                    i,
                    f"it faces {abs(np.degrees(wanted)):.0f} degrees away from how body at {a.time:g} s does, "
                    f"{frames / constraints.fps:.2f} s earlier; the clips turn by at most {np.degrees(able[0]):.0f} "
                    f"degrees to the left and {np.degrees(able[1]):.0f} to the right in that time",
                )
            )
    return found
