"""How far a motion is from what was asked of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom import rotations as rot
from motionloom.constraints import ConstraintSet, check_joints
from motionloom.kinematics import WorldPose, body_trajectory
from motionloom.roles import Roles
from motionloom.skeleton import Skeleton


@dataclass(frozen=True)
class BodyError:
    """How far the body is from where it should be.

    Parameters
    ----------
    time : float, seconds
    position : float, metres
    facing : float or None, degrees
        None where any facing will do.
    """

    time: float
    position: float
    facing: float | None


@dataclass(frozen=True)
class JointError:
    """How far a joint is from where it should be, metres."""

    time: float
    joint: str
    position: float


def frame_in(n_frames: int, constraints: ConstraintSet, time: float) -> int:
    """Frame of a time; the last one where a motion of `n_frames` has become too short."""
    return min(constraints.frame_of(time), n_frames - 1)


def body_errors(pose: WorldPose, roles: Roles, constraints: ConstraintSet) -> tuple[BodyError, ...]:
    """Error of every body constraint, in their order."""
    body = body_trajectory(pose, roles)
    errors = []
    for c in constraints.body:
        x, z, facing = body[frame_in(len(body), constraints, c.time)]
        turn = None if c.facing is None else abs(float(np.degrees(rot.wrap_angle(facing - np.radians(c.facing)))))
        errors.append(BodyError(c.time, float(np.hypot(x - c.position[0], z - c.position[1])), turn))
    return tuple(errors)


def joint_errors(
    pose: WorldPose, skeleton: Skeleton, roles: Roles, constraints: ConstraintSet
) -> tuple[JointError, ...]:
    """Error of every joint constraint, in their order."""
    joints = check_joints(constraints, skeleton, roles)
    errors = []
    for c, j in zip(constraints.joints, joints, strict=True):
        place = pose.positions[frame_in(len(pose.positions), constraints, c.time), j]
        errors.append(JointError(c.time, skeleton.names[j], float(np.linalg.norm(place - c.position))))
    return tuple(errors)
