"""What is left of each constraint's error after the search, spread over the span before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator

from motionloom import rotations as rot
from motionloom.constraints import ConstraintSet, check_joints
from motionloom.edit.root import move_body
from motionloom.kinematics import WorldPose, body_trajectory, forward_kinematics
from motionloom.motion import Motion
from motionloom.roles import Roles

Array = NDArray[np.float64]

#: A joint's error moves the body on the ground only where no body constraint is this near, seconds ...
APART = 0.5
#: ... and by no more than this, metres.
LARGEST_STEP = 0.35


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


def joint_errors(pose: WorldPose, motion: Motion, roles: Roles, constraints: ConstraintSet) -> tuple[JointError, ...]:
    """Error of every joint constraint, in their order."""
    joints = check_joints(constraints, motion.skeleton, roles)
    return tuple(
        JointError(
            c.time,
            motion.skeleton.names[j],
            float(np.linalg.norm(pose.positions[constraints.frame_of(c.time), j] - c.position)),
        )
        for c, j in zip(constraints.joints, joints, strict=True)
    )


def spread_errors(motion: Motion, roles: Roles, constraints: ConstraintSet) -> Motion:
    """Turn and shift the body, a little more in every frame, so that every body constraint holds exactly.

    Turning about the vertical through the hips changes the facing by just that turn and leaves the hips' place, so
    both corrections are exact at once. Between constraints they grow evenly (with smooth slopes where spans meet).
    Where a joint is to be somewhere and no body constraint is near, the body also steps so far that the joint's
    ground position is right.
    """
    pose = forward_kinematics(motion)
    body = body_trajectory(pose, roles)
    frames = [constraints.frame_of(c.time) for c in constraints.body]
    turns = [
        (f, float(rot.wrap_angle(np.radians(c.facing) - body[f, 2])))
        for f, c in zip(frames, constraints.body, strict=True)
        if c.facing is not None
    ]
    shifts = [
        (f, np.asarray(c.position) - body[f, :2]) for f, c in zip(frames, constraints.body, strict=True)
    ]
    moved = _moved(motion, pose, roles, _ramp(turns, motion.n_frames, 0), _ramp(shifts, motion.n_frames, 2))
    steps = _joint_steps(moved, roles, constraints, frames)
    if not steps:
        return moved
    own = [(f, np.zeros(2)) for f in frames]
    return _moved(moved, forward_kinematics(moved), roles, None, _ramp(sorted(own + steps, key=lambda s: s[0]), motion.n_frames, 2))


def _joint_steps(
    motion: Motion, roles: Roles, constraints: ConstraintSet, taken: Sequence[int]
) -> list[tuple[int, Array]]:
    """Ground steps that bring constrained joints over their targets, at frames with no other constraint near."""
    positions = forward_kinematics(motion).positions
    steps: list[tuple[int, Array]] = []
    taken = list(taken)
    for c, j in zip(constraints.joints, check_joints(constraints, motion.skeleton, roles), strict=True):
        frame = constraints.frame_of(c.time)
        if all(abs(frame - other) > APART * motion.fps for other in taken):
            step = np.asarray(c.position)[[0, 2]] - positions[frame, j][[0, 2]]
            steps.append((frame, step * min(1.0, LARGEST_STEP / max(float(np.linalg.norm(step)), 1e-12))))
            taken.append(frame)
    return steps


def _ramp(knots: Sequence[tuple[int, float | Array]], n: int, width: int) -> Array:
    """Values through knots at frames: even between two, with smooth slopes where spans meet, constant outside."""
    if not knots:
        return np.zeros((n, width) if width else n)
    frames, values = np.array([f for f, _ in knots]), np.array([v for _, v in knots])
    inside = np.clip(np.arange(n), frames[0], frames[-1])
    if len(knots) == 1:
        return np.repeat(values, n, axis=0)
    return PchipInterpolator(frames, values)(inside)


def _moved(motion: Motion, pose: WorldPose, roles: Roles, turn: Array | None, shift: Array) -> Motion:
    full = np.zeros((motion.n_frames, 3))
    full[:, [0, 2]] = shift
    return move_body(motion, pose, full, turn, pose.positions[:, roles.joints["hips"]])
