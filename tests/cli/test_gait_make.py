"""``motionloom gait make`` and ``motionloom reconstruct``."""

from __future__ import annotations

import json

import pytest

from motionloom.cli.main import main
from motionloom.io import load_motion, save
from performed import performer_clips

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
    printed = capsys.readouterr().out
    assert printed.endswith("}\n")
    told = json.loads(printed)
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
        (["--speed", "inf", "--seconds", "2"], "a speed above 0 m/s and up to 15, got inf"),
        (["--speed", "1", "--seconds", "inf"], "a time above 0 seconds and up to 3600, got inf"),
        (["--speed", "1", "--seconds", "2", "--fps", "0"], "frames per second above 0"),
        (["--speed", "1", "--seconds", "2", "--fps", "1e9"], "up to 1000, got 1e+09"),
        (["--speed", "1", "--seconds", "0.01"], "a time of at least a frame, got 0.01 s at 30 fps"),
        (
            ["--speed", "1", "--seconds", "2", "--height", "175"],
            "--height: expected metres from 0.5 to 3, got 175",
        ),
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
    assert main(command) == 1
    told = capsys.readouterr()
    assert "before the gap " in told.out
    assert "not met: the second clip is moved by 2" in told.err
    assert load_motion(out).duration == pytest.approx(seconds, abs=0.05)
    first = f"{{time: {begin}, position: [0, 0]}}"
    second = f"{{time: {begin + 3.0}, position: [0.5, 2.5], facing: 11}}"
    asked.write_text(asked.read_text() + f"body:\n  - {first}\n  - {second}\n")
    assert main([*command, "--force"]) == 0
    told = capsys.readouterr()
    assert "says where it stands" in told.out
    assert "not met" not in told.err


def test_a_duration_without_a_gap_is_refused(folder, tmp_path, capsys):
    clip = str(folder / "walk_1.1.bvh")
    out = tmp_path / "out.bvh"
    asked = str(folder / "turn.yaml")
    assert main(["reconstruct", clip, clip, "-c", asked, "-o", str(out)]) == 2
    assert "for the gap" in capsys.readouterr().err


SPANS = (
    "duration: 8.0\nfps: 30\npaths:\n  - {points: [[0, 0], [0, 9]]}\n"
    "speeds:\n  - {from: 1.0, to: 3.0, speed: 1.0}\n"
    "style:\n  - {from: 4.0, to: 7.0, label: LABEL}\n"
)


@pytest.fixture(scope="module")
def moods(folder):
    """A gait space with a style."""
    rows = "gait:\n  - {clips: 'walk_2.2', style: brisk}\n  - {clips: '*', person: perry}\n"
    (folder / "told.yaml").write_text(rows)
    clips = [str(folder / f"{name}.bvh") for name in NAMES]
    told = ["--told", str(folder / "told.yaml")]
    assert main(["gait", "fit", *clips, *told, "-o", str(folder / "moods.npz")]) == 0
    return folder / "moods.npz"


def test_speeds_and_styles_of_a_file_are_measured(moods, tmp_path, capsys):
    (tmp_path / "way.yaml").write_text(SPANS.replace("LABEL", "brisk"))
    asked = ["-c", str(tmp_path / "way.yaml"), "-o", str(tmp_path / "out.bvh"), "--json"]
    assert main(["gait", "make", str(moods), *asked]) == 0
    kept = {row["kind"]: row for row in json.loads(capsys.readouterr().out)["kept"]}
    assert kept["path speed"]["value"] == pytest.approx(1.0, rel=0.02)
    assert kept["style"]["value"] > 0.8


def test_an_unknown_style_is_named_with_its_line(moods, tmp_path, capsys):
    (tmp_path / "way.yaml").write_text(SPANS.replace("LABEL", "brsk"))
    asked = ["-c", str(tmp_path / "way.yaml"), "-o", str(tmp_path / "out.bvh")]
    assert main(["gait", "make", str(moods), *asked]) == 2
    assert "way.yaml:8: unknown style 'brsk'; nearest: brisk" in capsys.readouterr().err


def test_speeds_that_ask_too_much_are_named_with_their_line(moods, tmp_path, capsys):
    way = SPANS.replace("LABEL", "brisk").replace("speed: 1.0", "speed: 8.0")
    (tmp_path / "way.yaml").write_text(way)
    asked = ["-c", str(tmp_path / "way.yaml"), "-o", str(tmp_path / "out.bvh")]
    assert main(["gait", "make", str(moods), *asked]) == 2
    assert "it is 9.0 m long" in capsys.readouterr().err


def test_synthesize_takes_a_gait_space(folder, tmp_path, capsys):
    clips = [str(folder / f"{name}.bvh") for name in NAMES]
    out = ["-o", str(tmp_path / "out.bvh")]
    asked = ["-c", str(folder / "turn.yaml"), "--gait", str(folder / "m.npz"), "--budget", "0.2"]
    assert main(["synthesize", *clips, *asked, *out, "--generator", "gait"]) in (0, 1)
    assert "footprints" in capsys.readouterr().out
    assert main(["synthesize", *clips, *asked, *out, "--force"]) in (0, 1)
    assert "Pieces" in capsys.readouterr().out
    assert main(["synthesize", *clips, *asked, *out, "--force", "--generator", "inbetween"]) == 2


STAIRS = (
    "duration: 6.0\nfps: 30\npaths:\n  - {points: [[0, 0], [0, 4]], from: 1.0, to: 5.0}\nground:\n"
    "  - {shape: stairs, start: [0.0, 1.2], rise: -0.17, tread: 0.3, steps: 3}\n"
)


def test_gait_goes_down_stairs_and_is_measured_on_them(folder, tmp_path, capsys):
    (tmp_path / "down.yaml").write_text(STAIRS)
    out = tmp_path / "down.bvh"
    argv = ["synthesize", *(str(folder / f"{n}.bvh") for n in NAMES[:3]), "--generator", "gait"]
    argv += ["--physics", "-c", str(tmp_path / "down.yaml"), "-o", str(out), "--json"]
    assert main(argv) == 1  # shorter steps: the way's end is not reached
    told = json.loads(capsys.readouterr().out)
    assert told["quality"]["penetration_max"] < 5.0  # millimetres, below what is stood on
    assert not told["quality"]["terms"]
    assert not any("knee" in one["text"] for one in told["movement"])
    assert "as short as treads" in told["problems"][0]
    assert load_motion(out).translations[-1, 0, 1] < 0.6


def test_a_gap_has_no_speeds_of_its_own(folder, tmp_path, capsys):
    (tmp_path / "way.yaml").write_text(SPANS.replace("LABEL", "brisk"))
    clips = [str(folder / "walk_1.1.bvh"), str(folder / "walk_1.6.bvh")]
    asked = ["-c", str(tmp_path / "way.yaml"), "-o", str(tmp_path / "out.bvh")]
    assert main(["reconstruct", *clips, *asked]) == 2
    assert "speeds: 'reconstruct' cannot honour this" in capsys.readouterr().err
