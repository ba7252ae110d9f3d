"""Feet over time: rolling over fixed points in stance, on minimum-jerk paths in swing.

A swinging foot: flung off the ground, over it, round the other leg, down on its heel.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from motionloom import rotations as rot
from motionloom.performer._body import SIGN, Performer
from motionloom.performer._curves import pulse, quintic, ramp
from motionloom.performer._footsteps import FootstepPlan, Stance
from motionloom.performer._rolling import (
    ankle_state,
    pitch_curve,
    pressure_point,
    stance_ankle,
    turned,
)
from motionloom.typing import Array, Bools

#: Accelerations of the ankle, in ways per squared swing time: forward at toe-off, back before it
#: lands, and up at toe-off (the way is then stature).
FLING, ARREST, RISE = 5.0, 3.0, 0.50
#: Velocity, forward and down, with which the ankle still moves when the heel lands: shares of the
#: body's speed that grow with it, a constant and a part per metre per second, up to a most.
ARRIVAL_FORWARD, ARRIVAL_DOWN, MOST_ARRIVAL = (0.10, 0.17), (0.05, 0.05), 0.75
#: Detour of the swinging foot per radian of turn, and at most, as shares of stature.
DETOUR, MOST_DETOUR = 0.030, 0.045


@dataclass(frozen=True, eq=False)
class FootPath:
    """One foot over time.

    Parameters
    ----------
    ankle : array of shape (T, 3), metres
        World position of the ankle joint.
    heading, pitch : arrays of shape (T,), radians
        Where the foot points, and its sole's angle to the ground (positive with the heel up).
    toe_pitch : array of shape (T,), radians
        The toes' angle to the ground.
    heel_down, toe_down : bool arrays of shape (T,)
        Whether heel and forefoot are in contact with the ground.
    load : array of shape (T,)
        Share of its full load that the foot bears, 0 to 1.
    pressure : array of shape (T, 2), metres
        Where the foot presses on the ground (x, z); held while it is in the air.
    """

    ankle: Array
    heading: Array
    pitch: Array
    toe_pitch: Array
    heel_down: Bools
    toe_down: Bools
    load: Array
    pressure: Array

    @property
    def rotation(self) -> Array:
        """World rotation of the foot, shape (T, 4)."""
        return rot.from_euler(np.stack([self.heading, self.pitch], axis=-1), "YX")

    @property
    def toe_rotation(self) -> Array:
        """World rotation of the toes, shape (T, 4)."""
        return rot.from_euler(np.stack([self.heading, self.toe_pitch], axis=-1), "YX")


def foot_path(performer: Performer, plan: FootstepPlan, side: int, times: Array) -> FootPath:
    """Follow one foot through a plan.

    Parameters
    ----------
    performer : Performer
        Gives the measures of the foot.
    plan : FootstepPlan
        Stances of both feet.
    side : int
        0 left, 1 right.
    times : array of shape (T,), seconds
        Within the plan.

    Returns
    -------
    FootPath
        T frames.
    """
    stances = plan.of(side)
    sole = pitch_curve(stances)
    pitch = sole(times)
    heading = np.full(len(times), stances[0].foot_heading)
    heel_down = np.zeros(len(times), bool)
    toe_down = np.zeros(len(times), bool)
    load = np.zeros(len(times))
    extension = np.zeros(len(times))
    ankle = np.zeros((len(times), 3))
    pressure = np.zeros((len(times), 2))
    for i, stance in enumerate(stances):
        on = (times >= stance.strike) & (times <= stance.toe_off)
        ankle[on] = stance_ankle(performer, stance, pitch[on])
        heel_down |= (times >= stance.strike) & (times <= stance.heel_off)
        toe_down |= (times >= stance.flat) & (times <= stance.toe_off)
        load += pulse(times, stance.strike, stance.loaded, stance.unloading, stance.toe_off)
        extension[on] = np.maximum(pitch[on], 0.0)
        pressure[on] = pressure_point(performer, stance, times[on])
        heading[on] = stance.foot_heading
        if i + 1 < len(stances):
            after = stances[i + 1]
            air = (times > stance.toe_off) & (times < after.strike)
            t = times[air]
            ankle[air] = _swing_ankle(performer, stance, after, sole, t)
            s = ramp(t, stance.toe_off, after.strike)
            heading[air] = stance.foot_heading + s * (after.foot_heading - stance.foot_heading)
            pressure[air] = pressure_point(performer, stance, np.array([stance.toe_off]))
            share = (t - stance.toe_off) / (after.strike - stance.toe_off)
            extension[air] = _toe_extension(pitch[air], share)
    return FootPath(ankle, heading, pitch, pitch - extension, heel_down, toe_down, load, pressure)


def _swing_ankle(
    performer: Performer,
    stance: Stance,
    after: Stance,
    pitch: scipy.interpolate.BPoly,
    times: Array,
) -> Array:
    """Ankle between toe-off of one stance and strike of the next.

    Parameters
    ----------
    performer : Performer
        Gives the measures of the foot.
    stance : Stance
        The stance that the foot leaves.
    after : Stance
        The one that it lands in.
    pitch : BPoly
        Angle of the sole over time, as `pitch_curve` gives it.
    times : array of shape (T,), seconds
        Between toe-off and strike.

    Returns
    -------
    array of shape (T, 3), metres
        World position.
    """
    curve = _swing_curve(performer, stance, after, pitch)
    swing = after.strike - stance.toe_off
    fine = np.linspace(0.0, 1.0, 81)
    at = stance.toe_off + fine * swing
    clearance = after.gait.clearance if after.gait else 0.0
    lift = _lift(performer, curve(at)[:, 1], pitch(at), fine, clearance)
    u = (times - stance.toe_off) / swing
    path = curve(times) + _detour(performer, stance, after, u)
    path[:, 1] += lift * _bump(u)
    return path


def _swing_curve(
    performer: Performer, stance: Stance, after: Stance, pitch: scipy.interpolate.BPoly
) -> scipy.interpolate.BPoly:
    """Quintic from toe-off to strike; its ends move as the rolling foot but for push and impact."""
    start = ankle_state(performer, stance, pitch, stance.toe_off)
    stop = ankle_state(performer, after, pitch, after.strike)
    way = (stop[0] - start[0]) * np.array([1.0, 0.0, 1.0])
    up = np.array([0.0, 1.0, 0.0])
    swing = after.strike - stance.toe_off
    start[2] = start[2] + (FLING * way + RISE * performer.height * up) / swing**2
    stop[2] = stop[2] - ARREST * way / swing**2
    velocity = way / (after.strike - stance.strike)
    speed = float(np.linalg.norm(velocity))
    forward, down = (min(a + b * speed, MOST_ARRIVAL) for a, b in (ARRIVAL_FORWARD, ARRIVAL_DOWN))
    stop[1] = stop[1] + forward * velocity - down * speed * up
    return quintic([stance.toe_off, after.strike], [start, stop])


def _detour(performer: Performer, stance: Stance, after: Stance, u: Array) -> Array:
    """Way round the standing leg in a turn, shape (T, 3), metres."""
    aside = min(DETOUR * abs(after.heading - stance.heading), MOST_DETOUR) * performer.height
    heading = 0.5 * (stance.heading + after.heading)
    left = np.array([np.cos(heading), 0.0, -np.sin(heading)])
    return np.asarray((SIGN[stance.side] * aside * 16.0 * (u * (1.0 - u)) ** 2)[:, None] * left)


def _bump(u: Array) -> Array:
    """Lift over the swing: 0 and still at both ends, about 1 before the middle."""
    return 145.0 * u**3 * (1.0 - u) ** 4


def _toe_extension(pitch: Array, u: Array) -> Array:
    """Angle of toes against foot in swing: from that of toe-off to nothing past mid-swing.

    Parameters
    ----------
    pitch : array of shape (T,), radians
        Angle of the sole to the ground, positive with the heel up.
    u : array of shape (T,)
        Share of the swing that is over, 0 to 1.

    Returns
    -------
    array of shape (T,), radians
    """
    return np.maximum(pitch, 0.0) * (1.0 - ramp(u, 0.0, 0.75))


def _lift(performer: Performer, height: Array, pitch: Array, u: Array, clearance: float) -> float:
    """Least multiple of `_bump` that keeps heel, ball, toe tip `clearance` up about mid-swing."""
    ball = height + turned(performer.ball, pitch)[1]
    toe_pitch = pitch - _toe_extension(pitch, u)
    toes = [ball + turned(p, toe_pitch)[1] for p in (performer.toe_sole, performer.toe_tip)]
    lowest = np.min([height + turned(performer.heel, pitch)[1], *toes], axis=0)
    wanted = clearance * np.clip(np.minimum(u - 0.1, 0.9 - u) / 0.2, 0.0, 1.0)
    inside = (u > 0.15) & (u < 0.85)
    return max(0.0, float(np.max((wanted - lowest)[inside] / _bump(u)[inside])))
