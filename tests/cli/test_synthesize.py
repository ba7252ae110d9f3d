"""``motionloom synthesize``: what it writes, and what it says when it cannot."""

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from motionloom.cli.main import main
from motionloom.constraints import read_constraints
from motionloom.io import load_motion
from motionloom.io.registry import save

pytestmark = pytest.mark.usefixtures("little_work")

QUICK = ["--budget", "0.5"]
#: With little work it takes this to find a motion without a problem.
ENOUGH = ["--budget", "5"]


@pytest.fixture
def wish(demo_folder):
    return str(demo_folder / "constraints.yaml")


@pytest.fixture
def clips(demo_folder):
    return str(demo_folder / "clips")


def only_line(capsys):
    out, err = capsys.readouterr()
    assert out == ""
    lines = [line for line in err.splitlines(keepends=True) if not line.startswith("warning: ")]
    assert len(lines) == 1, err
    assert lines[0].startswith("motionloom: ")
    return lines[0]


def test_everything_that_can_be_written(clips, wish, tmp_path, capsys):
    argv = [
        "synthesize",
        clips,
        "-c",
        wish,
        "-o",
        str(tmp_path / "new" / "a.bvh"),
        "--alternatives",
        "2",
        *ENOUGH,
    ]
    argv += [
        "--report",
        str(tmp_path / "a.json"),
        "--html",
        str(tmp_path / "a.html"),
        "--png",
        str(tmp_path / "a.png"),
    ]
    assert main(argv) == 0
    out, err = capsys.readouterr()
    names = sorted(
        p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("[!.]*") if p.is_file()
    )
    assert names == ["a.html", "a.json", "a.png", "new/a-2.bvh", "new/a.bvh"]
    assert err.count("wrote") == 5
    report = json.loads((tmp_path / "a.json").read_text())
    assert report["seed"] == 0
    assert "foot skate" in out
    motion = load_motion(tmp_path / "new" / "a.bvh")
    assert motion.n_frames == read_constraints(wish).n_frames
    assert not np.allclose(motion.rotations, load_motion(tmp_path / "new" / "a-2.bvh").rotations)


def test_labels_costs_and_obstacles(clips, tmp_path, capsys):
    (tmp_path / "labels.yaml").write_text("labels:\n  - {clips: 'walk*', label: walk}\n")
    (tmp_path / "mine.py").write_text(
        "from motionloom.synthesis.costs import register_cost\n\n"
        "@register_cost('test_cli_height')\ndef height(clips, *, above):\n"
        "    return (clips.positions[:, 0, 1] - above).clip(0)\n"
    )
    (tmp_path / "wish.yaml").write_text(
        "duration: 4\nbody:\n  - {time: 0, position: [0, 0], facing: 0}\n"
        "avoid:\n  - {shape: cylinder, center: [3, 3], radius: 0.4}\n"
        "  - {shape: heightmap, file: flat.csv, origin: [-1, 1]}\n"
        "style:\n  - {from: 0, to: 4, label: walk}\n"
        "costs:\n  - {name: test_cli_height, parameters: {above: 5}}\n"
    )
    (tmp_path / "flat.csv").write_text("0,0\n0,0\n")
    argv = [
        "synthesize",
        clips,
        "-c",
        str(tmp_path / "wish.yaml"),
        "-o",
        str(tmp_path / "a.bvh"),
        *QUICK,
        "--json",
    ]
    argv += ["--labels", str(tmp_path / "labels.yaml"), "--costs", str(tmp_path / "mine.py")]
    assert main([*argv, "--png", str(tmp_path / "a.png")]) == 0
    kept = json.loads(capsys.readouterr().out)["kept"]
    assert [round(k["value"], 6) for k in kept] == [0, 0, 1, 0]
    assert kept[2]["what"] == "style walk from 0 to 4 s"


