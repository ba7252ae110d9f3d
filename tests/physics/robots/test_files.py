"""What robot users get: MuJoCo reads it and agrees."""

import numpy as np
import pytest

from motionloom.physics.body import make_body
from motionloom.physics.body._limits import turn_ranges
from motionloom.physics.dynamics import Smoothing
from motionloom.physics.ground import analyse_balance, share_forces
from motionloom.physics.robots import body_to_mjcf, save_robot_motion
from motionloom.posed_motion import pose_motion
from performed import performer_clips
from weighed_bodies import standing


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    posed = standing(20)
    body = make_body(posed, 1.75, 70.0)
    balance = analyse_balance(posed, body)
    path = tmp_path_factory.mktemp("robot") / "stand.npz"
    save_robot_motion(path, balance, share_forces(balance))
    return body, path


def test_file_holds_motion_and_forces(written):
    body, path = written
    with np.load(path) as data:
        assert str(data["format"]) == "motionloom-robot-motion"
        assert data["qpos"].shape == (20, 3 + 4 * body.n_links)
        assert data["qvel"].shape == data["qacc"].shape == (20, 3 + 3 * body.n_links)
        total = data["foot_forces"].sum(axis=1)[:, 1] + data["missing"][:, 1]
        np.testing.assert_allclose(total, data["wrench"][:, 1])
        np.testing.assert_allclose(
            data["corner_forces"].sum(axis=1), data["foot_forces"].sum(axis=1)
        )
        assert data["contacts"].all()


def test_mujoco_agrees_with_the_written_pair(written):
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    body, path = written
    model = mujoco.MjModel.from_xml_string(body_to_mjcf(body, 'a <"person">'))
    data = mujoco.MjData(model)
    with np.load(path) as motion:
        assert [model.body(i + 1).name for i in range(body.n_links)] == motion["links"].tolist()
        for t in (0, 10):
            data.qpos[:] = motion["qpos"][t]
            data.qvel[:] = motion["qvel"][t]
            data.qacc[:] = motion["qacc"][t]
            mujoco.mj_inverse(model, data)
            np.testing.assert_allclose(motion["qfrc_inverse"][t], data.qfrc_inverse, atol=1e-3)


def test_ranges_of_joints_hold_the_motion_and_change_no_torque(written):
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    body, path = written
    posed = standing(20)
    ranges = turn_ranges(posed)
    knee = posed.roles.joints["left_knee"]
    assert np.radians(120) < ranges[knee] < np.pi
    model = mujoco.MjModel.from_xml_string(body_to_mjcf(body, ranges=ranges))
    assert model.jnt_limited.sum() == len(ranges)
    data = mujoco.MjData(model)
    with np.load(path) as motion:
        data.qpos[:] = motion["qpos"][10]
        data.qvel[:] = motion["qvel"][10]
        data.qacc[:] = motion["qacc"][10]
        mujoco.mj_inverse(model, data)
        assert data.nefc == data.ncon * 4 or data.nefc == 0 or data.ncon > 0
        np.testing.assert_allclose(
            motion["qfrc_inverse"][10], data.qfrc_inverse + data.qfrc_constraint, atol=1e-3
        )


def test_mujoco_plays_the_motion_where_it_was(tmp_path):
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    walk = next(c.motion for c in performer_clips() if "walk" in c.motion.name)[:40]
    posed = pose_motion(walk)
    body = make_body(posed, 1.75, 70.0)
    balance = analyse_balance(posed, body, Smoothing(poses=0))
    save_robot_motion(tmp_path / "walk.npz", balance, share_forces(balance))
    model = mujoco.MjModel.from_xml_string(body_to_mjcf(body))
    data = mujoco.MjData(model)
    numbers = [model.body(name).id for name in body.names]
    with np.load(tmp_path / "walk.npz") as motion:
        assert float(motion["fps"]) == pytest.approx(walk.fps)
        for t, qpos in enumerate(motion["qpos"]):
            data.qpos[:] = qpos
            mujoco.mj_forward(model, data)
            there = posed.positions[t, list(body.joints)]
            np.testing.assert_allclose(data.xpos[numbers], there, atol=1e-5)
