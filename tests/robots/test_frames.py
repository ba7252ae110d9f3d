"""Parts and anatomical frames of robots, from their trees and geometry."""

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.robots._frames import fit_robot_frames
from motionloom.robots._parts import find_robot_parts
from motionloom.robots._reading import read_robot
from motionloom.robots._robot import neutral_poses
from robots.models import HUMANOID, MODELS, box_obj, mesh_head, twisting_arms, write_model


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_limbs_are_found_by_the_tree(path):
    robot = read_robot(path)
    parts = find_robot_parts(robot)
    for side in ("left", "right"):
        assert "knee" in robot.joints[parts.legs[side].middle - 1]
        assert "elbow" in robot.joints[parts.arms[side].middle - 1]
        for limb in (parts.legs[side], parts.arms[side]):
            assert all(side in robot.joints[link - 1] for link in limb.upper)


def test_names_are_not_needed(tmp_path):
    text = HUMANOID.read_text()
    for word in ("left", "right", "hip", "knee", "ankle", "shoulder", "elbow", "wrist"):
        text = text.replace(word, f"x{sum(map(ord, word))}")
    path = tmp_path / "plain.xml"
    path.write_text(text)
    assert find_robot_parts(read_robot(path)) == find_robot_parts(read_robot(HUMANOID))


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_frames_of_the_drawn_pose_stand_upright(path):
    robot = read_robot(path)
    frames = fit_robot_frames(robot)
    turns = neutral_poses(robot).turns[0]
    for part in ("hips", "chest", "left_foot", "right_foot"):
        world = rot.multiply(turns[frames.links[part]], frames.frames[part])
        np.testing.assert_allclose(rot.rotate(world, [1.0, 0, 0]), [0, 1, 0], atol=1e-9)
        np.testing.assert_allclose(rot.rotate(world, [0, 1.0, 0]), [0, 0, 1], atol=1e-9)
    for part in ("left_hip", "right_hip", "left_knee", "right_knee"):
        world = rot.multiply(turns[frames.links[part]], frames.frames[part])
        assert rot.rotate(world, [0, 1.0, 0])[2] > 0.97
        assert rot.rotate(world, [1.0, 0, 0])[1] > 0.97


def test_soles_are_the_lowest_points():
    frames = fit_robot_frames(read_robot(HUMANOID))
    foot = frames.feet["left"]
    assert foot.half_width == pytest.approx(0.035)
    assert foot.toe[2] - foot.heel[2] == pytest.approx(0.2)
    assert foot.toe[2] > -foot.heel[2] > 0
    assert frames.leg == pytest.approx(0.63, abs=0.01)


def test_feet_without_geoms_are_guessed_and_told(tmp_path):
    frames = fit_robot_frames(read_robot(write_model(tmp_path)))
    assert len(frames.guessed) == 2
    assert frames.feet["left"].heel[1] == pytest.approx(-0.07 * frames.leg)
    assert not frames.parts.arms


def test_a_foot_that_is_only_a_mesh_has_the_sole_of_the_mesh(tmp_path):
    (tmp_path / "foot.obj").write_bytes(box_obj(0.1))
    path = write_model(tmp_path, head=mesh_head("foot.obj"))
    foot = 'range="0 150"/>\n<body name="{}_foot" pos="0 0 -0.4">'
    geom = '<geom type="mesh" mesh="m" pos="0.05 0 0.02"/>'
    text = path.read_text()
    for side in ("left", "right"):
        text = text.replace(foot.format(side), foot.format(side) + geom)
    path.write_text(text)
    frames = fit_robot_frames(read_robot(path))
    assert not frames.guessed
    np.testing.assert_allclose(frames.feet["left"].heel, [0, -0.08, -0.05], atol=1e-6)
    np.testing.assert_allclose(frames.feet["left"].toe, [0, -0.08, 0.15], atol=1e-6)