@pytest.mark.usefixtures("stopped_clock")
def test_same_seed_same_bytes_whatever_way_the_clips_are_named(demo_folder, wish, clips, tmp_path):
    places = [[clips], [f"{clips}/*.bvh"]]
    outputs = [tmp_path / f"{i}.bvh" for i in range(3)]
    for place, output in zip(places, outputs, strict=False):
        argv = ["synthesize", *place, "-c", wish, "-o", str(output), "--seed", "4", *QUICK]
        assert main(argv) in (0, 1)
    argv = ["synthesize", clips, "-c", wish, "-o", str(outputs[2]), "--seed", "5", *QUICK]
    assert main(argv) in (0, 1)
    first, again, other = (p.read_bytes() for p in outputs)
    assert first == again
    assert first != other


def test_json_on_standard_output(clips, wish, tmp_path, capsys):
    assert (
        main(["synthesize", clips, "-c", wish, "-o", str(tmp_path / "a.glb"), "--json", *QUICK])
        == 0
    )
    assert json.loads(capsys.readouterr().out)["frames_missing"] == 0


def test_files_that_are_no_motions_are_left_out_and_said(
    clips, wish, demo_folder, tmp_path, capsys
):
    folder = tmp_path / "clips"
    folder.mkdir()
    for name in ("walk_1.1.bvh", "stand.bvh", "turn_left_90.bvh"):
        (folder / name).write_bytes((demo_folder / "clips" / name).read_bytes())
    (folder / "notes.txt").write_text("these are mine")
    # Three clips may not do what is asked; they are read all the same.
    assert main(["synthesize", str(folder), "-c", wish, "-o", str(tmp_path / "a.bvh"), *QUICK]) in (
        0,
        1,
    )
    assert "left out 1 file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("duration: 8\nbodi: []\n", "wish.yaml:2: bodi: unknown field; did you mean body?"),
        (
            "duration: 8\njoints:\n- {time: 1, joint: RightHnd, position: [0, 1, 0]}\n",
            "wish.yaml:3: unknown joint 'RightHnd'; nearest: RightHand",
        ),
        (
            "duration: 8\nbody:\n- {time: 9, position: [0, 0]}\n",
            "wish.yaml:3: body[0].time: 9 s is after the end",
        ),
        (
            "duration: 8\nposes:\n- {time: 1, clip: walk_9, frame: 3}\n",
            "wish.yaml:3: no clip is called 'walk_9'; did",
        ),
        (
            "duration: 8\nstyle:\n- {from: 1, to: 2, label: sad}\n",
            "wish.yaml:3: style: no frame of these clips has",
        ),
        (
            "duration: 8\ncosts:\n- {name: odd}\n",
            "wish.yaml:3: no cost is registered under the name 'odd'",
        ),
        ("duration: 1e9\n", "wish.yaml:1: duration"),
        ("", "the file is empty"),
    ],
)
def test_wrong_constraint_files(clips, tmp_path, capsys, text, expected):
    path = tmp_path / "wish.yaml"
    path.write_text(text)
    assert main(["synthesize", clips, "-c", str(path), "-o", str(tmp_path / "a.bvh"), *QUICK]) == 2
    assert expected in only_line(capsys)
    assert [p.name for p in tmp_path.iterdir()] == ["wish.yaml"]


def test_wrong_clips(clips, wish, tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    bad = tmp_path / "bad.bvh"
    bad.write_text("HIERARCHY\nROOT Hips\n{\nOFFSET 0 zero 0\n")
    for place, expected in (
        (str(tmp_path / "empty"), "no motion file"),
        (str(tmp_path / "none.bvh"), "no such file"),
        (str(bad), f"{bad}:4"),
    ):
        assert main(["synthesize", place, "-c", wish, "-o", str(tmp_path / "a.bvh"), *QUICK]) == 2
        assert expected in only_line(capsys)
    assert not (tmp_path / "a.bvh").exists()


def test_clips_of_different_skeletons(demo_folder, wish, tmp_path, capsys):
    clip = demo_folder / "clips" / "stand.bvh"
    other = tmp_path / "other.bvh"
    other.write_text(clip.read_text().replace("left_foot", "lft").replace("LeftFoot", "lft"))
    assert other.read_text() != clip.read_text()
    assert (
        main(
            ["synthesize", str(clip), str(other), "-c", wish, "-o", str(tmp_path / "a.bvh"), *QUICK]
        )
        == 2
    )
    assert "one skeleton" in only_line(capsys)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--budget", "0"], "budget"),
        (["--budget", "-1"], "budget"),
        (["--budget", "nan"], "budget"),
        (["--alternatives", "0"], "--alternatives"),
        (["--seed", "-1"], "--seed"),
        (["--roles", "none.yaml"], "none.yaml"),
        (["--up", "w"], "up axis"),
    ],
)
def test_wrong_options(clips, wish, tmp_path, capsys, options, expected):
    assert main(["synthesize", clips, "-c", wish, "-o", str(tmp_path / "a.bvh"), *options]) == 2
    assert expected in only_line(capsys)
    assert not list(tmp_path.iterdir())


