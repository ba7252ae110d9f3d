"""Parts and anatomical frames of robots, from their trees and geometry."""

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.robots.frames import fit_robot_frames
from motionloom.robots.mjcf import read_mjcf
from motionloom.robots.parts import find_robot_parts
from motionloom.robots.robot import neutral_poses
from robots.models import HUMANOID, MODELS, write_model


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_limbs_are_found_by_the_tree(path):
    robot = read_mjcf(path)
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
    assert find_robot_parts(read_mjcf(path)) == find_robot_parts(read_mjcf(HUMANOID))


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_frames_of_the_drawn_pose_stand_upright(path):
    robot = read_mjcf(path)
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
    frames = fit_robot_frames(read_mjcf(HUMANOID))
    foot = frames.feet["left"]
    assert foot.half_width == pytest.approx(0.035)
    assert foot.toe[2] - foot.heel[2] == pytest.approx(0.2)
    assert foot.toe[2] > -foot.heel[2] > 0
    assert frames.leg == pytest.approx(0.63, abs=0.01)


def test_feet_without_geoms_are_guessed_and_told(tmp_path):
    frames = fit_robot_frames(read_mjcf(write_model(tmp_path)))
    assert len(frames.guessed) == 2
    assert frames.feet["left"].heel[1] == pytest.approx(-0.07 * frames.leg)
    assert not frames.parts.arms


def test_robots_on_four_legs_are_refused(tmp_path):
    arm = """<body name="{side}_arm" pos="0.5 {y} -0.1"><joint name="{side}_a" axis="0 1 0"/>
    <body pos="0 0 -0.4"><joint name="{side}_b" axis="0 1 0"/>
    <body pos="0 0 -0.39"><joint name="{side}_c" axis="0 1 0"/></body></body></body>"""
    arms = arm.format(side="left", y=0.1) + arm.format(side="right", y=-0.1)
    with pytest.raises(InvalidInputError, match="four limbs"):
        find_robot_parts(read_mjcf(write_model(tmp_path, arms)))


def test_a_robot_without_legs_is_refused(tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text(
        "<mujoco><worldbody><body><freejoint/><body><joint name='left_a'/>"
        "<body><joint name='left_b'/></body></body></body></worldbody></mujoco>"
    )
    with pytest.raises(InvalidInputError, match=r"expected at least three|no right leg"):
        find_robot_parts(read_mjcf(path))
