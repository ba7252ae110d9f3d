"""How feet meet uneven ground: how they swing, what they clear, what of them lands first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from motionloom.physics.terrain.footholds import EDGE, Heights
from motionloom.typing import Array, Bools

#: A point of a sole that is no higher than this over its tread has landed, metres.
LANDED = 0.01
#: The forefoot lands first when the heel follows later than this, seconds.
LATER = 0.02


@dataclass(frozen=True)
class Landing:
    """How a foot comes down onto another level.

    Parameters
    ----------
    rise : float, metres
        Of the level over that which the foot left.
    swing : float, seconds
        Since the ball of the foot left the ground.
    cycle : float, seconds
        From the landing before to this one.
    heel_later : float, seconds
        From the ball's landing to the heel's.
    clearance : float, metres
        Smallest height of the sole over the edges that it passed; NaN where none was passed.
    """

    rise: float
    swing: float
    cycle: float
    heel_later: float
    clearance: float


@dataclass(frozen=True, eq=False)
class Steps:
    """One foot's points over time, and when it stands, for `find_landings`.

    Parameters
    ----------
    points : array of shape (T, P, 3), metres
        Heel and ball of the foot, at the height of the ground where they rest.
    stances : sequence of (int, int, int)
        First frame in which it bears, first and last in which its ball stands.
    fps : float
        Frames per second.
    """

    points: Array
    stances: Sequence[tuple[int, int, int]]
    fps: float


def find_landings(steps: Steps, heights: Heights) -> list[Landing]:
    """Landings of one foot on another level than it left.

    Parameters
    ----------
    steps : Steps
        What the foot does.
    heights : callable
        Heights of the ground at places (..., 2).

    Returns
    -------
    list of Landing
    """
    points = steps.points
    ground = heights(points[..., [0, 2]])
    found = []
    for (came, _, left), (start, first, last) in pairwise(steps.stances):
        before = float(np.median(ground[came : left + 1, -1]))
        here = float(np.median(ground[first : last + 1, -1]))
        if abs(here - before) < EDGE:
            continue
        landed = points[left:last, :, 1] < here + LANDED
        landed &= np.abs(ground[left:last] - here) < EDGE
        ball, heel = (_first(landed[:, i]) for i in (-1, 0))
        found.append(
            Landing(
                rise=here - before,
                swing=(start - left) / steps.fps,
                cycle=(start - came) / steps.fps,
                heel_later=(heel - ball) / steps.fps,
                clearance=_clearance(points[left:start], ground[left:start]),
            )
        )
    return found


def _first(landed: Bools) -> int:
    """First frame of what has landed for good."""
    up = np.flatnonzero(~landed)
    return int(up[-1]) + 1 if len(up) and up[-1] + 1 < len(landed) else int(np.argmax(landed))


def _clearance(points: Array, ground: Array) -> float:
    """Smallest height of points (N, P, 3) over the edges that they pass; NaN without any."""
    passed = np.abs(np.diff(ground, axis=0)) > EDGE
    upper = np.maximum(ground[:-1], ground[1:])
    over = 0.5 * (points[:-1, :, 1] + points[1:, :, 1]) - upper
    return float(over[passed].min()) if passed.any() else float("nan")


def forefoot_share(landings: Sequence[Landing]) -> float:
    """Share of landings in which the forefoot came down first; NaN without any."""
    if not landings:
        return float("nan")
    return float(np.mean([landing.heel_later > LATER for landing in landings]))
