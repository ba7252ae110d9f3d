"""How a joint's position and orientation in the world change with generalized coordinates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motionloom import rotations as rot
from motionloom.coordinates import Coordinates
from motionloom.kinematics import WorldPose, forward_kinematics

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class WorldAxes:
    """Axes and origins of all coordinates in the world: kinematics run once, Jacobians of any joint
    follow.

    Parameters
    ----------
    coordinates : Coordinates
        The coordinates.
    pose : WorldPose
        World pose of every joint, T poses.
    axes : array of shape (T, D, 3)
        World axis of each coordinate: angular velocity (rad/rad) or velocity (m/m) per unit rate.
    """

    coordinates: Coordinates
    pose: WorldPose
    axes: Array

    def position_jacobian(self, joint: int, point: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
        """Jacobian of the world position of a point fixed to a joint, shape (T, 3, D), metres per
        metre or radian.

        Parameters
        ----------
        joint : int
            The joint.
        point : array of shape (3,) or (T, 3), metres, optional
            The point in the joint's frame; the joint itself otherwise.
        """
        turn, move = self._carried_by(joint)
        where = self.pose.positions[:, joint] + rot.rotate(self.pose.rotations[:, joint], point)
        arm = where[:, None] - self.pose.positions[:, self.coordinates.joints]
        columns = np.where(
            turn[:, None], np.cross(self.axes, arm), np.where(move[:, None], self.axes, 0.0)
        )
        return np.swapaxes(columns, -1, -2)

    def orientation_jacobian(self, joint: int) -> Array:
        """Jacobian of a joint's world orientation, shape (T, 3, D): world angular velocity, rad per
        metre or radian.
        """
        turn, _ = self._carried_by(joint)
        return np.swapaxes(np.where(turn[:, None], self.axes, 0.0), -1, -2)

    def _carried_by(self, joint: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which coordinates turn and which move `joint`: those of the joints on its chain."""
        on_chain = np.isin(self.coordinates.joints, self.coordinates.skeleton.chain(joint))
        return on_chain & self.coordinates.rotational, on_chain & ~self.coordinates.rotational


def compute_world_axes(coordinates: Coordinates, values: ArrayLike) -> WorldAxes:
    """Run the kinematics of poses given by their coordinates, shape (T, D)."""
    values = np.asarray(values, float)
    pose = forward_kinematics(coordinates.to_motion(values, 1.0))
    parents = coordinates.skeleton.parents[coordinates.joints]
    above = np.where((parents < 0)[:, None], [1.0, 0.0, 0.0, 0.0], pose.rotations[:, parents])
    return WorldAxes(coordinates, pose, rot.rotate(above, coordinates.partials(values)))


def position_jacobian(coordinates: Coordinates, values: ArrayLike, joint: int | str) -> Array:
    """Jacobian of a joint's world position, shape (T, 3, D), for poses of shape (T, D)."""
    return compute_world_axes(coordinates, values).position_jacobian(_index(coordinates, joint))


def orientation_jacobian(coordinates: Coordinates, values: ArrayLike, joint: int | str) -> Array:
    """Jacobian of a joint's world orientation (world angular velocity), shape (T, 3, D), for poses
    (T, D).
    """
    return compute_world_axes(coordinates, values).orientation_jacobian(_index(coordinates, joint))


def _index(coordinates: Coordinates, joint: int | str) -> int:
    return coordinates.skeleton.index(joint) if isinstance(joint, str) else int(joint)
