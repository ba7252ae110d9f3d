"""Shots in ``examples/shots``, run as their readers do: from the command line, on demo clips."""

from __future__ import annotations

import json
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


def test_there_are_twelve_and_more():
    assert len(SHOTS) >= 12


@pytest.mark.parametrize("name", SHOTS)
def test_an_example_comes_out_without_a_problem(shots, name, tmp_path, capsys):
    report = tmp_path / "report.json"
    command = ["shot", str(shots / f"{name}.yaml"), "-o", str(tmp_path / "out.glb")]
    library = ["--library", str(shots.parents[1] / "demo" / "clips")] if name == "scene" else []
    assert main([*command, *library, "--report", str(report)]) == 0
    told = json.loads(report.read_text())
    assert told["problems"] == []
    for one in told["characters"].values():
        assert one["quality"]["skate_mean"] < 2.0
    for met in told["meetings"]:
        assert met["met"]
        assert met["joints_mm"] < 1.0
    capsys.readouterr()
