"""Ways of the unknowns through poses that serve the goals: what frames in between settle near."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from motionloom.framewise.goals import Goal

Array = NDArray[np.float64]

#: Longest time between frames of a long goal that are tried by themselves, seconds, and most such
#: frames.
_APART, _TRIES = 0.25, 12


def tried_frames(goals: Sequence[Goal], fps: float, frames: tuple[int, int]) -> list[int]:
    """Frames whose poses are looked for first: some of every goal, and where easing begins and ends
    within the span of an edit.
    """
    found: set[int] = set()
    for goal in goals:
        count = int(np.ceil((goal.last - goal.first) / (_APART * fps))) + 1
        count = min(count, _TRIES)
        found |= {int(f) for f in np.linspace(goal.first, goal.last, count).round()}
        mates = [g for g in goals if g.effector == goal.effector and g is not goal]
        begin = goal.first - int(goal.ease_in * fps)
        end = goal.last + int(goal.ease_out * fps)
        if not any(begin - g.ease_out * fps < g.last < goal.first for g in mates):
            found.add(begin)
        if not any(goal.last < g.first < end + g.ease_in * fps for g in mates):
            found.add(end)
    return sorted(f for f in found if frames[0] <= f < frames[1])


def ways_between(poses: dict[int, Array], frames: tuple[int, int], size: int) -> Array:
    """Ways (N, A) through poses (A,) of some frames, from zero and back to it where there is time.

    Runs of neighbouring frames are followed as they are; from one to the next lead quintic
    polynomials that begin and end with the speeds of the runs, or none where a pose stands alone.
    """
    first, stop = frames
    none = np.zeros(size)
    keys = dict(sorted(poses.items()))
    if first not in keys:
        keys = {first - 1: none, **keys}
    if stop - 1 not in keys:
        keys = {**keys, stop: none}
    times = np.array(list(keys))
    values = np.array(list(keys.values()))
    ways = np.empty((stop - first, size))
    for i, frame in enumerate(range(first, stop)):
        k = min(int(np.searchsorted(times, frame, side="right")) - 1, len(times) - 2)
        span = times[k + 1] - times[k]
        share = (frame - times[k]) / span
        start = values[k] - values[k - 1] if k and times[k] - times[k - 1] == 1 else none
        runs_on = k + 2 < len(times) and times[k + 2] - times[k + 1] == 1
        end = values[k + 2] - values[k + 1] if runs_on else none
        ways[i] = _quintic(share, values[k], values[k + 1], span * start, span * end)
    return ways


def _quintic(u: float, a: Array, b: Array, start: Array, end: Array) -> Array:
    """From a with one speed to b with another, without acceleration at both ends."""
    rise = u**3 * (10.0 - 15.0 * u + 6.0 * u * u)
    leave = u - u**3 * (6.0 - 8.0 * u + 3.0 * u * u)
    arrive = u**3 * (-4.0 + 7.0 * u - 3.0 * u * u)
    way: Array = a + rise * (b - a) + leave * start + arrive * end
    return way

