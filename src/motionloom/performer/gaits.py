"""Gaits: how a person of one height steps at one speed, walking and running."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.performer.body import Performer


@dataclass(frozen=True)
class Gait:
    """How a person of one height steps at one speed.

    Parameters
    ----------
    speed : float, metres per second
        Of the body along the path.
    step_length, step_width : float, metres
        Between the ankles of successive footprints, along and across the path.
    step_time : float, seconds
        From one foot's strike to the other's.
    stance : float
        Share of a foot's cycle (two steps) spent on the ground; below 0.5 there is a flight phase:
        running.
    strike_pitch, off_pitch : float, radians
        Angle of the sole to the ground at heel strike (toes up) and at toe-off (heel up).
    clearance : float, metres
        Least height of the swinging foot's sole about mid-swing.
    toe_out : float, radians
        How far each foot points outwards.
    """

    speed: float
    step_length: float
    step_width: float
    step_time: float
    stance: float
    strike_pitch: float
    off_pitch: float
    clearance: float
    toe_out: float

    @property
    def runs(self) -> bool:
        """Whether both feet leave the ground at once."""
        return self.stance < 0.5


def walking_gait(performer: Performer, speed: float) -> Gait:
    """Gait of a walking adult.

    Step length over cadence, the walk ratio, hardly changes with speed, about 0.0065 m per
    (step/min) in adults (Sekiya & Nagasaki 1998); for other statures lengths scale with stature and
    times with its root (Hof 1996). Stance takes 62 % of the cycle at 1.3 m/s, more below and less
    above (Murray et al. 1984; Perry & Burnfield 2010); so do, upwards, the foot's angles at strike
    and toe-off (Winter 1991).

    Parameters
    ----------
    performer : Performer
        Whose stature counts.
    speed : float, metres per second
        Above 0.

    Returns
    -------
    Gait
        With a stance of 57 to 67 % of the cycle.

    Examples
    --------
    >>> from motionloom.performer.body import make_performer
    >>> gait = walking_gait(make_performer(), 1.4)
    >>> gait.runs, bool(0.6 < gait.step_length < 0.9)
    (False, True)
    """
    scale = performer.height / 1.75
    pace = speed / np.sqrt(scale)
    step_length = scale * np.sqrt(0.0065 * 60.0 * pace)
    return Gait(
        speed=speed,
        step_length=float(step_length),
        step_width=0.10 * scale,
        step_time=float(step_length / speed),
        stance=float(np.clip(0.62 - 0.04 * (pace - 1.3), 0.57, 0.67)),
        strike_pitch=float(np.radians(np.clip(9.0 + 8.0 * pace, 8.0, 24.0))),
        off_pitch=float(np.radians(np.clip(36.0 + 18.0 * pace, 40.0, 74.0))),
        clearance=0.013 * scale,
        toe_out=np.radians(7.0),
    )


def running_gait(performer: Performer, speed: float) -> Gait:
    """Gait of a recreational runner landing on the heel.

    Cadence of 160-175 steps/min and a contact that shortens from 0.27 s at 2.5 m/s to 0.20 s at 4
    m/s (Cavanagh & Kram 1989; Novacheck 1998).

    Parameters
    ----------
    performer : Performer
        Whose stature counts.
    speed : float, metres per second
        Above 0.

    Returns
    -------
    Gait
        With a flight phase.

    Examples
    --------
    >>> from motionloom.performer.body import make_performer
    >>> running_gait(make_performer(), 3.5).runs
    True
    """
    scale = performer.height / 1.75
    pace = speed / np.sqrt(scale)
    step_time = np.sqrt(scale) * 60.0 / (148.0 + 6.5 * pace)
    contact = np.sqrt(scale) * np.clip(0.385 - 0.046 * pace, 0.18, 0.28)
    return Gait(
        speed=speed,
        step_length=float(speed * step_time),
        step_width=0.08 * scale,
        step_time=float(step_time),
        stance=float(contact / (2.0 * step_time)),
        strike_pitch=float(np.radians(12.0)),
        off_pitch=float(np.radians(62.0)),
        clearance=0.03 * scale,
        toe_out=np.radians(6.0),
    )
