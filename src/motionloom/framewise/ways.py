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

    Quintic polynomials lead from each to the next, with one speed and no acceleration where they
    meet.
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
    speeds = _speeds(times, values)
    ways = np.empty((stop - first, size))
    for i, frame in enumerate(range(first, stop)):
        k = min(int(np.searchsorted(times, frame, side="right")) - 1, len(times) - 2)
        span = times[k + 1] - times[k]
        share = (frame - times[k]) / span
        ends = (span * speeds[k], span * speeds[k + 1])
        ways[i] = _quintic(share, values[k], values[k + 1], *ends)
    return ways


def _speeds(times: NDArray[np.int64], values: Array) -> Array:
    """Speed (K, A) at every pose, a frame: none at extremes and at both ends, else between those
    of the ways before and after, so that nothing overshoots (Fritsch & Butland 1984).
    """
    speeds = np.zeros_like(values)
    rate = np.diff(values, axis=0) / np.diff(times)[:, None]
    before, after = rate[:-1], rate[1:]
    gaps = np.diff(times).astype(float)[:, None]
    share = (gaps[:-1] + 2 * gaps[1:]) / (3 * (gaps[:-1] + gaps[1:]))
    mixed = (1 - share) * before + share * after
    same = before * after > 0
    speeds[1:-1][same] = (before * after)[same] / mixed[same]
    # A run of neighbouring frames goes on as fast as it came.
    runs = np.diff(times) == 1
    leaves = np.flatnonzero(runs[:-1] & ~runs[1:]) + 1
    joins = np.flatnonzero(~runs[:-1] & runs[1:]) + 1
    speeds[leaves] = rate[leaves - 1]
    speeds[joins] = rate[joins]
    return speeds


def _quintic(u: float, a: Array, b: Array, start: Array, end: Array) -> Array:
    """From a with one speed to b with another, without acceleration at both ends."""
    rise = u**3 * (10.0 - 15.0 * u + 6.0 * u * u)
    leave = u - u**3 * (6.0 - 8.0 * u + 3.0 * u * u)
    arrive = u**3 * (-4.0 + 7.0 * u - 3.0 * u * u)
    way: Array = a + rise * (b - a) + leave * start + arrive * end
    return way
