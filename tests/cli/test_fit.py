"""``motionloom fit``, and what ``info`` says of markers."""

import json
import re
from dataclasses import replace

import pytest

from motionloom.cli.main import main
from motionloom.io import load_markers, load_motion, save
from motionloom.performer import make_performer
from motionloom.performer.markers import place_markers
from motionloom_evaluation.markers.mot import read_mot
from performed import performer_clips


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    path = tmp_path_factory.mktemp("markers") / "walk.trc"
    motion = next(c.motion for c in performer_clips() if c.motion.name == "walk_1.1")
    save(place_markers(make_performer(), motion[:60]), path)
    return path


def test_a_trial_becomes_a_motion_angles_markers_and_a_model(trial, tmp_path, capsys):
    outputs = [tmp_path / f"walk{suffix}" for suffix in (".bvh", ".glb", ".mot", ".trc", ".npz")]
    words = [word for path in outputs for word in ("-o", str(path))]
    pictures = ["--png", str(tmp_path / "sheet.png"), "--html", str(tmp_path / "page.html")]
    report = tmp_path / "report.json"
    assert main(["fit", str(trial), *words, *pictures, "--report", str(report)]) == 0
    assert "41 markers of cmu-41" in capsys.readouterr().out
    assert load_motion(outputs[0]).n_frames == load_motion(outputs[1]).n_frames == 60
    assert "Zrotation Xrotation Yrotation" in outputs[0].read_text()
    assert "knee_angle_l" in read_mot(outputs[2]).columns
    assert len(load_markers(outputs[3]).labels) == 41
    told = json.loads(report.read_text())
    assert told["rms"] < 0.01
    assert told["calibration"]["size"] == pytest.approx(1.75, abs=0.1)
    assert (tmp_path / "page.html").stat().st_size > 1000
    again = tmp_path / "again.bvh"
    assert main(["fit", str(trial), "--model", str(outputs[4]), "-o", str(again)]) == 0
    assert "size" not in capsys.readouterr().out


def test_several_trials_go_into_a_folder(trial, tmp_path):
    other = tmp_path / "other.trc"
    save(load_markers(trial)[:20], other)
    folder = tmp_path / "fitted"
    assert main(["fit", str(trial), str(other), "-o", str(folder)]) == 0
    assert load_motion(folder / "other.bvh").n_frames == 20
    assert load_motion(folder / "walk.bvh").n_frames == 60
    assert main(["fit", str(trial), str(other), "-o", str(tmp_path / "one.bvh")]) == 2


def test_a_limb_without_markers_is_refused_and_the_rest_is_written_on_request(
    trial, tmp_path, capsys
):
    markers = load_markers(trial)[:30]
    legs = ("THI", "KNE", "TIB", "ANK", "HEE", "TOE", "MT5")
    odd = tuple(f"{x[0]}Q{x[1:]}" if x[1:] in legs else x for x in markers.labels)
    save(replace(markers, labels=odd), tmp_path / "odd.trc")
    words = ["fit", str(tmp_path / "odd.trc")]
    outputs = [tmp_path / "odd.bvh", tmp_path / "odd.mot", tmp_path / "fitted.trc"]
    words += [word for path in outputs for word in ("-o", str(path))]
    assert main(words) == 1
    said = capsys.readouterr().err
    assert "the left leg and the right leg" in said
    assert "LQTHI" in said
    assert "--partial" in said
    assert not any(path.exists() for path in outputs)
    assert main([*words, "--partial"]) == 0
    assert re.search(r"unobserved +left leg", capsys.readouterr().out)
    assert "knee_angle_l" not in read_mot(outputs[1]).columns


def test_a_table_names_markers_and_errors_name_its_line(trial, tmp_path, capsys):
    table = tmp_path / "table.yaml"
    table.write_text("LFHD: none\nRFHD: head_nowhere\n")
    out = tmp_path / "walk.bvh"
    assert main(["fit", str(trial), "--markers", str(table), "-o", str(out)]) == 2
    assert "table.yaml:2" in capsys.readouterr().err
    table.write_text("LFHD: none\n")
    assert main(["fit", str(trial), "--markers", str(table), "-o", str(out)]) == 0
    assert "40 markers of cmu-41" in capsys.readouterr().out


def test_wrong_outputs_and_inputs_are_refused(trial, tmp_path, capsys):
    assert main(["fit", str(trial), "-o", str(tmp_path / "walk.xyz")]) == 2
    assert main(["fit", str(trial), "-o", str(trial)]) == 2
    bad = tmp_path / "bad.npz"
    bad.write_bytes(b"nothing")
    assert main(["fit", str(trial), "--model", str(bad), "-o", str(tmp_path / "w.bvh")]) == 2
    assert "not a marker model" in capsys.readouterr().err


def test_info_tells_the_marker_set_what_is_missing_and_gaps(trial, tmp_path, capsys):
    markers = load_markers(trial)
    valid = markers.valid.copy()
    valid[5:9, markers.index("C7")] = False
    kept = [i for i, label in enumerate(markers.labels) if label != "LELB"]
    part = tmp_path / "part.trc"
    save(
        type(markers)(
            tuple(markers.labels[i] for i in kept),
            markers.positions[:, kept],
            valid[:, kept],
            markers.frame_time,
        ),
        part,
    )
    assert main(["info", str(part), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)[0]["marker_set"]
    assert told["set"] == "cmu-41"
    assert told["missing"] == ["LELB"]
    assert told["gaps"] == {
        "count": 1,
        "frames": 4,
        "longest": pytest.approx(4 * markers.frame_time),
        "longest_of": "C7",
    }
    assert main(["info", str(part)]) == 0
    assert ["missing", "LELB"] in [line.split() for line in capsys.readouterr().out.splitlines()]
