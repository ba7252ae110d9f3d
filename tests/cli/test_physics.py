"""``motionloom physics``."""

import json

import numpy as np
import pytest

from motionloom.cli.main import main
from motionloom.io import load_motion


def test_report_of_a_walk(demo_folder, tmp_path, capsys):
    clip = str(demo_folder / "clips" / "walk_1.1.bvh")
    outputs = {name: tmp_path / f"walk.{name}" for name in ("png", "html", "npz", "mjcf")}
    argv = ["physics", "report", clip, "--height", "1.75", "--mass", "70", "--json"]
    for name, path in outputs.items():
        argv += [f"--{name}", str(path)]
    assert main([*argv, "-o", str(tmp_path / "walk.txt")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["height"], found["mass"], found["notes"]) == (1.75, 70.0, [])
    assert abs(found["load_mean"] - 1) < 0.1
    assert found["balanced"] > 0.8
    assert 0 < found["single_share"] < 1
    assert set(found["peak_torques"]) == {"hip", "knee", "ankle", "shoulder", "elbow"}
    assert outputs["png"].read_bytes().startswith(b"\x89PNG")
    assert "data:image/png" in outputs["html"].read_text()
    assert "<mujoco" in outputs["mjcf"].read_text()
    with np.load(outputs["npz"]) as data:
        assert len(data["qpos"]) == found["n_frames"]
    assert "zero moment point" in (tmp_path / "walk.txt").read_text()


def test_wrong_input(demo_folder, tmp_path, capsys):
    clip = str(demo_folder / "clips" / "stand.bvh")
    assert main(["physics", "report", clip, "--height", "175"]) == 2
    assert "metres" in capsys.readouterr().err
    assert main(["physics", "report", clip, "--png", clip]) == 2
    assert main(["physics", "report", str(demo_folder / "clips")]) == 2
    assert "expected one motion" in capsys.readouterr().err
    (tmp_path / "grf.mot").write_text("nothing")
    assert main(["physics", "report", clip, "--plates", str(tmp_path / "grf.mot")]) == 2
    assert "grf.mot" in capsys.readouterr().err


def test_correction_of_a_walk_that_slips(demo_folder, tmp_path, capsys):
    from dataclasses import replace

    from motionloom.io import load_motion, save

    motion = load_motion(demo_folder / "clips" / "walk_1.1.bvh")
    moved = motion.translations.copy()
    drift = 0.15 * np.arange(motion.n_frames) * motion.frame_time
    moved[:, 0, 2] += np.minimum(drift, 0.5)
    save(replace(motion, translations=moved), tmp_path / "slips.bvh")
    out = tmp_path / "out.bvh"
    argv = ["physics", "correct", str(tmp_path / "slips.bvh"), "-o", str(out), "--json"]
    assert main([*argv, "--report", str(tmp_path / "out.txt")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["stances"] > 0
    assert found["after"]["slip"] < found["before"]["slip"] / 3
    assert load_motion(out).n_frames == motion.n_frames
    assert "stances pinned" in (tmp_path / "out.txt").read_text()
    assert main([*argv, "--objective", "beauty", "--force"]) == 2
    assert "--objective: expected one of displacement, torque" in capsys.readouterr().err


STAIRS = "ground:\n- {shape: stairs, start: [0.0, 1.5], rise: 0.17, tread: 0.3, steps: 3}\n"


def test_a_walk_is_taken_up_stairs(demo_folder, tmp_path, capsys):
    ground = tmp_path / "stairs.yaml"
    ground.write_text(STAIRS)
    out = tmp_path / "up.bvh"
    walk = str(demo_folder / "clips" / "walk_1.1.bvh")
    argv = ["physics", "correct", walk, "-o", str(out), "--ground", str(ground), "--json"]
    assert main([*argv, "--png", str(tmp_path / "up.png")]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["across"] == 0
    assert told["after"]["balanced"] > 0.95
    assert len(told["up"]) >= 3
    before = load_motion(walk)
    after = load_motion(out)
    assert after.n_frames == before.n_frames
    assert (tmp_path / "up.png").stat().st_size > 10_000


def test_ground_that_a_walk_cannot_take_is_a_problem(demo_folder, tmp_path, capsys):
    ground = tmp_path / "stairs.yaml"
    ground.write_text(STAIRS + STAIRS.splitlines()[1].replace("1.5", "1.6") + "\n")
    out = tmp_path / "up.bvh"
    walk = str(demo_folder / "clips" / "walk_1.1.bvh")
    assert (
        main(["physics", "correct", walk, "-o", str(out), "--ground", str(ground), "--json"]) == 1
    )
    told = capsys.readouterr()
    (problem,) = json.loads(told.out)["problems"]
    assert problem.startswith("feet find no footholds farther on")
    assert f"not met: {problem}" in told.err
    assert out.is_file()


@pytest.mark.parametrize(
    ("ground", "more", "says"),
    [
        ("ground:\n- {shape: hill}\n", [], "shape: heightmap"),
        ("- a\n", [], "expected what is walked on"),
        (STAIRS.replace("steps", "width: -1, steps"), [], "a width above 0 in metres"),
        (STAIRS, ["--slower", "9"], "1 to 3 times as long"),
        ("", ["--ground", "nan"], "a height in metres or a file"),
        ("", ["--slower", "1.5"], "--ground FILE"),
    ],
)
def test_ground_that_cannot_be_is_refused(demo_folder, tmp_path, capsys, ground, more, says):
    walk = str(demo_folder / "clips" / "walk_1.1.bvh")
    argv = ["physics", "correct", walk, "-o", str(tmp_path / "up.bvh"), *more]
    if ground:
        (tmp_path / "ground.yaml").write_text(ground)
        argv += ["--ground", str(tmp_path / "ground.yaml")]
    assert main(argv) == 2
    assert says in capsys.readouterr().err
    assert not (tmp_path / "up.bvh").exists()
