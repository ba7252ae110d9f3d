"""How goals come out: what they are missed by, and why."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom import rotations as rot
from motionloom.framewise._body import ClipBody
from motionloom.framewise._goals import Goal, own_track, turn_between
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
    got = own_track(after, goal, mass)
    frames = np.arange(goal.first, goal.last + 1)
    value = np.asarray(goal.value)
    if goal.kind == "orientation":
        if goal.shift:
            value = rot.multiply(value, own_track(body.posed, goal)[frames])
        far = rot.angle_between(got[frames], value)
    elif goal.kind == "gaze":
        ahead = value - after.positions[frames, goal.joint]
        ahead /= np.maximum(np.linalg.norm(ahead, axis=-1, keepdims=True), 1e-9)
        sine = np.linalg.norm(np.cross(got[frames], ahead), axis=-1)
        far = np.arctan2(sine, np.sum(got[frames] * ahead, axis=-1))
    else:
        before = own_track(body.posed, goal, body.center_of_mass)[frames]
        lacks = value + (before if goal.shift else 0.0) - got[frames]
        if goal.kind == "mass":
            lacks = lacks * [axis in goal.axes for axis in "xyz"]
        far = np.linalg.norm(lacks, axis=-1)
    at = int(np.argmax(far))
    residual = float(far[at])
    if residual > TOLERANCE and reason == "met":
        reason = "the frames between do not leave room for it"
    return GoalOutcome(goal, residual, int(frames[at]), reason)


def missed_by(body: ClipBody, goal: Goal, wanted: object, values: Array, frame: int) -> Array:
    """What a pose misses a goal by: metres, or a rotation vector in the world."""
    pose = body.pose_at(frame, values)
    got = shown_in(body, goal, pose)
    want = np.asarray(wanted)
    if goal.kind == "orientation":
        return rot.to_rotvec(rot.multiply(want, rot.conjugate(got)))
    if goal.kind == "gaze":
        ahead = want - pose.positions[0, goal.joint]
        ahead = ahead / max(float(np.linalg.norm(ahead)), 1e-9)
        return turn_between(got, ahead)
    lacks = want - got
    if goal.kind == "mass":
        lacks = lacks * [axis in goal.axes for axis in "xyz"]
    return np.asarray(lacks, float)


def shown_in(body: ClipBody, goal: Goal, pose: PosedMotion) -> Array:
    """What the effector of a goal does in a pose."""
    mass = None if body.masses is None else body.masses @ pose.positions
    shown: Array = own_track(pose, goal, mass)[0]
    return shown
