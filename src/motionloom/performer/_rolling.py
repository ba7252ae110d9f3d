"""A standing foot: it turns about its heel, stands flat, and turns about its ball."""

from __future__ import annotations

import numpy as np
import scipy

from motionloom.performer._body import Performer
from motionloom.performer._curves import quintic, ramp
from motionloom.performer._footsteps import Stance
from motionloom.typing import Array

#: Where a standing foot presses, ahead of the ankle, and how far beyond the ball at toe-off, as
#: shares of stature.
MIDFOOT, BEYOND_BALL = 0.026, 0.011
#: The pressure does not set out for the ball of the foot earlier than this before toe-off, seconds.
LONGEST_ROLL = 0.8


def pitch_curve(stances: tuple[Stance, ...]) -> scipy.interpolate.BPoly:
    """Angle of the sole to the ground over the whole plan, positive with the heel up."""
    times: list[float] = []
    knots: list[tuple[float, float, float]] = []
    for i, s in enumerate(stances):
        down = s.flat - s.strike
        up = s.toe_off - s.heel_off
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
            falls = -1.5 * (s.off_pitch + after.strike_pitch) / swing
            knots.append((0.20 * s.off_pitch, falls, 0.0))
    return quintic(times, knots)


def turned(point: Array, pitch: Array) -> tuple[Array, Array]:
    """Where a point of the foot is, seen from the joint that it turns about, after pitching.

    Parameters
    ----------
    point : array of shape (3, ...), metres
        To the left, up and ahead of that joint, in the foot's frame; the first is not used.
    pitch : array of shape (...), radians
        Angle of the sole to the ground, positive with the heel up.

    Returns
    -------
    forward, up : array of shape (...), metres
    """
    _, y, z = point
    return y * np.sin(pitch) + z * np.cos(pitch), y * np.cos(pitch) - z * np.sin(pitch)


def stance_ankle(performer: Performer, stance: Stance, pitch: Array) -> Array:
    """Ankle while the foot turns about its heel (toes up) or its ball (heel up).

    Parameters
    ----------
    performer : Performer
        Gives heel, ball and height of the ankle.
    stance : Stance
        Where the foot stands and points.
    pitch : array of shape (...), radians
        Angle of the sole to the ground, positive with the heel up.

    Returns
    -------
    array of shape (..., 3), metres
        World position.
    """
    pitch = np.asarray(pitch, float)
    pivot = np.where(pitch[..., None] > 0, performer.ball, performer.heel)
    forward, up = turned(np.moveaxis(pivot, -1, 0), pitch)
    ahead = pivot[..., 2] - forward
    x = stance.x + ahead * np.sin(stance.foot_heading)
    y = performer.lengths["ankle_height"] + pivot[..., 1] - up
    z = stance.z + ahead * np.cos(stance.foot_heading)
    return np.stack([x, y, z], axis=-1)


def ankle_state(
    performer: Performer, stance: Stance, pitch: scipy.interpolate.BPoly, time: float
) -> list[Array]:
    """Ankle position, velocity, acceleration at a moment of stance: chain rule over the pitch.

    Parameters
    ----------
    performer : Performer
        Gives heel, ball and height of the ankle.
    stance : Stance
        Where the foot stands and points.
    pitch : BPoly
        Angle of the sole over time, as `pitch_curve` gives it.
    time : float, seconds
        The moment.

    Returns
    -------
    list of arrays of shape (3,)
        Position (metres), velocity (metres per second) and acceleration (metres per second
        squared).
    """
    angle, rate, accel = (float(pitch(time, nu)) for nu in (0, 1, 2))
    h = 1e-4
    before, now, after = stance_ankle(performer, stance, angle + np.array([-h, 0.0, h]))
    first = (after - before) / (2 * h)
    second = (after - 2 * now + before) / h**2
    return [now, first * rate, second * rate**2 + first * accel]


def pressure_point(performer: Performer, stance: Stance, times: Array) -> Array:
    """Centre of pressure under a standing foot: heel at strike, ball at toe-off.

    Parameters
    ----------
    performer : Performer
        Gives the measures of the foot.
    stance : Stance
        Where and when the foot stands.
    times : array of shape (T,), seconds
        Of the stance.

    Returns
    -------
    array of shape (T, 2), metres
        x and z.
    """
    middle = MIDFOOT * performer.height
    back = (middle - performer.heel[2]) * (stance.strike_pitch > 0.05)
    reach = performer.ball[2] + BEYOND_BALL * performer.height - middle
    front = reach * (stance.off_pitch > 0.05)
    roll = max(stance.flat + 0.15 * (stance.toe_off - stance.flat), stance.toe_off - LONGEST_ROLL)
    landing = back * (1.0 - ramp(times, stance.strike, stance.flat + 0.1))
    along = middle - landing + front * ramp(times, roll, stance.toe_off)
    direction = np.array([np.sin(stance.foot_heading), np.cos(stance.foot_heading)])
    return np.asarray(np.array([stance.x, stance.z]) + along[:, None] * direction)
