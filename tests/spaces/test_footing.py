"""How captured bodies stand over their floors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.kinematics import forward_kinematics
from motionloom.motion import GroundTransform
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import Skeleton
from motionloom.spaces import fit_pose_space
from motionloom.spaces.footing import NOWHERE, floor_height
from motionloom.spaces.pose_coordinates import RATE, PoseCoordinates, body_joint, thin
from performed import performer_clips

CLIPS = [clip.motion for clip in performer_clips()[:6]]


@pytest.fixture(scope="module")
def space():
    return fit_pose_space(CLIPS)


def test_where_a_clip_is_and_faces_makes_no_difference(space):
    moved = [m.transformed(GroundTransform(1.3, 4.0, -2.0)) for m in CLIPS]
    np.testing.assert_allclose(fit_pose_space(moved).footing.root, space.footing.root, atol=1e-9)


@pytest.mark.parametrize("height", [-0.7, 1.2])
def test_a_floor_elsewhere_is_found(space, height):
    world = forward_kinematics(CLIPS[0]).positions
    found = floor_height(world[..., 1] + height)
    assert abs(found - height) < 0.06


def test_no_captured_point_is_much_below_what_it_is_kept_above(space):
    clearance = space.footing.clearance
    assert (clearance > NOWHERE).all()
    assert (clearance >= 0).all()
    assert clearance.max() <= 0.12


def test_the_standing_pose_stands(space):
    row = space.footing.standing
    trial = space.trial[row]
    first = np.flatnonzero(space.trial == trial)[0]
    motion = thin(CLIPS[trial], RATE)
    heights = forward_kinematics(motion).positions[row - first, :, 1]
    feet = [
        space.roles.joints[f"{side}_{part}"] for side in ("left", "right") for part in ("foot",)
    ]
    assert np.ptp(heights[feet]) < 0.03
    assert heights[space.roles.joints["hips"]] > 0.9 * np.quantile(space.footing.root[:, 1], 0.95)


def carried(motion):
    """The same motion below one more joint, which moves it along the ground."""
    old = motion.skeleton
    skeleton = Skeleton(
        ("Carrier", *old.names),
        np.array([-1, *(old.parents + 1)]),
        np.concatenate([np.zeros((1, 3)), old.offsets]),
        old.end_parents + 1,
        old.end_offsets,
    )
    ground = motion.translations[:, :1] * [1.0, 0.0, 1.0]
    own = motion.translations.copy()
    own[:, :1] -= ground
    return replace(
        motion,
        skeleton=skeleton,
        rotations=np.concatenate([rot.identity(len(motion), 1), motion.rotations], axis=1),
        translations=np.concatenate([ground, own], axis=1),
        translated=(0, *(j + 1 for j in motion.translated)),
    )


def test_a_joint_above_the_hips_changes_nothing(space):
    other = fit_pose_space([carried(m) for m in CLIPS])
    np.testing.assert_allclose(other.poses, space.poses, atol=1e-9)
    np.testing.assert_allclose(other.footing.root, space.footing.root, atol=1e-9)
    covered = np.unique(np.concatenate(list(other.segments.values())))
    np.testing.assert_array_equal(covered, np.arange(other.coordinates.size))


def test_what_trunk_and_legs_share_carries_the_body():
    skeleton = CLIPS[0].skeleton
    roles = find_roles(skeleton)
    assert body_joint(skeleton, roles) == roles.joints["hips"]
    knee = Roles({**roles.joints, "hips": roles.joints["left_knee"]})
    assert body_joint(skeleton, knee) == roles.joints["hips"]


@pytest.mark.parametrize(("fps", "expected"), [(120.0, 30.0), (50.0, 30.0), (25.0, 25.0)])
def test_captures_of_any_rate_are_thinned_to_one(fps, expected):
    motion = CLIPS[0].resample(1 / fps)
    assert thin(motion, 30.0).fps == pytest.approx(expected, rel=0.02)


def test_rotation_vectors_are_about_the_mean_and_continuous():
    coordinates = PoseCoordinates.of(CLIPS, "exponential")
    poses = coordinates.from_motion(CLIPS[0])
    assert np.abs(np.diff(poses, axis=0)).max() < 1.0
    joined = np.concatenate([coordinates.from_motion(m) for m in CLIPS])
    turns = coordinates.coordinates.local_pose(coordinates.to_values(joined))[0]
    zero = coordinates.coordinates.local_pose(coordinates.to_values(np.zeros(joined.shape[1])))[0]
    below = np.unique(coordinates.joints)
    for joint in below:
        assert rot.angle_between(rot.mean(turns[:, joint]), zero[joint]) < 1e-6
