"""Shots in ``examples/shots``, run as their readers do: from the command line, on demo clips."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from motionloom.cli.main import main
from motionloom.io import save
from motionloom.performer import performer_clips

EXAMPLES = Path(__file__).parents[2] / "examples" / "shots"
#: Those that are made in a few seconds; the others learn the motion graph of all clips.
QUICK = ("pose", "takes")
#: What a shot may have beside it.
BESIDE = (".labels.yaml", ".constraints.yaml", ".keys.yaml", ".scene.yaml")
#: Processor seconds that making each took, with compiled kernels and nothing kept.
MEASURED = {
    **{"asked": 5.7, "door": 12.1, "every": 13.2, "greeting": 16.3, "handshake": 9.7},
    **{"minute": 24.5, "moods": 6.7, "pose": 3.2, "relay": 21.9, "scene": 6.8},
    **{"small": 4.7, "stairs": 10.9, "takes": 3.0, "two": 5.0, "yard": 11.6},
}
SHOTS = [
    pytest.param(path.stem, id=path.stem, marks=() if path.stem in QUICK else (pytest.mark.slow,))
    for path in sorted(EXAMPLES.glob("*.yaml"))
    if not path.name.endswith(BESIDE)
]


@pytest.fixture(scope="module")
def shots(tmp_path_factory):
    """The folder of the examples, with the clips and the model that they name."""
    root = tmp_path_factory.mktemp("source")
    folder = root / "examples" / "shots"
    shutil.copytree(EXAMPLES, folder)
    (root / "demo" / "clips").mkdir(parents=True)
    for clip in performer_clips():
        save(clip.motion, root / "demo" / "clips" / f"{clip.motion.name}.bvh")
    takes = [str(path) for path in (root / "demo" / "clips").glob("reach_right_*.bvh")]
    keys = folder / "reach.keys.yaml"
    model = root / "demo" / "reaches.npz"
    assert main(["model", "fit", *sorted(takes), "--keys", str(keys), "-o", str(model)]) == 0
    return folder


def _command(shots, name):
    """The file of an example, and the library where the file names none."""
    library = ["--library", str(shots.parents[1] / "demo" / "clips")] if name == "scene" else []
    return [str(shots / f"{name}.yaml"), *library]


def test_there_are_twelve_and_more():
    assert len(SHOTS) >= 12


@pytest.mark.parametrize("name", MEASURED)
def test_the_check_estimates_the_work_within_a_factor(shots, name, capsys):
    assert main(["shot", "check", *_command(shots, name)]) == 0
    told = re.search(r"takes about (\d+) s of one processor core", capsys.readouterr().out)
    assert MEASURED[name] / 1.5 <= int(told[1]) <= MEASURED[name] * 1.5


def test_the_work_of_every_example_was_measured():
    assert set(MEASURED) == {one.values[0] for one in SHOTS}


@pytest.mark.parametrize("name", SHOTS)
def test_an_example_comes_out_without_a_problem(shots, name, tmp_path, capsys):
    report = tmp_path / "report.json"
    command = ["shot", *_command(shots, name), "-o", str(tmp_path / "out.glb")]
    assert main([*command, "--report", str(report)]) == 0
    told = json.loads(report.read_text())
    assert told["problems"] == []
    for one in told["characters"].values():
        assert one["quality"]["skate_mean"] < 2.0
    for met in told["meetings"]:
        assert met["met"]
        assert met["joints_mm"] < 1.0
    capsys.readouterr()
