"""Angles by OpenSim's names: signs and sizes of turns that are known."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.io.opensim.angles import opensim_angles
from motionloom.motion import Motion
from motionloom.performer import make_performer
from motionloom.roles import find_roles

BODY = make_performer()
ROLES = find_roles(BODY.skeleton)
LEFT, UP, AHEAD = np.eye(3)


def angles(turned: dict[str, np.ndarray], root=(0.0, 0.0, 0.0)):
    """Columns of one frame in which joints are turned from the T-pose by rotation vectors."""
    turns = rot.identity(1, BODY.skeleton.n_joints)
    for name, vector in turned.items():
        turns[0, BODY.skeleton.index(name)] = rot.from_rotvec(np.radians(vector))
    motion = Motion(BODY.skeleton, turns, np.array([[root]], float), 0.01, (0,))
    return {name: float(c[0]) for name, c in opensim_angles(motion, ROLES).columns.items()}


def test_the_rest_pose_has_straight_legs():
    table = angles({})
    for name in ("hip_flexion_r", "knee_angle_l", "ankle_angle_r", "lumbar_extension"):
        assert table[name] == pytest.approx(0.0, abs=1e-6)


def test_the_arms_of_a_t_pose_are_abducted_by_a_right_angle():
    table = angles({})
    assert table["arm_add_r"] == pytest.approx(-90.0, abs=1.0)
    assert table["arm_add_l"] == pytest.approx(-90.0, abs=1.0)


@pytest.mark.parametrize(
    ("joint", "vector", "column"),
    [
        ("RightUpLeg", -30 * LEFT, "hip_flexion_r"),
        ("LeftUpLeg", -30 * LEFT, "hip_flexion_l"),
        ("RightLeg", 30 * LEFT, "knee_angle_r"),
        ("LeftFoot", -30 * LEFT, "ankle_angle_l"),
        ("RightUpLeg", 30 * AHEAD, "hip_adduction_r"),
        ("LeftUpLeg", -30 * AHEAD, "hip_adduction_l"),
        ("RightUpLeg", 30 * UP, "hip_rotation_r"),
        ("LeftUpLeg", -30 * UP, "hip_rotation_l"),
        ("Spine2", -30 * LEFT, "lumbar_extension"),
    ],
)
def test_a_turn_of_30_degrees_shows_in_its_column_with_the_right_sign(joint, vector, column):
    assert angles({joint: vector})[column] == pytest.approx(30.0, abs=1e-6)


def test_the_pelvis_is_told_in_the_world_of_the_motion():
    facing_x = angles({"Hips": 90 * UP}, root=(1.0, 0.9, -2.0))
    assert facing_x["pelvis_rotation"] == pytest.approx(0.0, abs=1e-6)
    assert [facing_x[f"pelvis_t{a}"] for a in "xyz"] == pytest.approx([1.0, 0.9, -2.0])


def test_a_dog_has_no_angles_of_a_person():
    motion = Motion(
        BODY.skeleton, rot.identity(1, BODY.skeleton.n_joints), np.zeros((1, 1, 3)), 0.01, (0,)
    )
    with pytest.raises(InvalidInputError, match="an animal on four legs"):
        opensim_angles(motion, replace(ROLES, kind="quadruped"))
