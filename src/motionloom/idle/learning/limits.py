"""How wide somebody stands, how low the hips come, and how fast joints move."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass, field, replace
from typing import Annotated

import numpy as np

from motionloom.declared import SIZE, Finite, Positive
from motionloom.posed_motion import PosedMotion
from motionloom.reports import shown
from motionloom.typing import Array

_Size = Annotated[float, SIZE]

#: How much wider a stance and how much lower the hips may be than recorded, metres, and how many
#: times as fast and as hard a joint may move. The random parts of idle motion go a little beyond
#: what a minute or two of recording shows.
WIDER, LOWER, FASTER = 0.02, 0.02, 1.5
#: Frames that are measured in one go.
_BLOCK = 6000


@dataclass(frozen=True)
class MotionRange:
    """Extremes of a motion on two feet.

    Parameters
    ----------
    width : float, metres
        Largest distance between both ankles over the ground.
    hips : float, metres
        Lowest height of the hips above the lower ankle.
    sway : float, metres
        Largest distance of the hips from the middle between both ankles, over the ground.
    speed : float, metres/s
        Largest of any joint in the world.
    acceleration : float, metres/s^2
        Likewise, from second differences of positions.
    """

    width: _Size = field(metadata=shown("feet apart at most", "cm", ".1f", 100))
    hips: Finite = field(metadata=shown("hips above the lower foot at least", "cm", ".1f", 100))
    sway: Positive = field(metadata=shown("hips off the feet's middle at most", "cm", ".1f", 100))
    speed: _Size = field(metadata=shown("fastest joint", "m/s"))
    acceleration: _Size = field(metadata=shown("largest acceleration", "m/s2", ".1f"))

    def scaled(self, factor: float) -> MotionRange:
        """The same of a body so many times as large."""
        return MotionRange(*(factor * value for value in astuple(self)))


def measure_range(posed: PosedMotion) -> MotionRange:
    """Measure the extremes of a motion.

    Parameters
    ----------
    posed : PosedMotion
        Of a body with two feet.

    Returns
    -------
    MotionRange
        Speed and acceleration are 0 where there are too few frames.
    """
    # Two frames of each block are in the next one too, for its first accelerations.
    firsts = range(0, max(posed.n_frames - 2, 1), _BLOCK)
    blocks = [slice(first, first + _BLOCK + 2) for first in firsts]
    return join_ranges(_range_of(posed, block) for block in blocks)


def join_ranges(ranges: Iterable[MotionRange]) -> MotionRange:
    """Extremes of several motions together.

    Parameters
    ----------
    ranges : iterable of MotionRange
        At least one.

    Returns
    -------
    MotionRange
    """
    known = list(ranges)
    largest = MotionRange(*map(max, zip(*map(astuple, known), strict=True)))
    return replace(largest, hips=min(one.hips for one in known))


def find_beyond(made: MotionRange, recorded: MotionRange) -> tuple[str, ...]:
    """What a motion does beyond recordings, one sentence each.

    Parameters
    ----------
    made, recorded : MotionRange
        Of the motion and of the recordings.

    Returns
    -------
    tuple of str
        Empty where nothing is beyond.
    """
    found = []
    if made.width > recorded.width + WIDER:
        found.append(
            f"the feet stand up to {100 * made.width:.1f} cm apart, in the recording at most"
            f" {100 * recorded.width:.1f} cm"
        )
    if made.hips < recorded.hips - LOWER:
        found.append(
            f"the hips sink to {100 * made.hips:.1f} cm above the lower foot, in the recording to"
            f" {100 * recorded.hips:.1f} cm"
        )
    if made.speed > FASTER * recorded.speed:
        found.append(
            f"a joint moves at {made.speed:.2f} m/s, in the recording at most"
            f" {recorded.speed:.2f} m/s"
        )
    if made.acceleration > FASTER * recorded.acceleration:
        found.append(
            f"a joint accelerates by {made.acceleration:.1f} m/s2, in the recording by at most"
            f" {recorded.acceleration:.1f} m/s2"
        )
    return tuple(found)


def _range_of(posed: PosedMotion, block: slice) -> MotionRange:
    joints = posed.roles.joints
    positions = posed.positions[block]
    feet = positions[:, [joints["left_foot"], joints["right_foot"]]]
    apart = (feet[:, 0] - feet[:, 1])[:, ::2]
    away = (positions[:, joints["hips"]] - feet.mean(axis=1))[:, ::2]
    velocity = np.diff(positions, axis=0) * posed.fps
    return MotionRange(
        width=_largest(apart),
        hips=float((positions[:, joints["hips"], 1] - feet[:, :, 1].min(axis=1)).min()),
        sway=_largest(away),
        speed=_largest(velocity),
        acceleration=_largest(np.diff(velocity, axis=0)) * posed.fps,
    )


def _largest(vectors: Array) -> float:
    return float(np.linalg.norm(vectors, axis=-1).max(initial=0.0))