def test_no_input_is_overwritten_and_nothing_is_read_before(clips, wish, tmp_path, capsys):
    before = Path(wish).read_bytes()
    argv = ["synthesize", clips, "-c", wish, "-o", str(tmp_path / "a.bvh")]
    assert main([*argv, "--report", wish]) == 2
    assert "is also an input" in only_line(capsys)
    assert main([*argv[:-1], f"{clips}/stand.bvh"]) == 2
    assert "is also an input" in only_line(capsys)
    assert main([*argv, "--report", str(tmp_path / "a.bvh")]) == 2
    assert "two outputs" in only_line(capsys)
    assert main([*argv[:-1], str(tmp_path / "a.obj")]) == 2
    assert ".obj" in only_line(capsys)
    assert Path(wish).read_bytes() == before


def test_names_that_no_encoding_can_write(demo_folder, wish, tmp_path):
    clip = os.fsencode(tmp_path) + b"/gr\xfc\xdf.bvh"
    Path(os.fsdecode(clip)).write_bytes((demo_folder / "clips" / "swing.bvh").read_bytes())
    argv = [
        b"synthesize",
        clip,
        str(demo_folder / "clips"),
        "-c",
        wish,
        "-o",
        "a.bvh",
        "--report",
        "a.json",
        "--budget",
        "0.1",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "motionloom", *argv],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
    )
    assert done.returncode in (0, 1), done.stderr
    assert json.loads((tmp_path / "a.json").read_text())["frames_missing"] == 0


def test_a_table_of_roles_is_honoured(clips, wish, tmp_path, capsys):
    table = tmp_path / "roles.yaml"
    table.write_text("right_hand: nobody\n")
    assert (
        main(
            ["synthesize", clips, "-c", wish, "-o", str(tmp_path / "a.bvh"), "--roles", str(table)]
        )
        == 2
    )
    assert f"{table}:1: unknown joint 'nobody'" in only_line(capsys)


