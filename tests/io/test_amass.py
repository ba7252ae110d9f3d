"""AMASS motions: on a plain skeleton, and with a body model of the user's."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from motionloom.errors import FormatError
from motionloom.io import load_motion
from motionloom.io.amass import MODELS, is_amass, read_amass
from motionloom.kinematics import end_site_positions, forward_kinematics
from motionloom.roles import find_roles


def write_take(path, joints=52, frames=30, **changes):
    """A person who stands with hanging arms, faces -Y of a Z-up world, and walks along it."""
    poses = np.zeros((frames, joints, 3))
    poses[:, 0] = [np.pi / 2, 0, 0]
    poses[:, 16, 2], poses[:, 17, 2] = -1.3, 1.3
    arrays = {
        "poses": poses.reshape(frames, -1),
        "trans": np.stack([np.zeros(frames), -np.linspace(0, 1, frames), np.full(frames, 0.9)], 1),
        "betas": np.array([1.0, -2.0, 0.5]),
        "mocap_framerate": np.array(120.0),
        "gender": np.array("female"),
    }
    arrays |= changes
    np.savez(path, **{k: v for k, v in arrays.items() if v is not None})
    return path


def write_model(path, joints=52, vertices=300, seed=0):
    rng = np.random.default_rng(seed)
    regressor = rng.random((joints, vertices))
    regressor /= regressor.sum(axis=1, keepdims=True)
    template = rng.normal(size=(vertices, 3))
    shapes = rng.normal(size=(vertices, 3, 3)) * 0.1
    np.savez(path, J_regressor=regressor, v_template=template, shapedirs=shapes)
    return regressor, template, shapes


@pytest.mark.parametrize("joints", sorted(MODELS))
def test_rotations_stand_on_a_plain_skeleton_and_that_is_said(tmp_path, joints):
    motion = load_motion(write_take(tmp_path / "take.npz", joints))
    assert motion.n_frames == 30
    assert motion.fps == 120
    assert motion.skeleton.n_joints == joints
    assert "plain skeleton of 1.7 m, not on this person's" in motion.source.warnings[0]
    pose = forward_kinematics(motion)
    ends = end_site_positions(motion, pose)
    tall = ends[0, :, 1].max() - ends[0, :, 1].min()
    assert 1.6 < tall < 1.75
    # It faces -Y of the file, which is +Z here, and walks ahead.
    left, right = (motion.skeleton.index(f"{side}_hip") for side in ("left", "right"))
    assert pose.positions[0, left, 0] > pose.positions[0, right, 0]
    assert np.ptp(pose.positions[:, 0], axis=0) == pytest.approx([0, 0, 1], abs=1e-9)
    foot = motion.skeleton.index("left_foot")
    assert 0 < pose.positions[0, foot, 1] < 0.04
    assert find_roles(motion.skeleton).kind == "human"


def test_with_a_body_model_the_joints_are_the_model_s(tmp_path):
    """Joints of a posed model: J(betas), turned about each other, the root at J0 + trans."""
    regressor, template, shapes = write_model(tmp_path / "model.npz")
    rng = np.random.default_rng(1)
    poses, trans = rng.normal(size=(4, 52, 3)) * 0.5, rng.normal(size=(4, 3))
    betas = np.array([1.0, -2.0, 0.5])
    take = write_take(tmp_path / "t.npz", poses=poses.reshape(4, -1), trans=trans)
    motion = read_amass(take, skeleton=tmp_path / "model.npz")
    rest = regressor @ (template + shapes @ betas)
    names = list(MODELS[52])
    turns, places = {}, {}
    for j, (name, parent) in enumerate(MODELS[52].items()):
        own = Rotation.from_rotvec(poses[:, j])
        if not parent:
            turns[name], places[name] = own, rest[0] + trans
            continue
        bone = rest[j] - rest[names.index(parent)]
        turns[name] = turns[parent] * own
        places[name] = places[parent] + turns[parent].apply(bone)
    expected = np.stack(list(places.values()), axis=1)
    upright = np.stack([expected[..., 0], expected[..., 2], -expected[..., 1]], axis=-1)
    np.testing.assert_allclose(forward_kinematics(motion).positions, upright, atol=1e-9)
    assert "female" in motion.source.warnings[0]
    assert not any("plain" in text for text in motion.source.warnings)


def test_a_larger_model_serves_a_smaller_motion_by_names(tmp_path):
    write_model(tmp_path / "smplx.npz", joints=55)
    take = write_take(tmp_path / "t.npz", joints=52)
    motion = read_amass(take, skeleton=tmp_path / "smplx.npz")
    assert motion.skeleton.names == tuple(MODELS[52])
    write_model(tmp_path / "smpl.npz", joints=24)
    with pytest.raises(FormatError, match=r"give the model of SMPL\+H"):
        read_amass(take, skeleton=tmp_path / "smpl.npz")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"poses": None}, "poses is missing"),
        ({"poses": None, "qpos": np.zeros((2, 36))}, "motion of a robot, which is written only"),
        ({"poses": np.zeros((0, 156)), "trans": np.zeros((0, 3))}, "poses has no frames"),
        ({"poses": np.zeros((30, 10))}, r"poses has 10 numbers per frame; expected 66 .*156"),
        ({"trans": np.zeros((3, 3))}, r"trans has shape \(3, 3\)"),
        ({"poses": np.full((30, 156), np.nan)}, "not finite"),
        ({"poses": np.array(["a"])}, "expected numbers of 2 dimensions"),
        ({"poses": np.array([None] * 3)}, "Python objects"),
    ],
)
def test_what_is_no_such_motion_is_one_sentence(tmp_path, changes, message):
    path = write_take(tmp_path / "take.npz", **changes)
    with pytest.raises(FormatError, match=message) as caught:
        read_amass(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_model_that_is_none_is_one_sentence(tmp_path):
    take = write_take(tmp_path / "t.npz")
    np.savez(tmp_path / "pickled.npz", J_regressor=np.array([None]))
    for name in ("pickled.npz", "none.npz", "t.npz"):
        with pytest.raises(FormatError, match=name) as caught:
            read_amass(take, skeleton=tmp_path / name)
        assert "\n" not in str(caught.value)


def test_a_rate_that_is_not_told(tmp_path):
    take = write_take(tmp_path / "t.npz", mocap_framerate=None)
    assert any("frames per second" in text for text in read_amass(take).source.warnings)
    assert load_motion(take, frame_time=1 / 60).fps == 60


def test_a_rate_that_is_told_otherwise_is_said(tmp_path):
    take = write_take(tmp_path / "t.npz")
    again = load_motion(take, frame_time=1 / 30)
    assert again.fps == pytest.approx(30)
    assert any("frames per second; read as 30, as told" in t for t in again.source.warnings)


def test_other_npz_files_are_none(tmp_path):
    np.savez(tmp_path / "a.npz", x=np.zeros(3))
    assert not is_amass(tmp_path / "a.npz")
    assert is_amass(write_take(tmp_path / "t.npz"))
    (tmp_path / "b.npz").write_bytes(b"PK no zip")
    assert not is_amass(tmp_path / "b.npz")


def test_the_plain_skeleton_is_as_tall_as_it_says(tmp_path):
    skeleton = load_motion(write_take(tmp_path / "take.npz", 52)).skeleton
    from motionloom.io.units import body_height

    assert body_height(skeleton)[0] == pytest.approx(1.7, abs=0.12)
    places = np.zeros((52, 3))
    for j, parent in enumerate(skeleton.parents[1:], start=1):
        places[j] = places[parent] + skeleton.offsets[j]
    mirror = [
        skeleton.index(n.replace("left", "right") if "left" in n else n.replace("right", "left"))
        for n in skeleton.names
    ]
    np.testing.assert_allclose(places[mirror] * [-1, 1, 1], places, atol=1e-12)
