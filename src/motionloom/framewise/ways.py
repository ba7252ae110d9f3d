"""Ways of the unknowns through poses that serve the goals: what frames in between settle near."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.curves import minimum_jerk
from motionloom.framewise.goals import Goal
from motionloom.typing import Array, Bools, Ints

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


def ways_between(
    poses: dict[int, Array], frames: tuple[int, int], size: int, run_on: float = 6.0
) -> Array:
    """Ways (N, A) through poses (A,) of some frames, from zero and back to it where there is time.

    Quintic polynomials lead from each to the next, with one speed and no acceleration where they
    meet; runs of neighbouring frames run on for `run_on` frames.
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
    if len(times) == 1:
        return values
    speeds, follows = _speeds(times, values)
    ways = np.empty((stop - first, size))
    for i, frame in enumerate(range(first, stop)):
        k = min(int(np.searchsorted(times, frame, side="right")) - 1, len(times) - 2)
        gap = float(times[k + 1] - times[k])
        since = float(frame - times[k])
        lasts = np.where(follows[k : k + 2], min(gap, run_on), gap)
        ways[i] = (
            values[k]
            + minimum_jerk(since / gap) * (values[k + 1] - values[k])
            + _carried(since, lasts[0]) * speeds[k]
            - _carried(gap - since, lasts[1]) * speeds[k + 1]
        )
    return ways


def _carried(time: float, span: float) -> float:
    """How far a speed of 1 carries until it has died away, without acceleration at both ends."""
    w = min(time / span, 1.0)
    return span * (w - w**3 * (6.0 - 8.0 * w + 3.0 * w * w))


def _speeds(times: Ints, values: Array) -> tuple[Array, Bools]:
    """Speed (K, A) at every pose, a frame: none at extremes and at both ends, else between those
    of the ways before and after, so that nothing overshoots (Fritsch & Butland 1984); at the ends
    of runs theirs. And where that is (K,).
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
    follows = np.zeros(len(times), bool)
    follows[leaves] = follows[joins] = True
    return speeds, follows
