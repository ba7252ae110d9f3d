"""``motionloom evaluate`` on files of takes, markers, gaits and gaps."""

import json

import pytest

from motionloom import save
from motionloom.cli.main import main
from motionloom.io import load_markers
from motionloom.performer import make_performer
from motionloom.performer.markers import place_markers
from motionloom_evaluation.motion_models import pictures
from performed import performer_clips
from reaches import reach_takes


def saved(folder, names):
    """A folder of the performer's clips of these names."""
    for clip in performer_clips():
        if clip.motion.name in names:
            save(clip.motion, folder / f"{clip.motion.name}.bvh")
    return folder


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    path = tmp_path_factory.mktemp("markers") / "walk.trc"
    motion = next(c.motion for c in performer_clips() if c.motion.name == "walk_1.1")
    save(place_markers(make_performer(), motion[:60]), path)
    return path


@pytest.fixture(scope="module")
def takes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("takes")
    for take in reach_takes():
        save(take, folder / f"{take.name}.bvh")
    return folder


@pytest.fixture(scope="module")
def walks(tmp_path_factory):
    names = ("walk_0.6", "walk_1.1", "walk_1.6", "walk_2.2", "stand")
    return saved(tmp_path_factory.mktemp("walks"), names)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return saved(tmp_path_factory.mktemp("clips"), ("walk_1.1", "walk_1.6"))


def test_evaluation_prints_known_truth_trials_and_refusals(trial, tmp_path, capsys):
    nameless = tmp_path / "nameless.trc"
    markers = load_markers(trial)[:5]
    labels = tuple(f"M{i}" for i in range(len(markers.labels)))
    save(type(markers)(labels, markers.positions, markers.valid, markers.frame_time), nameless)
    report = tmp_path / "report.json"
    words = ["evaluate", "markers", str(trial), str(nameless), "--subjects", "1"]
    assert main([*words, "-o", str(report)]) == 0
    out = capsys.readouterr().out
    assert "Known truth" in out
    assert "nameless.trc: the 41 markers have no names" in out
    data = json.loads(report.read_text())
    assert {row["method"] for row in data["truth"]} == {"joint", "rule", "functional"}
    assert data["trials"][0]["rms"] < 0.01


def test_models_are_evaluated_on_given_takes(takes, capsys, tmp_path, monkeypatch):
    # Sheets of bodies take seconds.
    monkeypatch.setattr(pictures, "write_takes", lambda _, path: path.write_bytes(b"sheet"))
    clips = str(takes / "reach_*.bvh")
    out = tmp_path / "figures"
    argv = ["evaluate", "motion-models", clips, "--takes", "1", "--swings", "0", "-o", str(out)]
    assert main(argv) == 0
    text = capsys.readouterr().out
    data = json.loads((out / "report.json").read_text())
    assert text == (out / "report.txt").read_text()
    assert len(data["takes"]) == 10
    left_out = data["held_out"][0]
    assert (left_out["name"], left_out["count"]) == ("take left out", 1)
    by_method = {row["method"]: row for row in left_out["rows"]}
    assert by_method["motion model"]["met"] == 1.0
    assert by_method["motion model"]["distance"] < by_method["others' mean"]["distance"]
    names = {p.name for p in out.glob("*.png")}
    assert names == {"convergence.png", "energy.png", "extrapolation.png", "takes.png"}


def test_an_evaluation_prints_its_parts(walks, capsys, tmp_path):
    out = tmp_path / "report.json"
    clips = [str(walks / f"walk_{speed}.bvh") for speed in (0.6, 1.1, 1.6, 2.2)]
    others = str(walks / "stand.bvh")
    assert main(["evaluate", "gait", *clips, "--others", others, "-o", str(out)]) == 0
    text = capsys.readouterr().out
    assert "other actions: 0 cycles found in 0 of 1 clips" in text
    assert "gait space, frequency known" in text
    assert json.loads(out.read_text())["other_clips"] == 1


def test_an_evaluation(folder, tmp_path, capsys):
    words = ["evaluate", "inbetweening", str(folder), "--samples", "40", "--length", "15"]
    words += ["--feet", "1", "--pieces", "0", "-o", str(tmp_path / "report.json")]
    assert main(words) == 0
    assert "Ratio to slerp" in capsys.readouterr().out
    assert json.loads((tmp_path / "report.json").read_text())["errors"]


def test_the_thesis_test_takes_no_split(folder, capsys):
    words = ["evaluate", "inbetweening", str(folder), "--thesis", "2", "--samples", "30"]
    assert main(words) == 0
    assert "2 captures, tested in 2 parts" in capsys.readouterr().out
    assert main([*words, "--split", "some.yaml"]) == 2
    assert "--split" in capsys.readouterr().err
