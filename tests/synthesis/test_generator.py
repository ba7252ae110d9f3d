"""Another generator goes through the same driver, command line, scene and report."""

import importlib
import json
from functools import partial

import pytest

import slerp_generator  # noqa: F401 - registers itself
from motionloom import plugins
from motionloom.cli.main import main
from motionloom.clips import make_clip_set
from motionloom.clips.labels import Label, label_clips
from motionloom.constraints import BodyConstraint, ConstraintSet, PoseConstraint, StyleConstraint
from motionloom.constraints.scene import Character, Meeting, SceneConstraints
from motionloom.errors import InvalidInputError, UnknownNameError
from motionloom.io import load_motion, save
from motionloom.scene.solve import fit_cast, synthesize_scene
from motionloom.synthesis import SynthesisOptions, synthesize
from motionloom.synthesis.generator import DraftsOnDemand, find_generator

ASKED = ConstraintSet(
    duration=2.0,
    body=[
        BodyConstraint(time=0.0, position=(0.0, 0.0), facing=0),
        BodyConstraint(time=2.0, position=(0.2, 0.3)),
    ],
    poses=[
        PoseConstraint(time=0.5, clip="walk_1.1", frame=30),
        PoseConstraint(time=1.5, clip="walk_1.1", frame=50),
    ],
)


def test_a_motion_and_its_report(performed):
    made = synthesize(performed, ASKED, generator="slerp")
    assert made.motion.n_frames == 61
    assert made.report.generator == "slerp"
    assert max(after.position for *_, after, _ in made.report.constraints) < 1e-6
    assert [(k.kind, k.value) for k in made.report.kept] == [("pose", 0.0), ("pose", 0.0)]
    assert "slerp" in made.report.to_text()
    assert json.loads(made.report.to_json())["seed"] == 0


def test_a_scene(performed):
    scene = SceneConstraints(
        duration=2.0,
        characters={
            name: Character(duration=2.0, body=[BodyConstraint(time=0.0, position=(0.0, z))])
            for name, z in (("a", 0.0), ("b", 1.0))
        },
        events=[Meeting(name="meet", time=1.5, between=("a", "b"), distance=1.0)],
    )
    made = synthesize_scene(performed, scene, generator="slerp")
    assert set(made.motions) == {"a", "b"}
    assert {report.generator for report in made.report.characters.values()} == {"slerp"}


def test_the_command_line(performed, tmp_path, capsys):
    save(performed.motions[performed.names.index("walk_1.1")], tmp_path / "walk_1.1.bvh")
    (tmp_path / "wish.yaml").write_text(
        "duration: 1.0\nposes:\n  - {time: 0.5, clip: walk_1.1, frame: 30}\n"
    )
    argv = [
        "synthesize",
        str(tmp_path / "walk_1.1.bvh"),
        "-c",
        str(tmp_path / "wish.yaml"),
        "--generator",
        "slerp",
    ]
    assert main([*argv, "-o", str(tmp_path / "out.glb")]) in (
        0,
        1,
    )  # a still figure may slide more than the walk
    assert load_motion(tmp_path / "out.glb").n_frames == 31
    assert "score of slerp" in capsys.readouterr().out
    (tmp_path / "wish.yaml").write_text(
        "duration: 1.0\nstyle:\n  - {from: 0, to: 1, label: walk}\n"
    )
    assert main([*argv, "-o", str(tmp_path / "out.glb")]) == 2
    told = capsys.readouterr().err
    assert "style: the generator 'slerp' cannot honour this" in told
    assert "take another generator (--generator)" in told
    assert "motionloom synthesize" not in told


def test_what_it_cannot_honour_is_refused(performed):
    asked = ConstraintSet(duration=1.0, style=[StyleConstraint(label="walk", begin=0.0, end=1.0)])
    with pytest.raises(InvalidInputError, match="style"):
        synthesize(performed, asked, generator="slerp")


def test_unknown_generators_are_told_with_those_there_are():
    there_are = "there are: gait, graph, idle, inbetween, model, slerp"
    with pytest.raises(InvalidInputError, match=there_are):
        find_generator("magic")


def test_mirrored_copies_are_there_when_asked_for(walkers):
    motions = list(walkers.motions)[:2]
    pose = PoseConstraint(time=0.5, clip="walk_1 (mirrored)", frame=10)
    asked = ConstraintSet(duration=1.0, poses=[pose])
    made = synthesize(motions, asked, SynthesisOptions(mirror=True), generator="slerp")
    assert made.report.kept[0].value == 0.0
    with pytest.raises(UnknownNameError, match="mirrored"):
        synthesize(motions, asked, generator="slerp")


def test_poses_and_labels_are_those_of_the_files_in_scenes_too(walkers):
    fast = [m.resample(1 / 120) for m in list(walkers.motions)[:2]]
    clips = label_clips(make_clip_set(fast, 30.0), [Label("walk_0", "slow")])
    asked = ConstraintSet(duration=1.0, poses=[PoseConstraint(time=0.5, clip="walk_1", frame=120)])
    alone = synthesize(clips, asked, generator="slerp").report.kept
    scene = SceneConstraints(
        duration=1.0,
        characters={"a": asked, "b": Character(duration=1.0, clips=("walk_0",))},
    )
    cast = fit_cast(clips, scene, generator="slerp")
    assert cast["b"].clips.clip_set.labels["slow"].all()
    assert synthesize_scene(cast, scene).report.characters["a"].kept == alone
    assert "walk_1 at 1.00 s" in alone[0].what


def test_drafts_are_made_when_they_are_looked_at_and_once():
    made = []
    drafts = DraftsOnDemand(tuple(partial(lambda k: made.append(k) or k, k) for k in range(4)))
    assert len(drafts) == 4
    assert not made
    assert (drafts[1], drafts[-1], drafts[1:], made) == (1, 3, (1, 2, 3), [1, 3, 2])
    assert (list(drafts), made) == ([0, 1, 2, 3], [1, 3, 2, 0])
    with pytest.raises(IndexError):
        drafts[4]


@pytest.mark.parametrize("name", ["graph", "model", "inbetween", "idle", "gait"])
def test_a_generator_is_found_though_its_module_was_imported_before(name, monkeypatch):
    registry = importlib.import_module("motionloom.synthesis.generator")
    importlib.import_module(registry._HOMES[name][0])
    monkeypatch.setattr(registry, "_registered", {})
    assert registry.find_generator(name).name == name
    assert registry.find_generator(name) is registry.find_generator(name)


@pytest.mark.parametrize(
    ("name", "home"),
    [
        ("meet", "motionloom.graph.searching.rounds"),
        ("anneal", "motionloom_evaluation.graph_search"),
        ("paper", "motionloom_evaluation.graph_search"),
    ],
)
def test_a_method_is_found_though_its_module_was_imported_before(name, home, monkeypatch):
    registry = importlib.import_module("motionloom.graph.searching.results")
    importlib.import_module(home)
    monkeypatch.setattr(registry, "_registered", {})
    monkeypatch.setattr(plugins, "_loaded", set())
    assert registry.find_method(name) is registry.find_method(name)
