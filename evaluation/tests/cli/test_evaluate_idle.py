"""``motionloom evaluate idle`` from the command line."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from motionloom.cli.main import main
from motionloom.io import save
from performed import performer_clips


@pytest.fixture(scope="module")
def stand(tmp_path_factory):
    place = tmp_path_factory.mktemp("evaluated") / "stand.bvh"
    clips = {clip.motion.name: clip.motion for clip in performer_clips()}
    save(clips["stand"], place)
    return place


def test_schedules_hours_and_sheets_are_passed_on(stand, tmp_path, capsys, monkeypatch):
    asked = []

    def measure(motions, roles, options, progress):
        asked.append((motions[0].name, options.schedules, options.hours))
        return SimpleNamespace(to_json=lambda: "{}\n", to_text=lambda: "figures\n")

    monkeypatch.setattr("motionloom_evaluation.idle.evaluation.evaluate_idle", measure)
    words = ["--schedules", "2", "--hours", "0.01", "--sheets", str(tmp_path / "sheets")]
    out = tmp_path / "told.json"
    assert main(["evaluate", "idle", str(stand), *words, "-o", str(out)]) == 0
    assert asked == [("stand", 2, 0.01)]
    assert json.loads(out.read_text()) == {}
    assert (tmp_path / "sheets/stand.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "sheets/stand.html").read_bytes().startswith(b"<!doctype html>")
    assert "figures" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--hours", "nan"], ["--schedules", "-1"], ["--seeds", "0"]])
def test_numbers_out_of_range_are_refused(stand, capsys, words):
    assert main(["evaluate", "idle", str(stand), *words]) == 2
    assert words[0] in capsys.readouterr().err
