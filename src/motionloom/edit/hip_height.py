"""How high the hips go when feet are moved: legs that are nearly straight keep their length.

The knee of a straight leg moves several times as far as its foot. So the hips ride up and down with
such legs, and sink where a leg would still be too short.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motionloom.analysis.hinges import Hinge
from motionloom.curves import smooth_envelope
from motionloom.edit.banded import bands, solve
from motionloom.edit.limbs import bone_lengths
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Limb
from motionloom.two_bones import reach_for
from motionloom.typing import Array

#: Time over which the hips ride up and down with straight legs, seconds.
RIDE_TIME = 0.1
#: Weight of hips that stay at their height, against that of a leg whose knee moves as far as its
#: foot.
STAY_LEVEL = 0.5
#: Hips that are this much too low for straight legs are meant to be low, metres: a body is lowered
#: where somebody ducks.
MEANT = 0.01
#: A knee counts as at least this far from the line between hip and ankle, metres.
LEAST_BEND = 0.02
#: Time over which the hips sink, seconds: knees that are nearly straight would show a longer one.
SINK_TIME = 0.06
#: Weight of a frame in which the hips stay where they are.
FIXED = 1e8


def ride_with_legs(
    posed: PosedMotion,
    legs: Mapping[str, Limb],
    targets: Mapping[str, Array],
    keep: NDArray[np.intp],
    most: float,
) -> Array:
    """How far the hips rise for straight legs to keep their length while feet go to their targets.

    A smooth curve by least squares over time. A leg weighs as much as its knee would be moved by a
    change of its length: bent legs count little, and so do legs that would have to change much,
    where the body is low or high on purpose.

    Parameters
    ----------
    posed : PosedMotion
        The motion, T frames.
    legs : mapping of str to Limb
        By the roles of the feet.
    targets : mapping of str to array of shape (T, 3), metres
        Where the ankles go.
    keep : int array
        Frames in which the hips stay.
    most : float, metres
        They rise and sink no farther from a frame to the next.

    Returns
    -------
    array of shape (T,), metres
        Negative where they sink.
    """
    place = np.full(posed.n_frames, STAY_LEVEL)
    pull = np.zeros(posed.n_frames)
    for foot, leg in legs.items():
        root = posed.positions[:, leg.root]
        length = np.linalg.norm(posed.positions[:, leg.tip] - root, axis=-1)
        rise = rise_to(targets[foot] - root, length)
        weight = _sensitivity(*bone_lengths(posed, leg), length) ** 2
        # A robust weight: near 1 below `MEANT`, next to nothing beyond, with no edge between.
        weight /= (1.0 + (rise / MEANT) ** 4) ** 2
        place += weight
        pull += weight * rise
    place[keep] = FIXED
    pull[keep] = 0.0
    # Weight on second differences only, to the fourth power of the time: that is its unit.
    rise = solve(bands(place, np.zeros(len(place) - 1), (RIDE_TIME * posed.fps) ** 4), pull)
    step = float(np.abs(np.diff(rise)).max(initial=0.0))
    return rise * min(1.0, most / max(step, 1e-12))


def sink_to_reach(
    posed: PosedMotion,
    legs: Mapping[str, Limb],
    targets: Mapping[str, Array],
    extension: float,
    hinges: Mapping[str, Hinge],
    keep: NDArray[np.intp],
    most: float,
) -> Array:
    """How far the hips must sink for every leg to reach its target, smooth in time.

    Parameters
    ----------
    posed : PosedMotion
        The motion, T frames.
    legs : mapping of str to Limb
        By the roles of the feet.
    targets : mapping of str to array of shape (T, 3), metres
        Where the ankles go.
    extension : float
        Share of its full length that a leg may take; one that is straighter may stay so.
    hinges : mapping of str to Hinge
        Captured ranges of the knees, by the roles of the feet.
    keep : int array
        Frames in which the hips stay.
    most : float, metres
        They sink and rise no farther from a frame to the next.

    Returns
    -------
    array of shape (T,), metres
        Nowhere negative.
    """
    need = np.zeros(posed.n_frames)
    for foot, leg in legs.items():
        root = posed.positions[:, leg.root]
        a, b = bone_lengths(posed, leg)
        own = np.linalg.norm(posed.positions[:, leg.tip] - root, axis=-1)
        longest = np.maximum(extension * (a + b), own)
        if foot in hinges:
            longest = np.minimum(longest, reach_for(a, b, max(hinges[foot].least, 0.0)))
        need = np.maximum(need, -rise_to(targets[foot] - root, longest))
    drop = smooth_envelope(need, max(1, round(SINK_TIME * posed.fps)), most)
    return np.minimum(drop, most * frames_from(keep, len(drop)))


def frames_from(keep: ArrayLike, n: int) -> Array:
    """How far each of n frames is from the nearest of some; n where there are none."""
    away = np.abs(np.arange(n)[:, None] - np.reshape(keep, (1, -1)))
    return away.min(axis=1, initial=n).astype(float)


def rise_to(span: Array, length: Array) -> Array:
    """How far a leg's root must rise to be its length (T,) above a target at `span` (T, 3)."""
    above = np.sqrt(np.maximum(length**2 - span[:, 0] ** 2 - span[:, 2] ** 2, 0.0))
    return span[:, 1] + above


def _sensitivity(a: Array, b: Array, length: Array) -> Array:
    """How far a knee moves across its leg when the leg's length changes by 1, shape (T,)."""
    # Law of cosines: the knee's place along the line from hip to ankle.
    along = (length**2 + a**2 - b**2) / (2.0 * length)
    # The derivative of the knee's distance grows without bound as the leg straightens.
    bend = np.sqrt(np.maximum(a**2 - along**2, LEAST_BEND**2))
    return length / (4.0 * bend)
