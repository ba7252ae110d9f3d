"""``motionloom retarget --to ROBOT.xml``."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from motionloom.cli.main import main
from motionloom.io import load_motion, save
from motionloom.robots import example_robot


@pytest.fixture
def robot(tmp_path):
    path = tmp_path / "robot.xml"
    path.write_text(example_robot())
    return str(path)


def test_a_clip_for_a_robot(demo_folder, robot, tmp_path, capsys):
    clip = str(demo_folder / "clips" / "walk_1.1.bvh")
    both = ["-o", str(tmp_path / "walk.csv"), "-o", str(tmp_path / "walk.npz")]
    argv = ["retarget", clip, "--to", robot, *both, "--json"]
    pictures = ["--png", str(tmp_path / "walk.png"), "--report", str(tmp_path / "walk.txt")]
    assert main([*argv, *pictures]) == 0
    (found,) = json.loads(capsys.readouterr().out)["clips"]
    assert found["contact_speed"] < 0.5
    rows = np.loadtxt(tmp_path / "walk.csv", delimiter=",")
    assert rows.shape == (found["frames"], 36)
    with np.load(tmp_path / "walk.npz") as data:
        assert len(data["qpos"]) == found["frames"]
    assert (tmp_path / "walk.png").read_bytes().startswith(b"\x89PNG")
    assert "limb directions" in (tmp_path / "walk.txt").read_text()


def test_several_clips_into_a_folder(demo_folder, robot, tmp_path, capsys):
    clips = [str(demo_folder / "clips" / f"{name}.bvh") for name in ("walk_1.1", "stand")]
    out = tmp_path / "out"
    argv = ["retarget", *clips, "--to", robot, "-o", str(out)]
    assert main([*argv, "--format", "npz", "--fps", "50"]) == 0
    with np.load(out / "walk_1.1.npz") as data:
        assert float(data["fps"]) == 50
    assert main(argv) == 0
    assert {path.suffix for path in out.iterdir() if path.name[0] != "."} == {".npz", ".csv"}
    assert main(["retarget", clips[0], "--to", robot, "-o", str(tmp_path / "robot.bvh")]) == 0
    assert load_motion(tmp_path / "robot.bvh").skeleton.n_joints == 30
    capsys.readouterr()


def test_a_clip_that_is_too_short_does_not_stop_the_others(demo_folder, robot, tmp_path, capsys):
    clip = demo_folder / "clips" / "stand.bvh"
    save(load_motion(clip)[:1], tmp_path / "one.bvh")
    argv = ["retarget", str(tmp_path / "one.bvh"), str(clip), "--to", robot]
    assert main([*argv, "-o", str(tmp_path / "out")]) == 1
    err = capsys.readouterr().err
    assert "one.bvh has 1 frame at 30 frames per second" in err
    assert "retargeted 1 of 2 clips" in err
    assert (tmp_path / "out" / "stand.csv").exists()


def test_wrong_input(demo_folder, robot, tmp_path, capsys):
    clip = str(demo_folder / "clips" / "stand.bvh")
    out = str(tmp_path / "out.csv")
    assert main(["retarget", clip, "--to", robot, "-o", str(tmp_path / "a.pkl")]) == 2
    assert "a.pkl: the suffix '.pkl' names no format in which motions can be written; use .bvh" in (
        err := capsys.readouterr().err
    )
    assert ".csv, .npz" in err
    assert main(["retarget", clip, "--to", robot, "-o", out, "--to-roles", robot]) == 2
    assert "leave it out" in capsys.readouterr().err
    assert main(["retarget", clip, "--to", robot, "-o", out, "--fps", "0"]) == 2
    assert "from 1 to 1000" in capsys.readouterr().err
    (tmp_path / "bad.xml").write_text("<mujoco>\n<worldbody/>\n</mujoco>")
    assert main(["retarget", clip, "--to", str(tmp_path / "bad.xml"), "-o", out]) == 2
    assert "bad.xml:1: <mujoco>: no body moves" in capsys.readouterr().err
    assert main(["retarget", clip, "--to", str(tmp_path / "none.xml"), "-o", out]) == 2
    assert "no such file" in capsys.readouterr().err


def test_a_robot_that_does_not_follow_is_exit_1_and_names_the_joint(
    demo_folder, robot, tmp_path, capsys
):
    shoulders = re.compile(r'(name="(?:left|right)_shoulder_[a-z]+"[^>]*?range=)"[^"]*"')
    text = shoulders.sub(r'\1"50 51"', Path(robot).read_text())
    Path(robot).write_text(text)
    clip = str(demo_folder / "clips" / "reach_right_front.bvh")
    out = tmp_path / "reach.csv"
    assert main(["retarget", clip, "--to", robot, "-o", str(out)]) == 1
    said = capsys.readouterr().out
    assert "limbs point" in said
    assert "shoulder_roll" in said
    assert out.exists()
