"""``motionloom demo``: the main job on the built-in clips."""

import shlex
from pathlib import Path

import numpy as np
import pytest

from motionloom.cli._demo import _summary
from motionloom.cli.main import main
from motionloom.constraints import read_constraints
from motionloom.io import load_motion
from motionloom.kinematics import body_trajectory, forward_kinematics
from motionloom.roles import find_roles


def test_it_writes_what_it_promises(demo_folder):
    names = {p.name for p in demo_folder.iterdir()}
    assert names == {
        ".motionloom",
        "clips",
        "constraints.yaml",
        "markers.trc",
        "motion.bvh",
        "motion.glb",
        "motion.html",
        "motion.png",
        "report.txt",
        "scene.yaml",
    }
    assert len(list((demo_folder / "clips").glob("*.bvh"))) >= 10


def test_the_written_motion_meets_the_written_wish(demo_folder):
    wish = read_constraints(demo_folder / "constraints.yaml")
    for suffix, tolerance in (("bvh", 1e-3), ("glb", 1e-3)):
        motion = load_motion(demo_folder / f"motion.{suffix}")
        assert motion.n_frames == wish.n_frames
        roles = find_roles(motion.skeleton)
        pose = forward_kinematics(motion)
        body = body_trajectory(pose, roles)
        for c in wish.body:
            x, z, facing = body[wish.frame_of(c.time)]
            assert np.hypot(x - c.position[0], z - c.position[1]) < tolerance
            assert abs(np.degrees(facing) - c.facing) < 0.1
        for c in wish.joints:
            hand = pose.positions[wish.frame_of(c.time), roles.joint(c.joint)]
            assert np.linalg.norm(hand - c.position) < 0.05


@pytest.mark.usefixtures("stopped_clock")
def test_synthesize_on_its_files_gives_the_same_motion(demo_folder, tmp_path):
    output = tmp_path / "motion.bvh"
    wish = demo_folder / "constraints.yaml"
    assert main(["synthesize", str(demo_folder / "clips"), "-c", str(wish), "-o", str(output)]) == 0
    assert output.read_bytes() == (demo_folder / "motion.bvh").read_bytes()


def test_a_place_that_cannot_be_written(tmp_path, capsys):
    (tmp_path / "file").write_text("x")
    assert main(["demo", "-o", str(tmp_path / "file")]) == 2
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert "file" in err


def test_the_line_to_go_on_with_is_quoted_for_the_shell():
    line = _summary(Path("my demo"), 3).splitlines()[-1]
    assert shlex.split(line)[:3] == ["motionloom", "synthesize", str(Path("my demo") / "clips")]
