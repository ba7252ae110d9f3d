"""``motionloom shot``."""

from __future__ import annotations

import json

import pytest

from motionloom.cli.main import main
from motionloom.io import load_motion, save
from motionloom.performer import performer_clips

TEXT = """\
shot: 1
fps: 30
library: clips
cast: {anna: {}, bo: {start: {position: [2, 0], facing: 180}}}
tracks:
  anna:
    - {id: wait, do: idle, for: 1.0}
    - {id: out, do: clip, clip: reach_right_high, to: 1.0}
  bo:
    - {do: idle, until: anna.out.end-0.5}
    - {do: clip, clip: stand, to: 0.5}
"""


@pytest.fixture
def folder(tmp_path):
    """Two clips and a shot file."""
    (tmp_path / "clips").mkdir()
    for clip in performer_clips():
        if clip.motion.name in ("stand", "reach_right_high"):
            save(clip.motion, tmp_path / "clips" / f"{clip.motion.name}.bvh")
    (tmp_path / "shot.yaml").write_text(TEXT)
    return tmp_path


def test_a_shot_of_two_is_made_and_kept(folder, capsys):
    out = folder / "out.glb"
    report = folder / "report.json"
    command = ["shot", str(folder / "shot.yaml"), "-o", str(out), "--report", str(report)]
    assert main([*command, "--html", str(folder / "out.html")]) == 0
    assert out.read_bytes().startswith(b"glTF")
    assert load_motion(folder / "out-anna.bvh").n_frames == 61
    assert load_motion(folder / "out-bo.bvh").n_frames == 61
    first = (folder / "out-anna.bvh").read_bytes()
    assert main([*command, "--force"]) == 0
    told = json.loads(report.read_text())
    assert all(span["kept"] for span in told["characters"]["anna"]["spans"])
    assert (folder / "out-anna.bvh").read_bytes() == first
    capsys.readouterr()


def test_a_character_has_another_body_in_the_end(folder, capsys):
    (folder / "shot.yaml").write_text(TEXT.replace("anna: {}", "anna: {skeleton: performer:1.4}"))
    assert main(["shot", str(folder / "shot.yaml"), "-o", str(folder / "out.bvh")]) == 0
    assert "legs 0.80 times as long" in capsys.readouterr().out
    made = [load_motion(folder / f"out-{who}.bvh") for who in ("anna", "bo")]
    heights = [motion.translations[0, 0, 1] for motion in made]
    assert heights[0] < 0.85 * heights[1]


def test_a_shot_is_checked_without_making_it(folder, capsys):
    assert main(["shot", "check", str(folder / "shot.yaml")]) == 0
    told = capsys.readouterr().out
    assert "idle1" in told
    assert "2.00 s at 30 fps" in told
    assert not list(folder.glob("*.pieces"))


def test_a_first_shot_is_written_and_holds(folder, capsys):
    first = folder / "first.yaml"
    assert main(["shot", "new", str(first), "--library", "clips", "--name", "anna"]) == 0
    assert main(["shot", "check", str(first)]) == 1
    assert "nobody in the clips goes faster" in capsys.readouterr().err
    walk = next(clip.motion for clip in performer_clips() if clip.motion.name == "walk_1.6")
    save(walk, folder / "clips" / "walk_1.6.bvh")
    assert main(["shot", "check", str(first)]) == 0
    assert main(["shot", "new", str(folder / "x.yaml"), "--library", "c", "--name", "a b"]) == 2
    capsys.readouterr()


def test_every_mistake_is_told_on_a_line_of_its_own(tmp_path, capsys):
    file = tmp_path / "shot.yaml"
    file.write_text(
        "shot: 1\ncast: {anna: {}}\ntracks:\n  anna:\n"
        "    - {do: idle, until: yes.}\n    - {do: idle, fro: 3}\n"
    )
    assert main(["shot", "check", str(file)]) == 2
    first, second = sorted(capsys.readouterr().err.splitlines())
    assert f"{file}:5: tracks.anna[0].until: expected a time" in first
    assert f"{file}:6: tracks.anna[1].fro: unknown field" in second
    assert "more to correct" not in first + second


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("library: clips", "", "anna has no clips"),
        ("anna: {}", "anna: {skeleton: gone.bvh}", "cast.anna.skeleton"),
        ("anna: {}", "anna: {skeleton: performer:9}", "shot.yaml:4"),
        ("library: clips", "library: nowhere", "no such file"),
        ("clip: reach_right_high", "clip: reach", "no clip is called 'reach'"),
        ("to: 1.0}", "to: 1.0, for: 5}", "end it sooner"),
        ("clip: stand, to: 0.5", "clip: stand, to: 0.1", "until: anna.out.end"),
    ],
)
def test_a_shot_that_cannot_be_made_is_refused_in_a_sentence(folder, capsys, old, new, said):
    (folder / "shot.yaml").write_text(TEXT.replace(old, new))
    out = folder / "out.bvh"
    assert main(["shot", str(folder / "shot.yaml"), "-o", str(out)]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error
    assert not list(folder.glob("out*.bvh"))
