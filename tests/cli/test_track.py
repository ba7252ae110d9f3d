"""``motionloom track``: from a replayed trial to poses."""

import io
import json

import pytest

from marked_bodies import performer_model, trial
from motionloom.cli.main import main
from motionloom.fitting import save_marker_model
from motionloom.io._markers import write_trc


@pytest.fixture
def files(tmp_path):
    """Model and trial of the performer."""
    save_marker_model(performer_model(), tmp_path / "model.npz")
    write_trc(trial()[:12], tmp_path / "walk.trc")
    return tmp_path


def track(monkeypatch, model, text):
    """Exit code of tracking what stands on standard input."""
    stdin = io.TextIOWrapper(io.BytesIO(text.encode()))
    monkeypatch.setattr("sys.stdin", stdin)
    return main(["track", str(model)])


def test_a_replayed_trial_becomes_poses(files, monkeypatch, capsys):
    assert main(["track", "replay", str(files / "walk.trc")]) == 0
    sent, said = capsys.readouterr()
    assert "12 frames sent" in said
    assert track(monkeypatch, files / "model.npz", sent) == 0
    told, said = capsys.readouterr()
    head, *poses = [json.loads(line) for line in told.splitlines()]
    assert head["joints"][0] == "Hips"
    assert [pose["frame"] for pose in poses] == list(range(12))
    assert all(pose["found"] and pose["rms"] < 0.002 for pose in poses)
    assert "frames: 12 solved" in said


def test_a_stream_without_frames_is_said_and_could_not_be_done(files, monkeypatch, capsys):
    assert track(monkeypatch, files / "model.npz", "hello\nend\n") == 1
    assert "frames: 1 malformed" in capsys.readouterr().err


def test_a_model_that_is_none_is_wrong_input(files, monkeypatch, capsys):
    assert track(monkeypatch, files / "walk.trc", "") == 2
    assert "walk.trc" in capsys.readouterr().err


def test_a_motion_is_no_trial(files, tmp_path, capsys):
    from marked_bodies import walk
    from motionloom.io import save

    save(walk()[:3], tmp_path / "walk.bvh")
    assert main(["track", "replay", str(tmp_path / "walk.bvh")]) == 2
    assert "not markers" in capsys.readouterr().err
