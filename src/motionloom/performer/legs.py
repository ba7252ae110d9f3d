"""Legs: from the hip joint to where the foot is, the knee pointing ahead."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.performer.body import SIDES, Performer
from motionloom.performer.feet import FootPath
from motionloom.performer.pelvis import PelvisPath
from motionloom.performer.pelvis_height import hip_joints
from motionloom.two_bones import solve_two_bones, unit

Array = NDArray[np.float64]


def leg_rotations(
    performer: Performer, side: int, pelvis: PelvisPath, foot: FootPath
) -> dict[str, Array]:
    """World rotations (T, 4) of a leg's joints by inverse kinematics; side 0 is left, 1 right."""
    n = performer.lengths
    hip = hip_joints(performer, pelvis.position, pelvis.rotation)[side]
    # The knee points between the pelvis' and the foot's direction.
    toward = rot.rotate(rot.yaw(foot.heading), np.array([0.0, 0.0, 1.0]))
    facing = rot.rotate(pelvis.rotation, np.array([0.0, 0.0, 1.0]))
    knee, axis = solve_two_bones(hip, foot.ankle, toward + facing, n["thigh"], n["shank"])
    name = SIDES[side]
    return {
        f"{name}UpLeg": leg_frame(axis, knee - hip),
        f"{name}Leg": leg_frame(axis, foot.ankle - knee),
        f"{name}Foot": foot.rotation,
        f"{name}ToeBase": foot.toe_rotation,
    }


def leg_frame(axis: Array, bone: Array) -> Array:
    """World rotation of a segment that at rest hangs along -Y with its hinge along +X."""
    up = -unit(bone)
    x = unit(axis - np.sum(axis * up, axis=-1, keepdims=True) * up)
    return rot.from_matrix(np.stack([x, up, np.cross(x, up)], axis=-1))
