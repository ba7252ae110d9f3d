"""How a body stands on what carries it: flat feet, level feet, and weight above them."""

from __future__ import annotations

import numpy as np

from motionloom.analysis.oddness.tracks import RATE, TRUNK, Track
from motionloom.analysis.oddness.windows import SPAN, window_middles
from motionloom.typing import Array

#: A point this much slower than others, leg lengths per second, carries more; one this much lower,
#: leg lengths, too.
_SLOW, _LOW = 0.3, 0.1


def measure_balance(track: Track) -> Array:
    """How the body stands in the windows of a track.

    Parameters
    ----------
    track : Track
        N frames, P joints.

    Returns
    -------
    array of shape (W, B)
        Slopes of the feet that carry, differences of height between what carries, and where trunk
        and head are above it, leg lengths; means over each window.
    """
    middles = window_middles(len(track))
    speed = np.linalg.norm(np.gradient(track.places, 1 / RATE, axis=0), axis=-1)
    numbers = np.column_stack([_slopes(track, speed), _above_support(track, speed)])
    # Running sums: windows overlap, and each mean is one difference.
    sums = np.concatenate([np.zeros((1, numbers.shape[1])), np.cumsum(numbers, axis=0)])
    first = middles - SPAN // 2
    means: Array = (sums[first + SPAN] - sums[first]) / SPAN
    return means


def _carries(track: Track, speed: Array, joints: list[int]) -> Array:
    """Share of the weight that joints are taken to carry, (N, K): the slow and low ones."""
    heights = track.places[:, joints, 1]
    lowest = track.places[..., 1].min(axis=1, keepdims=True)
    # A soft minimum: which foot carries changes from frame to frame, and a hard one would jump.
    # The last number keeps the sum above 0 where everything is fast and high.
    weight = np.exp(-speed[:, joints] / _SLOW - (heights - lowest) / _LOW) + 1e-9
    share: Array = weight / weight.sum(axis=1, keepdims=True)
    return share


def _slopes(track: Track, speed: Array) -> Array:
    """Slope of the foot that carries, how high it is, and of both feet how much more one is up."""
    feet = [track.limb(side, ("foot", "toe")) for side in ("left", "right")]
    feet = [pair for pair in feet if len(pair) == 2]
    if not feet:
        return np.zeros((len(track), 0))
    ways = np.stack([track.places[:, toe] - track.places[:, foot] for foot, toe in feet], axis=1)
    slopes = ways[..., 1] / (np.linalg.norm(ways, axis=-1) + 1e-9)
    share = _carries(track, speed, [toe for _, toe in feet])
    carried = (slopes * share).sum(axis=1)
    spread = np.sqrt((share * (slopes - carried[:, None]) ** 2).sum(axis=1))
    return np.column_stack([carried, slopes.min(axis=1), slopes.max(axis=1), spread])


def _above_support(track: Track, speed: Array) -> Array:
    """Where the trunk is, seen from the point that carries: to the left, up and ahead; and how
    uneven what carries is.
    """
    everything = list(range(len(track.roles)))
    share = _carries(track, speed, everything)
    support = np.einsum("np,npc->nc", share, track.places)
    uneven = np.sqrt(np.einsum("np,np->n", share, (track.places[..., 1] - support[:, 1:2]) ** 2))
    facing = track.facing()
    cos, sin = np.cos(facing)[:, None], np.sin(facing)[:, None]
    trunk = [i for i, role in enumerate(track.roles) if role in TRUNK]
    away = track.places[:, trunk] - support[:, None]
    left = cos * away[..., 0] - sin * away[..., 2]
    ahead = sin * away[..., 0] + cos * away[..., 2]
    # Joints stand for the mass: a plain mean of them is near enough to the center of mass here.
    mean = track.places.mean(axis=1) - support
    aside = np.hypot(mean[:, 0], mean[:, 2])
    return np.column_stack([left, ahead, away[..., 1], np.abs(left), aside, uneven])