def test_robots_on_four_legs_are_refused(tmp_path):
    arm = """<body name="{side}_arm" pos="0.5 {y} -0.1"><joint name="{side}_a" axis="0 1 0"/>
    <body pos="0 0 -0.4"><joint name="{side}_b" axis="0 1 0"/>
    <body pos="0 0 -0.39"><joint name="{side}_c" axis="0 1 0"/></body></body></body>"""
    arms = arm.format(side="left", y=0.1) + arm.format(side="right", y=-0.1)
    with pytest.raises(InvalidInputError, match="four limbs"):
        find_robot_parts(read_robot(write_model(tmp_path, arms)))


def test_a_robot_without_legs_is_refused(tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text(
        "<mujoco><worldbody><body><freejoint/><body><joint name='left_a'/>"
        "<body><joint name='left_b'/></body></body></body></worldbody></mujoco>"
    )
    with pytest.raises(InvalidInputError, match=r"expected at least three|no right leg"):
        find_robot_parts(read_robot(path))


@pytest.mark.parametrize("forearm", ["shape", "mass", "nothing"])
def test_an_elbow_is_the_hinge_across_the_arm_whatever_its_name(tmp_path, forearm):
    robot = read_robot(write_model(tmp_path, twisting_arms(forearm)))
    frames = fit_robot_frames(robot)
    for side in ("left", "right"):
        arm = frames.parts.arms[side]
        assert robot.joints[arm.middle - 1] == f"{side}_elbow_yaw"
        assert robot.joints[frames.links[f"{side}_shoulder"] - 1] == f"{side}_elbow_pitch"
    said = " ".join(frames.guessed)
    assert ("centre of mass" in said) == (forearm == "mass")
    assert ("go on straight" in said) == (forearm == "nothing")


def test_a_forearm_drawn_ahead_of_a_hanging_arm_points_to_its_mass(tmp_path):
    """Bent by 90 degrees as it is drawn, with nothing but a mass below the elbow."""
    arm = """<body pos="0 {y} 0.4"><joint name="{side}_p" axis="0 1 0"/>
    <body><joint name="{side}_r" axis="1 0 0"/><body pos="0 0 -0.2">
    <joint name="{side}_elbow" axis="0 1 0" range="-70 150"/>
    <inertial pos="0.15 0 0" mass="0.7" diaginertia="1 1 1"/></body></body></body>"""
    both = "".join(arm.format(side=s, y=y) for s, y in (("left", 0.2), ("right", -0.2)))
    robot = read_robot(write_model(tmp_path, both))
    frames = fit_robot_frames(robot)
    turns = neutral_poses(robot).turns[0]
    for part, along in (("left_shoulder", [0, 0, 1]), ("left_elbow", [-1, 0, 0])):
        world = rot.multiply(turns[frames.links[part]], frames.frames[part])
        np.testing.assert_allclose(rot.rotate(world, [0.0, 1.0, 0.0]), along, atol=1e-6)
    assert "the robot's left shoulder has 2 of 3 hinges" in " ".join(frames.lacks)


def test_what_a_robot_lacks_is_listed(tmp_path):
    lacks = " ".join(fit_robot_frames(read_robot(write_model(tmp_path))).lacks)
    assert "the robot has no waist" in lacks
    assert "no hinge in its left ankle that tilts aside" in lacks
    assert "no left arm that bends" in lacks
    assert "no neck" in lacks
    assert fit_robot_frames(read_robot(HUMANOID)).lacks == (
        "the robot has no neck, so its head goes along with its trunk",
    )


def test_an_arm_that_nothing_bends_is_left_out_and_a_leg_is_refused(tmp_path):
    arm = """<body pos="0 {y} 0.4"><joint name="{side}_p" axis="0 1 0"/><body pos="0 0 -0.1">
    <joint name="{side}_elbow" axis="0 0 1"/><body pos="0 0 -0.1">
    <joint name="{side}_e" axis="0 0 1"/></body></body></body>"""
    both = "".join(arm.format(side=s, y=y) for s, y in (("left", 0.2), ("right", -0.2)))
    assert not find_robot_parts(read_robot(write_model(tmp_path, both))).arms
    path = write_model(tmp_path)
    path.write_text(path.read_text().replace('_knee" axis="0 1 0"', '_knee" axis="0 0 1"'))
    with pytest.raises(InvalidInputError, match="expected a knee"):
        find_robot_parts(read_robot(path))
