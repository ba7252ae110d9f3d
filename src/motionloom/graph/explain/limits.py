"""How far a walk through a graph gets in a time, how much it turns, where a joint gets: bounds that
none passes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.edit.posture import LARGEST_SHIFT, LARGEST_SINK, LARGEST_TURNS
from motionloom.edit.reach import find_limb
from motionloom.graph.transitions.build import MotionGraph
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Limb
from motionloom.synthesis.spread import LARGEST_RISE, LARGEST_STEP
from motionloom.typing import Array

#: Joints of the trunk that can lean, and how far a shrug raises a shoulder at most, metres.
_LEANING, _SHRUG = 3, 0.1


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
