"""Gestures of a standing performer: shifting weight, and a swing with both arms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline

from motionloom.motion import GroundTransform
from motionloom.performer.body import SIGN, Performer
from motionloom.performer.curves import pulse, ramp
from motionloom.performer.drive import Drive, HandPath
from motionloom.typing import Array


@dataclass(frozen=True)
class WeightShift:
    """Stand on one leg more than on the other for a while, hip out, as people do when they wait.

    Parameters
    ----------
    start, hold : float, seconds
        When it begins, and how long it is held after 0.9 s of going there.
    to_left : float
        -1 wholly on the right foot, 1 on the left one.
    """

    start: float
    hold: float
    to_left: float

    def drive(self, performer: Performer, place: GroundTransform, times: Array) -> Drive:
        """Return what it adds at every time: shift and list of the pelvis, roll of the chest.

        Parameters
        ----------
        performer : Performer
            Who performs; the shift scales with the stature.
        place : GroundTransform
            Not used: the gesture is the same everywhere.
        times : array of shape (T,), seconds
            Of the whole clip.

        Returns
        -------
        Drive
            T frames.
        """
        up = self.start + 0.9
        w = self.to_left * pulse(times, self.start, up, up + self.hold, up + self.hold + 0.9)
        drive = Drive.none(len(times))
        drive.shift[:, 0] = 0.040 * performer.height * w
        drive.pelvis[:, 1] = np.radians(5.0) * w
        drive.trunk[:, 2] = np.radians(-2.0) * w
        return drive


#: Times (seconds after the start), pelvis turn, chest turn, pitch, roll (degrees), shift to the
#: left (share of stature) and the grip in the chest's frame (shares of stature; left, up, ahead) of
#: a right-handed full swing: address, top, impact, finish, hold. Rounded from the ranges that Hume,
#: Keogh & Reid (2005) review.
_SWING = np.array(
    [
        [0.0, 0, 0, 0, 0, 0.0, -0.02, -0.28, 0.16],
        [0.7, 0, 0, 30, 0, 0.0, 0.0, -0.235, 0.185],
        [1.2, 0, 0, 32, 0, 0.0, 0.0, -0.235, 0.185],
        [2.0, -42, -85, 28, 6, -0.035, -0.085, 0.03, 0.20],
        [2.36, 32, 8, 30, 8, 0.03, 0.0, -0.235, 0.185],
        [2.75, 62, 82, 12, 4, 0.05, 0.10, 0.06, 0.185],
        [3.3, 66, 88, 8, 2, 0.05, 0.115, 0.07, 0.17],
        [4.5, 0, 0, 0, 0, 0.0, -0.02, -0.28, 0.16],
    ]
)
#: Rows of the table.
_TOP, _IMPACT, _FINISH = 3, 4, 6


@dataclass(frozen=True)
class Swing:
    """Swing both arms, hands together, as with a golf club.

    The pelvis leads the chest and the chest the arms (Putnam 1993; Hume et al. 2005).

    Parameters
    ----------
    start : float, seconds
        When the hands begin to come together.
    tempo : float
        1 as in the table; above 1 is slower.
    aim : tuple of float, metres
        How far the hands at impact are from where the table has them: left, up and ahead.
    turn, sway : float
        How far pelvis and chest turn back, and the weight shifts, as shares of the table's.
    """

    start: float
    tempo: float = 1.0
    aim: tuple[float, float, float] = (0.0, 0.0, 0.0)
    turn: float = 1.0
    sway: float = 1.0

    @property
    def moments(self) -> dict[str, float]:
        """When it is at its top, hits and finishes, seconds of the clip."""
        rows = {"top": _TOP, "hit": _IMPACT, "finish": _FINISH}
        return {n: float(_SWING[r, 0]) * self.tempo + self.start for n, r in rows.items()}

    @property
    def duration(self) -> float:
        """Seconds from hanging arms to hanging arms."""
        return float(_SWING[-1, 0]) * self.tempo + 0.3

    def drive(self, performer: Performer, place: GroundTransform, times: Array) -> Drive:
        """Return what it adds at every time, to pelvis, trunk, head and both hands.

        Parameters
        ----------
        performer : Performer
            Who performs; lengths scale with the stature.
        place : GroundTransform
            Not used: the hands move in the chest's frame.
        times : array of shape (T,), seconds
            Of the whole clip.

        Returns
        -------
        Drive
            T frames.
        """
        knots = _SWING[:, 0] * self.tempo + self.start
        h = performer.height
        table = _SWING[:, 1:].copy()
        table[_TOP, :2] *= self.turn
        table[:, 4] *= self.sway
        table[_IMPACT, 5:8] += np.array(self.aim) / h
        curve = CubicSpline(knots, table, bc_type="clamped")(np.clip(times, knots[0], knots[-1]))
        curve[:, :4] = np.radians(curve[:, :4])
        end = float(knots[-1])
        drive = Drive.none(len(times))
        drive.pelvis[:, 0] = curve[:, 0]
        drive.trunk[:] = curve[:, 1:4]
        drive.shift[:, 0] = h * curve[:, 4]
        drive.drop[:] = 0.025 * h * pulse(times, self.start, knots[1], knots[4], knots[5])
        drive.head[:, 0] = 0.5 * curve[:, 1] * ramp(times, knots[4], knots[5])
        drive.head[:, 1] = np.radians(38.0) * pulse(
            times, self.start, knots[1], knots[4], knots[5] + 0.2
        )
        weight = pulse(times, self.start, float(knots[1]), end - 0.9 * self.tempo, end + 0.2)
        apart = np.array([0.012, 0.022, 0.012])
        hands = tuple(
            HandPath(s, weight, h * (curve[:, 5:8] + SIGN[s] * apart), on_chest=True)
            for s in (0, 1)
        )
        return Drive(drive.shift, drive.pelvis, drive.drop, drive.trunk, drive.head, hands)
