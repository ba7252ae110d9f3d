"""``motionloom gait``."""

from __future__ import annotations

import json

import pytest

from motionloom.cli.main import main
from motionloom.io import save
from performed import performer_clips

NAMES = ("walk_0.6", "walk_1.1", "walk_1.6", "walk_2.2", "run_3")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Clips as files, and a gait space of them."""
    folder = tmp_path_factory.mktemp("gait")
    for clip in performer_clips():
        if clip.motion.name in (*NAMES, "stand"):
            save(clip.motion, folder / f"{clip.motion.name}.bvh")
    (folder / "told.yaml").write_text('gait:\n  - {clips: "*", person: perry}\n')
    clips = [str(folder / f"{name}.bvh") for name in NAMES]
    told = str(folder / "told.yaml")
    assert main(["gait", "fit", *clips, "--told", told, "-o", str(folder / "m.npz")]) == 0
    return folder


def test_a_fit_draws_what_it_found(folder, capsys, tmp_path):
    png = tmp_path / "found.png"
    out = tmp_path / "m.npz"
    walk = str(folder / "walk_1.1.bvh")
    assert main(["gait", "fit", walk, "-o", str(out), "--png", str(png)]) == 0
    assert png.read_bytes().startswith(b"\x89PNG")
    assert "Behaviours\n  walk\n    strides" in capsys.readouterr().out


def test_a_space_is_told_about(folder, capsys, tmp_path):
    png = tmp_path / "m.png"
    assert main(["gait", "info", str(folder / "m.npz"), "--png", str(png)]) == 0
    text = capsys.readouterr().out
    assert "People\n  perry\n    height of the hips  0.9" in text
    assert "cycles per second = a V^b" in text
    assert png.read_bytes().startswith(b"\x89PNG")
    assert main(["gait", "info", str(folder / "m.npz"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["persons"]["perry"]["walk"]["basis"] == "own"
    assert 0.4 < told["behaviours"]["walk"]["frequency"]["b"] < 0.6


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["gait", "fit", "{stand}", "-o", "{out}/m.npz"], "no straight and steady gait cycle"),
        (["gait", "fit", "{stand}", "-o", "{out}/m.txt"], "ends in .npz"),
        (["gait", "info", "{stand}"], "not a gait space"),
        (["gait", "info", "{out}/none.npz"], "no such file; fit one with"),
    ],
)
def test_wrong_input_is_told_in_a_sentence(folder, capsys, tmp_path, command, says):
    places = {"stand": str(folder / "stand.bvh"), "out": str(tmp_path)}
    assert main([word.format(**places) for word in command]) == 2
    assert says in capsys.readouterr().err
