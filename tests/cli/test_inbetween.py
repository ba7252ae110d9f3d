"""The commands that fit models and fill gaps."""

import json
import re

import numpy as np
import pytest

from motionloom.cli.main import main
from motionloom.inbetween import load_inbetween
from motionloom.io import load_motion, save
from motionloom.posed_motion import pose_motion
from motionloom_evaluation.inbetweening.phases.phase_space import phase_spaces_of
from motionloom_evaluation.inbetweening.phases.reached import ReachedSpeed
from motionloom_evaluation.inbetweening.phases.speed import total_speeds
from performed import performer_clips


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("clips")
    for clip in performer_clips():
        if clip.motion.name in ("walk_1.1", "walk_1.6"):
            save(clip.motion, folder / f"{clip.motion.name}.bvh")
    return folder


@pytest.fixture(scope="module")
def model(folder, tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "walks.npz"
    assert main(["inbetween", "fit", str(folder), "-o", str(path), "--samples", "80"]) == 0
    return path


def test_a_gap_between_two_clips(folder, model, tmp_path, capsys):
    output = tmp_path / "joined.bvh"
    start = f"{folder}/walk_1.1.bvh:10-30"
    end = f"{folder}/walk_1.6.bvh:20-40"
    words = ["inbetween", start, end, "--frames", "20", "--model", str(model), "-o", str(output)]
    assert main([*words, "--json", "--report", str(tmp_path / "report.txt")]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["method"] == "kernel"
    assert told["key_error"] < 1e-4
    assert load_motion(output).n_frames == 21 + 20 + 21
    assert "Filled by kernel" in (tmp_path / "report.txt").read_text()


def test_key_poses_at_times_with_speeds(folder, model, tmp_path, capsys):
    (tmp_path / "times.yaml").write_text("[0.0, 0.5, 1.2]")
    (tmp_path / "speed.yaml").write_text("right_arm: 120\n")
    poses = [f"{folder}/walk_1.1.bvh:{frame}" for frame in (10, 25, 46)]
    output = tmp_path / "keys.bvh"
    words = ["--times", str(tmp_path / "times.yaml"), "--speeds", str(tmp_path / "speed.yaml")]
    asked = ["inbetween", *poses, *words, "--model", str(model), "-o", str(output)]
    assert main([*asked, "--json"]) == 1
    shown = capsys.readouterr()
    told = json.loads(shown.out)
    assert load_motion(output).n_frames == 37
    # What was reached stands beside what was asked for, gap by gap, and is that of the motion.
    assert [one["frame"] for one in told["speeds"]] == [1, 16]
    assert all(one["asked_peak"] == pytest.approx(120, rel=0.02) for one in told["speeds"])
    assert all(one["reached_peak"] < 110 for one in told["speeds"])
    assert "not met: right_arm goes at" in shown.err
    # Measured on the file that was written.
    spaces = phase_spaces_of(load_inbetween(model))
    poses = spaces.pose_of(
        pose_motion(load_motion(output)).rotations[:16], spaces.spaces["right_arm"].joints
    )
    made = np.degrees(total_speeds(poses)) * 30
    assert told["speeds"][0]["reached_peak"] == pytest.approx(made.max(), rel=1e-3)
    assert told["speeds"][0]["reached_mean"] == pytest.approx(made.mean(), rel=1e-3)
    assert main([*asked, "--force"]) == 1
    assert re.search(r"right_arm +1 ", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("asked", "reached", "missed"),
    [((100, 60), (109, 65), False), ((100, 60), (89, 60), True), ((5, 3), (159, 80), True),
     ((100, 60), (100, 67), True), ((20, 10), (24, 14), False), ((0, 0), (6, 2), True)],
)  # fmt: skip
def test_a_speed_is_reached_within_a_tenth_or_five_degrees_a_second(asked, reached, missed):
    one = ReachedSpeed("right_arm", 1, asked[0], reached[0], asked[1], reached[1])
    assert bool(one.problem) == missed


def test_the_sheet_has_the_names_of_the_outputs(folder, model, tmp_path, monkeypatch):
    names = []

    def draw(motions, path, contacts, notes):
        names.extend(motion.name for motion in motions)
        path.write_bytes(b"png")

    monkeypatch.setattr("motionloom.view.write_contact_sheet", draw)
    words = ["inbetween", f"{folder}/walk_1.1.bvh:10-30", f"{folder}/walk_1.6.bvh:20-40"]
    words += ["--frames", "20", "--model", str(model), "--alternatives", "2"]
    words += ["-o", str(tmp_path / "fill.bvh"), "--png", str(tmp_path / "fill.png")]
    assert main(words) == 0
    assert names == ["fill", "fill-2"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["{0}:1", "--frames", "5"], "at least two pieces"),
        (["{0}:1", "{0}:9"], "--frames N | --times"),
        (["{0}:1", "{0}:99999", "--frames", "5"], "it has frames 0 to"),
        (["{0}:1", "{0}:9-4", "--frames", "5"], "from the first to the last; write 4-9"),
        (["{0}:1", "{0}:9", "--frames", "5", "--method", "kernel"], "needs a model"),
        (["{0}:1", "{0}:9", "--frames", "5", "--method", "magic"], "no method"),
        (["{0}:1", "{0}:9", "--frames", "5", "--model", "none.npz"], "no such file"),
    ],
)
def test_wrong_words_are_refused_in_one_sentence(folder, tmp_path, capsys, words, said):
    told = [word.format(folder / "walk_1.1.bvh") for word in words]
    assert main(["inbetween", *told, "-o", str(tmp_path / "out.bvh")]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error


def test_a_file_without_frames_is_refused(folder, tmp_path, capsys):
    text = (folder / "walk_1.1.bvh").read_text()
    head = text[: text.index("MOTION")]
    none = tmp_path / "none.bvh"
    none.write_text(f"{head}MOTION\nFrames: 0\nFrame Time: 0.0333\n")
    words = [str(none), f"{folder}/walk_1.1.bvh:3", "--frames", "5", "-o", str(tmp_path / "o.bvh")]
    assert main(["inbetween", *words]) == 2
    assert "no frames" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("times", "said"),
    [
        ("[0, 0.4, 1.2]", "found 3 times; expected a list of 2 times"),
        ("[0.4, 0.1]", "do not ascend"),
        ("[0, .nan]", "nan is no time"),
        ("[0, -1]", "-1 is no time"),
        ("[0, 1e9]", "'1e9' is no time"),
        ("[0, true]", "True is no time"),
        ("3", "these are no times"),
    ],
)
def test_times_that_do_not_fit_are_named(folder, tmp_path, capsys, times, said):
    (tmp_path / "times.yaml").write_text(times)
    poses = [f"{folder}/walk_1.1.bvh:{frame}" for frame in (10, 25)]
    words = ["--times", str(tmp_path / "times.yaml"), "-o", str(tmp_path / "out.bvh")]
    assert main(["inbetween", *poses, *words]) == 2
    assert said in capsys.readouterr().err
