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


def body_errors(pose: WorldPose, roles: Roles, constraints: ConstraintSet) -> tuple[BodyError, ...]:
    """Error of every body constraint, in their order."""
    body = body_trajectory(pose, roles)
    errors = []
    for c in constraints.body:
        x, z, facing = body[constraints.frame_of(c.time)]
        turn = None if c.facing is None else abs(float(np.degrees(rot.wrap_angle(facing - np.radians(c.facing)))))
        errors.append(BodyError(c.time, float(np.hypot(x - c.position[0], z - c.position[1])), turn))
    return tuple(errors)


def joint_errors(
    pose: WorldPose, skeleton: Skeleton, roles: Roles, constraints: ConstraintSet
) -> tuple[JointError, ...]:
    """Error of every joint constraint, in their order."""
    joints = check_joints(constraints, skeleton, roles)
    gaps = [pose.positions[constraints.frame_of(c.time), j] - c.position for c, j in zip(constraints.joints, joints, strict=True)]
    return tuple(
        JointError(c.time, skeleton.names[j], float(np.linalg.norm(gap)))
        for c, j, gap in zip(constraints.joints, joints, gaps, strict=True)
    )
