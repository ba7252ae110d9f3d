"""Legs: from the hip joint to where the foot is, the knee pointing ahead."""

from __future__ import annotations

import numpy as np

from motionloom import rotations as rot
from motionloom.performer.body import SIDES, Performer
from motionloom.performer.feet import FootPath
from motionloom.performer.pelvis import PelvisPath
from motionloom.performer.pelvis_height import hip_joints
from motionloom.two_bones import solve_two_bones, unit
from motionloom.typing import Array


def leg_rotations(
    performer: Performer, side: int, pelvis: PelvisPath, foot: FootPath
) -> dict[str, Array]:
    """World rotations of a leg's joints by inverse kinematics.

    Parameters
    ----------
    performer : Performer
        Gives the lengths of thigh and shank.
    side : int
        0 left, 1 right.
    pelvis : PelvisPath
        Where the hip joints are; the knee points between the pelvis' and the foot's direction.
    foot : FootPath
        Where the ankle is, and how foot and toes are turned.

    Returns
    -------
    dict of str to array of shape (T, 4)
        Thigh, shank, foot and toes, by joint.
    """
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
    """World rotation of a segment that at rest hangs along -Y with its hinge along +X.

    Parameters
    ----------
    axis : array of shape (..., 3)
        Direction of the hinge; what it has along the bone is taken off.
    bone : array of shape (..., 3)
        From the segment's joint to the next one, of any length.

    Returns
    -------
    array of shape (..., 4)
    """
    up = -unit(bone)
    x = unit(axis - np.sum(axis * up, axis=-1, keepdims=True) * up)
    return rot.from_matrix(np.stack([x, up, np.cross(x, up)], axis=-1))
