from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from motionloom import rotations as rot
from motionloom.body_masses import SEGMENTS
from motionloom.errors import InvalidInputError
from motionloom.kinematics import (
    body_trajectory,
    center_of_mass,
    compute_facing,
    forward_kinematics,
)
from motionloom.kinematics import end_site_positions as compute_end_sites
from motionloom.motion import GroundTransform, Motion
from motionloom.performer import make_performer
from motionloom.roles import find_roles
from random_bodies import random_motion


def recursive_world(motion, frame, joint):
    """World rotation and position of a joint, one SciPy rotation after the other."""
    if joint < 0:
        return Rotation.identity(), np.zeros(3)
    above, at = recursive_world(motion, frame, int(motion.skeleton.parents[joint]))
    local = Rotation.from_quat(motion.rotations[frame, joint].copy(), scalar_first=True)
    offset = motion.skeleton.offsets[joint].copy()
    if joint in motion.translated:
        offset = motion.translations[frame, motion.translated.index(joint)].copy()
    return above * local, at + above.apply(offset)


@pytest.mark.parametrize("translated", [(), (0,), (0, 2, 5)])
def test_forward_kinematics_against_recursion(translated):
    motion = random_motion(seed=3, translated=translated)
    pose = forward_kinematics(motion)
    for frame in (0, 4, 8):
        for joint in range(motion.skeleton.n_joints):
            turn, at = recursive_world(motion, frame, joint)
            assert np.allclose(pose.positions[frame, joint], at, atol=1e-12)
            theirs = turn.as_quat(scalar_first=True)
            assert rot.angle_between(theirs, pose.rotations[frame, joint]) < 1e-7


def test_end_sites_hang_on_their_joints():
    motion = random_motion()
    pose = forward_kinematics(motion)
    ends = compute_end_sites(motion, pose)
    length = np.linalg.norm(ends - pose.positions[:, motion.skeleton.end_parents], axis=-1)
    assert np.allclose(length, np.linalg.norm(motion.skeleton.end_offsets, axis=-1))


def standing(*turns):
    """The performer at rest, once per turn about the vertical (degrees)."""
    skeleton = make_performer().skeleton
    rest = Motion(skeleton, rot.identity(1, skeleton.n_joints), [[[0.0, 1.0, 0.0]]], 0.1)
    turned = [rest.transformed(GroundTransform(np.radians(a), 1.0, 2.0)) for a in turns]
    return replace(
        rest,
        rotations=np.concatenate([m.rotations for m in turned]),
        translations=np.concatenate([m.translations for m in turned]),
    )


def test_facing_is_where_the_body_was_turned():
    motion = standing(0, 30, 90, -135, 179)
    facing = compute_facing(forward_kinematics(motion), find_roles(motion.skeleton))
    assert np.allclose(np.degrees(facing), [0, 30, 90, -135, 179], atol=1e-6)


def test_body_trajectory_is_continuous_through_half_a_turn():
    motion = standing(170, 190, 210)
    trajectory = body_trajectory(forward_kinematics(motion), find_roles(motion.skeleton))
    assert np.allclose(np.degrees(trajectory[:, 2]), [170, 190, 210])
    assert np.allclose(trajectory[:, :2], [1.0, 2.0])


def test_a_forward_axis_told_by_the_user_wins():
    motion = standing(30)
    table = {"forward": {"joint": "Hips", "axis": [1, 0, 0]}}
    facing = compute_facing(forward_kinematics(motion), find_roles(motion.skeleton, table))
    assert np.allclose(np.degrees(facing), 120)


def test_without_sides_facing_asks_for_a_table():
    motion = random_motion()
    with pytest.raises(InvalidInputError, match="forward axis, in a roles table"):
        compute_facing(forward_kinematics(motion), find_roles(motion.skeleton))


def test_segment_masses_make_a_whole_body():
    assert sum(share for share, *_ in SEGMENTS) == pytest.approx(1.0, abs=1e-9)


def test_center_of_mass_of_a_standing_person():
    motion = standing(0, 90)
    positions = forward_kinematics(motion).positions
    center = center_of_mass(positions, find_roles(motion.skeleton))
    tall = (
        positions[0, motion.skeleton.index("Head"), 1]
        - positions[0, motion.skeleton.index("LeftToeBase"), 1]
    )
    low = positions[0, motion.skeleton.index("LeftToeBase"), 1]
    # Some 55 to 58 % of stature above the ground; the head joint sits near 90 % of stature.
    assert 0.55 < (center[0, 1] - low) / (tall / 0.9) < 0.66
    assert np.allclose(center[:, [0, 2]].mean(axis=0), [1.0, 2.0], atol=0.1)


def test_center_of_mass_moves_with_the_body_and_needs_its_joints():
    motion = standing(0)
    roles = find_roles(motion.skeleton)
    positions = forward_kinematics(motion).positions
    assert np.allclose(
        center_of_mass(positions + 3.0, roles), center_of_mass(positions, roles) + 3.0
    )
    with pytest.raises(InvalidInputError, match="needs the roles"):
        center_of_mass(positions, replace(roles, joints={"hips": 0}))


#: Share of body mass and place of the centre of what hangs on a joint's two bones (Winter 2009,
#: table 4.1).
@pytest.mark.parametrize(
    ("joint", "share"),
    [
        ("LeftLeg", 0.100 * 0.433 + 0.0465 * (1 - 0.433)),
        ("RightForeArm", 0.028 * 0.436 + 0.016 * (1 - 0.430)),
        ("LeftFoot", 0.0465 * 0.433 + 0.0145 * 0.5),
        ("RightHand", 0.016 * 0.430 + 0.006),
        ("Head", 0.081),
    ],
)
def test_a_joint_takes_its_share_of_the_body_along(joint, share):
    motion = standing(0)
    positions, roles = forward_kinematics(motion).positions, find_roles(motion.skeleton)
    moved = positions.copy()
    moved[:, motion.skeleton.index(joint)] += [0.1, -0.2, 0.3]
    shift = center_of_mass(moved, roles) - center_of_mass(positions, roles)
    np.testing.assert_allclose(shift, [share * np.array([0.1, -0.2, 0.3])], atol=1e-12)


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_straight_leg_has_its_centre_where_the_table_of_whole_limbs_has_it(side):
    """A leg with its foot: 44.7 % of the way from hip to ankle; shank and foot 60.6 % from the knee
    (same table).
    """
    parts = {near: (mass, along) for mass, along, near, _ in SEGMENTS}
    thigh, shank, foot = (parts[f"{side}_{name}"] for name in ("hip", "knee", "foot"))
    long, short, sole = (
        0.245,
        0.246,
        0.02,
    )  # thigh, shank, and how far the foot's centre lies below the ankle
    below = shank[0] * shank[1] * short + foot[0] * (short + sole)
    assert below / (shank[0] + foot[0]) / short == pytest.approx(0.606, abs=0.03)
    whole = thigh[0] * thigh[1] * long + (shank[0] + foot[0]) * long + below
    assert whole / (thigh[0] + shank[0] + foot[0]) / (long + short) == pytest.approx(
        0.447, abs=0.02
    )
