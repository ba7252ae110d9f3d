"""``motionloom evaluate`` on clips of the demo: tables, reports and pictures."""

import json

import numpy as np
import pytest

from motionloom.cli.main import main
from motionloom.io import load_motion, save
from motionloom.robots import example_robot
from rigs import scaled, with_other_axes

FEW = ["--only", "walk*", "--only", "stand*", "--only", "swing*"]


@pytest.fixture
def clips(demo_folder):
    return str(demo_folder / "clips")


@pytest.fixture
def walk(demo_folder):
    return str(demo_folder / "clips" / "walk_1.1.bvh")


@pytest.fixture
def robot(tmp_path):
    path = tmp_path / "robot.xml"
    path.write_text(example_robot())
    return str(path)


@pytest.fixture
def other(walk, tmp_path):
    """A clip of a smaller body whose joints have other names and axes."""
    motion = scaled(load_motion(walk), 0.9)
    turns = np.tile([np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0], (motion.skeleton.n_joints, 1))
    save(with_other_axes(motion, turns), tmp_path / "other.bvh")
    return str(tmp_path / "other.bvh")


def test_robots_are_evaluated(demo_folder, robot, tmp_path, capsys):
    clip = str(demo_folder / "clips" / "walk_1.1.bvh")
    saved = tmp_path / "robots.json"
    assert main(["evaluate", "robots", clip, "--robot", robot, "-o", str(saved)]) == 0
    assert "clips keep limits" in capsys.readouterr().out
    (found,) = json.loads(saved.read_text())["clips"]
    assert found["limb_direction"] < 7
    assert found["mujoco"]["off"] < 1e-5


def test_pairs_of_bodies_are_measured(walk, other, tmp_path, capsys):
    out = tmp_path / "r.json"
    assert main(["evaluate", "retarget", walk, other, "--seconds", "1", "-o", str(out)]) == 0
    text = capsys.readouterr().out
    assert "2 of 2 pairs by roles keep all limits" in text
    rows = json.loads(out.read_text())["pairs"]
    assert [row["way"] for row in rows] == ["by roles", "copied rotations"] * 2
    by_roles, copied = (row["row"]["directions"][0] for row in rows[:2])
    assert by_roles < 1.0 < 30.0 < copied
    assert main(["evaluate", "retarget", walk]) == 2


def test_evaluation_of_a_walk(demo_folder, tmp_path, capsys):
    clip = str(demo_folder / "clips" / "walk_1.1.bvh")
    assert main(["evaluate", "physics", clip, "-o", str(tmp_path / "physics.json")]) == 0
    out = capsys.readouterr().out
    assert "Against MuJoCo" in out
    assert "Clips as they were captured" in out
    rows = json.loads((tmp_path / "physics.json").read_text())["corrections"]
    assert rows[0]["example"]["after"]["slip"] < 1.0


@pytest.mark.usefixtures("little_work")
def test_the_tables_of_an_evaluation(clips, tmp_path, capsys):
    argv = ["evaluate", "natural-spaces", clips, *FEW, "--quick", "-o", str(tmp_path / "figures")]
    assert main(argv) == 0
    out = capsys.readouterr().out
    assert out == (tmp_path / "figures" / "report.txt").read_text()
    for row in (
        "accuracy from the standing pose",
        "Euler angles against",
        "random places",
        "uniform",
        "dimensions",
    ):
        assert row in out
    data = json.loads((tmp_path / "figures" / "report.json").read_text())
    natural = [s for s in data["splits"][0]["scores"] if s["method"] == "natural"]
    assert len(natural) == 10
    assert all(s["accuracy"] == 1 and s["excess"] <= 1e-12 for s in natural)
    means = data["order"]["means"]
    assert all(a > b > c for a, b, c in means.values())
    pictures = sorted(p.name for p in (tmp_path / "figures").glob("*.png"))
    assert pictures == [
        "poses-both-feet.png",
        "poses-both-hands.png",
        "poses-hands-and-feet.png",
        "poses-right-foot.png",
        "poses-right-hand.png",
        "sweep.png",
        "ugliest.png",
    ]


@pytest.mark.usefixtures("little_work")
def test_too_few_clips_for_an_evaluation(clips, tmp_path, capsys):
    assert (
        main(["evaluate", "natural-spaces", f"{clips}/stand.bvh", "-o", str(tmp_path / "figures")])
        == 2
    )
    assert "at least 4, got 1" in capsys.readouterr().err
    assert not list((tmp_path / "figures").glob("*"))
