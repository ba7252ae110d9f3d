"""``motionloom gait make`` and ``motionloom reconstruct``."""

from __future__ import annotations

import json

import pytest

from motionloom.cli.main import main
from motionloom.io import load_motion, save
from motionloom.performer import performer_clips

NAMES = ("walk_0.6", "walk_1.1", "walk_1.6", "walk_2.2", "run_3")
TURN = (
    "duration: 6.0\nfps: 30\npaths:\n  - {points: [[0, 0], [0, 3], [3, 3]], from: 0.0, to: 6.0}\n"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Clips as files, a gait space of them, a constraint file."""
    folder = tmp_path_factory.mktemp("make")
    for clip in performer_clips():
        if clip.motion.name in (*NAMES, "stand"):
            save(clip.motion, folder / f"{clip.motion.name}.bvh")
    (folder / "turn.yaml").write_text(TURN)
    clips = [str(folder / f"{name}.bvh") for name in NAMES]
    assert main(["gait", "fit", *clips, "-o", str(folder / "m.npz")]) == 0
    return folder


def test_gait_at_a_speed(folder, tmp_path, capsys):
    out = tmp_path / "walk.bvh"
    asked = ["--speed", "1.3", "--seconds", "2", "--seed", "1", "--height", "1.6"]
    assert main(["gait", "make", str(folder / "m.npz"), *asked, "-o", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["speed"] == pytest.approx(1.3, rel=0.02)
    assert load_motion(out).n_frames == 61


def test_gait_along_a_path_with_its_report_and_sheet(folder, tmp_path, capsys):
    out = tmp_path / "turn.bvh"
    png = tmp_path / "turn.png"
    report = tmp_path / "turn.json"
    asked = ["-c", str(folder / "turn.yaml"), "--png", str(png), "--report", str(report)]
    assert main(["gait", "make", str(folder / "m.npz"), *asked, "-o", str(out)]) == 0
    assert "footprints" in capsys.readouterr().out
    assert png.read_bytes().startswith(b"\x89PNG")
    assert json.loads(report.read_text())["steps"] > 8


def test_a_way_that_no_gait_can_follow_could_not_be_done(folder, tmp_path, capsys):
    out = tmp_path / "out.bvh"
    asked = ["--speed", "11", "--seconds", "2"]
    assert main(["gait", "make", str(folder / "m.npz"), *asked, "-o", str(out)]) == 1
    assert "no gait follows this way" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ([], "needs --speed and --seconds, or --constraints"),
        (["--speed", "1", "--seconds", "2", "-c", "{folder}/turn.yaml"], "its own times"),
        (["--speed", "1", "--seconds", "2", "--person", "nobody"], "no person 'nobody'"),
        (["--speed", "-1", "--seconds", "2"], "a speed above 0"),
    ],
)
def test_what_makes_no_sense_is_refused(folder, tmp_path, capsys, asked, says):
    asked = [word.replace("{folder}", str(folder)) for word in asked]
    out = tmp_path / "out.bvh"
    assert main(["gait", "make", str(folder / "m.npz"), *asked, "-o", str(out)]) == 2
    assert says in capsys.readouterr().err


def test_a_gap_between_two_clips_is_filled(folder, tmp_path, capsys):
    start = folder / "stand.bvh"
    end = folder / "walk_1.1.bvh"
    seconds = sum(load_motion(clip).duration for clip in (start, end)) + 3.0
    begin = load_motion(start).duration
    asked = tmp_path / "gap.yaml"
    path = f"{{points: [[0, 0], [0.5, 2.5]], times: [{begin}, {begin + 3.0}]}}"
    asked.write_text(f"duration: {seconds}\nfps: 30\npaths:\n  - {path}\n")
    out = tmp_path / "out.bvh"
    model = ["--gait", str(folder / "m.npz")]
    command = ["reconstruct", str(start), str(end), "-c", str(asked), *model, "-o", str(out)]
    assert main(command) == 0
    assert "before: it stands" in capsys.readouterr().out
    assert load_motion(out).duration == pytest.approx(seconds, abs=0.05)


def test_a_duration_without_a_gap_is_refused(folder, tmp_path, capsys):
    clip = str(folder / "walk_1.1.bvh")
    out = tmp_path / "out.bvh"
    asked = str(folder / "turn.yaml")
    assert main(["reconstruct", clip, clip, "-c", asked, "-o", str(out)]) == 2
    assert "for the gap" in capsys.readouterr().err
