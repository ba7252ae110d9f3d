"""Footstep plans: where and when each foot stands, and how it rolls from heel to toe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.performer.body import SIGN, Performer

LEFT, RIGHT = 0, 1


@dataclass(frozen=True)
class Gait:
    """How a person of one height steps at one speed.

    Parameters
    ----------
    speed : float, metres per second
    step_length, step_width : float, metres
        Between the ankles of successive footprints, along and across the path.
    step_time : float, seconds
        From one foot's strike to the other's.
    stance : float
        Share of a foot's cycle (two steps) spent on the ground; below 0.5 there is a flight phase: running.
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

    Step length over cadence, the walk ratio, hardly changes with speed, about 0.0065 m per (step/min) in adults
    (Sekiya & Nagasaki 1998); for other statures lengths scale with stature and times with its root (Hof 1996).
    Stance takes 62 % of the cycle at 1.3 m/s, more below and less above (Murray et al. 1984; Perry & Burnfield
    2010); so do, upwards, the foot's angles at strike and toe-off (Winter 1991).
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
        off_pitch=float(np.radians(np.clip(30.0 + 18.0 * pace, 36.0, 62.0))),
        clearance=0.016 * scale,
        toe_out=np.radians(7.0),
    )


def running_gait(performer: Performer, speed: float) -> Gait:
    """Gait of a recreational runner landing on the heel.

    Cadence of 160-175 steps/min and a contact that shortens from 0.27 s at 2.5 m/s to 0.20 s at 4 m/s
    (Cavanagh & Kram 1989; Novacheck 1998).
    """
    scale = performer.height / 1.75
    pace = speed / np.sqrt(scale)
    step_time = np.sqrt(scale) * 60.0 / (148.0 + 6.5 * pace)
    contact = np.sqrt(scale) * np.clip(0.385 - 0.046 * pace, 0.18, 0.28)
    return Gait(
        speed=speed,
        step_length=float(speed * step_time),
        step_width=0.05 * scale,
        step_time=float(step_time),
        stance=float(contact / (2.0 * step_time)),
        strike_pitch=float(np.radians(12.0)),
        off_pitch=float(np.radians(62.0)),
        clearance=0.03 * scale,
        toe_out=np.radians(6.0),
    )


