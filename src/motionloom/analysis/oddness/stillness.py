"""How far the joints of each arm turn slowly: nobody keeps one as still as a frozen one is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.oddness.running import means_around, running_means
from motionloom.analysis.oddness.tracks import RATE
from motionloom.typing import Array

#: Joints of an arm that carry it; wrists are not measured in many captures.
BEARING = ("shoulder", "elbow")
#: Turns are compared between means over this time, and averaged over the other; seconds.
_MEAN, _OVER = 0.4, 0.4
#: Turns below this are alike, degrees.
_LEAST = 0.02


def measure_stillness(rotations: Array, limbs: Sequence[Sequence[int]]) -> Array:
    """How little each limb turns, beyond noise.

    Parameters
    ----------
    rotations : array of shape (N, J, 4)
        Local rotations, `RATE` a second.
    limbs : sequence of sequence of int
        Joints of each of L limbs.

    Returns
    -------
    array of shape (N, L)
        Minus the logarithm of how far (degrees) its joints turn in 0.4 s; noise from
        frame to frame is taken off.
    """
    n = len(rotations)
    block = min(round(_MEAN * RATE), (n - 1) // 2)
    turned = np.empty((n, len(limbs)))
    for i, limb in enumerate(limbs):
        own = rot.unroll(rotations[:, list(limb)])
        means = running_means(own, block)
        steps = np.sum((means[block:] - means[:-block]) ** 2, axis=-1)
        # A second difference of noise has six times its variance, a mean its share, and the
        # difference of two means twice that.
        noise = np.sum(np.diff(own, 2, axis=0) ** 2, axis=-1) * (2 / 6 / block)
        over = round(_OVER * RATE)
        noise = means_around(noise, over + 2 * block)
        skip = (len(noise) - len(steps)) // 2
        steps = means_around(steps, over) - noise[skip : skip + len(steps)]
        # Of the joints' turns the quadratic mean; a quaternion's length is half an angle.
        beyond = np.maximum(steps.mean(axis=1), 0.0)
        at = np.clip(np.arange(n) - (n - len(beyond)) // 2, 0, len(beyond) - 1)
        turned[:, i] = np.degrees(2 * np.sqrt(beyond[at]))
    still: Array = -np.log(turned + _LEAST)
    return still
