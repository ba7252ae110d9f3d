"""A swinging foot: flung off the ground, over it, round the other leg, down on its heel."""

from __future__ import annotations

import numpy as np
from scipy.interpolate import BPoly

from motionloom.performer.body import SIGN, Performer
from motionloom.performer.curves import quintic, ramp
from motionloom.performer.footsteps import Stance
from motionloom.performer.rolling import ankle_state, turned
from motionloom.typing import Array

#: Accelerations of the ankle, in ways per squared swing time: forward at toe-off, back before it
#: lands, and up at toe-off (the way is then stature).
FLING, ARREST, RISE = 5.0, 3.0, 0.50
#: Velocity, forward and down, with which the ankle still moves when the heel lands: shares of the
#: body's speed that grow with it, a constant and a part per metre per second, up to a most.
ARRIVAL_FORWARD, ARRIVAL_DOWN, MOST_ARRIVAL = (0.10, 0.17), (0.05, 0.05), 0.75
#: Detour of the swinging foot per radian of turn, and at most, as shares of stature.
DETOUR, MOST_DETOUR = 0.030, 0.045


def swing_ankle(
    performer: Performer, stance: Stance, after: Stance, pitch: BPoly, times: Array
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


def _swing_curve(performer: Performer, stance: Stance, after: Stance, pitch: BPoly) -> BPoly:
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
    detour: Array = (SIGN[stance.side] * aside * 16.0 * (u * (1.0 - u)) ** 2)[:, None] * left
    return detour


def _bump(u: Array) -> Array:
    """Lift over the swing: 0 and still at both ends, about 1 before the middle."""
    return 145.0 * u**3 * (1.0 - u) ** 4


def toe_extension(pitch: Array, u: Array) -> Array:
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
    toe_pitch = pitch - toe_extension(pitch, u)
    toes = [ball + turned(p, toe_pitch)[1] for p in (performer.toe_sole, performer.toe_tip)]
    lowest = np.min([height + turned(performer.heel, pitch)[1], *toes], axis=0)
    wanted = clearance * np.clip(np.minimum(u - 0.1, 0.9 - u) / 0.2, 0.0, 1.0)
    inside = (u > 0.15) & (u < 0.85)
    return max(0.0, float(np.max((wanted - lowest)[inside] / _bump(u)[inside])))
