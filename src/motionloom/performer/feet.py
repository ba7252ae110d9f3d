"""Feet over time: rolling over fixed points in stance, on minimum-jerk paths in swing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom import rotations as rot
from motionloom.performer.body import Performer
from motionloom.performer.curves import ramp
from motionloom.performer.footsteps import FootstepPlan
from motionloom.performer.rolling import pitch_curve, pressure_point, stance_ankle
from motionloom.performer.swinging import swing_ankle, toe_extension
from motionloom.typing import Array, Bools


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
        load += ramp(times, stance.strike, stance.loaded) - ramp(
            times, stance.unloading, stance.toe_off
        )
        extension[on] = np.maximum(pitch[on], 0.0)
        pressure[on] = pressure_point(performer, stance, times[on])
        heading[on] = stance.foot_heading
        if i + 1 < len(stances):
            after = stances[i + 1]
            air = (times > stance.toe_off) & (times < after.strike)
            t = times[air]
            ankle[air] = swing_ankle(performer, stance, after, sole, t)
            s = ramp(t, stance.toe_off, after.strike)
            heading[air] = stance.foot_heading + s * (after.foot_heading - stance.foot_heading)
            pressure[air] = pressure_point(performer, stance, np.array([stance.toe_off]))
            extension[air] = toe_extension(
                pitch[air], (t - stance.toe_off) / (after.strike - stance.toe_off)
            )
    return FootPath(ankle, heading, pitch, pitch - extension, heel_down, toe_down, load, pressure)
