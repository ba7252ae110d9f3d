"""Models of robots: what MuJoCo makes of them, and what is wrong with others."""

import struct
import sys

import mujoco
import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.errors import FormatError, MissingExtraError
from motionloom.robots._reading import read_robot
from motionloom.robots._robot import pose_links
from motionloom.robots.report import find_self_touch
from robots.models import HUMANOID, MODELS, box_obj, mesh_head, write_model


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_bodies_are_where_mujoco_has_them(path):
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    robot = read_robot(path)
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
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    robot = read_robot(path)
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
        if len(shape.centers) == 2:
            ends = poses.points([shape.link] * 2, shape.centers)[0]
            along = turn[:, 2] * 2 * size[1]
            np.testing.assert_allclose(np.abs(ends[1] - ends[0]), np.abs(along), atol=1e-12)
            assert shape.radius == pytest.approx(size[0])


@pytest.mark.parametrize(
    ("change", "said", "line"),
    [
        ({"root": "model"}, "expected <mujoco> or <robot>", 1),
        ({"base": ""}, "freejoint", 4),
        ({"body": '<body name="b"><joint name="s" type="slide"/></body>'}, "expected hinges", 13),
        ({"body": '<body name="b"><joint axis="0 0 0"/></body>'}, "axis too small", 13),
        ({"body": '<body name="b"><joint axis="0 one 0"/></body>'}, "'axis'", 13),
        ({"body": '<body name="b"><joint class="none"/></body>'}, "unknown default class", 13),
        ({"body": '<body name="b" euler="0 0 0" quat="1 0 0 0"/>'}, "orientation", 13),
        ({"body": '<body name="b" quat="0 0 0 0"/>'}, "zero quaternion", 13),
        ({"body": '<body name="b" pos="nan 0 0"/>'}, "finite", 13),
        ({"body": '<geom type="box"/>'}, "must be positive", 13),
        ({"body": '<geom type="sphere" size="-1"/>'}, "must be positive", 13),
        ({"body": '<body name="b"/><body name="b"/>'}, "repeated name", None),
        ({"body": '<body><joint name="j" range="2 1"/></body>'}, "lower limit", 13),
        ({"body": '<body pos="inf 0 0"/>'}, "finite|not below", None),
        ({"body": '<body pos="1e300 0 0"><joint/></body>'}, "not below", 1),
        ({"body": '<geom class="%s%n"/>'}, "has a '%'", 13),
        ({"body": '<flexcomp name="x"/>'}, "not read", 13),
        ({"body": '<include file="../x.xml"/>'}, "own folder", 13),
        ({"body": '<include file="/etc/passwd"/>'}, "own folder", 13),
        ({"body": '<include file="robot.xml"/><include file="robot.xml"/>'}, "second time", 13),
        ({"head": '<compiler angle="grad"/>'}, "grad", 2),
        ({"head": '<compiler eulerseq="xyy1"/>'}, "euler", 2),
        ({"head": "<default><default/></default>"}, "class name", 2),
        ({"head": "<<"}, "no XML", 2),
    ],
)
def test_what_is_wrong_is_said_with_its_line(change, said, line, tmp_path):
    path = write_model(tmp_path, **change)
    with pytest.raises(FormatError, match=said) as raised:
        read_robot(path)
    assert line is None or raised.value.line == line
    assert "\n" not in str(raised.value)


def test_a_mistake_in_an_included_file_is_said_with_that_file(tmp_path):
    (tmp_path / "arm.xml").write_text(
        '<mujocoinclude>\n<body>\n<joint axis="0 0 0"/>\n</body></mujocoinclude>'
    )
    with pytest.raises(FormatError, match=r"arm\.xml:3: <joint>: MuJoCo refuses"):
        read_robot(write_model(tmp_path, '<include file="arm.xml"/>'))


def test_entities_are_refused(tmp_path):
    path = tmp_path / "bomb.xml"
    path.write_text('<?xml version="1.0"?>\n<!DOCTYPE x [<!ENTITY a "aa">]>\n<mujoco>&a;</mujoco>')
    with pytest.raises(FormatError, match="document type"):
        read_robot(path)


