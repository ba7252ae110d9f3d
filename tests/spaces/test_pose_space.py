"""Segments, pose coordinates, pose spaces: what holds whatever they are learned from."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import FormatError, InvalidInputError
from motionloom.io import load_motion
from motionloom.kinematics import forward_kinematics
from motionloom.roles import find_roles
from motionloom.spaces import fit_pose_space, load_pose_space, save_pose_space
from motionloom.spaces.pose_coordinates import PoseCoordinates
from motionloom.spaces.segments import find_segments
from performed import performer_clips


@pytest.fixture(scope="module")
def clips():
    return [clip.motion for clip in performer_clips()[:8]]


@pytest.fixture(scope="module", params=["euler", "exponential"])
def space(request, clips):
    return fit_pose_space(clips, kind=request.param)


def test_acclaim_segments_are_those_of_the_thesis(shared_data):
    motion = load_motion(shared_data / "cmu_asf_amc" / "16" / "16_15.amc")
    names = motion.skeleton.names
    segments = {
        k: {names[j] for j in v}
        for k, v in find_segments(motion.skeleton, find_roles(motion.skeleton)).items()
    }
    trunk = {"lowerback", "upperback", "thorax"}
    arm = {"rclavicle", "rhumerus", "rradius", "rwrist", "rhand", "rfingers", "rthumb"}
    assert segments["right_arm"] == trunk | arm
    assert segments["left_leg"] == {"lhipjoint", "lfemur", "ltibia", "lfoot", "ltoes"}
    assert segments["head"] == trunk | {"lowerneck", "upperneck", "head"}
    assert set().union(*segments.values()) == set(names) - {"root"}


def test_segments_cover_every_joint_below_the_hips(space):
    covered = np.unique(np.concatenate(list(space.segments.values())))
    np.testing.assert_array_equal(covered, np.arange(space.coordinates.size))


def test_poses_mean_what_was_captured(space, clips):
    poses = space.coordinates.from_motion(clips[0])
    root = space.coordinates.root
    captured, made = clips[0], space.coordinates.to_motion(poses)
    below = [j for j in range(captured.skeleton.n_joints) if j not in captured.skeleton.chain(root)]
    same = np.abs(np.sum(captured.rotations[:, below] * made.rotations[:, below], axis=-1))
    np.testing.assert_allclose(same, 1.0, atol=1e-9)


def test_effective_limits_hold_nearly_all_captured_poses(space):
    assert (space.excess(space.poses) > 0).mean() < 0.004
    lower, upper = space.coordinates.limits
    assert (space.lower <= lower).all() | ~np.isfinite(lower).all()
    assert (space.upper >= space.lower).all()
    assert len(upper) == space.coordinates.size


def test_precision_is_that_of_segments_independent_given_what_they_share(space):
    """Marginals of the joined Gaussian on every segment are the segments' own."""
    joined = np.linalg.inv(space.precision)
    for columns in space.segments.values():
        np.testing.assert_allclose(
            joined[np.ix_(columns, columns)], space.covariance(columns), atol=1e-8
        )
    right, left = (space.segments[k] for k in ("right_leg", "left_leg"))
    np.testing.assert_allclose(space.precision[np.ix_(right, left)], 0.0)


def test_saved_and_loaded_is_the_same(space, tmp_path):
    save_pose_space(space, tmp_path / "space.npz")
    again = load_pose_space(tmp_path / "space.npz")
    np.testing.assert_array_equal(again.precision, space.precision)
    assert again.coordinates.names == space.coordinates.names
    place = forward_kinematics(space.coordinates.to_motion(space.poses[:5])).positions
    np.testing.assert_array_equal(
        forward_kinematics(again.coordinates.to_motion(space.poses[:5])).positions, place
    )


def test_what_is_no_pose_space_is_refused(tmp_path):
    with pytest.raises(FormatError, match="no such file"):
        load_pose_space(tmp_path / "none.npz")
    (tmp_path / "bad.npz").write_bytes(b"nothing")
    with pytest.raises(FormatError, match="not a pose space"):
        load_pose_space(tmp_path / "bad.npz")
    np.savez(tmp_path / "other.npz", head=np.array('{"motionloom_pose_space": 99}'))
    with pytest.raises(FormatError, match="another version of motionloom wrote this"):
        load_pose_space(tmp_path / "other.npz")


def test_wrong_input_is_named(clips):
    with pytest.raises(InvalidInputError, match="at least one clip"):
        fit_pose_space([])
    with pytest.raises(InvalidInputError, match="'euler' or 'exponential'"):
        PoseCoordinates.of(clips[0], "quaternion")


def test_files_that_keep_their_bones_in_channels_have_them_in_the_pose(shared_data):
    motion = load_motion(shared_data / "bandai_namco" / "dataset-2_walk_normal_001.bvh")
    space = fit_pose_space([motion])
    world = forward_kinematics(space.coordinates.to_motion(space.poses[:3])).positions
    assert 1.2 < np.ptp(world[0], axis=0).max() < 2.2


@pytest.mark.parametrize("frames", [1, 2])
def test_too_few_poses_are_refused(clips, frames):
    with pytest.raises(
        InvalidInputError, match=f"at least 3 poses, got {frames}; add longer clips"
    ):
        fit_pose_space([clips[0].cut(0, frames)])
    with pytest.raises(InvalidInputError, match="at least 3 poses"):
        fit_pose_space([clips[0].cut(0, 1), clips[1].cut(0, 1)])
