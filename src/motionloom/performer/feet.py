"""Feet over time: rolling over fixed points while they stand, on minimum-jerk paths while they swing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BPoly

from motionloom import rotations as rot
from motionloom.performer.body import SIGN, Performer
from motionloom.performer.curves import quintic, ramp
from motionloom.performer.footsteps import FootstepPlan, Stance

Array = NDArray[np.float64]
#: Where a standing foot presses, ahead of the ankle, as a share of stature.
MIDFOOT = 0.026
#: Detour of the swinging foot per radian of turn, and at most, as shares of stature.
DETOUR, MOST_DETOUR = 0.030, 0.045
#: The pressure does not set out for the ball of the foot earlier than this before toe-off, seconds.
LONGEST_ROLL = 0.8
_FLING, _ARREST, _RISE = 5.0, 3.0, 0.10
#: Velocity, forward and down, with which the ankle still moves when the heel lands; shares of the body's
#: speed that grow with it: a constant, and a part per metre per second.
_ARRIVAL_FORWARD, _ARRIVAL_DOWN = (0.10, 0.17), (0.05, 0.05)


@dataclass(frozen=True, eq=False)
class FootPath:
    """One foot over time.

    Parameters
    ----------
    ankle : array of shape (T, 3), metres
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
    heel_down: NDArray[np.bool_]
    toe_down: NDArray[np.bool_]
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
    """Follow one foot through a plan."""
    stances = plan.of(side)
    pitch_curve = _pitch_curve(stances)
    pitch = pitch_curve(times)
    heading = np.full(len(times), stances[0].foot_heading)
    heel_down, toe_down = np.zeros(len(times), bool), np.zeros(len(times), bool)
    load, extension = np.zeros(len(times)), np.zeros(len(times))
    ankle, pressure = np.zeros((len(times), 3)), np.zeros((len(times), 2))
    for i, stance in enumerate(stances):
        on = (times >= stance.strike) & (times <= stance.toe_off)
        ankle[on] = _stance_ankle(performer, stance, pitch[on])
        heel_down |= (times >= stance.strike) & (times <= stance.heel_off)
        toe_down |= (times >= stance.flat) & (times <= stance.toe_off)
        load += ramp(times, stance.strike, stance.loaded) - ramp(times, stance.unloading, stance.toe_off)
        extension[on] = np.maximum(pitch[on], 0.0)
        pressure[on] = _pressure(performer, stance, times[on])
        heading[on] = stance.foot_heading
        if i + 1 < len(stances):
            after = stances[i + 1]
            air = (times > stance.toe_off) & (times < after.strike)
            t = times[air]
            ankle[air] = _swing(performer, stance, after, pitch_curve, t)
            s = ramp(t, stance.toe_off, after.strike)
            heading[air] = stance.foot_heading + s * (after.foot_heading - stance.foot_heading)
            pressure[air] = _pressure(performer, stance, np.array([stance.toe_off]))
            extension[air] = _toe_extension(pitch[air], (t - stance.toe_off) / (after.strike - stance.toe_off))
    return FootPath(ankle, heading, pitch, pitch - extension, heel_down, toe_down, load, pressure)


def _pitch_curve(stances: tuple[Stance, ...]) -> BPoly:
    """Angle of the sole to the ground over the whole plan, positive with the heel up."""
    times: list[float] = []
    knots: list[tuple[float, float, float]] = []
    for i, s in enumerate(stances):
        down, up = s.flat - s.strike, s.toe_off - s.heel_off
        times += [s.strike, s.flat, s.heel_off, s.toe_off]
        knots += [
            (-s.strike_pitch, 1.3 * s.strike_pitch / down, 0.0),
            (0.0, 0.0, 0.0),
            (0.0, 0.0, 0.0),
            (s.off_pitch, 1.9 * s.off_pitch / up, -4.0 * s.off_pitch / up**2),
        ]
        if i + 1 < len(stances):
            after = stances[i + 1]
            swing = after.strike - s.toe_off
            # Past the middle of the swing the sole is nearly level again.
            times.append(s.toe_off + 0.55 * swing)
            knots.append((0.20 * s.off_pitch, -1.5 * (s.off_pitch + after.strike_pitch) / swing, 0.0))
    return quintic(times, [[v, d, a] for v, d, a in knots])


def _turned(point: Array, pitch: Array) -> tuple[Array, Array]:
    """Forward and up parts of a point of the foot's sagittal plane after pitching."""
    _, y, z = point
    return y * np.sin(pitch) + z * np.cos(pitch), y * np.cos(pitch) - z * np.sin(pitch)


def _stance_ankle(performer: Performer, stance: Stance, pitch: Array) -> Array:
    """Ankle while the foot turns about its heel (toes up) or its ball (heel up)."""
    pitch = np.asarray(pitch, float)
    pivot = np.where(pitch[..., None] > 0, performer.ball, performer.heel)
    forward, up = _turned(np.moveaxis(pivot, -1, 0), pitch)
    ahead = pivot[..., 2] - forward
    return np.stack(
        [
            stance.x + ahead * np.sin(stance.foot_heading),
            performer.lengths["ankle_height"] + pivot[..., 1] - up,
            stance.z + ahead * np.cos(stance.foot_heading),
        ],
        axis=-1,
    )


