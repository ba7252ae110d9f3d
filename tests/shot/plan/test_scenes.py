"""Scene files as spans: who plays whom, when events are, and what is refused."""

import pytest

from motionloom.errors import MotionloomError
from motionloom.shot.plan.forecast import table_of

SCENE = """\
duration: 3.0
characters:
  alice: {body: [{time: 0.0, position: [0, 0], facing: 0}]}
  bob: {body: [{time: 0.0, position: [0, 2.0], facing: 180}]}
events:
  - {time: 2.0, hold: 0.5, between: [alice, bob], distance: 0.9, name: hug}
"""
SHOT = """\
shot: 1
library: clips
cast:
  anna: {}
  bob: {start: {position: [0, 2.0], facing: 180}}
tracks:
  anna:
    - {id: wait, do: idle, for: 1.0}
    - {id: task, do: synthesize, file: scene.yaml, character: alice}
  bob:
    - {id: wait, do: idle, for: 1.0}
    - {id: task, do: synthesize, file: scene.yaml}
"""
OF_ANNA = "{id: task, do: synthesize, file: scene.yaml, character: alice}"
OF_BOB = "{id: task, do: synthesize, file: scene.yaml}"


@pytest.fixture
def scene(tmp_path):
    """The scene's file."""
    path = tmp_path / "scene.yaml"
    path.write_text(SCENE)
    return path


def test_members_play_characters_and_events_are_meetings(planned, scene):
    plan, stages = planned(SHOT)
    (meeting,) = plan.meetings
    assert meeting.meet.between == ("anna", "bob")
    assert meeting.meet.name == "hug"
    assert (meeting.first, meeting.last) == (90, 105)
    for who, place in (("anna", [0.0, 0.55]), ("bob", [0.0, 1.45])):
        part = plan.tracks[who][1]
        assert (part.first, part.last) == (30, 120)
        rows = part.span.constraints["body"]
        assert rows[-1]["time"] == pytest.approx(2.5)
        assert rows[-1]["position"] == pytest.approx(place)
    assert table_of(plan, stages).count("scene.yaml, graph of") == 2


def test_a_scene_is_played_twice(planned, scene):
    again = "    - {id: more, do: synthesize, file: scene.yaml, character: alice}\n"
    text = SHOT.replace("  bob:\n    - {id: wait", again + "  bob:\n    - {id: wait")
    text += "    - {id: more, do: synthesize, file: scene.yaml}\n"
    plan, _ = planned(text)
    assert [one.first for one in plan.meetings] == [90, 180]


def test_names_of_spans_refer_to_their_ends(planned, scene):
    text = SHOT.replace(OF_BOB, OF_BOB + "\n    - {do: idle, until: anna.task.end+1}")
    text = text.replace(OF_ANNA, OF_ANNA + "\n    - {do: idle, for: 1.0}")
    plan, _ = planned(text)
    assert plan.duration == pytest.approx(5.0)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("character: alice", "character: carol", "'character: alice or bob'"),
        (", character: alice", "", "shot.yaml:9: tracks.anna[1].file: nobody in scene.yaml"),
        (OF_BOB, "{do: idle, for: 3.0}", "begins at 1.00 s, and nobody plays 'bob'; give somebody"),
        (OF_BOB, OF_BOB[:-1] + ", character: alice}", "anna plays 'alice' already"),
        (OF_ANNA, OF_ANNA[:-1] + ", moved: true}", "leave 'moved' out"),
        (OF_ANNA, OF_ANNA[:-1] + ", for: 2}\n    - {do: idle, for: 1}", "and task lasts 2 s"),
        ("file: scene.yaml, character: alice", "constraints: {body: []}, character: alice", "file"),
        (
            "file: scene.yaml, character: alice",
            "file: one.yaml, character: alice",
            "leave this out",
        ),
    ],
)
def test_what_cannot_be_played_is_refused(planned, scene, old, new, said):
    (scene.parent / "one.yaml").write_text("duration: 3.0\nbody: [{time: 0, position: [0, 0]}]\n")
    with pytest.raises(MotionloomError) as caught:
        planned(SHOT.replace(old, new, 1))
    assert said in str(caught.value)


def test_parts_that_do_not_begin_together_are_told(planned, scene):
    text = SHOT.replace("  bob:\n    - {id: wait, do: idle, for: 1.0}", "  bob:")
    text += "    - {do: idle, for: 1.0}\n"
    with pytest.raises(MotionloomError, match=r"nobody plays 'bob' then: bob does from 0\.00 s on"):
        planned(text)


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("clips: ['walk*']", r"clips of alice are those of the cast.*clips: \['walk\*'\]"),
        ("ground: [{shape: slope, steepness: 3}]", "into the shot's 'ground'"),
    ],
)
def test_what_the_shot_settles_is_not_the_scenes(planned, scene, field, said):
    scene.write_text(SCENE.replace("alice: {body", f"alice: {{{field}, body"))
    with pytest.raises(MotionloomError, match=said):
        planned(SHOT)
