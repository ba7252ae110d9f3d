"""MJCF models: as MuJoCo reads them, and what is wrong with others."""

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.errors import FormatError
from motionloom.robots.mjcf import is_mjcf, read_mjcf
from motionloom.robots.robot import pose_links
from robots.models import HUMANOID, MODELS, write_model


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_bodies_are_where_mujoco_has_them(path):
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    robot = read_mjcf(path)
    assert list(robot.joints) == [model.joint(i).name for i in range(1, model.njnt)]
    np.testing.assert_allclose(robot.low, model.jnt_range[1:, 0], atol=1e-12)
    np.testing.assert_allclose(robot.high, model.jnt_range[1:, 1], atol=1e-12)
    qpos = np.random.default_rng(0).normal(size=(4, model.nq))
    qpos[:, 3:7] = rot.normalize(qpos[:, 3:7])
    poses = pose_links(robot, qpos[:, :3], qpos[:, 3:7], qpos[:, 7:])
    for t in range(4):
        data.qpos[:] = qpos[t]
        mujoco.mj_kinematics(model, data)
        for body in robot.bodies:
            number = model.body(body.name).id
            place = poses.points([body.link], np.array([body.place]))[t, 0]
            turn = rot.multiply(poses.turns[t, body.link], np.array(body.turn))
            np.testing.assert_allclose(place, data.xpos[number], atol=1e-12)
            np.testing.assert_allclose(rot.to_matrix(turn).ravel(), data.xmat[number], atol=1e-12)


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_geoms_are_where_mujoco_has_them(path):
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    robot = read_mjcf(path)
    poses = pose_links(
        robot, robot.base_place[None], robot.base_turn[None], np.zeros((1, robot.n_joints))
    )
    data.qpos[7:] = 0
    mujoco.mj_kinematics(model, data)
    middles = [
        poses.points([s.link] * len(s.centers), s.centers)[0].mean(axis=0) for s in robot.shapes
    ]
    own = data.geom_xpos[model.geom_bodyid > 0]
    np.testing.assert_allclose(middles, own, atol=1e-12)
    turned = data.geom_xmat[model.geom_bodyid > 0].reshape(-1, 3, 3)
    for shape, turn, size in zip(robot.shapes, turned, model.geom_size[1:], strict=True):
        if shape.kind == "capsule":
            ends = poses.points([shape.link] * 2, shape.centers)[0]
            along = turn[:, 2] * 2 * size[1]
            np.testing.assert_allclose(np.abs(ends[1] - ends[0]), np.abs(along), atol=1e-12)
            assert shape.radius == pytest.approx(size[0])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"root": "robot"}, "URDF"),
        ({"base": ""}, "freejoint"),
        ({"body": '<body name="b"><joint type="slide"/></body>'}, "hinges below"),
        ({"body": '<body name="b"><joint axis="0 0 0"/></body>'}, "axis is zero"),
        ({"body": '<body name="b"><joint axis="0 one 0"/></body>'}, "3 finite numbers"),
        ({"body": '<body name="b"><joint class="none"/></body>'}, "not defined"),
        ({"body": '<body name="b" euler="0 0 0" quat="1 0 0 0"/>'}, "one orientation"),
        ({"body": '<body name="b" quat="0 0 0 0"/>'}, "not zero"),
        ({"body": '<geom type="box"/>'}, "needs size"),
        ({"body": '<geom type="sphere" size="-1"/>'}, "positive"),
        ({"body": '<replicate count="2"/>'}, "not read"),
        ({"body": '<include file="../x.xml"/>'}, "own folder"),
        ({"body": '<include file="/etc/passwd"/>'}, "own folder"),
        ({"body": '<include file="robot.xml"/><include file="robot.xml"/>'}, "second time"),
        ({"head": '<compiler angle="grad"/>'}, "degree"),
        ({"head": '<compiler eulerseq="xyy1"/>'}, "eulerseq"),
        ({"head": '<compiler coordinate="global"/>'}, "local"),
        ({"head": "<default><default/></default>"}, "class name"),
        ({"head": "<<"}, "no XML"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(change, said, tmp_path):
    path = write_model(tmp_path, **change)
    with pytest.raises(FormatError, match=said) as raised:
        read_mjcf(path)
    assert raised.value.line is not None


def test_entities_are_refused(tmp_path):
    path = tmp_path / "bomb.xml"
    path.write_text('<?xml version="1.0"?>\n<!DOCTYPE x [<!ENTITY a "aa">]>\n<mujoco>&a;</mujoco>')
    with pytest.raises(FormatError, match="document type"):
        read_mjcf(path)


def test_two_robots_and_none_are_refused(tmp_path):
    path = tmp_path / "two.xml"
    body = "<body><freejoint/></body>"
    path.write_text(f"<mujoco><worldbody>{body}{body}</worldbody></mujoco>")
    with pytest.raises(FormatError, match="2 bodies move"):
        read_mjcf(path)
    path.write_text("<mujoco><worldbody><body/></worldbody></mujoco>")
    with pytest.raises(FormatError, match="no body moves"):
        read_mjcf(path)
    path.write_text(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    with pytest.raises(FormatError, match="no hinges"):
        read_mjcf(path)


def test_an_include_that_includes_itself_ends(tmp_path):
    path = tmp_path / "loop.xml"
    path.write_text('<mujoco><include file="loop.xml"/></mujoco>')
    with pytest.raises(FormatError, match="second time"):
        read_mjcf(path)


def test_damaged_models_are_refused_or_read(tmp_path):
    data = HUMANOID.read_bytes()
    rng = np.random.default_rng(1)
    path = tmp_path / "damaged.xml"
    refused = 0
    for _ in range(60):
        damaged = bytearray(data)
        for place in rng.integers(0, len(data), 4):
            damaged[place] = rng.integers(32, 127)
        path.write_bytes(damaged)
        try:
            read_mjcf(path)
        except FormatError:
            refused += 1
    assert refused > 10


def test_names_of_models():
    assert is_mjcf("robot.XML")
    assert not is_mjcf("walk.bvh")


def test_meshes_are_passed_over_and_told(tmp_path):
    path = write_model(tmp_path, '<geom type="mesh" mesh="m"/>', head='<compiler angle="radian"/>')
    robot = read_mjcf(path)
    assert robot.notes == ("1 meshes and other geoms passed over",)
    assert robot.high[1] == 150  # radians there
    assert np.isinf(robot.high[0])


def test_meshes_that_can_touch_are_counted_and_those_that_are_only_seen_are_not(tmp_path):
    geoms = (
        '<geom type="mesh" mesh="m"/>',
        '<geom type="mesh" mesh="m" contype="0" conaffinity="0"/>',
        '<geom type="plane" size="1 1 1"/>',
    )
    robot = read_mjcf(write_model(tmp_path, "".join(geoms)))
    assert (robot.meshes, robot.others) == (1, 1)
    assert robot.notes == ("3 meshes and other geoms passed over",)


def test_the_mass_of_a_body_is_read_where_it_is_said(tmp_path):
    weight = (
        '<body name="w" pos="0 0 1"><inertial pos="0 0.1 0" mass="2" diaginertia="1 1 1"/></body>'
    )
    bodies = {body.name: body for body in read_mjcf(write_model(tmp_path, weight)).bodies}
    assert bodies["w"].mass == 2
    np.testing.assert_allclose(bodies["w"].center, [0.0, 0.1, 1.0])
    assert bodies["left_foot"].mass == 0