def _ankle_state(performer: Performer, stance: Stance, pitch_curve: BPoly, time: float) -> list[Array]:
    """Ankle position, velocity and acceleration at a moment of stance, by the chain rule over the foot's pitch."""
    angle, rate, accel = (float(pitch_curve(time, nu)) for nu in (0, 1, 2))
    h = 1e-4
    # Stay on the branch (heel or ball) that the angle is on.
    base = abs(angle) * np.sign(angle or 1.0)
    before, now, after = (_stance_ankle(performer, stance, np.array(base + d)) for d in (-h, 0.0, h))
    first, second = (after - before) / (2 * h), (after - 2 * now + before) / h**2
    return [now, first * rate, second * rate**2 + first * accel]


def _swing(performer: Performer, stance: Stance, after: Stance, pitch_curve: BPoly, times: Array) -> Array:
    """Ankle in the air: a quintic between toe-off and strike, lifted as far as the sole must clear the ground."""
    start = _ankle_state(performer, stance, pitch_curve, stance.toe_off)
    stop = _ankle_state(performer, after, pitch_curve, after.strike)
    # The leg is flung forward at toe-off and arrests the foot just before it lands.
    swing = after.strike - stance.toe_off
    push = (stop[0] - start[0]) * np.array([1.0, 0.0, 1.0]) / swing**2
    start[2] = start[2] + _FLING * push + np.array([0.0, _FLING * _RISE * performer.height / swing**2, 0.0])
    stop[2] = stop[2] - _ARREST * push
    mean = (stop[0] - start[0]) * np.array([1.0, 0.0, 1.0]) / (after.strike - stance.strike)
    speed = float(np.linalg.norm(mean))
    forward, down = (min(a + b * speed, 0.75) for a, b in (_ARRIVAL_FORWARD, _ARRIVAL_DOWN))
    stop[1] = stop[1] + forward * mean - down * speed * np.array([0.0, 1.0, 0.0])
    curve = quintic([stance.toe_off, after.strike], [start, stop])
    fine = np.linspace(0.0, 1.0, 81)
    at = stance.toe_off + fine * (after.strike - stance.toe_off)
    lift = _lift(performer, curve(at)[:, 1], pitch_curve(at), fine, after.gait.clearance if after.gait else 0.0)
    u = (times - stance.toe_off) / (after.strike - stance.toe_off)
    path = curve(times)
    path[:, 1] += lift * _bump(u)
    # In a turn the foot goes round the standing leg, not through it.
    turn = abs(after.heading - stance.heading)
    heading = 0.5 * (stance.heading + after.heading)
    aside = SIGN[stance.side] * min(DETOUR * turn, MOST_DETOUR) * performer.height
    path += (aside * 16.0 * (u * (1.0 - u)) ** 2)[:, None] * np.array([np.cos(heading), 0.0, -np.sin(heading)])
    return path


def _bump(u: Array) -> Array:
    return 145.0 * u**3 * (1.0 - u) ** 4


def _toe_extension(pitch: Array, u: Array) -> Array:
    """Angle of the toes against the foot in swing: from what toe-off left to nothing past mid-swing."""
    return np.maximum(pitch, 0.0) * (1.0 - ramp(u, 0.0, 0.75))


def _lift(performer: Performer, height: Array, pitch: Array, u: Array, clearance: float) -> float:
    """Least multiple of `_bump` that keeps heel, ball and toe tip off the ground by `clearance` about mid-swing."""
    ball = height + _turned(performer.ball, pitch)[1]
    toe_pitch = pitch - _toe_extension(pitch, u)
    toes = [ball + _turned(p, toe_pitch)[1] for p in (performer.toe_sole, performer.toe_tip)]
    lowest = np.min([height + _turned(performer.heel, pitch)[1], *toes], axis=0)
    wanted = clearance * np.clip(np.minimum(u - 0.1, 0.9 - u) / 0.2, 0.0, 1.0)
    inside = (u > 0.15) & (u < 0.85)
    return max(0.0, float(np.max((wanted - lowest)[inside] / _bump(u)[inside])))


def _pressure(performer: Performer, stance: Stance, times: Array) -> Array:
    """Centre of pressure under a standing foot (x, z): from the heel at strike to the ball at toe-off."""
    middle = MIDFOOT * performer.height
    back = (middle - performer.heel[2]) * (stance.strike_pitch > 0.05)
    front = (performer.ball[2] + 0.02 - middle) * (stance.off_pitch > 0.05)
    roll = max(stance.flat + 0.15 * (stance.toe_off - stance.flat), stance.toe_off - LONGEST_ROLL)
    along = (
        middle
        - back * (1.0 - ramp(times, stance.strike, stance.flat + 0.1))
        + front * ramp(times, roll, stance.toe_off)
    )
    direction = np.array([np.sin(stance.foot_heading), np.cos(stance.foot_heading)])
    return np.array([stance.x, stance.z]) + along[:, None] * direction
