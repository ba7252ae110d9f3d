"""``motionloom model``: fit, info, edit."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from motionloom.cli.main import main
from motionloom.io import load_motion, save
from motionloom.posed_motion import pose_motion
from reaches import reach_takes

TARGET = "joints:\n  - {joint: right_hand, position: [-0.08, 1.45, 0.5]}\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Takes as files, and a model of them."""
    folder = tmp_path_factory.mktemp("model")
    for take in reach_takes():
        save(take, folder / f"{take.name}.bvh")
    (folder / "keys.yaml").write_text("find: {kind: hold, joint: right_hand}\n")
    (folder / "target.yaml").write_text(TARGET)
    clips = str(folder / "reach_*.bvh")
    keys = str(folder / "keys.yaml")
    assert main(["model", "fit", clips, "--keys", keys, "-o", str(folder / "m.npz")]) == 0
    return folder


def test_a_model_is_told_about(folder, capsys, tmp_path):
    png = tmp_path / "m.png"
    assert main(["model", "info", str(folder / "m.npz"), "--png", str(png)]) == 0
    text = capsys.readouterr().out
    assert "Motion model (pca) of 10 takes" in text
    assert "9 eigen-motions hold 100.0 %" not in text  # told at 1, 2, 3, 5 and 8
    assert "Reach of RightHand at frame" in text
    assert png.read_bytes().startswith(b"\x89PNG")
    assert main(["model", "info", str(folder / "m.npz"), "--at", "up", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["reach"]["frame"] == told["keys"]["up"]
    assert len(told["energy"]) == 9


def test_a_new_take_hits_the_point(folder, capsys, tmp_path):
    out = tmp_path / "new.bvh"
    command = ["model", "edit", str(folder / "m.npz"), "-c", str(folder / "target.yaml")]
    assert main([*command, "--at", "hold", "-o", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    task = told["tasks"][0]
    assert task["reason"] == "met"
    motion = load_motion(out)
    hand = pose_motion(motion).positions[:, motion.skeleton.index("RightHand")]
    near = min(((hand - [-0.08, 1.45, 0.5]) ** 2).sum(axis=1)) ** 0.5
    assert near < 1e-3


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--at", "impact"], "unknown key posture 'impact'; there are: start"),
        (["--at", "9999"], "has frames 0 to"),
        (["--at", "hold", "--soft", "-1"], "--soft: expected cm above 0"),
        (["--at", "hold", "--soft", "inf"], "--soft: expected cm above 0"),
        (["--at", "hold", "--from", "nobody"], "no take or style 'nobody'"),
    ],
)
def test_what_cannot_be_edited_is_refused(more, told, folder, capsys, tmp_path):
    command = ["model", "edit", str(folder / "m.npz"), "-c", str(folder / "target.yaml")]
    assert main([*command, "-o", str(tmp_path / "x.bvh"), *more]) == 2
    said = capsys.readouterr().err
    assert told in said
    assert "target.yaml" not in said  # the constraint file is not to blame


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["-o", "m.txt"], "a name that ends in .npz"),
        (["-o", "m.npz", "--kind", "gplvm"], "--kind: expected one of pca, ppca"),
        (["-o", "m.npz", "--tool", "stick"], "expected NAME=JOINT:x,y,z"),
        (["-o", "m.npz", "--components", "99"], "10 takes allow 1 to 9"),
    ],
)
def test_what_makes_no_model_is_refused(arguments, told, folder, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["model", "fit", str(folder / "reach_*.bvh"), *arguments]) == 2
    assert told in capsys.readouterr().err


def test_a_time_asks_for_a_synthesis(folder, capsys, tmp_path):
    wish = tmp_path / "wish.yaml"
    wish.write_text(
        "duration: 2.9\njoints:\n  - {time: 1.4, joint: right_hand, position: [-0.08, 1.45, 0.5]}\n"
    )
    out = tmp_path / "new.bvh"
    assert main(["model", "edit", str(folder / "m.npz"), "-c", str(wish), "-o", str(out)]) == 0
    assert load_motion(out).n_frames == 88
    assert main(
        ["model", "edit", str(folder / "m.npz"), "-c", str(wish), "-o", str(out), "--from", "x"]
    ) == 2  # fmt: skip
    assert "need --at KEY" in capsys.readouterr().err


def test_takes_of_two_skeletons_are_refused(folder, demo_folder, capsys, tmp_path):
    takes = [str(p) for p in sorted(folder.glob("reach_*.bvh"))[:3]]
    other = load_motion(takes[0])
    names = ("Body", *other.skeleton.names[1:])
    other = replace(other, skeleton=replace(other.skeleton, names=names))
    save(other, tmp_path / "other.bvh")
    argv = ["model", "fit", *takes, str(tmp_path / "other.bvh")]
    keys = ["--keys", str(folder / "keys.yaml")]
    assert main([*argv, *keys, "-o", str(tmp_path / "m.npz")]) == 2
    assert "other has other joints than the first take; only one" in capsys.readouterr().err
