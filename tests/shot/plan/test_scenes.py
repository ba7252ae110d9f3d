"""Scene files as spans: who plays whom, where the scene is put, and its events as meetings."""

import json

import numpy as np
import pytest

from motionloom.errors import MotionloomError
from motionloom.io.kept import KeptFolder
from motionloom.shot import make_shot
from motionloom.shot.plan.checking import report_plan

SCENE = """\
duration: 4.0
characters:
  alice: {body: [{time: 0.0, position: [0, 0], facing: 0}]}
  bob: {body: [{time: 0.0, position: [0, 3.0], facing: 180}]}
events:
  - time: 2.5
    between: [alice, bob]
    distance: 0.9
    hold: 0.5
    name: greeting
    joints: [{first: right_hand, second: right_hand, gap: 0.2, position: [0.0, 1.1, 1.5]}]
"""
SHOT = """\
shot: 1
library: clips
marks: {door: {position: [5.0, 1.0], facing: 90}}
cast:
  anna: {start: {position: [1, 1], facing: 90}}
  ben: {start: {position: [4.2, 1], facing: -90}}
tracks:
  anna:
    - {id: wait, do: idle, for: 1.0}
    - {id: greet, do: synthesize, file: scene.yaml, character: alice}
    - {id: rest, do: idle, for: 1.0}
  ben:
    - {id: wait, do: idle, until: anna.greet.start}
    - {id: greet, do: synthesize, file: scene.yaml, character: bob}
    - {id: rest, do: idle, until: anna.rest.end}
"""
WAIT = "{id: wait, do: idle, for: 1.0}"
COME = "{id: come, do: walk, for: 3.0}"
BEN_WAITS = "{id: wait, do: idle, until: anna.greet.start}"
BEN_COMES = "{id: come, do: walk, until: anna.greet.start}"
AT_DOOR = "character: alice, position: door"


@pytest.fixture
def scenes(tmp_path, planned):
    """A function that plans a shot beside the scene file, both changed."""

    def make(*pairs, scene=()):
        (tmp_path / "scene.yaml").write_text(changed(SCENE, scene))
        return planned(changed(SHOT, pairs))

    return make


def changed(text, pairs):
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


def asked(plan, who):
    """Constraints of the body in a scene of somebody."""
    (span,) = (one for one in plan.tracks[who] if one.name == "greet")
    return span.span.constraints


def test_a_scene_is_moved_to_where_those_stand_who_play_it(scenes):
    plan, stages = scenes()
    first, second = (one.n_frames for one in (plan.tracks["anna"][1], plan.tracks["ben"][1]))
    assert first == second == 121
    (met,) = plan.meetings
    assert (met.first, met.last) == (105, 120)
    assert (met.meet.name, met.meet.between) == ("greeting", ("anna", "ben"))
    # They stand 3.2 m apart, and 3 m in the scene: each has half of that.
    assert met.meet.joints[0].position == pytest.approx((2.6, 1.1, 1.0))
    told = report_plan(plan, stages).to_text()
    assert "scene.yaml as alice, graph of" in told
    assert "greeting of anna and ben at 3.50 s" in told
    rows = asked(plan, "ben")["body"]
    assert rows[0]["time"] == pytest.approx(2.5)
    assert rows[0]["position"] == pytest.approx([3.05, 1.0])


def test_a_scene_is_put_at_a_mark_and_walks_lead_to_where_it_begins(scenes):
    plan, _ = scenes((WAIT, COME), (BEN_WAITS, BEN_COMES), ("character: alice", AT_DOOR))
    walks = [plan.tracks[who][0].span for who in ("anna", "ben")]
    np.testing.assert_allclose([walk.to for walk in walks], [[5.0, 1.0], [8.0, 1.0]], atol=1e-6)
    assert [walk.facing for walk in walks] == pytest.approx([90.0, -90.0])
    assert plan.meetings[0].meet.joints[0].position == pytest.approx((6.5, 1.1, 1.0))


