"""GaitPlan: a route, its times and the gait on it put together, before any pose is made."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.curves import hann_average
from motionloom.gait.path.footprints import GRAVITY, FootSteps, Way, plan_footsteps
from motionloom.gait.path.phases import find_phases
from motionloom.gait.path.tables.mix import TableMix, as_mix
from motionloom.gait.path.tables.table import GaitTable
from motionloom.gait.path.way.route import Route
from motionloom.gait.path.way.timing import Timing
from motionloom.motion import GroundTransform
from motionloom.threads import one_thread
from motionloom.typing import Array

#: Before and behind what is made, so much is planned too, seconds.
MARGIN = 2.0
#: Legs lean by these shares of what centripetal acceleration asks for, where it asks for so many
#: radians, as in captured turns: who walks a gentle curve hardly leans, who runs one does.
LEAN_AT, LEAN_SHARES = (0.12, 0.3), (0.45, 0.8)
#: It comes to lean over this time, seconds.
LEAN_TIME = 0.4


@dataclass(frozen=True, eq=False)
class GaitPlan:
    """What a gait will do.

    Parameters
    ----------
    mix : TableMix
        The gait over speed, and its style on the way.
    way : Way
        Where the body goes.
    steps : pair of FootSteps
        Where the feet stand, left and right.
    """

    mix: TableMix
    way: Way
    steps: tuple[FootSteps, FootSteps]

    @property
    def table(self) -> GaitTable:
        """The gait over speed, where no style is asked for."""
        return self.mix.base

    @property
    def n_frames(self) -> int:
        """Number of frames T."""
        return self.way.n_frames


@one_thread()
def plan_gait(
    gait: GaitTable | TableMix,
    route: Route,
    timing: Timing,
    phase: float = 0.0,
    rate: float = 1.0,
) -> GaitPlan:
    """Plan a gait along a route.

    Parameters
    ----------
    gait : GaitTable or TableMix
        The gait over speed; a mix has as many frames as `timing`.
    route : Route
        Where it leads.
    timing : Timing
        When the body is where.
    phase : float
        Of the first frame, where the body moves in it.
    rate : float
        Steps are so many times as quick as they usually are.

    Returns
    -------
    GaitPlan
        With as many frames as `timing`.
    """
    pad = round(MARGIN * timing.fps)
    wide = _padded(timing, pad)
    own = as_mix(gait, timing.n_frames).paced(rate)
    mix = own.at(np.arange(-pad, timing.n_frames + pad))
    phases = find_phases(mix, wide.speeds, timing.fps, phase, pad)
    way = _way_of(route, wide, phases)
    steps = plan_footsteps(mix, way)
    stop = pad + timing.n_frames
    left, right = (s.cut(pad, stop) for s in steps)
    return GaitPlan(own, way.cut(pad, stop), (left, right))


def _padded(timing: Timing, pad: int) -> Timing:
    """Timing with the speeds of its ends kept up before and behind."""
    before = timing.along[0] - timing.speeds[0] / timing.fps * np.arange(pad, 0, -1)
    behind = timing.along[-1] + timing.speeds[-1] / timing.fps * np.arange(1, pad + 1)
    return Timing(
        timing.fps,
        np.concatenate([before, timing.along, behind]),
        np.pad(timing.speeds, pad, mode="edge"),
    )


def _way_of(route: Route, timing: Timing, phases: Array) -> Way:
    bend = route.curvature_at(timing.along)
    full = np.arctan(timing.speeds**2 * bend / GRAVITY)
    leans = full * np.interp(np.abs(full), LEAN_AT, LEAN_SHARES)
    leans = hann_average(leans, max(1, round(0.5 * LEAN_TIME * timing.fps)))
    stand: GroundTransform = route.at(timing.along)
    return Way(fps=timing.fps, stand=stand, speeds=timing.speeds, leans=leans, phases=phases)
