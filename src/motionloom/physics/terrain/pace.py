"""Time on stairs: people climb at a slower pace than they walk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import scipy

from motionloom import rotations as rot
from motionloom.curves import gaussian_average
from motionloom.physics.terrain.footholds import Foothold
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array

#: Time over which the pace changes, seconds (standard deviation).
CHANGING = 0.3
#: Slowest that time may go.
MOST_SLOWER = 3.0


def slow_on_steps(posed: PosedMotion, holds: Sequence[Foothold], slower: float) -> PosedMotion:
    """Slow a motion down while it goes from level to level.

    Parameters
    ----------
    posed : PosedMotion
        The level motion.
    holds : sequence of Foothold
        Planned for it, in the order in which feet come down.
    slower : float
        How many times as long a step on stairs takes.

    Returns
    -------
    PosedMotion
        With more frames at the same rate; the same one where there are no stairs.
    """
    climbs = np.zeros(posed.n_frames)
    for a, b in pairwise(holds):
        if a.level != b.level:
            climbs[max(a.stance.middle, 0) : b.stance.middle + 1] = 1.0
    if not climbs.any() or slower == 1.0:
        return posed
    lasts = 1.0 + (slower - 1.0) * gaussian_average(climbs, CHANGING * posed.fps)
    times = np.concatenate([[0.0], np.cumsum(0.5 * (lasts[1:] + lasts[:-1]))])
    shown = scipy.interpolate.PchipInterpolator(times, np.arange(posed.n_frames, dtype=float))
    at = shown(np.arange(int(times[-1]) + 1, dtype=float))
    motion = posed.motion
    turns = _through(rot.unroll(motion.rotations), at)
    places = _through(motion.translations, at)
    return posed.with_motion(replace(motion, rotations=rot.normalize(turns), translations=places))


def _through(values: Array, at: Array) -> Array:
    """Values (T, ...) at fractional frames, on cubic splines."""
    spline = scipy.interpolate.CubicSpline(np.arange(len(values)), values, axis=0)
    found: Array = spline(at)
    return found
