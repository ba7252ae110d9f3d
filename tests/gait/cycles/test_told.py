"""What a user tells about clips."""

import pytest

from motionloom.errors import FormatError, InvalidInputError
from motionloom.gait.cycles.told import check_used, corrected, read_told, told_of
from motionloom.gait.cycles.tracks import FootEvent
from motionloom.gait.space.gather import gather_examples

FILE = """
gait:
  - {clips: "walk_*", person: anna, style: calm}
  - {clips: "walk_2.2", leave: true}
  - clips: "*"
    person: bob
    behaviour: run
    strikes: {left: [2, 1.5]}
"""


@pytest.fixture
def told(tmp_path):
    path = tmp_path / "gait.yaml"
    path.write_text(FILE)
    return read_told(path)


def test_the_first_row_that_says_something_counts(told):
    own = told_of("walk_1.1", told)
    assert (own.person, own.style, own.behaviour, own.leave) == ("anna", "calm", "run", False)
    assert own.events["strike"]["left"] == (1.5, 2.0)
    assert told_of("walk_2.2", told).leave
    assert told_of("other", told).person == "bob"


def test_told_events_replace_found_ones(told):
    found = [FootEvent(1.0, "left", "strike"), FootEvent(1.2, "right", "strike")]
    events = corrected(found, told_of("other", told))
    assert [(e.time, e.foot) for e in events] == [(1.2, "right"), (1.5, "left"), (2.0, "left")]


def test_people_styles_and_clips_left_out_count(gait_motions, told):
    found = gather_examples(gait_motions, told[:2])
    takes = {e.take for e in found.examples}
    assert "walk_2.2" not in takes
    assert "walk_1.1" in takes
    people = {e.take: (e.cycle.person, e.style) for e in found.examples}
    assert people["walk_1.1"] == ("anna", "calm")
    assert people["run_3"][0] != "anna"


def test_a_pattern_for_no_clip_is_refused(told):
    with pytest.raises(InvalidInputError, match=r"walk_2\.2"):
        check_used(told, ["walk_1.1"])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("walks: 1", "expected a list 'gait'"),
        ("gait: [{person: a}]", "expected {clips: PATTERN}"),
        ("gait: [{clips: a, colour: b}]", "colour"),
        ("gait: [{clips: a, person: 7}]", "quote numbers"),
        ("gait: [{clips: a, behaviour: hop}]", "walk or run"),
        ("gait: [{clips: a, leave: perhaps}]", "true or false"),
        ("gait: [{clips: a, strikes: [1, 2]}]", "by foot"),
        ("gait: [{clips: a, strikes: {left: [x]}}]", "lists of seconds"),
        ("gait: [{clips: a, strikes: {left: [.inf]}}]", "lists of seconds"),
    ],
)
def test_a_wrong_row_is_told_with_its_line(tmp_path, text, says):
    path = tmp_path / "gait.yaml"
    path.write_text(text)
    with pytest.raises(FormatError, match=says):
        read_told(path)
