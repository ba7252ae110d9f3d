"""``motionloom compare``."""

import json

import pytest

from motionloom.cli.main import main

pytestmark = pytest.mark.usefixtures("little_work")

FEW = ["--only", "walk*", "--only", "curve*"]


@pytest.fixture
def clips(demo_folder):
    return str(demo_folder / "clips")


def test_results_with_their_report_beside_them(demo_folder, clips, tmp_path, capsys):
    task = ["--constraints", str(demo_folder / "constraints.yaml"), "--budget", "0.2"]
    made = ["-o", str(tmp_path / "a.bvh"), "--report", str(tmp_path / "a.json")]
    assert main(["synthesize", clips, *task, *made]) in (0, 1)
    capsys.readouterr()
    argv = ["compare", str(tmp_path / "a.bvh"), "--with", clips, "--sources", "--repeats", "1"]
    outputs = ["-o", str(tmp_path / "c.png"), "--report", str(tmp_path / "c.txt")]
    assert main([*argv, *outputs, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    pieces = json.loads((tmp_path / "a.json").read_text())["pieces"]
    assert found["results"] == ["a"]
    assert found["sources"]["takes"] <= len({p["clip"] for p in pieces})
    assert found["sources"]["woven_windows"] == found["sources"]["captured_windows"]
    assert all(0 <= a["boosted"]["mean"] <= 1 for a in found["control"].values())
    assert not found["notes"]
    assert "same frames as captured" in (tmp_path / "c.txt").read_text()
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")


def test_wrong_input(demo_folder, clips, tmp_path, capsys):
    one = f"{clips}/walk_1.1.bvh"
    assert main(["compare", one, "--with", clips, *FEW]) == 2
    assert "at least 4 takes, and the results are of 1" in capsys.readouterr().err
    assert main(["compare", one, "--with", clips, *FEW, "--sources"]) == 2
    assert "which captured frames it shows is not known" in capsys.readouterr().err
    assert main(["compare", one, "--with", clips, "-o", "a.jpg"]) == 2
    assert main(["compare", one, "--with", str(tmp_path)]) == 2
    assert "no motion file" in capsys.readouterr().err
    assert main(["compare", one, "--with", clips, "--report", one]) == 2
    assert "is also an input" in capsys.readouterr().err
