"""Scene files: what is read is what was written, and one sentence for everything that is wrong with
one.
"""

import pytest

from motionloom.constraints import BodyConstraint, ConstraintSet, StyleConstraint, read_constraints
from motionloom.constraints.scene import (
    Character,
    JointMeeting,
    Meeting,
    MeetingPose,
    SceneConstraints,
    read_any,
    write_scene,
)
from motionloom.errors import FormatError, InvalidInputError

SCENE = """fps: 30
duration: 6.0
characters:
  alice:
    body: [{time: 0, position: [0, 0], facing: 0}]
  bob:
    clips: ["walk*"]
    body: [{time: 0, position: [0, 5], facing: 180}]
events:
  - {time: 4.0, name: handshake, between: [alice, bob], distance: 0.9, hold: 1.0,
     joints: [{first: right_hand, second: right_hand, gap: 0.1}]}
"""


def write(tmp_path, text):
    path = tmp_path / "scene.yaml"
    path.write_text(text)
    return path


def test_characters_have_the_timing_of_the_scene(tmp_path):
    scene = read_any(write(tmp_path, SCENE))
    assert isinstance(scene, SceneConstraints)
    assert {w.duration for w in scene.characters.values()} == {6.0}
    assert scene.characters["bob"].clips == ("walk*",)
    assert scene.events[0].times == (4.0, 5.0)


def test_a_file_without_characters_is_one_of_one_character(tmp_path):
    path = write(tmp_path, "duration: 2\n")
    assert read_any(path) == read_constraints(path)


@pytest.mark.parametrize("name", ["back.yaml", "back.json"])
def test_what_is_written_is_read_back(tmp_path, name):
    style = StyleConstraint(**{"from": 0.0, "to": 1.0, "label": "no: 'yes'"})
    scene = SceneConstraints(
        duration=4.0,
        fps=60.0,
        characters={
            "a": ConstraintSet(
                duration=4.0,
                fps=60.0,
                style=(style,),
                body=(BodyConstraint(time=0.5, position=(1, 2)),),
            ),
            "b-2": Character(duration=4.0, fps=60.0, clips=("*",)),
            "c": Character(duration=4.0, fps=60.0),
        },
        events=[
            Meeting(
                time=3.0,
                between=("a", "c"),
                distance=1.0,
                joints=(JointMeeting(first="x", second="y"),),
            ),
            Meeting(
                time=1.0,
                between=("a", "b-2"),
                poses=(MeetingPose(clip="t", frame=3), MeetingPose(clip="u", frame=0)),
            ),
        ],
    )
    assert [e.time for e in scene.events] == [1.0, 3.0]
    write_scene(scene, tmp_path / name)
    assert read_any(tmp_path / name) == scene


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("time: 4.0", "time: 9", "scene.yaml:10: events[0].hold: the event lasts until 10 s"),
        (
            "bob]",
            "bop]",
            (
                "scene.yaml:10: events[0].between[1]: no character is called 'bop'; use one of"
                " alice, bob"
            ),
        ),
        ("[alice, bob]", "[bob, bob]", "bob cannot meet itself"),
        (
            "facing: 180",
            "facing: x",
            "scene.yaml:8: characters.bob.body[0].facing: expected an angle",
        ),
        (
            "distance: 0.9, ",
            "",
            "events[0].distance: missing; expected a distance in metres, or poses",
        ),
        ("hold:", "holt:", "events[0].holt: unknown field; did you mean hold?"),
        (
            "gap: 0.1",
            "gap: 5",
            "events[0].joints[0].gap: expected a distance in metres from 0 to 2, got 5",
        ),
        (
            "  bob:",
            "  bob:\n    fps: 60",
            "characters.bob.fps: 60 differs from the scene's fps, 30",
        ),
        (
            "{time: 0, position: [0, 5]",
            "{time: 7, position: [0, 5]",
            "characters.bob.body[0].time: 7 s is after",
        ),
        (
            "time: 4.0",
            "time: 0",
            "the event places alice on the same frame as characters.alice.body[0]",
        ),
        ("duration: 6.0", "", "duration: missing"),
        ("  bob:", "  b/b:", "2 to 12 characters by name"),
    ],
)
def test_wrong_files(tmp_path, old, new, expected):
    with pytest.raises(FormatError) as error:
        read_any(write(tmp_path, SCENE.replace(old, new)))
    assert expected in str(error.value)
    assert "\n" not in str(error.value)


def test_wrong_scenes_from_python():
    with pytest.raises(InvalidInputError, match="2 to 12 characters"):
        SceneConstraints(duration=1.0, characters={"a": Character(duration=1.0)})
