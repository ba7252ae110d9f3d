"""Where walking ends and running begins, by what was captured."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

#: Froude number (speed squared over gravity and hip height) at which people change from walk to run
#: (Alexander 1989). It decides only among speeds at which nobody was captured.
FROUDE = 0.5
_GRAVITY = 9.81
#: Walking goes over into running between speeds that differ by this, metres per second, and by no
#: less than the second where somebody was captured running at nearly the speed of their walk.
WIDTH, LEAST_WIDTH = 0.3, 0.15
#: Strides of a take are up to this much faster than their mean (3 % in walks of six people).
FASTER = 1.03


@dataclass(frozen=True)
class GaitChange:
    """Speeds between which walking goes over into running, metres per second.

    Parameters
    ----------
    walks_to : float
        Fastest walk.
    runs_from : float
        Slowest run.
    """

    walks_to: float
    runs_from: float

    @property
    def middle(self) -> float:
        """Speed below which it is rather a walk."""
        return 0.5 * (self.walks_to + self.runs_from)


def change_between(walked: float, run: float, hip_height: float) -> GaitChange:
    """The change of somebody who was captured walking and running.

    All captured walking is walked. The change lies where Froude's law has it, but behind the
    fastest captured walk and, where there is room, before the slowest captured run.

    Parameters
    ----------
    walked : float, metres per second
        Fastest captured walk.
    run : float, metres per second
        Slowest captured run.
    hip_height : float, metres
        Of the body.

    Returns
    -------
    GaitChange
    """
    walked = FASTER * walked
    usual = float(np.sqrt(FROUDE * _GRAVITY * hip_height))
    walks_to = max(min(usual, run - 0.5 * WIDTH) - 0.5 * WIDTH, walked)
    width = float(np.clip(run - walks_to, LEAST_WIDTH, WIDTH))
    return GaitChange(walks_to, walks_to + width)
