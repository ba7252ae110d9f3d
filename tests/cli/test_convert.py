"""``motionloom convert``."""

from pathlib import Path

import numpy as np
import pytest

from motionloom import load_markers, load_motion
from motionloom.cli.main import main


@pytest.fixture
def clip(demo_folder):
    return str(demo_folder / "clips" / "walk_1.1.bvh")


def test_bvh_to_glb_at_another_rate_in_a_new_folder(clip, tmp_path, capsys):
    output = tmp_path / "new" / "clip.glb"
    assert main(["convert", clip, str(output), "--fps", "60"]) == 0
    source, made = load_motion(clip), load_motion(output)
    assert made.fps == pytest.approx(60)
    assert made.duration == pytest.approx(source.duration, abs=1 / 60)
    assert "wrote" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("output", "options", "expected"),
    [
        ("out.fbx", [], "'.fbx'"),
        ("out", [], "without suffix"),
        ("out.bvh", ["--fps", "0"], "above 0"),
        ("out.bvh", ["--fps", "-30"], "above 0"),
        ("out.bvh", ["--fps", "nan"], "above 0"),
        ("out.bvh", ["--fps", "1e9"], "at most 10000"),
        ("out.bvh", ["--unit", "0"], "unit"),
        ("out.bvh", ["--up", "north"], "up axis"),
        ("folder", [], "folder"),
    ],
)
def test_wrong_wishes_are_one_sentence_and_write_nothing(clip, tmp_path, capsys, output, options, expected):
    (tmp_path / "folder").mkdir()
    assert main(["convert", clip, str(tmp_path / output), *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert expected in err
    assert [p.name for p in tmp_path.rglob("*")] == ["folder"]


@pytest.mark.parametrize("content", [b"", b"HIERARCHY\n", b"\x00\x01\x02", b"no motion"])
def test_wrong_inputs_are_one_sentence_and_write_nothing(tmp_path, capsys, content):
    source = tmp_path / "in.bvh"
    source.write_bytes(content)
    assert main(["convert", str(source), str(tmp_path / "out.glb")]) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert str(source) in err
    assert [p.name for p in tmp_path.iterdir()] == ["in.bvh"]


def test_an_input_is_not_overwritten(clip, tmp_path, capsys):
    copy = tmp_path / "clip.bvh"
    before = Path(clip).read_bytes()
    copy.write_bytes(before)
    assert main(["convert", str(copy), str(tmp_path / "." / "clip.bvh")]) == 2
    assert "is also an input" in capsys.readouterr().err
    assert copy.read_bytes() == before


def test_markers_stay_markers(shared_data, tmp_path, capsys):
    source = shared_data / "cmu_c3d" / "02_01.c3d"
    assert main(["convert", str(source), str(tmp_path / "out.trc")]) == 0
    before, after = load_markers(source), load_markers(tmp_path / "out.trc")
    assert after.labels == before.labels
    assert np.array_equal(after.valid, before.valid)
    assert np.abs(after.positions - before.positions).max() < 1e-4
    capsys.readouterr()
    assert main(["convert", str(source), str(tmp_path / "out.bvh")]) == 2
    assert "markers" in capsys.readouterr().err
    assert [p.name for p in tmp_path.iterdir()] == ["out.trc"]
