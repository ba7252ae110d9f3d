"""Where a foot is between its footholds, frame by frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.curves import minimum_jerk
from motionloom.physics.terrain.footholds import Foothold
from motionloom.typing import Array, Ints

#: Edges of this height make a step of stairs, metres; lower ones partly.
FULL_STEP = 0.10
#: Heels are lifted less at the end of stances on stairs, by these shares up and down.
LESS_UP, LESS_DOWN = 0.15, 0.5
#: How long stances usually last, seconds.
USUAL_STANCE = 0.6


@dataclass(frozen=True, eq=False)
class Phases:
    """Where a foot is between its footholds, frame by frame.

    Parameters
    ----------
    before, behind : int arrays of shape (T,)
        Footholds that it comes from and goes to; the same one in a stance.
    share : array of shape (T,)
        Of the time of a swing, 0 in stances.
    stepping : array of shape (T,)
        1 in swings over edges, less over lower ones.
    falling : array of shape (T,)
        The same of swings that end lower only.
    landing, leaving : arrays of shape (T,)
        How far a foot is about to come down from, or to leave for, a step of stairs.
    since : array of shape (T,), seconds
        Since the foot came down.
    """

    before: Ints
    behind: Ints
    share: Array
    stepping: Array
    falling: Array
    landing: Array
    leaving: Array
    since: Array


def find_phases(holds: Sequence[Foothold], n: int, fps: float) -> Phases:
    """Phases of one foot.

    Parameters
    ----------
    holds : sequence of Foothold
        Of this foot, in their order.
    n : int
        Frames of the motion.
    fps : float
        Frames per second.

    Returns
    -------
    Phases
    """
    before = np.zeros(n, np.int64)
    behind = np.zeros(n, np.int64)
    share = np.zeros(n)
    stepping = np.zeros(n)
    falling = np.zeros(n)
    landing = np.zeros(n)
    leaving = np.zeros(n)
    since = np.full(n, np.inf)
    for k, hold in enumerate(holds):
        s = hold.stance
        run = slice(s.start, s.stop)
        since[s.start :] = np.arange(max(n - s.start, 0)) / fps
        before[s.start :] = behind[s.start :] = k
        # The middle third belongs to coming and to going in turn; of a stance that the motion's end
        # cuts short nothing is known.
        long = max(s.stop - s.start, round(USUAL_STANCE * fps) if s.stop == n else 1)
        turn = minimum_jerk(3.0 * (np.arange(s.stop - s.start) + 0.5) / long - 1.0)
        if k:
            w, fall = _stepping(holds[k - 1], hold)
            landing[run] = w * (1.0 - turn[: max(n - s.start, 0)])
            falling[run] = w * fall
            swing = slice(holds[k - 1].stance.last + 1, s.start)
            before[swing] = k - 1
            behind[swing] = k
            swung = np.arange(1.0, swing.stop - swing.start + 1) / (swing.stop - swing.start + 1)
            share[swing] = swung[: n - swing.start]
            since[swing] = np.inf
            stepping[swing] = w
            falling[swing] = w * fall
            landing[swing] = w * minimum_jerk((share[swing] - 0.4) / 0.55)
            leaving[swing] = w * _less(fall) * (1.0 - minimum_jerk((share[swing] - 0.1) / 0.6))
        if k + 1 < len(holds):
            w, fall = _stepping(hold, holds[k + 1])
            leaving[run] = w * _less(fall) * turn
    return Phases(
        before=before,
        behind=behind,
        share=share,
        stepping=stepping,
        falling=falling,
        landing=landing,
        leaving=leaving,
        since=since,
    )


def _less(falls: float) -> float:
    """Share by which heels are lifted less before a swing."""
    return LESS_DOWN if falls else LESS_UP


def _stepping(a: Foothold, b: Foothold) -> tuple[float, float]:
    """How far a swing is over an edge, 0 to 1, and whether it ends lower."""
    if a.level == b.level:
        return 0.0, 0.0
    rise = b.height - a.height
    return float(minimum_jerk(abs(rise) / FULL_STEP)), float(rise < 0)
