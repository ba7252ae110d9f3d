"""From constraints to tasks in the model's own place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom import rotations as rot
from motionloom.constraints import ConstraintSet, JointConstraint, check_joints
from motionloom.ik.tasks import Task
from motionloom.models.solving.problem import KeyTasks
from motionloom.motion import GroundTransform, Motion
from motionloom.posed_motion import PosedMotion
from motionloom.spaces.motion_space import MotionSpace
from motionloom.typing import Array


@dataclass(frozen=True)
class Standing:
    """Where the motions of a model stand in the world.

    Parameters
    ----------
    placing : GroundTransform
        Applied to the model's motions it gives the world's.
    ground : float, metres
        Height of the ground in the model, which is 0 in the world.
    """

    placing: GroundTransform
    ground: float

    def to_model(self, point: Sequence[float]) -> Array:
        """A point of the world, seen from the model."""
        flat = self.placing.inverse().apply(np.asarray(point, float))
        return flat + np.array([0.0, self.ground, 0.0])

    def turn_to_model(self, turn: Sequence[float]) -> Array:
        """A rotation (w, x, y, z) in the world, seen from the model."""
        return rot.multiply(rot.conjugate(self.placing.quaternion), np.asarray(turn, float))

    def from_world(self, motion: Motion) -> Motion:
        """A motion of the world, seen from the model."""
        return Standing(self.placing.inverse(), -self.ground).to_world(motion)

    def to_world(self, motion: Motion) -> Motion:
        """A motion of the model in the world."""
        placed = motion.transformed(self.placing)
        joint = placed.root_joint
        moves = placed.translations.copy()
        up = np.array([0.0, -self.ground, 0.0])
        above = placed.skeleton.chain(joint)[:-1]
        for j in above:  # joints above the one that carries the body are still
            up = rot.rotate(rot.conjugate(placed.rotations[0, j]), up)
        moves[:, placed.translated.index(joint)] += up
        return replace(placed, translations=moves)


def tasks_of(
    space: MotionSpace, constraints: ConstraintSet, standing: Standing
) -> list[tuple[int, tuple[Task, ...]]]:
    """Tasks of every joint constraint.

    Parameters
    ----------
    space : MotionSpace
        The model.
    constraints : ConstraintSet
        Its joint constraints count.
    standing : Standing
        Where the model stands.

    Returns
    -------
    list of (int, tuple of Task)
        Index of the constraint and what it asks for; one with a position, an orientation and a gaze
        gives three tasks.

    Raises
    ------
    UnknownJointError
        For a name that is neither a joint nor a role.
    """
    joints = check_joints(constraints, space.skeleton, space.roles)
    return [
        (i, _tasks_of(space, c, joint, standing))
        for i, (c, joint) in enumerate(zip(constraints.joints, joints, strict=True))
    ]


def _tasks_of(
    space: MotionSpace, c: JointConstraint, joint: int, standing: Standing
) -> tuple[Task, ...]:
    tasks = []
    bare = Task("position", (0.0, 0.0, 0.0), joint, weight=c.weight, layer=c.priority)
    if c.position is not None:
        tasks.append(replace(bare, value=standing.to_model(c.position)))
    if c.orientation is not None:
        turn = standing.turn_to_model(c.orientation)
        tasks.append(replace(bare, kind="orientation", value=turn, local=None))
    if c.look_at is not None:
        axis = _looking_axis(space, joint) if c.axis is None else np.array(c.axis)
        at = standing.to_model(c.look_at)
        tasks.append(replace(bare, kind="gaze", value=at, local=axis))
    return tuple(tasks)


def _looking_axis(space: MotionSpace, joint: int) -> Array:
    """Axis of a joint's frame that points where the body faces, on average over the mean motion."""
    posed = PosedMotion(space.coordinates.to_motion(space.mean, space.frame_time), space.roles)
    ahead = np.stack(
        [np.sin(posed.facing), np.zeros(posed.n_frames), np.cos(posed.facing)], axis=-1
    )
    mean: Array = rot.rotate(rot.conjugate(posed.rotations[:, joint]), ahead).mean(axis=0)
    return mean / np.linalg.norm(mean)


def gather(pairs: Sequence[tuple[float, Task]]) -> list[KeyTasks]:
    """Tasks by their normalised frames, frames in order, tasks of one as they come."""
    frames = sorted({frame for frame, _ in pairs})
    return [KeyTasks(f, [task for frame, task in pairs if frame == f]) for f in frames]
