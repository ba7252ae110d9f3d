"""Constraint and scene files as shots and spans, ground, and what is told before and after."""

import numpy as np
import pytest

from motionloom.errors import MotionloomError
from motionloom.io.kept import KeptFolder
from motionloom.shot import make_shot
from motionloom.shot.plan.checking import report_plan
from motionloom.shot.script.first import FirstParts, first_shot

ASKED = """\
duration: 2.0
body:
  - {time: 0.0, position: [3.0, 3.0], facing: 90}
"""
SHOT = """\
shot: 1
library: clips
cast: {anna: {start: {position: [1.0, -1.0], facing: 0}}}
tracks:
  anna:
    - {id: wait, do: idle, for: 1.0}
    - {id: task, do: synthesize, file: asked.yaml}
"""
SCENE = """\
duration: 3.0
characters:
  alice: {body: [{time: 0.0, position: [0, 0], facing: 0}], clips: ["walk*"]}
  bob: {body: [{time: 0.0, position: [0, 2.0], facing: 180}]}
events:
  - {time: 2.0, between: [alice, bob], distance: 0.9}
"""


def test_a_constraint_file_is_a_span_moved_to_where_the_body_is(planned, tmp_path):
    (tmp_path / "asked.yaml").write_text(ASKED)
    plan, stages = planned(SHOT)
    assert plan.tracks["anna"][1].n_frames == 61
    assert "asked.yaml, graph of" in report_plan(plan, stages).to_text()
    made = make_shot(plan, stages, KeptFolder(tmp_path / "kept"))
    body = stages["anna"].posed(made.motions["anna"]).body[30]
    assert body[:2] == pytest.approx([1.0, -1.0], abs=0.05)
    # Another content of the file makes the span anew.
    (tmp_path / "asked.yaml").write_text(ASKED + "still: [{from: 0.0, to: 0.5}]\n")
    again = make_shot(plan, stages, KeptFolder(tmp_path / "kept")).report
    assert again.kept == (1, 2)


def test_a_constraint_file_may_begin_between_frames(planned, tmp_path):
    (tmp_path / "asked.yaml").write_text(
        ASKED.replace("2.0", "2.02") + "  - {time: 2.02, position: [3.0, 4.0]}\n"
    )
    plan, _ = planned(SHOT.replace("for: 1.0", "for: 1.52"))
    # 46 frames, and 61 of the file, end at 3.54 s: frame 106.
    assert plan.tracks["anna"][1].n_frames == 61


def test_a_constraint_file_is_a_shot(planned):
    plan, _ = planned(ASKED)
    (span,) = plan.tracks["figure"]
    assert (span.kind, span.n_frames) == ("synthesize", 61)
    assert not span.span.moved


def test_a_scene_file_is_a_shot_and_its_events_are_meetings(planned):
    plan, _ = planned(SCENE)
    assert plan.file.shot.cast["alice"].clips == ("walk*",)
    rows = plan.tracks["bob"][0].span.constraints["body"]
    assert rows[-1]["time"] == pytest.approx(2.0)
    assert rows[-1]["position"] == pytest.approx([0.0, 1.45])
    assert abs(rows[-1]["facing"]) == pytest.approx(180.0)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("file: asked.yaml", "file: none.yaml", "shot.yaml:7: tracks.anna[1].file"),
        ("file: asked.yaml", "file: scene.yaml", "nobody in scene.yaml is called 'anna'"),
        ("file: asked.yaml", "file: wrong.yaml", "wrong.yaml:2: body[0].tme: unknown field"),
        ("file: asked.yaml", "file: hill.yaml", "put it into the shot's 'ground'"),
        ("file: asked.yaml", "for: 1.0", "tracks.anna[1].file: missing"),
        ("file: asked.yaml", "file: asked.yaml, for: 1.0", "leave its end out"),
        ("file: asked.yaml", "file: asked.yaml, generator: magic", "magic"),
        ("file: asked.yaml", "file: asked.yaml, constraints: {body: [1]}", "has a file already"),
    ],
)
def test_files_that_are_no_spans_are_refused(planned, tmp_path, old, new, said):
    (tmp_path / "asked.yaml").write_text(ASKED)
    (tmp_path / "scene.yaml").write_text(SCENE)
    (tmp_path / "wrong.yaml").write_text("duration: 2\nbody: [{tme: 0, position: [0, 0]}]\n")
    (tmp_path / "hill.yaml").write_text(ASKED + "ground: [{shape: slope, steepness: 3}]\n")
    with pytest.raises(MotionloomError) as caught:
        planned(SHOT.replace(old, new))
    assert said in str(caught.value)


def test_who_has_no_correction_is_carried_onto_the_ground(planned, tmp_path):
    (tmp_path / "asked.yaml").write_text(ASKED)
    ground = "ground: [{shape: slope, steepness: 4}]\n"
    plan, _ = planned(SHOT + ground)
    (layer,) = plan.layers["anna"]
    assert (layer.kind, layer.first, layer.last) == ("correct", 0, 90)
    own = SHOT + "    - {id: fix, do: correct}\n" + ground
    plan, _ = planned(own)
    assert [one.name for one in plan.layers["anna"]] == ["fix"]


def test_ground_beside_the_way_changes_nothing(planned, tmp_path):
    """Stairs have something behind them only as far as their landing."""
    (tmp_path / "asked.yaml").write_text(ASKED)
    stairs = "{shape: stairs, start: [-3.0, 1.0], rise: 0.2, tread: 0.3, steps: 2, landing: 1.0}"
    level, with_stairs = (
        make_shot(*planned(SHOT + ground)).motions["anna"]
        for ground in ("", f"ground: [{stairs}]\n")
    )
    assert np.array_equal(with_stairs.translations, level.translations)
    assert np.array_equal(with_stairs.rotations, level.rotations)


@pytest.mark.parametrize("names", [["kim"], ["kim", "lee"]])
def test_first_shots_can_be_planned(planned, names):
    plan, stages = planned(first_shot("clips", names))
    assert set(plan.tracks) == set(names)
    assert "making it takes about" in report_plan(plan, stages).to_text()


def test_first_shots_hold_what_a_body_can_do(planned):
    text = first_shot("clips", ["kim"], FirstParts(waits=True, reaches=False))
    plan, _ = planned(text)
    assert [one.name for one in plan.tracks["kim"]] == ["go", "wait", "away"]
    text = first_shot("clips", ["kim"], FirstParts(waits=False, reaches=False))
    plan, _ = planned(text)
    assert [one.name for one in plan.tracks["kim"]] == ["go", "away"]
    assert not plan.layers["kim"]
    assert FirstParts(waits=False, reaches=False).told == "walks and goes back"


@pytest.mark.parametrize("names", [[], ["a b"], ["kim", "kim"], ["a", "b", "c"]])
def test_names_of_a_first_shot_are_checked(names):
    with pytest.raises(MotionloomError, match="expected"):
        first_shot("clips", names)
