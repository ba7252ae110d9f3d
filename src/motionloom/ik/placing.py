"""Where the body of a pose is: solvers work in root coordinates, people speak of the world."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.kinematics import WorldPose, chain_kinematics, forward_kinematics
from motionloom.motion import GroundTransform, Motion, Source
from motionloom.spaces.footing import facing_of
from motionloom.spaces.pose_space import PoseSpace
from motionloom.typing import Array


@dataclass(frozen=True, eq=False)
class Placing:
    """Place (3,), metres, and rotation (w, x, y, z) of the joint that carries the body."""

    place: Array
    rotation: Array

    def to_root(self, points: ArrayLike) -> Array:
        """World points (..., 3) in root coordinates."""
        return rot.rotate(rot.conjugate(self.rotation), np.asarray(points, float) - self.place)

    def turn_to_root(self, rotation: ArrayLike) -> Array:
        """World rotation (..., 4) in root coordinates."""
        return rot.multiply(rot.conjugate(self.rotation), np.asarray(rotation, float))

    def to_world(self, points: ArrayLike) -> Array:
        """Points (..., 3) of root coordinates in the world."""
        return rot.rotate(self.rotation, points) + self.place

    def moved(self, transform: GroundTransform) -> Placing:
        """Carried over the ground."""
        return Placing(
            transform.apply(self.place), rot.multiply(transform.quaternion, self.rotation)
        )


#: Where the root has the world's place and axes.
ORIGIN = Placing(np.zeros(3), rot.identity())


def captured_placing(motion: Motion, frame: int, root: int) -> Placing:
    """Where the body is in a frame of a motion.

    Parameters
    ----------
    motion : Motion
        The capture.
    frame : int
        Counted from 0.
    root : int
        The joint that carries the body.

    Returns
    -------
    Placing
        World position and rotation of that joint.
    """
    chain = chain_kinematics(motion.cut(frame, frame + 1), root)
    return Placing(chain.positions[0, -1], chain.rotations[0, -1])


def floor_frame(space: PoseSpace, placing: Placing, floor: float = 0.0) -> Placing:
    """Coordinates of the floor under a body: origin below its root, +Z where its hips face.

    Parameters
    ----------
    space : PoseSpace
        Knows which way the hips face.
    placing : Placing
        Of the root, in the world.
    floor : float, metres
        Height of the floor.

    Returns
    -------
    Placing
        Of those coordinates, in the world.
    """
    turn = rot.yaw(float(space.footing.facing(placing.rotation)))
    return Placing(np.array([placing.place[0], floor, placing.place[2]]), turn)


def root_numbers(space: PoseSpace, placing: Placing, frame: Placing) -> Array:
    """Numbers (6,) of a free root, metres and radians.

    Parameters
    ----------
    space : PoseSpace
        Knows how roots are upright.
    placing : Placing
        Of the root, in the world.
    frame : Placing
        Of the coordinates of the floor.
    """
    tilt = space.footing.tilt(frame.turn_to_root(placing.rotation))
    return np.concatenate([frame.to_root(placing.place), tilt])


def root_placing(space: PoseSpace, numbers: Array, frame: Placing) -> Placing:
    """Where a free root is in the world; `root_numbers` the other way round.

    Parameters
    ----------
    space : PoseSpace
        Knows how roots are upright.
    numbers : array of shape (6,)
        Of the root.
    frame : Placing
        Of the coordinates of the floor.
    """
    turn = rot.multiply(rot.from_rotvec(numbers[3:]), space.footing.upright)
    return Placing(frame.to_world(numbers[:3]), rot.multiply(frame.rotation, turn))


def hips_facing(space: PoseSpace, pose: Array, placing: Placing) -> float:
    """Direction in which the hips face.

    Unless the roles name a forward axis, a human's hip joints alone tell it, so that a twist of the
    trunk makes no difference; the shoulders count only where a hip joint has no role.

    Parameters
    ----------
    space : PoseSpace
        Gives the skeleton and its roles.
    pose : array of shape (P,), radians
        The pose.
    placing : Placing
        Where the body is.

    Returns
    -------
    float, radians
        From +Z towards +X, as `compute_facing` has it.

    Raises
    ------
    InvalidInputError
        When the roles give no way to tell.
    """
    return float(facing_of(world_pose(space, pose, placing), space.roles)[0])


def world_pose(space: PoseSpace, pose: Array, placing: Placing) -> WorldPose:
    """World positions and rotations of all joints in a pose.

    Parameters
    ----------
    space : PoseSpace
        Gives the skeleton.
    pose : array of shape (P,), radians
        The pose.
    placing : Placing
        Where the body is.

    Returns
    -------
    WorldPose
        Of one frame: positions (1, J, 3), metres, and rotations (1, J, 4).
    """
    return forward_kinematics(place_pose(space, pose, placing))


def place_pose(
    space: PoseSpace, pose: Array, placing: Placing, *, name: str = "", source: Source | None = None
) -> Motion:
    """Motion of one frame that shows a pose in the world.

    Parameters
    ----------
    space : PoseSpace
        Gives the skeleton.
    pose : array of shape (P,), radians
        The pose.
    placing : Placing
        World position and rotation of the joint that carries the body.
    name : str
        Name of the motion.
    source : Source, optional
        What the motion is said to come from; an empty one when not given.

    Returns
    -------
    Motion
        Joints above the root are at rest.
    """
    still = space.coordinates.to_motion(np.asarray(pose, float)[None])
    root = space.coordinates.root
    now = chain_kinematics(still, root).positions[0, -1]
    translated = tuple(sorted({*still.translated, root}))
    translations = still.local_translations()[:, list(translated)].copy()
    # Above the root everything is at rest, so its parent has the world's axes.
    translations[0, translated.index(root)] += placing.place - now
    rotations = still.rotations.copy()
    rotations[0, root] = placing.rotation
    return replace(
        still,
        rotations=rotations,
        translations=translations,
        translated=translated,
        name=name,
        source=source or Source(),
    )