def test_two_robots_and_none_are_refused(tmp_path):
    path = tmp_path / "two.xml"
    body = "<body><freejoint/></body>"
    path.write_text(f"<mujoco><worldbody>{body}{body}</worldbody></mujoco>")
    with pytest.raises(FormatError, match="2 bodies move"):
        read_robot(path)
    path.write_text("<mujoco><worldbody><body/></worldbody></mujoco>")
    with pytest.raises(FormatError, match="no body moves"):
        read_robot(path)
    path.write_text(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    with pytest.raises(FormatError, match="no hinges"):
        read_robot(path)


def test_an_include_that_includes_itself_ends(tmp_path):
    path = tmp_path / "loop.xml"
    path.write_text('<mujoco><include file="loop.xml"/></mujoco>')
    with pytest.raises(FormatError, match="second time"):
        read_robot(path)


@pytest.mark.parametrize("kind", ["mjcf", "urdf"])
def test_damaged_models_are_refused_or_read(tmp_path, kind):
    data = HUMANOID.read_bytes() if kind == "mjcf" else urdf().encode()
    rng = np.random.default_rng(1)
    path = tmp_path / "damaged.xml"
    refused = 0
    for _ in range(60):
        damaged = bytearray(data)
        for place in rng.integers(0, len(data), 4):
            damaged[place] = rng.integers(32, 127)
        path.write_bytes(damaged)
        try:
            read_robot(path)
        except FormatError:
            refused += 1
    assert refused > 10


def test_limits_are_in_the_units_of_the_compiler(tmp_path):
    robot = read_robot(write_model(tmp_path, head='<compiler angle="radian"/>'))
    assert robot.high[1] == 150
    assert np.isinf(robot.high[0])


def test_without_mujoco_the_sentence_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'motionloom\[robots\]'"):
        read_robot(write_model(tmp_path))


def test_nothing_is_written_and_no_file_elsewhere_is_opened(tmp_path, monkeypatch, capfd):
    """MuJoCo writes its warnings into the current folder, and opens files beside it."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "secret.obj").write_bytes(box_obj(1.0))
    (tmp_path / "model").mkdir()
    geom = '<geom type="mesh" mesh="{}"/><geom size=".1" pos="0 0 nan"/>'
    path = write_model(tmp_path / "model", geom.format("m"), head=mesh_head(f"{folder}/secret.obj"))
    with pytest.raises(FormatError, match="finite"):
        read_robot(path)
    path.write_text(path.read_text().replace("nan", "0"))
    assert "secret.obj" in " ".join(read_robot(path).notes)
    assert sorted(p.name for p in folder.iterdir()) == ["secret.obj"]
    assert capfd.readouterr() == ("", "")


# --- meshes


def box_stl(half):
    """The same box as a binary STL file."""
    corners = half * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    out = bytes(80) + struct.pack("<I", 12)
    for a, b, c, d in quads:
        for triangle in ((a, b, c), (a, c, d)):
            out += bytes(12) + corners[list(triangle)].astype("<f4").tobytes() + bytes(2)
    return out


@pytest.mark.parametrize(("file", "data"), [("box.obj", box_obj(0.1)), ("BOX.STL", box_stl(0.1))])
def test_meshes_that_can_touch_are_points_where_mujoco_has_them(tmp_path, file, data):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / file).write_bytes(data)
    head = '<compiler meshdir="parts"/>' + mesh_head(file)
    body = '<geom type="mesh" mesh="m" pos="0 0 1" euler="0 0 30"/>'
    (mesh,) = read_robot(write_model(tmp_path, body, head=head)).meshes
    turn = rot.from_rotvec(np.array([0, 0, np.radians(30)]))
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    expected = rot.rotate(turn, 0.1 * corners) + np.array([0, 0, 1])
    distances = np.linalg.norm(mesh.centers[:, None] - expected, axis=-1)
    assert len(mesh.centers) == 8
    assert distances.min(axis=0).max() < 1e-6


def test_a_mesh_that_is_only_seen_need_not_be_there(tmp_path):
    body = '<geom type="mesh" mesh="m" contype="0" conaffinity="0"/>'
    robot = read_robot(write_model(tmp_path, body, head=mesh_head("gone.obj")))
    assert (robot.meshes, robot.left_out) == ((), 0)
    assert robot.notes == (
        "1 meshes that touch nothing are passed over",
        "1 mesh files are not in the model's folder, or none that MuJoCo decodes: gone.obj; they"
        " are only seen",
    )


@pytest.mark.parametrize(
    "file", ["gone.obj", "../outside.obj", "hand.dae", "link.obj", "loop.obj", "x" * 400 + ".obj"]
)
def test_a_mesh_that_cannot_be_read_is_said_and_its_touching_not_known(tmp_path, file):
    (tmp_path / "outside.obj").write_bytes(box_obj(1.0))
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "hand.dae").write_text("<COLLADA/>")
    (folder / "link.obj").symlink_to(tmp_path / "outside.obj")
    (folder / "loop.obj").symlink_to(folder / "loop.obj")
    body = '<geom type="mesh" mesh="m"/>'
    robot = read_robot(write_model(folder, body, head=mesh_head(file)))
    assert robot.left_out == 1
    assert file in " ".join(robot.notes)
    qpos = np.concatenate([robot.base_place, robot.base_turn, robot.neutral])[None]
    assert find_self_touch(robot, qpos).unknown == "1 shape is a mesh not read"


def test_a_mesh_that_is_no_mesh_is_refused(tmp_path):
    (tmp_path / "bad.stl").write_bytes(b"solid nothing" * 20)
    with pytest.raises(FormatError, match="MuJoCo refuses the model"):
        read_robot(write_model(tmp_path, '<geom type="mesh" mesh="m"/>', head=mesh_head("bad.stl")))


def test_what_is_not_of_the_body_is_left_out_before_mujoco_looks_at_it(tmp_path):
    head = (
        '<option nonsense="1"/><asset><texture name="t" file="gone.png"/><material name="x"'
        ' texture="t"/><hfield name="h" file="gone"/></asset><sensor><gyro site="none"/></sensor>'
        '<actuator><motor joint="none"/></actuator><keyframe><key qpos="1"/></keyframe>'
    )
    body = '<geom size=".1" material="x"/><site name="s" nonsense="1"/><camera/>'
    robot = read_robot(write_model(tmp_path, body, head=head))
    assert len(robot.shapes) == 1
    assert robot.notes == ()


def test_the_mass_of_a_body_is_read_where_it_is_said(tmp_path):
    weight = (
        '<body name="w" pos="0 0 1"><inertial pos="0 0.1 0" mass="2" diaginertia="1 1 1"/></body>'
    )
    bodies = {body.name: body for body in read_robot(write_model(tmp_path, weight)).bodies}
    assert bodies["w"].mass == 2
    np.testing.assert_allclose(bodies["w"].center, [0.0, 0.1, 1.0])
    assert bodies["left_foot"].mass == 0


# --- URDF


def urdf(base="", links=""):
    """Two legs of three hinges, as URDF."""
    parts = []
    for side, y in (("left", 0.1), ("right", -0.1)):
        above = "pelvis"
        for name, z in (("hip", -0.1), ("knee", -0.4), ("ankle", -0.4)):
            parts.append(
                f'<link name="{side}_{name}_link"/><joint name="{side}_{name}" type="revolute">'
                f'<origin xyz="0 {y if name == "hip" else 0} {z}"/><parent link="{above}"/>'
                f'<child link="{side}_{name}_link"/><axis xyz="0 1 0"/>'
                '<limit lower="-1" upper="2" effort="1" velocity="1"/></joint>'
            )
            above = f"{side}_{name}_link"
    return (
        f'<robot name="legs">\n{base}\n<link name="pelvis">{links}</link>{"".join(parts)}</robot>'
    )


def test_a_urdf_model_is_the_robot_that_its_mjcf_model_is(tmp_path):
    (tmp_path / "legs.urdf").write_text(urdf())
    robot = read_robot(tmp_path / "legs.urdf")
    other = read_robot(write_model(tmp_path))
    assert robot.name == "legs"
    assert robot.joints == other.joints
    for name in ("offsets", "turns", "axes", "parents"):
        np.testing.assert_allclose(getattr(robot, name), getattr(other, name), atol=1e-12)
    assert (robot.low == -1).all()
    assert (robot.high == 2).all()


def test_meshes_of_a_package_are_found_in_the_folder(tmp_path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "a.obj").write_bytes(box_obj(0.1))
    mesh = "<collision><geometry><mesh filename='package://legs/meshes/{}'/></geometry></collision>"
    seen = "<visual><geometry><mesh filename='package://legs/gone.dae'/></geometry></visual>"
    path = tmp_path / "legs.urdf"
    path.write_text(urdf(links=mesh.format("a.obj") + mesh.format("b.obj") + seen))
    robot = read_robot(path)
    assert len(robot.meshes) == 1
    assert robot.left_out == 1
    assert "b.obj" in robot.notes[-1]


def test_a_urdf_model_that_is_fixed_to_its_world_is_refused(tmp_path):
    fixed = (
        '<link name="world"/><joint name="f" type="fixed"><parent link="world"/>'
        '<child link="pelvis"/></joint>'
    )
    (tmp_path / "legs.urdf").write_text(urdf(fixed))
    with pytest.raises(FormatError, match="base is fixed"):
        read_robot(tmp_path / "legs.urdf")
    (tmp_path / "legs.urdf").write_text(urdf(fixed.replace("fixed", "floating")))
    assert read_robot(tmp_path / "legs.urdf").n_joints == 6
