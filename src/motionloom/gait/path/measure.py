"""How well feet stand: the speed of the slowest point of each foot over each stance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.analysis.soles import Soles, point_velocity
from motionloom.curves import runs_of
from motionloom.gait.path.tables.table import SIDES
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Bools

#: Stances shorter than this are passed over, seconds; so are those cut off by an end of the motion
#: to less than the other.
SHORTEST, LEAST_CUT = 0.08, 0.3


@dataclass(frozen=True)
class StanceSpeed:
    """One stance.

    Parameters
    ----------
    side : str
        Left or right.
    begin, end : float, seconds
        Of the stance.
    slowest : float, metres per second
        Speed on the ground of the slower of heel and toe, the mean over the stance.
    """

    side: str
    begin: float
    end: float
    slowest: float


def stance_speeds(posed: PosedMotion, soles: Soles, down: Bools) -> tuple[StanceSpeed, ...]:
    """Speed of the slowest point of the foot over every stance.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    soles : Soles
        Heels and toes.
    down : bool array of shape (T, 2)
        Whether the left and the right foot stand.

    Returns
    -------
    tuple of StanceSpeed
        In the order of time, left before right.
    """
    velocity = point_velocity(soles.positions(posed), posed.fps)
    speeds = np.linalg.norm(velocity[..., [0, 2]], axis=-1)
    found = []
    for foot, side in enumerate(SIDES):
        slower = speeds[:, list(soles.of(f"{side}_foot"))].min(axis=1)
        for begin, end in runs_of(down[:, foot]):
            cut = begin == 0 or end == posed.n_frames
            if (end - begin) / posed.fps >= (LEAST_CUT if cut else SHORTEST):
                mean = float(slower[begin:end].mean())
                found.append(StanceSpeed(side, begin / posed.fps, end / posed.fps, mean))
    return tuple(sorted(found, key=lambda s: s.begin))


def lowest_point(posed: PosedMotion, soles: Soles) -> float:
    """How far any point of the soles is below where it rests on a ground at height 0, metres."""
    heights = soles.positions(posed)[..., 1] - np.array([p.rest for p in soles.points])
    return float(max(-heights.min(), 0.0))
