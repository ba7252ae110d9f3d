"""``motionloom retarget``: what it writes, and what it says when it cannot."""

import json

import numpy as np
import pytest

from motionloom.cli.main import main
from motionloom.io import load_motion, save
from motionloom.performer import make_performer
from motionloom.posed_motion import pose_motion
from rigs import scaled, with_other_axes


@pytest.fixture
def walk(demo_folder):
    return str(demo_folder / "clips" / "walk_1.1.bvh")


@pytest.fixture
def other(walk, tmp_path):
    """A clip of a smaller body whose joints have other names and axes."""
    motion = scaled(load_motion(walk), 0.9)
    turns = np.tile([np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0], (motion.skeleton.n_joints, 1))
    save(with_other_axes(motion, turns), tmp_path / "other.bvh")
    return str(tmp_path / "other.bvh")


def test_a_clip_goes_to_the_body_of_a_file_and_looks_like_its_files(walk, other, tmp_path, capsys):
    out, report = tmp_path / "new" / "out.bvh", tmp_path / "r.json"
    pictures = [f"--png={tmp_path / 'a.png'}", f"--html={tmp_path / 'a.html'}"]
    argv = ["retarget", walk, "--to", other, "-o", str(out), "--report", str(report), *pictures]
    assert main(argv) == 0
    text = capsys.readouterr().out
    assert "contact speed" in text
    made, body = load_motion(out), load_motion(other)
    assert made.skeleton.matches(body.skeleton)
    assert made.source.channels == body.source.channels
    assert made.n_frames == load_motion(walk).n_frames
    truth = pose_motion(load_motion(walk)).positions
    assert np.abs(pose_motion(made).positions - 0.9 * truth).max() < 0.015
    whole = json.loads(report.read_text())["whole"]
    assert whole["directions"][0] < 1.0
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"
    assert "<html" in (tmp_path / "a.html").read_text()[:300]


@pytest.mark.parametrize("to", ["performer", "performer:1.6"])
def test_the_built_in_person_is_a_target(walk, to, tmp_path, capsys):
    out = tmp_path / "out.bvh"
    assert main(["retarget", walk, "--to", to, "-o", str(out)]) == 0
    height = float(to.partition(":")[2] or 1.75)
    assert load_motion(out).skeleton.matches(make_performer(height).skeleton, 1e-5)
    assert "never seen to bend" not in capsys.readouterr().err


def test_a_t_pose_of_one_frame_is_a_target(walk, tmp_path, capsys):
    motion = load_motion(walk)
    still = motion[:1]
    rotations = still.rotations.copy()
    rotations[:] = [1.0, 0, 0, 0]
    from dataclasses import replace

    save(replace(still, rotations=rotations), tmp_path / "tpose.bvh")
    out = tmp_path / "out.bvh"
    assert main(["retarget", walk, "--to", str(tmp_path / "tpose.bvh"), "-o", str(out)]) == 0
    assert "head" in capsys.readouterr().out
    gap = pose_motion(load_motion(out)).positions - pose_motion(motion).positions
    assert np.linalg.norm(gap, axis=-1).mean() < 0.03


def test_a_library_is_a_target(walk, demo_folder, tmp_path):
    lib, out = str(tmp_path / "lib"), tmp_path / "out.bvh"
    assert main(["library", "create", lib, str(demo_folder / "clips" / "stand.bvh"), walk]) == 0
    assert main(["retarget", walk, "--to", lib, "-o", str(out)]) == 0
    assert load_motion(out).n_frames == load_motion(walk).n_frames


def test_bad_files_are_told_and_the_others_retargeted(walk, other, tmp_path, capsys):
    bad = tmp_path / "bad.bvh"
    bad.write_text("HIERARCHY\nnothing\n")
    folder = tmp_path / "out"
    assert main(["retarget", walk, str(bad), other, "--to", walk, "-o", str(folder)]) == 1
    out, err = capsys.readouterr()
    assert sorted(p.name for p in folder.glob("*.bvh")) == ["other.bvh", "walk_1.1.bvh"]
    assert "bad.bvh:1" in err
    assert "retargeted 2 of 3 clips" in err
    assert "all" in out


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"--to": "performer:9"}, "performer:9: expected performer or performer:HEIGHT"),
        ({"--to": "performer:"}, "performer:: expected performer or performer:HEIGHT"),
        ({"--to": " "}, "no body was named"),
        ({"--fps": "60"}, "--fps: for robots only, and performer is no robot's model"),
        ({"-o": "walk.csv"}, ".csv holds the motion of a robot"),
        ({"--to": "nowhere.bvh"}, "nowhere.bvh"),
        ({"-o": "WALK"}, "is also an input"),
        ({"--png": "a.jpg"}, "pictures are written as PNG"),
    ],
)
def test_wrong_input_is_told_in_one_sentence(walk, tmp_path, capsys, change, message):
    told = {"--to": "performer", "-o": str(tmp_path / "o.bvh"), **change}
    told = {key: walk if value == "WALK" else value for key, value in told.items()}
    assert main(["retarget", walk, *(word for pair in told.items() for word in pair)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert len(err.splitlines()) == 1


def test_every_output_is_written_and_where_all_clips_are_refused_it_is_wrong_input(
    walk, tmp_path, capsys
):
    outs = [tmp_path / "a.bvh", tmp_path / "b.glb"]
    named = [word for out in outs for word in ("-o", str(out))]
    assert main(["retarget", walk, "--to", "performer", *named]) == 0
    assert all(out.exists() for out in outs)
    bad = tmp_path / "bad.bvh"
    bad.write_text("HIERARCHY\nnothing\n")
    assert main(["retarget", str(bad), "--to", "performer", "-o", str(tmp_path / "c.bvh")]) == 2
    twice = ["-o", str(tmp_path / "d.bvh"), "-o", str(tmp_path / "d.bvh")]
    capsys.readouterr()
    assert main(["retarget", walk, "--to", "performer", *twice]) == 2
    assert "given for two outputs" in capsys.readouterr().err


@pytest.mark.parametrize(
    "argv",
    [
        ["retarget", "a", "--to", "performer", "-o", "b", "--report", "x", "--report", "y"],
        ["gait", "make", "-o", "b.bvh", "--output", "c.bvh"],
        ["physics", "correct", "a", "-o", "b.bvh", "-o", "c.bvh"],
        ["convert", "a", "b", "--format", ".bvh", "--format", ".glb"],
    ],
)
def test_an_option_that_counts_once_is_refused_a_second_time(argv, capsys):
    """The first would be dropped without a word."""
    assert main(argv) == 2
    err = capsys.readouterr().err
    assert "given 2 times" in err
    assert len(err.splitlines()) == 1


def test_several_clips_need_a_folder(walk, other, tmp_path, capsys):
    argv = ["retarget", walk, other, "--to", walk, "-o", str(tmp_path / "o.bvh")]
    assert main(argv) == 2
    assert "name a folder" in capsys.readouterr().err
