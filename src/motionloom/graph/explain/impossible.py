"""Constraints that no walk through a graph can meet, each with the reason: found without any
search.

How far a walk through a graph gets in a time, how much it turns, where a joint gets: bounds that
none passes.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from motionloom.constraints import ConstraintSet, check_joints
from motionloom.constraints.kinds.avoid import INSIDE, measure_depths
from motionloom.constraints.kinds.measures import NEAR, STRAIGHT
from motionloom.constraints.kinds.table import label_of
from motionloom.edit.posture import LARGEST_SHIFT, LARGEST_SINK, LARGEST_TURNS
from motionloom.edit.reach import find_limb
from motionloom.graph.transitions.build import MotionGraph
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Limb
from motionloom.rotations import wrap_angle
from motionloom.synthesis.generator import Reason
from motionloom.synthesis.spread import LARGEST_RISE, LARGEST_STEP, SHIFT, TURN
from motionloom.typing import Array

#: Joints of the trunk that can lean, and how far a shrug raises a shoulder at most, metres.
_LEANING, _SHRUG = 3, 0.1


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


@dataclass(frozen=True)
class Bound:
    """No walk changes a quantity by more than ``rate * frames + extra``.

    Every piece but the first and last has at least `min_piece` frames, and a seam itself changes
    nothing. So the steepest span of at least so many frames that a clip has gives the rate, and two
    shorter spans the extra.
    """

    rate: float
    extra: float

    def over(self, frames: int) -> float:
        """Largest change over a number of frames."""
        return self.rate * frames + self.extra


@dataclass(frozen=True)
class TravelLimits:
    """What the clips of a graph can do at most.

    Parameters
    ----------
    distance : Bound, metres
        From one place to another, as the crow flies.
    left, right : Bound, radians
        Change of facing.
    """

    distance: Bound
    left: Bound
    right: Bound


def travel_limits(graph: MotionGraph) -> TravelLimits:
    """Bounds on what a walk through a graph can do."""
    bodies = _used_bodies(graph)
    least = graph.options.min_piece
    changes = [_changes(bodies, k) for k in range(1, 2 * least)]
    return TravelLimits(*(_bound(np.array([c[i] for c in changes]), least) for i in range(3)))


def _used_bodies(graph: MotionGraph) -> list[Array]:
    """Body trajectories of the clips that a walk may show; its last piece may run to the end of a
    clip.
    """
    starts = graph.clips.starts
    used = np.add.reduceat(graph.core, starts[:-1]) > 0
    return [
        graph.clips.body[a:b] for a, b, u in zip(starts[:-1], starts[1:], used, strict=True) if u
    ]


def _changes(bodies: list[Array], frames: int) -> tuple[float, float, float]:
    """Largest distance, turn to the left and turn to the right over a number of frames within a
    clip.
    """
    steps = [b[frames:] - b[:-frames] for b in bodies if len(b) > frames]
    if not steps:
        return 0.0, 0.0, 0.0
    step = np.concatenate(steps)
    return (
        float(np.hypot(step[:, 0], step[:, 1]).max()),
        max(float(step[:, 2].max()), 0.0),
        max(-step[:, 2].min(), 0.0),
    )


def _bound(largest: Array, least: int) -> Bound:
    """Bound from the largest change over 1, 2, ... ``2 * least - 1`` frames; longer spans are made
    of such ones.
    """
    frames = np.arange(1, len(largest) + 1)
    rate = float((largest / frames)[least - 1 :].max())
    return Bound(rate, 2 * max(float((largest - rate * frames)[: least - 1].max(initial=0.0)), 0.0))


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


def joint_reach(graph: MotionGraph, joint: int) -> Reach:
    """Where a joint can be in frames of the clips that a walk may show.

    A limb may be stretched from wherever its root was, the trunk lean, the hips sink, and the body
    step and rise a little.

    Parameters
    ----------
    graph : MotionGraph
        Clips without a frame in its largest component do not count.
    joint : int
        Index in the skeleton.

    Returns
    -------
    Reach
        Bounds that no frame passes once reaching, leaning and bending are done; metres.
    """
    clips = graph.clips
    used = (np.add.reduceat(graph.core, clips.starts[:-1]) > 0)[clips.clip_of]
    positions = clips.positions[used]
    hips = clips.positions[used, clips.roles.joints["hips"]]
    limb = find_limb(PosedMotion(clips.motions[0], clips.roles), joint)
    root, length = (joint, 0.0) if limb is None else (limb.root, _length(positions[0], limb))
    from_hips = positions[:, root] - hips
    trunk = float(np.linalg.norm(from_hips, axis=-1).max())
    bow = LARGEST_TURNS[0] + _LEANING * LARGEST_TURNS[1]
    lean = float(np.sin(min(bow, np.pi / 2))) * trunk
    height = positions[:, root, 1]
    own = positions[:, joint, 1]
    return Reach(
        aside=float(np.hypot(from_hips[:, 0], from_hips[:, 2]).max())
        + lean
        + length
        + LARGEST_STEP
        + LARGEST_SHIFT,
        low=float(height.min()) - LARGEST_SINK - lean - length,
        high=float(height.max()) + LARGEST_RISE + _SHRUG + length,
        captured=(float(own.min()), float(own.max())),
    )


def _length(pose: Array, limb: Limb) -> float:
    chain = pose[[limb.root, limb.middle, limb.tip]]
    return float(np.linalg.norm(np.diff(chain, axis=0), axis=-1).sum())