def test_who_comes_by_a_walk_is_sent_to_whom_stands(scenes):
    plan, _ = scenes((BEN_WAITS, BEN_COMES))
    assert plan.tracks["ben"][0].span.to == pytest.approx((4.0, 1.0))
    plan, _ = scenes((WAIT, COME), (BEN_WAITS, BEN_COMES))
    assert plan.tracks["ben"][0].span.to == pytest.approx((0.0, 3.0))


def test_times_of_a_scene_are_known_to_others(scenes):
    plan, _ = scenes(("until: anna.rest.end", "until: ben.greet.end+1.0"))
    assert plan.tracks["ben"][2].last == 180


def test_a_scene_is_played_twice(scenes):
    again = (
        "for: 1.0}\n  ben",
        "for: 1.0}\n    - {id: back, do: walk, for: 4.0}\n"
        "    - {id: again, do: synthesize, file: scene.yaml, character: bob}\n  ben",
    )
    ben = (
        "until: anna.rest.end}",
        "until: anna.rest.end}\n    - {id: back, do: walk, for: 4.0}\n"
        "    - {id: again, do: synthesize, file: scene.yaml, character: alice, position: door}",
    )
    plan, _ = scenes(again, ben)
    one, two = plan.meetings
    assert (one.first, two.first) == (105, 375)
    assert two.meet.between == ("ben", "anna")
    assert plan.tracks["anna"][3].span.to == pytest.approx((8.0, 1.0))


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        (
            [(BEN_WAITS, "{id: wait, do: idle, for: 0.5}"), ("anna.rest.end", "6.0")],
            "shot.yaml:14: tracks.ben[1].file: ben plays bob of scene.yaml from 0.50 s, greeting at"
            " 2.5 s of it is with alice, and anna plays alice from 1.00 s; both must begin",
        ),
        (
            [
                (
                    "{id: greet, do: synthesize, file: scene.yaml, character: bob}",
                    "{do: idle, for: 4}",
                )
            ],
            "nobody plays bob then; let somebody else do it, too: {do: synthesize, file:"
            " scene.yaml, character: bob, begin: anna.greet.start}",
        ),
        ([("character: bob", "character: alice")], "anna plays alice of scene.yaml at that time"),
        ([("character: bob", "character: eve")], "called 'eve'; say who is played"),
        ([(", character: bob", "")], "tracks.ben[1].file: nobody in scene.yaml is called 'ben'"),
        ([("[4.2, 1]", "[9.0, 1]")], "begins 2.50 m away, at 3.50 1.00; let anna begin there"),
        ([("character: bob", "character: bob, for: 2.0")], "leave its end out"),
        (
            [("character: alice", AT_DOOR), ("character: bob", "character: bob, position: [0, 0]")],
            "anna has scene.yaml elsewhere",
        ),
        ([("character: bob", "character: bob, facing: 3")], "give its 'position', too"),
        (
            [(BEN_WAITS, "{do: clip, clip: stand, to: 1.0}")],
            "where ben is when greet begins is not known before it is made",
        ),
        ([("character: alice", AT_DOOR + ", moved: false")], "remove one of the two"),
        ([("file: scene.yaml, character: bob", "for: 4.0, character: bob")], "file: missing"),
    ],
)
def test_what_does_not_go_together_is_refused(scenes, pairs, said):
    with pytest.raises(MotionloomError) as caught:
        scenes(*pairs)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("pair", "said"),
    [
        (("facing: 0}]}", "facing: 0}], ground: [{shape: slope, steepness: 3}]}"), "the same into"),
        (("distance: 0.9", "distnce: 0.9"), "scene.yaml:8: events[0].distnce: unknown field"),
        (("joints: [{first: right_hand", "joints: [{first: wing"), "wing"),
        (
            (
                "facing: 0}]}",
                "facing: 0}], avoid: [{shape: heightmap, heights: [[0, 0], [0, 0]]}]}",
            ),
            "a height map cannot be turned, here by 90 degrees",
        ),
    ],
)
def test_faults_of_the_scene_are_told(scenes, pair, said):
    with pytest.raises(MotionloomError) as caught:
        scenes(scene=(pair,))
    assert said in str(caught.value)


