"""Long motions window by window: neighbours overlap, and their curves are blended there."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from motionloom.curves import smoothstep
from motionloom.typing import Array

#: Neighbouring windows share this much time, seconds.
OVERLAP = 2.0


def window_spans(n_frames: int, fps: float, window: float) -> list[tuple[int, int]]:
    """First frame of every window, and the one behind its last.

    Parameters
    ----------
    n_frames : int
        T.
    fps : float
        Frames per second.
    window : float, seconds
        Length of a window.

    Returns
    -------
    list of (int, int)
        One window where the motion is no longer than that.
    """
    size = round(window * fps)
    if n_frames <= size:
        return [(0, n_frames)]
    shared = round(OVERLAP * fps)
    count = int(np.ceil((n_frames - shared) / (size - shared)))
    starts = np.round(np.linspace(0, n_frames - size, count)).astype(int)
    return [(int(start), int(start) + size) for start in starts]


def window_weights(spans: list[tuple[int, int]]) -> list[Array]:
    """Shares of the windows in the curves of their frames; they add up to 1 in every frame."""
    weights = [np.ones(stop - start) for start, stop in spans]
    for (k, before), (_, after) in pairwise(enumerate(spans)):
        shared = before[1] - after[0]
        rise = smoothstep((np.arange(shared) + 0.5) / shared)
        weights[k][-shared:] *= 1 - rise
        weights[k + 1][:shared] *= rise
    return weights