@pytest.fixture
def ctrl_c():
    """Ctrl-C interrupts, also where the tests run in the background and were started deaf to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
def test_interrupted_search_writes_the_best_so_far(clips, wish, tmp_path, capsys, monkeypatch):
    @contextmanager
    def interrupt():
        calls = []

        def report(stage, done, total):
            calls.append(stage)
            if stage == "searching" and calls.count("searching") == 20:
                signal.raise_signal(signal.SIGINT)

        yield report

    monkeypatch.setattr("motionloom.cli._command.progress_bars", interrupt)
    output = tmp_path / "a.bvh"
    assert main(["synthesize", clips, "-c", wish, "-o", str(output), "--budget", "5000"]) == 0
    assert load_motion(output).n_frames == read_constraints(wish).n_frames
    assert "interrupted" in capsys.readouterr().out


@pytest.mark.usefixtures("ctrl_c")
def test_interrupted_while_reading_writes_nothing(clips, wish, tmp_path, capsys, monkeypatch):
    def interrupt(*args, **kwargs):
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("motionloom.io.load_motion", interrupt)
    assert main(["synthesize", clips, "-c", wish, "-o", str(tmp_path / "a.bvh")]) == 130
    assert only_line(capsys) == "motionloom: interrupted\n"
    assert not list(tmp_path.iterdir())


def test_amc_without_a_skeleton_is_refused_before_the_search(
    clips, wish, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(
        "motionloom.synthesis.driver.synthesize", lambda *_: pytest.fail("searched")
    )
    assert main(["synthesize", clips, "-c", wish, "-o", str(tmp_path / "a.amc")]) == 2
    assert "needs an ASF skeleton" in only_line(capsys)
    assert not list(tmp_path.iterdir())


def test_clips_are_shown_at_their_own_pace_where_that_is_asked_for(clips, tmp_path):
    wish = tmp_path / "slow.yaml"
    wish.write_text(
        "duration: 4.0\nbody: [{time: 0, position: [0, 0]}, {time: 4, position: [0, 2]}]\n"
    )
    for name, more in (("slow", []), ("own", ["--own-pace"])):
        argv = ["synthesize", clips, "-c", str(wish), "-o", str(tmp_path / f"{name}.bvh"), *more]
        assert main([*argv, "--report", str(tmp_path / f"{name}.json"), *QUICK]) in (0, 1)
    slow, own = (json.loads((tmp_path / f"{name}.json").read_text()) for name in ("slow", "own"))
    assert len(slow["paced"]) == 1
    assert own["paced"] == []
    assert sum(p["frames"] for p in slow["pieces"]) == 121
    assert sum(p["stop"] - p["start"] for p in own["pieces"]) == 121


@pytest.fixture
def apart(demo_folder, tmp_path):
    """A walk and a run without how they begin and end, labels, and a wish for both."""
    for name in ("walk_1.1", "run_3"):
        motion = load_motion(demo_folder / "clips" / f"{name}.bvh")
        (tmp_path / "apart").mkdir(exist_ok=True)
        save(motion[60:170], tmp_path / "apart" / f"{name}.bvh")
    (tmp_path / "labels.yaml").write_text(
        "labels:\n- {clips: walk_1.1, label: walk}\n- {clips: run_3, label: run}\n"
    )
    wish = tmp_path / "wish.yaml"
    wish.write_text(
        "duration: 4.0\nbody: [{time: 0, position: [0, 0], facing: 0}]\n"
        "style: [{from: 0, to: 1.2, label: run}, {from: 2.6, to: 4, label: walk}]\n"
    )
    argv = ["synthesize", str(tmp_path / "apart"), "-c", str(wish)]
    return [*argv, "--labels", str(tmp_path / "labels.yaml"), *QUICK]


def test_a_change_that_no_clip_shows_is_bridged(apart, tmp_path, capsys):
    folder = str(tmp_path / "apart")
    model = str(tmp_path / "model.npz")
    assert main(["inbetween", "fit", folder, "--samples", "40", "-o", model]) == 0
    for name, more in (("plain", []), ("bridged", ["--bridge-model", model])):
        written = ["-o", str(tmp_path / f"{name}.bvh"), "--report", str(tmp_path / f"{name}.json")]
        assert main([*apart, *written, *more]) in (0, 1)
    plain, bridged = (
        json.loads((tmp_path / f"{name}.json").read_text()) for name in ("plain", "bridged")
    )
    assert "bridged" not in plain
    assert {(one["before"], one["behind"]) for one in bridged["bridged"]} == {("run_3", "walk_1.1")}
    assert "Bridged, as no clip shows it" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (["--bridge", "--graph", "there"], "has no bridges"),
        (["--bridge-model", "none.npz"], "none.npz"),
    ],
)
def test_bridges_that_cannot_be(apart, tmp_path, capsys, more, expected):
    assert main([*apart, "-o", str(tmp_path / "a.bvh"), *more]) == 2
    assert expected in only_line(capsys)
    assert not (tmp_path / "a.bvh").exists()


def test_bridges_are_for_the_motion_graph(apart, tmp_path, capsys):
    out = str(tmp_path / "a.bvh")
    assert main([*apart, "-o", out, "--bridge", "--generator", "gait"]) == 2
    assert "for the motion graph" in only_line(capsys)


def test_a_search_of_a_scene_is_not_kept(clips, demo_folder, tmp_path, capsys):
    scene = ["-c", str(demo_folder / "scene.yaml"), "-o", str(tmp_path / "scene.glb")]
    state = str(tmp_path / "s.npz")
    assert main(["synthesize", clips, *scene, "--state", state]) == 2
    assert "a search is kept for one motion, not for a scene" in only_line(capsys)
    assert not any(tmp_path.iterdir())
