"""A person's motion on robots: contacts, limbs and limits hold; MuJoCo plays it."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom import kinematics
from motionloom import rotations as rot
from motionloom.edit.retarget import fit_role_frames
from motionloom.errors import InvalidInputError
from motionloom.io import load_motion
from motionloom.robots import (
    RobotOptions,
    fit_robot_frames,
    read_robot,
    retarget_to_robot,
    robot_as_motion,
    write_robot_motion,
)
from motionloom.robots.report import RobotReports, find_self_touch
from motionloom_evaluation.robots.in_mujoco import play_in_mujoco
from performed import performer_clips
from robots.models import CAPSULES, HUMANOID, humanoid_frames, twisting_arms, write_model


@pytest.fixture(scope="module")
def walk():
    return next(c.motion for c in performer_clips() if "walk" in c.motion.name)[:90]


@pytest.fixture(scope="module")
def done(walk):
    return retarget_to_robot(walk, humanoid_frames())


def test_a_walk_keeps_contacts_limbs_and_limits(done):
    report = done.report
    assert report.contact_speed < 0.5
    assert report.limb_direction < 7
    assert report.limit_excess == report.speed_excess == 0
    assert report.lowest > -3
    robot = done.motion.robot
    assert np.all(done.motion.angles >= robot.low)
    assert np.all(done.motion.angles <= robot.high)


def test_mujoco_plays_it(done):
    pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    played = play_in_mujoco(HUMANOID, done.motion)
    assert played.off < 1e-5
    assert played.lowest > -0.003
    assert abs(played.touching - done.report.self_touch_frames) <= 1


@pytest.mark.parametrize("path", [CAPSULES], ids=lambda path: path.stem)
def test_other_robots_walk_too(path, walk):
    report = retarget_to_robot(walk, read_robot(path)).report
    assert report.contact_speed < 0.5
    assert report.limb_direction < 7
    assert report.limit_excess == 0


def test_hinges_keep_their_speed(walk):
    slow = retarget_to_robot(walk, humanoid_frames(), RobotOptions(fastest=2.0))
    steps = np.abs(np.diff(slow.motion.angles, axis=0)) * 30
    assert steps.max() <= 2.0 * (1 + 1e-9)
    assert slow.report.speed_excess == 0


def test_the_rate_is_as_asked(walk):
    motion = retarget_to_robot(walk, humanoid_frames(), RobotOptions(fps=50)).motion
    assert motion.fps == 50
    assert motion.n_frames == pytest.approx(walk.duration * 50, abs=2)


def test_files_are_as_robot_learning_reads_them(done, tmp_path):
    write_robot_motion(tmp_path / "walk.csv", done.motion)
    rows = np.loadtxt(tmp_path / "walk.csv", delimiter=",")
    assert rows.shape == (done.motion.n_frames, 36)
    np.testing.assert_allclose(rows[:, [6, 3, 4, 5]], done.motion.turns, atol=1e-8)
    write_robot_motion(tmp_path / "walk.npz", done.motion)
    with np.load(tmp_path / "walk.npz") as data:
        assert float(data["fps"]) == 30
        np.testing.assert_array_equal(data["qpos"], done.motion.qpos)
        assert data["joints"].tolist() == list(done.motion.robot.joints)
    with pytest.raises(InvalidInputError, match=r"\.csv"):
        write_robot_motion(tmp_path / "walk.pkl", done.motion)


def test_the_same_motion_on_a_skeleton(done):
    world = kinematics.forward_kinematics(robot_as_motion(done.motion))
    places = done.motion.poses().places
    np.testing.assert_allclose(world.positions, places[..., [1, 2, 0]], atol=1e-9)


def test_the_report_is_told_and_plain(done):
    told = RobotReports((done.report,))
    assert "contact speed" in told.to_text()
    assert '"resting_speed": null' in told.to_json()


def test_who_turns_on_the_spot_is_followed_all_around(walk):
    turned = replace(
        walk,
        translations=rot.rotate(rot.yaw(np.array(2.5)), walk.translations),
        rotations=np.concatenate(
            [rot.multiply(rot.yaw(np.array(2.5)), walk.rotations[:, :1]), walk.rotations[:, 1:]], 1
        ),
    )
    frames = humanoid_frames()
    straight = retarget_to_robot(walk, frames).report
    aside = retarget_to_robot(turned, frames).report
    assert aside.limb_direction == pytest.approx(straight.limb_direction, abs=0.3)


def test_no_frames_and_no_person(walk):
    with pytest.raises(InvalidInputError, match="without frames"):
        retarget_to_robot(walk[:0], humanoid_frames())
    with pytest.raises(InvalidInputError, match="fps"):
        RobotOptions(fps=0)
    with pytest.raises(InvalidInputError, match="fastest"):
        RobotOptions(fastest=0)
    with pytest.raises(InvalidInputError, match="negative"):
        RobotOptions(smoothing=-1)


def test_parts_in_each_other_are_those_that_mujoco_counts(done):
    """Two arms are turned inwards until the hands are in the trunk and in each other."""
    robot = done.motion.robot
    inward = {"left_shoulder_yaw": -1.2, "right_shoulder_yaw": 1.2, "left_elbow": 1.5}
    angles = np.zeros((3, robot.n_joints))
    for name, angle in inward.items():
        found = [k for k, joint in enumerate(robot.joints) if joint.startswith(name)]
        angles[2, found] = angle
    pelvis = np.concatenate([robot.base_place, robot.base_turn])
    qpos = np.column_stack([np.tile(pelvis, (3, 1)), angles])
    touch = find_self_touch(robot, qpos)
    assert touch.frames == 1
    names = {name for a, b, _ in touch.pairs for name in (a, b)}
    assert any("left" in name for name in names)
    played = play_in_mujoco(
        HUMANOID, replace(done.motion, places=qpos[:, :3], turns=qpos[:, 3:7], angles=angles)
    )
    assert played.touching == touch.frames


def test_floor_work_of_a_capture(shared_data):
    takes = {
        name: load_motion(shared_data / "lafan1" / f"{name}.bvh")
        for name in ("ground1_subject4", "dance1_subject1")
    }
    frames = fit_role_frames(list(takes.values()))
    robot = fit_robot_frames(read_robot(HUMANOID))
    report = retarget_to_robot(takes["ground1_subject4"][100:250], robot, frames=frames).report
    assert report.contact_speed < 0.5
    assert report.limb_direction < 7
    assert report.limit_excess == 0


def test_arms_that_were_wound_up_come_back(walk):
    """An arm swung once around over the head ends hanging, not at a limit of its shoulder."""
    frames = humanoid_frames()
    joint = walk.skeleton.names.index("LeftArm")
    turns = np.linspace(0, 2 * np.pi, walk.n_frames)
    swing = rot.from_rotvec(turns[:, None] * np.array([-1.0, 0, 0]))
    rotations = walk.rotations.copy()
    rotations[:, joint] = rot.multiply(swing, rotations[:, joint])
    report = retarget_to_robot(replace(walk, rotations=rotations), frames).report
    assert report.arms < 12


def test_arms_bend_where_the_joint_named_elbow_only_twists(walk, tmp_path):
    waving = replace(walk, rotations=walk.rotations.copy())
    bend = waving.rotations.copy()
    for side, sign in (("Left", -1.0), ("Right", 1.0)):
        joint = walk.skeleton.names.index(f"{side}ForeArm")
        bend[:, joint] = rot.from_rotvec([0.0, sign * 1.2, 0.0])
    report = retarget_to_robot(
        replace(walk, rotations=bend), read_robot(write_model(tmp_path, twisting_arms()))
    ).report
    assert report.arms < 6


def test_a_joint_that_cannot_follow_is_named(walk, tmp_path):
    path = tmp_path / "stiff.xml"
    path.write_text(HUMANOID.read_text())
    robot = read_robot(path)
    stiff = [k for k, name in enumerate(robot.joints) if "shoulder" in name]
    low, high = robot.low.copy(), robot.high.copy()
    low[stiff], high[stiff] = -0.01, 0.01
    turned = rot.from_rotvec([0.0, 0.0, 1.5])
    rotations = walk.rotations.copy()
    joint = walk.skeleton.names.index("LeftArm")
    rotations[:, joint] = turned
    done = retarget_to_robot(
        replace(walk, rotations=rotations), replace(robot, low=low, high=high)
    ).report
    (problem,) = done.problems
    assert "left shoulder" in problem
    assert "left_shoulder_roll" in problem
    assert problem in done.to_text()


def test_feet_that_slide_are_a_problem(walk):
    """Ankles that do not turn cannot keep soles on the ground."""
    robot = read_robot(HUMANOID)
    ankles = [k for k, name in enumerate(robot.joints) if "ankle" in name]
    low, high = robot.low.copy(), robot.high.copy()
    low[ankles], high[ankles] = 0.3, 0.31
    report = retarget_to_robot(walk, replace(robot, low=low, high=high)).report
    assert any("feet slide" in problem for problem in report.problems)


def test_what_was_not_read_is_not_counted(done):
    robot = replace(done.motion.robot, left_out=59)
    report = retarget_to_robot(done.source.cut(0, 30), robot).report
    assert report.self_touch_frames is None
    assert "not known (59 shapes are meshes not read)" in report.to_text()
    plain = report.to_dict()
    assert plain["self_touch_frames"] is None
    assert plain["self_touch_deepest"] is None


def test_a_robot_whose_shapes_cannot_touch_is_not_counted(tmp_path):
    geom = '<geom size=".1" contype="0" conaffinity="0"/>'
    robot = read_robot(write_model(tmp_path, geom))
    qpos = np.concatenate([robot.base_place, robot.base_turn, robot.neutral])[None]
    assert find_self_touch(robot, qpos).unknown == "no two shapes of the model can touch"
