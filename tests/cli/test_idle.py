"""``motionloom idle`` from the command line: what is wrong is said in one sentence."""

import json

import pytest

from motionloom.cli.main import main
from motionloom.io import save
from performed import performer_clips

MAKE = ["make", "m.npz", "--seconds", "2", "-o", "a.bvh"]


@pytest.fixture(scope="module")
def folder(demo_folder, tmp_path_factory):
    folder = tmp_path_factory.mktemp("idle")
    clip = str(demo_folder / "clips" / "stand.bvh")
    assert main(["idle", "fit", clip, "-o", str(folder / "m.npz")]) == 0
    return folder


def test_motion_is_made_and_told(folder, capsys):
    out = folder / "w.bvh"
    words = ["idle", "make", str(folder / "m.npz"), "--seconds", "2", "-o", str(out), "--json"]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["frames"] == 120
    assert told["sliding"] < 1e-6
    assert out.stat().st_size > 1000


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ["make", "none.npz", "--seconds", "2", "-o", "a.bvh"],
            "fit one with 'motionloom idle fit",
        ),
        (["make", "m.npz", "--seconds", "2", "-o", "a.xyz"], "a.xyz"),
        (["make", "m.npz", "--seconds", "2", "-o", "a.bvh", "--layer", "b"], "such as"),
        (["make", "m.npz", "--seconds", "2", "-o", "a.bvh", "--layer", "b.bvh@1"], "b.bvh"),
        (["make", "m.npz", "--seconds", "2", "-o", "a.bvh", "--layer", "b.bvh@-1"], "such as"),
        (["make", "m.npz", "--seconds", "2", "-o", "a.bvh", "--look", "1,2@1"], "such as"),
        (["make", "m.npz", "--seconds", "2", "-o", "a.bvh", "--look", "1,2,nan@1"], "such as"),
        (["make", "m.npz", "--seconds", "2", "-o", "a.amc"], ".fbx or .usda"),
        (["make", "m.npz", "--seconds", "nan", "-o", "a.bvh"], "--seconds"),
        (["make", "m.npz", "--seconds", "2", "--fps", "nan", "-o", "a.bvh"], "--fps"),
        (["stream", "m.npz", "--seconds", "nan"], "--seconds"),
        (["make", "m.npz", "--seconds", "2", "-o", "a.bvh", "--per-minute", "b.bvh"], "such as"),
        (
            ["make", "m.npz", "--seconds", "2", "-o", "a.bvh", "--per-minute", "round=nan"],
            "such as",
        ),
        (["make", "m.npz", "--seconds", "2", "-o", "a.bvh", "--per-minute", "b.bvh=1"], "b.bvh"),
        (["make", "m.npz", "--seconds", "2", "-o", "a.bvh", "--to", "b.bvh"], "b.bvh"),
        (
            [
                "make",
                "m.npz",
                "--seconds",
                "2",
                "-o",
                "a.bvh",
                "--to",
                "b.bvh",
                "--per-minute",
                "c=1",
            ],
            "leave out --to",
        ),
        (["mix", "m.npz:a", "-o", "x.npz"], "such as ada.npz:0.7"),
        (["mix", "m.npz:0", "-o", "x.npz"], "positive"),
        (["mix", "none.npz", "-o", "x.npz"], "fit one with 'motionloom idle fit"),
        (["mix", "m.npz", "-o", "m.npz"], "m.npz"),
        (["mix", "m.npz", "--height", "9", "-o", "x.npz"], "m high"),
        (["info", "m.npz", "--png", "m.npz"], "m.npz"),
        (["stream", "m.npz", "--protocol", "tcp"], "expected one of vmc, json"),
        (["stream", "m.npz", "--clip", "wave"], "expected NAME=FILE"),
        (["fit", "none.bvh", "-o", "x.npz"], "none.bvh"),
        (["fit", "none.bvh", "-o", "x.txt"], ".npz"),
    ],
)
def test_wrong_input_is_one_sentence(words, says, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    assert main(["idle", *words]) == 2
    told = capsys.readouterr().err
    assert says in told
    assert "Traceback" not in told


def test_persons_are_mixed_and_shown_on_another_body(demo_folder, folder, capsys):
    mixed = str(folder / "mixed.npz")
    model = str(folder / "m.npz")
    words = ["idle", "mix", f"{model}:0.7", f"{model}:0.3", "--height", "1.5", "-o", mixed]
    assert main([*words, "--person", "Nobody"]) == 0
    assert "idle model of Nobody" in capsys.readouterr().out
    clip = str(demo_folder / "clips" / "stand.bvh")
    out = folder / "other.bvh"
    words = ["idle", "make", mixed, "--seconds", "2", "--to", clip, "-o", str(out), "--json"]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["sliding"] < 1e-6


def test_gestures_come_now_and_then(demo_folder, folder, capsys):
    clip = demo_folder / "clips" / "reach_right_high.bvh"
    out = str(folder / "often.bvh")
    words = ["idle", "make", str(folder / "m.npz"), "--seconds", "12", "--per-minute", f"{clip}=6"]
    assert main([*words, "--per-minute", "round=4", "-o", out]) == 0
    assert "0.00 mm" in capsys.readouterr().out


def test_gestures_come_as_often_as_labelled(demo_folder, folder, capsys):
    clip = str(demo_folder / "clips" / "stand.bvh")
    labels = folder / "labels.yaml"
    labels.write_text("labels:\n  - {clips: stand, label: fidget, from: 1.0, to: 2.0}\n")
    out = str(folder / "labelled.bvh")
    words = ["idle", "make", str(folder / "m.npz"), "--seconds", "12", "--labels", str(labels)]
    assert main([*words, "-o", out]) == 2
    assert "give both" in capsys.readouterr().err
    assert main([*words, "--gestures", clip, "--per-minute", "fidget=9", "-o", out]) == 0
    assert "0.00 mm" in capsys.readouterr().out


def test_waiting_of_the_motion_graph_is_filled(demo_folder, folder, capsys):
    wait = folder / "wait.yaml"
    wait.write_text("duration: 4\nstill:\n  - {from: 0.5}\n")
    out = str(folder / "woven.bvh")
    words = ["synthesize", str(demo_folder / "clips"), "-c", str(wait), "--budget", "0.2"]
    assert main([*words, "--idle", str(folder / "m.npz"), "-o", out]) in (0, 1)
    assert "is filled" in capsys.readouterr().out
    assert main([*words, "--idle", str(folder / "none.npz"), "-o", out, "--force"]) == 2
    assert "fit one with 'motionloom idle fit" in capsys.readouterr().err


def test_spans_are_looked_at_before_recordings_are_read(demo_folder, folder, monkeypatch, capsys):
    def never(*_):
        raise AssertionError("recordings were read")

    monkeypatch.setattr("motionloom.cli.idle.read_motions", never)
    spans = folder / "spans.yaml"
    spans.write_text('"stand":\n  - {from: 3.0, to: 1.0, balance: left}\n')
    clip = str(demo_folder / "clips" / "stand.bvh")
    out = str(folder / "y.npz")
    assert main(["idle", "fit", clip, "-o", out, "--spans", str(spans)]) == 2
    told = capsys.readouterr().err
    assert "spans.yaml:2" in told
    assert "ends after it begins" in told


def test_somebody_who_walks_all_the_time_is_no_model(demo_folder, folder, capsys):
    clip = str(demo_folder / "clips" / "walk_1.6.bvh")
    assert main(["idle", "fit", clip, "-o", str(folder / "x.npz")]) == 2
    assert "stand" in capsys.readouterr().err


def test_a_gesture_after_the_end_is_refused(demo_folder, folder, capsys):
    clip = demo_folder / "clips" / "stand.bvh"
    out = folder / "late.bvh"
    words = ["idle", "make", str(folder / "m.npz"), "--seconds", "2", "--layer", f"{clip}@2"]
    assert main([*words, "-o", str(out)]) == 2
    assert "stand would begin at 2 s, and the motion lasts 2 s" in capsys.readouterr().err
    assert not out.exists()


def test_a_stream_that_is_interrupted_says_what_it_sent(folder, monkeypatch, capsys):
    from motionloom.idle.live import IdleServer

    def interrupted(server, seconds, ready):
        server.counts.frames = 7
        raise KeyboardInterrupt

    monkeypatch.setattr(IdleServer, "run", interrupted)
    assert main(["idle", "stream", str(folder / "m.npz"), "--listen", "0"]) == 130
    assert ["frames", "7"] in [line.split() for line in capsys.readouterr().out.splitlines()]


def test_a_layer_of_one_frame_is_refused(folder, tmp_path, capsys):
    clip = next(one.motion for one in performer_clips() if one.motion.name == "stand")
    save(clip.cut(0, 1), tmp_path / "one.bvh")
    words = ["idle", "make", str(folder / "m.npz"), "--seconds", "2", "-o", str(tmp_path / "o.bvh")]
    assert main([*words, "--layer", f"{tmp_path / 'one.bvh'}@1"]) == 2
    assert "has one frame" in capsys.readouterr().err
