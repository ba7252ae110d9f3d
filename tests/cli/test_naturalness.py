"""``motionloom naturalness``."""

import json

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.cli.main import main
from motionloom.io import load_motion, save

pytestmark = pytest.mark.usefixtures("little_work")

FEW = ["--only", "walk*", "--only", "stand*", "--only", "swing*"]


@pytest.fixture
def clips(demo_folder):
    return str(demo_folder / "clips")


def test_an_arm_that_is_thrown_back_is_found_where_it_happens(demo_folder, clips, tmp_path, capsys):
    from dataclasses import replace

    motion = load_motion(demo_folder / "clips" / "walk_1.1.bvh")
    rotations, arm = motion.rotations.copy(), motion.skeleton.names.index("LeftArm")
    rotations[60:75, arm] = rot.multiply(rotations[60:75, arm], rot.from_rotvec([0.0, 0.0, 1.4]))
    save(replace(motion, rotations=rotations), tmp_path / "odd.bvh")
    argv = [
        "naturalness",
        str(tmp_path / "odd.bvh"),
        f"{clips}/walk_1.1.bvh",
        "--reference",
        clips,
        *FEW,
        "--physics",
        "--json",
    ]
    assert main([*argv, "--png", str(tmp_path / "a.png"), "-o", str(tmp_path / "a.txt")]) == 0
    odd, captured = json.loads(capsys.readouterr().out)
    assert (odd["left_out"], captured["left_out"]) == (False, True)
    assert odd["mean"]["mixture"] < captured["mean"]["mixture"]
    assert len(odd["terms"]) == 3
    assert 0 <= min(captured["terms"].values()) <= max(captured["terms"].values()) <= 100
    worst = odd["worst"][0]
    assert worst["segment"] == "left_arm"
    assert 60 * motion.frame_time - 0.05 <= worst["time"] <= 75 * motion.frame_time + 0.05
    assert worst["deviations"] > 3
    assert len(odd["times"]) == len(odd["curves"]["gaussian"]) == len(odd["segments"]["left_arm"])
    assert np.isclose(
        np.mean(captured["curves"]["mixture"]), captured["mean"]["mixture"], atol=0.01
    )
    assert "own capture left out" in (tmp_path / "a.txt").read_text()
    assert "not balanced within 5 cm (% of support)  friction" in (tmp_path / "a.txt").read_text()
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_wrong_input(demo_folder, clips, tmp_path, capsys):
    one = f"{clips}/stand.bvh"
    assert main(["naturalness", one, "--reference", one]) == 2
    assert "at least two clips" in capsys.readouterr().err
    assert main(["naturalness", one, "--reference", str(tmp_path)]) == 2
    assert "no motion file" in capsys.readouterr().err
    assert main(["naturalness", one, "--reference", clips, "--png", "a.jpg"]) == 2
    assert main(["naturalness", one, "--reference", clips, "-o", one]) == 2
    assert "is also an input" in capsys.readouterr().err


def test_a_library_keeps_what_was_learned_and_a_space_does_without_clips(
    demo_folder, clips, tmp_path, capsys
):
    walk = f"{clips}/walk_1.1.bvh"
    library = tmp_path / "library"
    few = [f"{clips}/walk_1.1.bvh", f"{clips}/stand.bvh", f"{clips}/swing.bvh"]
    assert main(["library", "create", str(library), *few]) == 0
    capsys.readouterr()
    assert main(["naturalness", walk, "--reference", str(library)]) == 0
    first = capsys.readouterr()
    assert f"naturalness kept in {library / 'naturalness.npz'}" in first.err
    assert main(["naturalness", walk, "--reference", str(library)]) == 0
    second = capsys.readouterr()
    assert second.err == f"naturalness read from {library / 'naturalness.npz'}\n"
    assert second.out == first.out
    space = tmp_path / "space.npz"
    assert (
        main(["naturalness", walk, "--reference", *few[:1], *few_more(few), "--space", str(space)])
        == 0
    )
    third = capsys.readouterr()
    assert f"naturalness kept in {space}" in third.err
    assert main(["naturalness", walk, "--space", str(space)]) == 0
    fourth = capsys.readouterr()
    assert fourth.err == f"naturalness read from {space}\n"
    assert fourth.out == third.out
    assert "own capture left out" in fourth.out


def few_more(files):
    return [word for file in files[1:] for word in ("--reference", file)]


def test_a_space_that_cannot_be_one(clips, tmp_path, capsys):
    one = f"{clips}/stand.bvh"
    assert main(["naturalness", one]) == 2
    assert "no clips were given" in capsys.readouterr().err
    assert main(["naturalness", one, "--space", str(tmp_path / "a.npz")]) == 2
    assert "no clips were given" in capsys.readouterr().err
    assert main(["naturalness", one, "--reference", clips, "--space", str(tmp_path / "a.txt")]) == 2
    assert "ends in .npz" in capsys.readouterr().err
    (tmp_path / "b.npz").write_text("mine")
    assert main(["naturalness", one, "--space", str(tmp_path / "b.npz")]) == 2
    assert "expected an .npz file that motionloom wrote" in capsys.readouterr().err
    assert (tmp_path / "b.npz").read_text() == "mine"
