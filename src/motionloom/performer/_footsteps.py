"""Footstep plans: where and when each foot stands.

Gaits: how a person of one height steps at one speed, walking and running.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.motion import GroundTransform
from motionloom.performer._body import Performer


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
    >>> from motionloom.performer._body import make_performer
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
    >>> from motionloom.performer._body import make_performer
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


LEFT, RIGHT = 0, 1


@dataclass(frozen=True)
class Step:
    """One step of the path's centre line: advance, then the swinging foot lands beside it.

    Parameters
    ----------
    gait : Gait
        Width, timing and angles of the step.
    forward, sideways : float, metres
        Advance of the centre in the body's frame (left is positive).
    turn : float, radians
        Change of heading (+Z towards +X, so positive turns left).
    closes : bool
        Land beside the standing foot at standing width.
    rolls : float
        Share of the gait's angles at this footprint's strike and at the toe-off that begins the
        step: 1 full, 0 flat.
    wait : float, seconds
        Standing still before this step.
    """

    gait: Gait
    forward: float = 0.0
    sideways: float = 0.0
    turn: float = 0.0
    closes: bool = False
    rolls: float = 1.0
    wait: float = 0.0


@dataclass(frozen=True)
class Stance:
    """One foot standing once.

    Parameters
    ----------
    side : int
        0 left, 1 right.
    x, z : float, metres
        Ground point under the ankle while the foot is flat.
    heading : float, radians
        Where the body faces when it stands over this footprint.
    foot_heading : float, radians
        Where the foot points.
    strike, flat, heel_off, toe_off : float, seconds
        Heel down, sole down, heel up, toes up. The heel bears until `heel_off`, the forefoot from
        `flat` on.
    loaded, unloading : float, seconds
        The foot's share of the weight rises from `strike` to `loaded` and falls from `unloading` to
        `toe_off`.
    strike_pitch, off_pitch : float, radians
        Angle of the sole at strike (toes up) and toe-off (heel up).
    gait : Gait or None
        The gait of the step that led here; None where the plan starts.
    """

    side: int
    x: float
    z: float
    heading: float
    foot_heading: float
    strike: float
    flat: float
    heel_off: float
    toe_off: float
    loaded: float
    unloading: float
    strike_pitch: float
    off_pitch: float
    gait: Gait | None


@dataclass(frozen=True)
class FootstepPlan:
    """Stances of both feet in order of strike, from standing to standing.

    Parameters
    ----------
    stances : tuple of Stance
        In order of strike.
    duration : float, seconds
        From the first standing to the end of the last.
    steady : tuple of float, seconds
        Between these times every step is like the one before it; both 0 when there are not two such
        strides.
    """

    stances: tuple[Stance, ...]
    duration: float
    steady: tuple[float, float] = (0.0, 0.0)

    def of(self, side: int) -> tuple[Stance, ...]:
        """The stances of one foot, in order."""
        return tuple(s for s in self.stances if s.side == side)

    def place(self, time: float) -> GroundTransform:
        """Ground between the footprints that stand at a time, facing with the newer one."""
        left, right = ([s for s in self.of(k) if s.strike <= time][-1] for k in (LEFT, RIGHT))
        newer = max(left, right, key=lambda s: s.strike)
        return GroundTransform(newer.heading, 0.5 * (left.x + right.x), 0.5 * (left.z + right.z))
