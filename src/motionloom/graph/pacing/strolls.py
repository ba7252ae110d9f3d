"""Whether walks that are slowed far came out as walks, and near to what was asked."""

from __future__ import annotations

import numpy as np
import scipy

from motionloom.graph.pacing.plan import PLAIN, TimeMap
from motionloom.synthesis.generator import Draft

#: A body found this near, metres and degrees, has arrived: the rest is bent.
NEAR, TURNED = 0.25, 15.0
#: Nobody who walks is off the ground for longer, seconds.
FLIGHT = 0.15


def has_strolls(times: TimeMap | None) -> bool:
    """Whether any leg is slowed farther than every gait may be."""
    return times is not None and any(leg.pace < 1.0 / PLAIN for leg in times.legs)


def doubt_of(draft: Draft, times: TimeMap | None, fps: float) -> tuple[float, int]:
    """How little a draft is to be trusted to answer what was asked by walking slowly.

    Parameters
    ----------
    draft : Draft
        With errors and contacts as found, at the times asked for.
    times : TimeMap or None
        What was slowed.
    fps : float
        Frames per second of the motion.

    Returns
    -------
    miss : float
        How many times too far from where it should be the body is at most; 1 where it has arrived.
    flights : int
        Frames in which it flies in legs that are slowed far: a jump or a run in slow motion.
    """
    miss = 1.0
    for error in draft.errors or ():
        if error.kind == "body":
            miss = max(miss, error.position / NEAR, (error.facing or 0.0) / TURNED)
    if times is None or draft.contacts is None:
        return miss, 0
    flies = np.zeros(len(times.shown), bool)
    for leg in times.legs:
        if leg.pace < 1.0 / PLAIN:
            span = slice(round(leg.begin * fps), round(leg.end * fps) + 1)
            flies[span] = ~draft.contacts.down[span].any(axis=1)
    longest = round(FLIGHT * fps)
    return miss, int(scipy.ndimage.binary_opening(flies, np.ones(longest + 1, bool)).sum())
