"""When spans begin and end, and what is refused before any work."""

import pytest

from motionloom.errors import FormatError, MotionloomError
from motionloom.shot import Stage, check_shot, plan_shot
from motionloom.shot.plan.planned import seed_of
from shot.conftest import TEXT


def plan(shot_file, length_of, text=TEXT):
    file = shot_file(text)
    return plan_shot(file, length_of(file))


def test_spans_follow_each_other_and_layers_lie_over_them(shot_file, length_of):
    planned = plan(shot_file, length_of)
    frames = {one.name: (one.first, one.last) for one in planned.tracks["anna"]}
    assert frames == {
        "stand": (0, 30),
        "stop": (30, 105),
        "wave": (105, 150),
        "pose": (150, 174),
        "away": (174, 234),
    }
    (hand,) = planned.layers["anna"]
    assert (hand.name, hand.first, hand.keys) == ("hand", 60, (2.0,))
    assert planned.duration == pytest.approx(7.8)


def test_a_seed_is_of_the_span_whatever_else_there_is(shot_file, length_of):
    one = plan(shot_file, length_of).tracks["anna"]
    fewer = TEXT.replace("    - {id: stand, do: clip, clip: stand, to: 1.0}\n", "")
    other = plan(shot_file, length_of, fewer).tracks["anna"]
    seeds = {span.name: span.seed for span in one}
    assert all(seeds[span.name] == span.seed for span in other)
    assert seeds["stop"] == seed_of(7, "anna", "stop") != seed_of(8, "anna", "stop")


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("do: idle", "do: idel", 14, "expected 'do' to be one of walk, gait"),
        ("do: idle", "do: idel", 14, "did you mean idle? write for example {do: idle, ...}"),
        ("clip: stand,", "clip: stnd,", 13, "no clip is called 'stnd'; did you mean stand"),
        ("speed: 1.3", "speed: 40", 17, "metres per second, up to 12, got 40"),
        ("speed: 1.3", "speed: 0", 17, "metres per second, above 0, got 0"),
        ("until: knock", "until: knok", 14, "no mark with a time is called knok; use one of knock"),
        ("until: knock", "until: wave.end", 14, "anna[1].until: times that depend on each other"),
        ("until: knock", "by: wave.end", 14, "anna[1].by: times that depend on each other"),
        ("until: knock", "until: 0.5", 14, "would last from 1.00 to 0.50 s"),
        (", until: knock", "", 14, "stop has no end"),
        ("until: knock", "until: knock, by: 2", 14, "unknown field"),
        ("until: knock", "until: knock, for: 2", 14, "either an end or a length"),
        ("until: knock", "until: true", 14, "expected a time"),
        ("id: pose", "id: wave", 16, "is the name of tracks.anna"),
        ("id: wave,", "id: wave, begin: 5.0,", 15, "nothing happens for 1.50 s"),
        ("id: wave,", "id: wave, begin: 2.0,", 15, "begins 1.50 s before stop ends"),
        ("stop.start+1", "stop.start+9", 18, "the last span"),
        ("stop.start+1", "stop.start+1, over: away", 18, "not within away"),
        ("stop.start+1", "stop.start+1, over: awy", 18, "no span below is called 'awy'"),
        ("[3, 3]], for", "nowhere], for", 17, "no mark with a position is called 'nowhere'"),
        ("joint: right_hand", "joint: right_hnd", 18, "nearest: right_hand"),
        ("frame: 10", "frame: 100000", 16, "has no frame 100000"),
        ("anna: {}", "ann: {}", 12, "nobody in the cast is called 'anna'"),
        ("knock: {time: 3.5}", "knock: {}", 8, "a mark is a place, a point or a time"),
        ("cast:", "joins: {'stop->wav': {over: 1}}\ncast:", 9, "there are stop->wave"),
        ("cast:", "joins: {'stop->wave': 1}\ncast:", 9, "as {over: 0.5}"),
        ("cast:", "joins: {'stop->wave': {over: 9}}\ncast:", 9, "up to 3"),
        ("shot: 1", "shot: 2", 1, "expected the version of the format"),
    ],
)
def test_a_slip_is_told_with_its_line(shot_file, length_of, analysed, old, new, line, said):
    assert old in TEXT

    def check():
        file = shot_file(TEXT.replace(old, new))
        planned = plan_shot(file, length_of(file))
        check_shot(planned, {"anna": Stage(file, analysed)})

    with pytest.raises(MotionloomError) as caught:
        check()
    text = str(caught.value)
    assert f"shot.yaml:{line}:" in text
    assert said in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("duration: 3\nbody: 3\n", "yaml:2: body: expected a list"),
        ("characters: {}\n", "duration: missing"),
        (
            "duration: 3\ncharacters: {a: {ground: [{shape: slope, steepness: 3}]}, b: {}}\n",
            "all of a shot walk on one ground",
        ),
        ("- 3\n", "expected fields"),
        ("shot: 1\ncast: {a: {}}\ntracks: {}\n", "a has nothing to do"),
    ],
)
def test_other_files_are_told_apart(shot_file, text, said):
    with pytest.raises(MotionloomError, match=said):
        shot_file(text)


def test_all_times_that_are_wrong_are_told_and_a_loop_once(shot_file, length_of):
    text = TEXT.replace("until: knock", "until: wave.end").replace("for: 2.0", "by: no")
    with pytest.raises(FormatError, match="1 more to correct") as caught:
        plan(shot_file, length_of, text)
    loop, unknown = caught.value.each
    assert "depend on each other" in loop.message
    assert "no mark with a time is called no" in unknown.message
    assert loop.line != unknown.line


def test_one_slip_is_counted_once(shot_file, length_of):
    text = TEXT.replace("joint: right_hand", "jont: right_hand")
    with pytest.raises(FormatError, match="did you mean joint") as caught:
        plan(shot_file, length_of, text)
    assert "more to correct" not in str(caught.value)


def test_an_empty_file_is_told_how_to_begin(shot_file):
    with pytest.raises(FormatError, match=r"is empty.*begin with 'shot: 1'"):
        shot_file("")