def test_what_a_scene_says_in_vain_is_noted(scenes):
    extra = "  carl: {}\n  dora: {}\nevents:\n  - {time: 1.0, between: [carl, dora], distance: 1}\n"
    clips = ("facing: 0}]}", "facing: 0}], clips: ['walk*']}")
    plan, stages = scenes(scene=(("events:\n", extra), clips))
    told = report_plan(plan, stages).to_text()
    assert "clips of alice in scene.yaml are left out" in told
    assert "meeting of carl and dora is left out: nobody plays them" in told
    assert len(plan.meetings) == 1


def test_all_kinds_of_places_are_put_elsewhere_together(scenes):
    told = {
        "body": [
            {"time": 0.0, "position": [0, 0], "facing": 0},
            {"time": 1.0, "position": [0.0, 1.0], "facing": 10},
        ],
        "joints": [
            {"time": 1.0, "joint": "left_hand", "position": [0, 1, 2], "velocity": [0, 0, 1]}
        ],
        "paths": [{"points": [[0, 0], [0, 1]], "from": 0.2, "to": 1.0}],
        "avoid": [{"shape": "box", "center": [0, 9], "size": [1, 2]}],
    }
    alice = f"alice: {json.dumps(told)}"
    old = "alice: {body: [{time: 0.0, position: [0, 0], facing: 0}]}"
    plan, _ = scenes(
        ("character: alice", AT_DOOR), (WAIT, COME), (BEN_WAITS, BEN_COMES), scene=((old, alice),)
    )
    own = asked(plan, "anna")
    assert own["body"][0]["position"] == pytest.approx((6.0, 1.0))
    assert own["body"][0]["facing"] == pytest.approx(100.0)
    assert own["joints"][0]["position"] == pytest.approx((7.0, 1.0, 1.0))
    assert own["joints"][0]["velocity"] == pytest.approx((1.0, 0.0, 0.0), abs=1e-9)
    np.testing.assert_allclose(own["paths"][0]["points"], [[5, 1], [6, 1]])
    assert own["avoid"][0]["angle"] == pytest.approx(90.0)
    assert own["avoid"][0]["center"] == pytest.approx((14.0, 1.0))


def test_a_constraint_file_is_put_at_a_mark(planned, tmp_path):
    (tmp_path / "asked.yaml").write_text(
        "duration: 2.0\nbody: [{time: 0, position: [0, 0]}, {time: 2.0, position: [0, 1.0]}]\n"
    )
    text = SHOT[: SHOT.index("  ben: {start")] + (
        "tracks:\n  anna: [{do: synthesize, file: asked.yaml, position: door}]\n"
    )
    plan, stages = planned(text)
    places = [row["position"] for row in plan.tracks["anna"][0].span.constraints["body"]]
    np.testing.assert_allclose(places, [[5.0, 1.0], [6.0, 1.0]])
    assert "asked.yaml, graph of" in report_plan(plan, stages).to_text()
    with pytest.raises(MotionloomError, match="is of one character only"):
        planned(text.replace("position: door", "character: alice"))


def test_a_scene_is_made_and_only_anew_when_its_file_changes(scenes, tmp_path):
    plan, stages = scenes()
    made = make_shot(plan, stages, KeptFolder(tmp_path / "kept"))
    (met,) = made.report.meetings
    assert not met.problems
    assert made.report.overlaps[0].depth < 10.0
    assert all(not who.problems for who in made.report.characters.values())
    plan, stages = scenes(scene=(("position: [0.0, 1.1, 1.5]", "position: [0.0, 1.2, 1.5]"),))
    assert make_shot(plan, stages, KeptFolder(tmp_path / "kept")).report.kept == (6, 6)
    plan, stages = scenes(scene=(("distance: 0.9", "distance: 0.95"),))
    kept, of = make_shot(plan, stages, KeptFolder(tmp_path / "kept")).report.kept
    assert (kept < of, of) == (True, 6)
