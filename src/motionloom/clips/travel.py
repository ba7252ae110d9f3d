"""How the body travels in every frame of a clip set: forward, sideways, turning; averaged over a
stride.
"""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from motionloom.clips.clip_set import ClipSet
from motionloom.motion import GroundTransform
from motionloom.skeleton import frozen_array
from motionloom.typing import Array

#: Time over which travel is averaged, seconds: about a stride, so that the sway of a straight walk
#: is no turning.
WINDOW = 1.0


@dataclass(frozen=True, eq=False)
class Travel:
    """Mean motion of the body in the second around every frame.

    Parameters
    ----------
    forward, left : arrays of shape (N,), metres per second
        Mean velocity as the body sees it, ahead and to its left.
    turn : array of shape (N,), degrees per second
        Mean turn rate, positive to the left.
    gain : array of shape (N,), metres per second squared
        From the mean speed in the second before to that in the second after; 0 where a clip is too
        short to tell.
    """

    forward: Array
    left: Array
    turn: Array
    gain: Array

    @property
    def speed(self) -> Array:
        """Mean speed in any direction, shape (N,), metres per second."""
        return np.hypot(self.forward, self.left)


#: Every search asks for it, so each clip set is measured once; by the time averaged over.
_KNOWN: WeakKeyDictionary[ClipSet, dict[float, Travel]] = WeakKeyDictionary()


def measure_travel(clips: ClipSet, window: float = WINDOW) -> Travel:
    """Measure how the body travels.

    Parameters
    ----------
    clips : ClipSet
        Clips with N frames; measured when first asked for.
    window : float, seconds
        What is averaged over; near the ends of a clip its first or last such span counts, in a
        shorter clip all of it.

    Returns
    -------
    Travel
        Its arrays cannot be written to.

    Examples
    --------
    >>> from motionloom.clips.clip_set import make_clip_set
    >>> travel = measure_travel(make_clip_set([walk]))
    >>> round(float(np.median(travel.speed)), 1)  # metres per second
    0.9
    """
    known = _KNOWN.setdefault(clips, {})
    if window not in known:
        width = max(round(window * clips.fps), 1)
        parts = [_travel_of(clips.body[a:b], clips.fps, width) for a, b in clips.spans]
        known[window] = Travel(*map(frozen_array, np.concatenate(parts, axis=1)))
    return known[window]


def usual_leg(clips: ClipSet) -> float:
    """Length of a leg, metres, of any body: as high as the hips usually are, which one without legs
    has too.

    Examples
    --------
    >>> from motionloom.clips.clip_set import make_clip_set
    >>> round(usual_leg(make_clip_set([walk])), 1)  # metres
    0.9
    """
    hips = clips.roles.joints.get("hips", 0)
    # Bodies that crawl or hover at the ground have no paces otherwise.
    return max(float(np.median(clips.positions[:, hips, 1])), 0.1)


def _travel_of(body: Array, fps: float, width: int) -> Array:
    """Forward, left, turn and gain of one clip, shape (4, n)."""
    n = len(body)
    width = min(width, n - 1)
    step = np.diff(body[:, :2], axis=0) * fps
    facing = 0.5 * (body[1:, 2] + body[:-1, 2])
    aside, ahead = GroundTransform(facing).seen(step).T
    sums = np.concatenate([np.zeros((2, 1)), np.cumsum([ahead, aside], axis=1)], axis=1)
    local = (sums[:, width:] - sums[:, :-width]) / width
    turn = np.degrees(body[width:, 2] - body[:-width, 2]) * fps / width
    begin = np.clip(np.arange(n) - width // 2, 0, n - 1 - width)
    gain = np.zeros(n)
    if n > 2 * width:
        speed = np.hypot(*local)
        middle = np.clip(np.arange(n), width, n - 1 - width)
        gain = (speed[middle] - speed[middle - width]) * fps / width
    return np.vstack([local[:, begin], turn[begin], gain])
