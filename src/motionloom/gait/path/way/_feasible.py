"""Whether a gait can follow a way at its speeds, and if not, the nearest that it can."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.edit.limbs import LARGEST_DROP
from motionloom.errors import SynthesisError
from motionloom.gait.path._lay import GaitPlan, Laid, lacking, lay, plan_gait, pose_laid
from motionloom.gait.path.tables._mix import NOTHING, TableMix, as_mix
from motionloom.gait.path.tables.table import GaitTable
from motionloom.gait.path.way.route import Route
from motionloom.gait.path.way.timing import Timing
from motionloom.typing import Array

#: Nobody is asked for more centripetal acceleration than shoes hold, metres per second squared.
GRIP = 6.0
#: Frames per second at which a way is checked.
CHECKED = 30.0
#: Speeds and radii are looked for in so many halvings, from these shares of what is asked.
HALVINGS = 6
SLOWEST_SHARE = 0.15
WIDEST_SHARE = 6.0


@dataclass(frozen=True)
class Obstacle:
    """What keeps a gait from following a way.

    Parameters
    ----------
    time : float, seconds
        Where it is worst.
    text : str
        In words.
    """

    time: float
    text: str


def try_way(
    gait: GaitTable | TableMix, route: Route, timing: Timing
) -> Obstacle | tuple[GaitPlan, Laid]:
    """Plan a gait along a way and lay the body on it, or say what keeps it from following.

    Parameters
    ----------
    gait : GaitTable or TableMix
        The gait over speed; a mix has as many frames as `timing`.
    route : Route
        The way.
    timing : Timing
        When the body is where.

    Returns
    -------
    Obstacle, or plan and laid
    """
    mix = as_mix(gait, timing.n_frames)
    limits = mix.fastest()
    fastest = int((timing.speeds / limits).argmax())
    if timing.speeds[fastest] > limits[fastest] * 1.001:
        return Obstacle(
            fastest / timing.fps,
            f"it asks for {timing.speeds[fastest]:.2f} m/s, and this person"
            f" {_reach(mix, fastest)} up to {limits[fastest]:.2f} m/s",
        )
    pull = timing.speeds**2 * np.abs(route.curvature_at(timing.along))
    worst = int(pull.argmax())
    if pull[worst] > GRIP:
        return Obstacle(
            worst / timing.fps,
            f"it turns with a radius of {timing.speeds[worst] ** 2 / pull[worst]:.2f} m at"
            f" {timing.speeds[worst]:.2f} m/s, which no shoe holds",
        )
    plan = plan_gait(mix, route, timing)
    laid = lay(plan)
    return _short_legs(plan, laid) or (plan, laid)


def _reach(mix: TableMix, frame: int) -> str:
    """What somebody does whose style in a frame is the one of least speed: walks elderly."""
    present = np.flatnonzero(mix.shares[frame] > NOTHING)
    slowest = min(present, key=lambda k: mix.tables[k].speeds[-1])
    kind = "runs" if mix.tables[slowest].running[-1] else "walks"
    name = mix.names[slowest]
    return f"{kind} in the style {name!r}" if name else kind


def _short_legs(plan: GaitPlan, laid: Laid) -> Obstacle | None:
    need = lacking(pose_laid(laid, plan), laid, plan.table)
    worst = int(need.argmax())
    if need[worst] <= LARGEST_DROP * plan.table.body.soles.leg:
        return None
    return Obstacle(
        worst / plan.way.fps,
        f"at {plan.way.speeds[worst]:.2f} m/s there the footprints are so far apart that the hips"
        f" would have to sink by {100 * need[worst]:.0f} cm for the legs to reach",
    )


def refuse_unfeasible(gait: GaitTable | TableMix, route: Route, timing: Timing) -> None:
    """Refuse a way that no gait can follow, and say which speed or radius is near.

    Parameters
    ----------
    gait : GaitTable or TableMix
        The gait over speed; a mix has as many frames as `timing`.
    route : Route
        The way.
    timing : Timing
        When the body is where.

    Raises
    ------
    SynthesisError
        In one sentence with what could be asked for instead.
    """
    mix, coarse = _at_rate(as_mix(gait, timing.n_frames), timing, CHECKED)
    obstacle = try_way(mix, route, coarse)
    if not isinstance(obstacle, Obstacle):
        return
    instead = []
    slower = _largest_share(mix, route, coarse, SLOWEST_SHARE)
    if slower is not None:
        instead.append(
            f"at up to {slower * float(coarse.speeds.max()):.2f} m/s (in"
            f" {coarse.times[-1] / slower:.1f} s instead of {coarse.times[-1]:.1f}) it can"
        )
    if np.isfinite(route.tightest):
        wider = _largest_share(mix, route, coarse, 1.0 / WIDEST_SHARE, widened=True)
        if wider is not None:
            wide = route.tightest / wider
            instead.append(f"with turns of {wide:.2f} m instead of {route.tightest:.2f} m it can")
    advice = " or ".join(instead) if instead else "make the way slower and its turns wider"
    raise SynthesisError(
        f"no gait follows this way: at {obstacle.time:.1f} s {obstacle.text}; {advice}"
    )


def _largest_share(
    mix: TableMix, route: Route, timing: Timing, low: float, widened: bool = False
) -> float | None:
    """Largest share of the speeds asked that can be gone at; None when the lowest cannot.

    A way that is widened is larger by as much as it is slower, so that speeds are those asked.
    """

    def fails(share: float) -> bool:
        size = 1.0 / share if widened else 1.0
        other, slower = _stretched(mix, timing, share)
        return isinstance(try_way(other, route.scaled(size), slower.scaled(size)), Obstacle)

    if fails(low):
        return None
    high = 1.0
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if fails(middle) else (middle, high)
    return low


def _stretched(mix: TableMix, timing: Timing, share: float) -> tuple[TableMix, Timing]:
    """The same way in more time: all speeds are that share of what they were."""
    n = round((timing.n_frames - 1) / share) + 1
    at = np.minimum(np.arange(n) * share, timing.n_frames - 1)
    return _read_at(mix, timing, at, timing.fps, share)


def _at_rate(mix: TableMix, timing: Timing, fps: float) -> tuple[TableMix, Timing]:
    n = max(2, round(timing.times[-1] * fps) + 1)
    return _read_at(mix, timing, np.arange(n) / fps * timing.fps, fps)


def _read_at(
    mix: TableMix, timing: Timing, at: Array, fps: float, share: float = 1.0
) -> tuple[TableMix, Timing]:
    """Mix and times at frames that need not be whole, speeds a share of what they were."""
    every = np.arange(timing.n_frames)
    along, speeds = (np.interp(at, every, values) for values in (timing.along, timing.speeds))
    return mix.at(at), Timing(fps, along, share * speeds)
