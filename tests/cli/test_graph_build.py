"""``motionloom graph build``, and what uses the graph that it leaves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from motionloom.cli.main import main


@pytest.fixture
def library(tmp_path, demo_folder, monkeypatch):
    """A library of some of the demo's clips."""
    pytest.importorskip("zarr")
    monkeypatch.chdir(tmp_path)
    clips = sorted(str(p) for p in (demo_folder / "clips").glob("walk*.bvh"))
    clips += sorted(str(p) for p in (demo_folder / "clips").glob("curve*.bvh"))
    assert main(["library", "create", "moves", *clips]) == 0
    return tmp_path / "moves"


def test_a_library_has_its_graph_beside_it(library, capsys, demo_folder):
    assert main(["graph", "build", "moves"]) == 0
    out = capsys.readouterr()
    assert "kept 0, dropped 0" in out.err + out.out
    assert (library / "graph" / "graph.npz").exists()
    assert main(["graph", "build", "moves"]) == 0
    out = capsys.readouterr()
    assert "rows of transitions computed 0" in out.err + out.out
    assert main(["graph", "report", "moves"]) == 0
    wish = "duration: 2.0\nbody:\n  - {time: 0.0, position: [0, 0], facing: 0}\n"
    (library.parent / "wish.yaml").write_text(wish)
    assert main(["synthesize", "moves", "-c", "wish.yaml", "-o", "out.bvh", "--budget", "0.1"]) == 0
    assert f"using the motion graph in {Path('moves', 'graph')}" in capsys.readouterr().err
    some = [
        "synthesize",
        "moves",
        "--only",
        "walk*",
        "-c",
        "wish.yaml",
        "-o",
        "some.bvh",
        "--budget",
        "0.1",
    ]
    assert main(some) == 0
    assert "curve" not in capsys.readouterr().out.split("Pieces")[1]


def test_a_graph_that_is_out_of_date_is_said(library, capsys):
    assert main(["graph", "build", "moves", "--without", "curve*"]) == 0
    capsys.readouterr()
    assert main(["graph", "report", "moves"]) == 2
    assert "build it again (motionloom graph build)" in capsys.readouterr().err


def test_clips_need_a_folder_for_their_graph(tmp_path, demo_folder, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    clips = str(demo_folder / "clips" / "walk*.bvh")
    assert main(["graph", "build", clips]) == 2
    assert "-o FOLDER" in capsys.readouterr().err
    assert main(["graph", "build", clips, "-o", "g", "--step", "3"]) == 0
    capsys.readouterr()
    assert main(["graph", "report", clips, "--graph", "g"]) == 0
    assert "using the motion graph in g" in capsys.readouterr().err
    assert main(["graph", "report", clips, "--graph", "h"]) == 2
    assert "there is no motion graph here" in capsys.readouterr().err
    assert main(["graph", "build", clips, "-o", "g", "--step", "2"]) == 2
    assert "--force" in capsys.readouterr().err
    assert main(["graph", "build", clips, "-o", "g", "--only", "nothing"]) == 2
    assert "no clip matches" in capsys.readouterr().err


def test_mirrored_copies_are_clips_of_their_own(tmp_path, demo_folder, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    clips = [str(demo_folder / "clips" / f"{name}.bvh") for name in ("walk_1.1", "turn_left_90")]
    assert main(["graph", "build", *clips, "-o", "g", "--mirror"]) == 0
    assert capsys.readouterr().out.startswith("4 clips, ")
    assert main(["graph", "report", *clips, "--graph", "g", "--mirror", "--json"]) == 0
    names = json.loads(capsys.readouterr().out)["names"]
    assert names == ["walk_1.1", "turn_left_90", "walk_1.1 (mirrored)", "turn_left_90 (mirrored)"]
    assert main(["graph", "report", *clips, "--graph", "g", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["names"] == names[:2]
    Path("right.yaml").write_text(
        "duration: 3.0\nbody:\n  - {time: 0, position: [0, 0], facing: 0}\n"
    )
    wish = ["-c", "right.yaml", "-o", "right.bvh", "--budget", "0.1"]
    assert main(["synthesize", *clips, *wish, "--graph", "g", "--mirror", "--json"]) == 0
    assert all(piece["clip"] in names for piece in json.loads(capsys.readouterr().out)["pieces"])
    assert main(["graph", "build", *clips, "-o", "g"]) == 0
    assert "kept 2, dropped 2" in capsys.readouterr().err
    assert main(["synthesize", *clips, *wish, "--graph", "g", "--mirror"]) == 2
    assert "(motionloom graph build --mirror)" in capsys.readouterr().err