@dataclass(frozen=True)
class Step:
    """One step of the path's centre line: advance, then the swinging foot lands beside it.

    Parameters
    ----------
    gait : Gait
    forward, sideways : float, metres
        Advance of the centre in the body's frame (left is positive).
    turn : float, radians
        Change of heading (+Z towards +X, so positive turns left).
    closes : bool
        Land beside the standing foot at standing width.
    rolls : float
        Share of the gait's angles at this footprint's strike and at the other foot's toe-off: 1 full, 0 flat-footed.
    """

    gait: Gait
    forward: float = 0.0
    sideways: float = 0.0
    turn: float = 0.0
    closes: bool = False
    rolls: float = 1.0


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
        Heel down, sole down, heel up, toes up. The heel bears until `heel_off`, the forefoot from `flat` on.
    loaded, unloading : float, seconds
        The foot's share of the weight rises from `strike` to `loaded` and falls from `unloading` to `toe_off`.
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
    duration : float, seconds
    """

    stances: tuple[Stance, ...]
    duration: float

    def of(self, side: int) -> tuple[Stance, ...]:
        """The stances of one foot, in order."""
        return tuple(s for s in self.stances if s.side == side)


#: Share of stature between the ankles in quiet standing.
STANDING_WIDTH = 0.095
#: Time that a foot needs to be unloaded before the first step, and to settle after the last, seconds.
UNLOADING, SETTLING = 0.45, 0.40
#: A foot that stands from before the start, or until after the end, does so by this much, seconds.
BEYOND = 1.0


def plan_steps(
    performer: Performer, steps: Sequence[Step], *, first: int = RIGHT, lead_in: float = 0.6, lead_out: float = 1.2
) -> FootstepPlan:
    """Turn steps into timed footprints; the person stands at the origin facing +Z first and stands at the end.

    Parameters
    ----------
    performer : Performer
    steps : sequence of Step
        Taken by alternate feet; the last should close.
    first : int
        Foot that steps first: 0 left, 1 right.
    lead_in, lead_out : float, seconds
        Standing before the first foot is unloaded, and after the last has landed.

    Raises
    ------
    InvalidInputError
        When the last step does not close.
    """
    if steps and not steps[-1].closes:
        raise InvalidInputError("the last step of a plan must close, so that the person ends standing")
    spots = _place(performer, steps, first)
    strikes, offs = _time(steps, lead_in)
    duration = (strikes[-1] if steps else lead_in) + lead_out
    stances: list[Stance] = []
    for i, (side, x, z, heading, foot_heading) in enumerate(spots):
        arriving = steps[i - 2] if i >= 2 else None
        leaving = steps[i] if i < len(steps) else None
        strike, loaded = (-BEYOND, -0.5 * BEYOND) if arriving is None else (strikes[i - 2], _loaded(i, strikes, offs))
        if leaving is None:
            unloading, toe_off = duration + 0.5 * BEYOND, duration + BEYOND
            heel_off, off_pitch = unloading, 0.0
        else:
            toe_off = offs[i]
            unloading = toe_off - UNLOADING if i == 0 else min(strikes[i - 1], toe_off - 0.3 * leaving.gait.step_time)
            off_pitch = leaving.rolls * leaving.gait.off_pitch * (0.75 if i == 0 else 1.0)
            heel_off = toe_off - (0.55 if leaving.gait.runs else 0.58) * leaving.gait.step_time
        strike_pitch = 0.0 if arriving is None else arriving.rolls * arriving.gait.strike_pitch
        flat = strike + (
            0.5 * BEYOND if arriving is None else (0.12 if arriving.gait.runs else 0.2) * arriving.gait.step_time
        )
        gait = None if arriving is None else arriving.gait
        stances.append(
            Stance(side, x, z, heading, foot_heading, strike, flat, max(heel_off, flat + 0.02), toe_off,
                   loaded, unloading, strike_pitch, off_pitch, gait)
        )  # fmt: skip
    return FootstepPlan(tuple(sorted(stances, key=lambda s: s.strike)), duration)


def _place(performer: Performer, steps: Sequence[Step], first: int) -> list[tuple[int, float, float, float, float]]:
    """Side, x, z, heading and foot heading of every footprint: the two standing ones, then one per step."""
    half = 0.5 * STANDING_WIDTH * performer.height
    toe_out = steps[0].gait.toe_out if steps else np.radians(7.0)
    spots = [(side, SIGN[side] * half, 0.0, 0.0, SIGN[side] * toe_out) for side in (first, 1 - first)]
    center, heading = np.zeros(2), 0.0
    for i, step in enumerate(steps):
        side = first if i % 2 == 0 else 1 - first
        along = heading + 0.5 * step.turn
        ahead, left = np.array([np.sin(along), np.cos(along)]), np.array([np.cos(along), -np.sin(along)])
        center = center + step.forward * ahead + step.sideways * left
        heading += step.turn
        left = np.array([np.cos(heading), -np.sin(heading)])
        if step.closes:
            stand = np.array(spots[-1][1:3])
            point = stand + SIGN[side] * 2.0 * half * left
            center = 0.5 * (stand + point)
        else:
            point = center + SIGN[side] * 0.5 * step.gait.step_width * left
        spots.append((side, float(point[0]), float(point[1]), heading, heading + SIGN[side] * step.gait.toe_out))
    return spots


def _time(steps: Sequence[Step], lead_in: float) -> tuple[list[float], list[float]]:
    """Strike time of every step, and the toe-off that begins it."""
    strikes: list[float] = []
    offs: list[float] = []
    for i, step in enumerate(steps):
        gait = step.gait
        swing = 2.0 * gait.step_time * (1.0 - gait.stance)
        if i == 0:
            strikes.append(lead_in + UNLOADING + max(swing, 0.35))
        else:
            strikes.append(strikes[-1] + gait.step_time)
        offs.append(strikes[-1] - (max(swing, 0.35) if i == 0 else swing))
    return strikes, offs


def _loaded(i: int, strikes: Sequence[float], offs: Sequence[float]) -> float:
    """When the foot of spot `i` bears all the weight: when the other foot leaves the ground, or has settled."""
    strike = strikes[i - 2]
    if i - 1 < len(offs):
        return max(offs[i - 1], strike + 0.06)
    return strike + SETTLING
