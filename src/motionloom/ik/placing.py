"""Where the body of a pose is: solvers work in root coordinates, people speak of the world."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.kinematics import (
    WorldPose,
    chain_kinematics,
    end_site_positions,
    forward_kinematics,
)
from motionloom.motion import GroundTransform, Motion, Source
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Roles
from motionloom.spaces.pose_space import PoseSpace

Array = NDArray[np.float64]


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


def captured_placing(motion: Motion, frame: int, root: int) -> Placing:
    """Where the body is in a frame of a motion."""
    chain = chain_kinematics(motion.cut(frame, frame + 1), root)
    return Placing(chain.positions[0, -1], chain.rotations[0, -1])


def hips_facing(space: PoseSpace, pose: Array, placing: Placing) -> float:
    """Direction (radians, +Z towards +X) in which the hips face; what the trunk does makes no
    difference.
    """
    roles = space.roles
    if {"left_hip", "right_hip"} <= roles.joints.keys():
        kept = {name: joint for name, joint in roles.joints.items() if "shoulder" not in name}
        roles = Roles(kept, roles.kind, roles.forward)
    return float(PosedMotion(place_pose(space, pose, placing), roles).facing[0])


def world_pose(space: PoseSpace, pose: Array, placing: Placing) -> WorldPose:
    """World positions and rotations of all joints in a pose, one frame."""
    return forward_kinematics(place_pose(space, pose, placing))


def place_pose(
    space: PoseSpace, pose: Array, placing: Placing, *, name: str = "", source: Source | None = None
) -> Motion:
    """Motion of one frame that shows a pose in the world."""
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


def lowest_point(motion: Motion) -> float:
    """Height of the lowest joint or end site in the first frame, metres."""
    first = motion.cut(0, 1)
    world = forward_kinematics(first)
    points = np.concatenate([world.positions[0], end_site_positions(first, world)[0]])
    return float(points[:, 1].min())


def trunk_directions(space: PoseSpace) -> tuple[WorldPose, Array, Array]:
    """Kinematics of all captured poses in root coordinates, and where the trunk's left and up are
    in each, (N, 3).

    Raises
    ------
    InvalidInputError
        When the skeleton has no hips, shoulders or chest by which that could be told.
    """
    roles = space.roles.joints
    sides = ("hip", "shoulder")
    pairs = [
        (roles[f"right_{s}"], roles[f"left_{s}"])
        for s in sides
        if {f"right_{s}", f"left_{s}"} <= roles.keys()
    ]
    top = next((roles[name] for name in ("neck", "chest", "head") if name in roles), None)
    if not pairs or top is None:
        raise InvalidInputError(
            "cannot tell what is up and ahead on this skeleton; name its hips, shoulders and neck"
            " in a roles table"
        )
    world = forward_kinematics(space.coordinates.to_motion(space.poses))
    left = np.mean([world.positions[:, b] - world.positions[:, a] for a, b in pairs], axis=0)
    return world, left, world.positions[:, top] - world.positions[:, roles["hips"]]


def upright(space: PoseSpace) -> Array:
    """Rotation (w, x, y, z) of the root with which the trunk is on average upright and faces +Z."""
    _, left, up = trunk_directions(space)
    y = up.mean(axis=0) / np.linalg.norm(up.mean(axis=0))
    x = left.mean(axis=0) - (left.mean(axis=0) @ y) * y
    x /= np.linalg.norm(x)
    rotation: Array = rot.from_matrix(np.stack([x, y, np.cross(x, y)]))
    return rotation
