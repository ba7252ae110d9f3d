"""Phases: where in its cycle a gait is at every moment, at the pace of its speed."""

from __future__ import annotations

import numpy as np
import scipy

from motionloom.curves import smoothstep
from motionloom.gait.path.tables.mix import TableMix
from motionloom.gait.path.way.timing import STANDS
from motionloom.typing import Array, Bools

#: Up to this speed a gait comes to a halt with the body, metres per second.
HALTS = 0.15
#: Before a halt, over this time, steps are taken a little earlier or later so that both feet stand
#: in the end, seconds.
CLOSING = 2.0
#: Who has halted for at least this long brings the other foot beside, in this time, seconds.
RESTS, LAST_STEP = 1.5, 0.9
#: Both feet stand this share of a cycle after a strike.
STRUCK = 0.03
#: A body that starts is this share of a cycle before a foot leaves the ground.
LEAVES = 0.01


def halting(speeds: Array) -> Array:
    """Share of its usual pace that a gait has at speeds: it comes to a halt with the body."""
    return np.clip(speeds / HALTS, 0.0, 1.0)


def find_phases(
    mix: TableMix, speeds: Array, fps: float, phase: float = 0.0, frame: int = 0
) -> Array:
    """Phase of every frame: cycles at the pace of the speed; standing it stops, on both feet.

    Parameters
    ----------
    mix : TableMix
        Durations of cycles over speed.
    speeds : array of shape (T,), metres per second
        Frame by frame.
    fps : float
        Frames per second.
    phase : float
        Of a frame; of a body that stands at first, the one near to it at which both feet do.
    frame : int
        The frame that it is the phase of.

    Returns
    -------
    array of shape (T,)
        Never descending.
    """
    rates = halting(speeds) / mix.over(lambda table: table.durations, speeds)
    phases = scipy.integrate.cumulative_trapezoid(rates, dx=1.0 / fps, initial=0)
    stands = speeds < STANDS
    last = len(speeds) - frame
    if stands[0]:
        phase = _leaving(mix, phase)
        frame = 0
    phases = phases + phase - phases[frame]
    for stop in np.flatnonzero(stands[1:] & ~stands[:-1]) + 1:
        phases = phases + _closing(mix, phases, stands, int(stop), fps)
        phases = phases + _last_step(stands[:last], int(stop), fps, len(phases))
    found: Array = phases
    return found


def _closed(mix: TableMix, phase: float, frame: int) -> float:
    """Phase nearest to one, at which both feet stand, one of them since just now."""
    strikes = mix.standing(lambda table: table.strikes, frame)
    best = [s + STRUCK + np.round(phase - s - STRUCK) for s in strikes]
    return float(min(best, key=lambda p: abs(p - phase)))


def _leaving(mix: TableMix, phase: float) -> float:
    """Phase nearest to one, at which both feet stand and one of them is about to leave."""
    offs = mix.standing(lambda table: table.strikes + table.stances, 0) - LEAVES
    best = [off + np.round(phase - off) for off in offs]
    return float(min(best, key=lambda p: abs(p - phase)))


def _closing(mix: TableMix, phases: Array, stands: Bools, stop: int, fps: float) -> Array:
    """What is added to phases so that a halt at frame `stop` is on both feet."""
    lacking = _closed(mix, float(phases[stop]), stop) - float(phases[stop])
    still = np.flatnonzero(stands[:stop])
    begin = max(stop - round(CLOSING * fps), int(still[-1]) + 1 if len(still) else 0)
    return lacking * smoothstep((np.arange(len(phases)) - begin) / max(stop - begin, 1))


def _last_step(stands: Bools, stop: int, fps: float, n: int) -> Array:
    """What is added to phases (n,) so that after a halt at frame `stop` the other foot follows."""
    goes = np.flatnonzero(~stands[stop:])
    rest = (int(goes[0]) if len(goes) else len(stands) - stop) / fps
    if rest < RESTS:
        return np.zeros(n)
    return 0.5 * smoothstep((np.arange(n) - stop) / (LAST_STEP * fps))
