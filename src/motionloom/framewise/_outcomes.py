"""How goals come out: what they are missed by, and why."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.framewise._body import ClipBody
from motionloom.framewise._goals import Goal, lacking, own_track
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array

#: A goal is met within this, metres and radians.
TOLERANCE = 1e-3


@dataclass(frozen=True)
class GoalOutcome:
    """How a goal came out.

    Parameters
    ----------
    goal : Goal
        What was asked.
    residual : float
        What it is missed by at worst while it is asked for; metres, radians for orientation and
        gaze.
    frame : int
        Where that is.
    reason : str
        ``"met"``, or why not, as `LayerOutcome` has it.
    """

    goal: Goal
    residual: float
    frame: int
    reason: str

    @property
    def met(self) -> bool:
        """Whether it is met."""
        return self.residual <= TOLERANCE


def outcome_of(body: ClipBody, goal: Goal, after: PosedMotion, reason: str) -> GoalOutcome:
    """What a goal is missed by in the frames in which it is asked for, and why."""
    mass = None if body.masses is None else body.masses @ after.positions
    frames = np.arange(goal.first, goal.last + 1)
    got = own_track(after, goal, mass)[frames]
    value = np.asarray(goal.value)
    if goal.shift:
        before = own_track(body.posed, goal, body.center_of_mass)[frames]
        value = rot.multiply(value, before) if goal.kind == "orientation" else value + before
    lacks = _lacks(goal, value, got, after.positions[frames, goal.joint])
    far = np.linalg.norm(lacks, axis=-1)
    at = int(np.argmax(far))
    residual = float(far[at])
    if residual > TOLERANCE and reason == "met":
        reason = "the frames between do not leave room for it"
    return GoalOutcome(goal, residual, int(frames[at]), reason)


def missed_by(body: ClipBody, goal: Goal, wanted: ArrayLike, values: Array, frame: int) -> Array:
    """What a pose misses a goal by: metres, or a rotation vector in the world."""
    pose = body.pose_at(frame, values)
    place = pose.positions[0, goal.joint]
    return _lacks(goal, np.asarray(wanted), shown_in(body, goal, pose), place)


def _lacks(goal: Goal, value: Array, got: Array, place: Array) -> Array:
    """`lacking` along the axes that are asked of the centre of mass."""
    asked = [goal.kind != "mass" or axis in goal.axes for axis in "xyz"]
    return lacking(goal, value, got, place) * asked


def shown_in(body: ClipBody, goal: Goal, pose: PosedMotion) -> Array:
    """What the effector of a goal does in a pose."""
    mass = None if body.masses is None else body.masses @ pose.positions
    shown: Array = own_track(pose, goal, mass)[0]
    return shown
