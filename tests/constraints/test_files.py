"""Constraint files: what is read, and the one sentence for everything that is wrong with them."""

import random
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from motionloom.constraints import (
    BodyConstraint,
    Box,
    ConstraintSet,
    CostConstraint,
    Cylinder,
    HeightMap,
    JointConstraint,
    PathConstraint,
    PoseConstraint,
    StyleConstraint,
    check_joints,
    read_constraints,
    write_constraints,
)
from motionloom.constraints.explain import explain
from motionloom.constraints.files import names_in
from motionloom.errors import FormatError, InvalidInputError, MotionloomError
from motionloom.roles import find_roles
from performed import performer_clips

GOOD = """\
# a wish
fps: 30
duration: 8.0
body:
  - {time: 8.0, position: [2.5, 3.0], facing: 90}
  - {time: 0.0, position: [0.0, 0.0]}
joints:
  - time: 5.0
    joint: RightHand
    position: [1.2, 1.1, 1.9]
    weight: 2
"""
HEAD = "duration: 8\nbody:\n"


def read(tmp_path, text, name="wish.yaml"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_constraints(path)


def test_reads_the_documented_file_in_order_of_time(tmp_path):
    wish = read(tmp_path, GOOD)
    assert wish == ConstraintSet(
        fps=30,
        duration=8,
        body=(
            BodyConstraint(time=0, position=(0, 0)),
            BodyConstraint(time=8, position=(2.5, 3), facing=90),
        ),
        joints=(JointConstraint(time=5, joint="RightHand", position=(1.2, 1.1, 1.9), weight=2),),
    )
    assert wish.n_frames == 241
    assert wish.frame_of(5.0) == 150
    assert [b.time for b in wish.body] == [0.0, 8.0]


def test_reads_json_indented_with_tabs(tmp_path):
    text = '{\n\t"duration": 2,\n\t"body":[{"time":1,"position":[1e-1,2E0]}]\n}\n'
    assert read(tmp_path, text, "wish.json").body[0].position == (0.1, 2.0)


@pytest.mark.parametrize("written", ["joint: no", "joint: 'no'", 'joint: "no"'])
def test_words_stay_words(tmp_path, written):
    text = f"duration: 2\njoints:\n- {{time: 1, {written}, position: [1, 2, 3]}}\n"
    assert read(tmp_path, text).joints[0].joint == "no"


WRONG = [
    ("", None, "empty"),
    ("# only a comment\n", None, "empty"),
    ("just text\n", 1, "expected fields"),
    ("[1, 2]\n", 1, "expected fields"),
    ("fps: 30\n", 1, "duration: missing"),
    ("duration: -3\n", 1, "above 0"),
    ("duration: 1e9\n", 1, "at most 3600"),
    ("duration: .nan\n", 1, "got nan"),
    ("duration: .inf\n", 1, "got inf"),
    ("duration: 1:30\n", 1, "got '1:30'"),
    ("duration: true\n", 1, "got True"),
    ("duration: '8'\n", 1, "got '8'"),
    ("duration:\n", 1, "got nothing"),
    ("duration: 0.001\n", 1, "not even two frames"),
    ("duration: " + "9" * 400 + "\n", 1, "got inf"),
    ("duration: 8\nfps: -30\n", 2, "fps: expected frames per second above 0"),
    ("duration: 8\nfps: 0\n", 2, "above 0"),
    ("duration: 8\n\nduration: 9\n", 3, "given twice"),
    ("duraton: 8\n", 1, "did you mean duration?"),
    ("duration: 8\nbody: 3\n", 2, "list of body constraints"),
    ("duration: 8\nbody: {time: 1, position: [0, 0]}\n", 2, "list of body constraints"),
    (HEAD + "- 3\n", 3, "expected fields (time, from, to, position, facing)"),
    (HEAD + "- {time: 1, postion: [0, 0]}\n", 3, "did you mean position?"),
    (HEAD + "- {time: 1}\n", 3, "position: missing"),
    (HEAD + "- {time: 1, position: [0, a]}\n", 3, "got 'a'"),
    (HEAD + "- {time: 1, position: [0, null]}\n", 3, "got nothing"),
    (HEAD + "- {time: 1, position: [0]}\n", 3, "two numbers [x, z] in metres"),
    (HEAD + "- {time: 1, position: [0, 1, 2]}\n", 3, "two numbers [x, z] in metres"),
    (HEAD + "- {time: 1, position: [0, 250000]}\n", 3, "within 1000 m"),
    (HEAD + "- {time: 1, position: [0, 0], facing: north}\n", 3, "an angle in degrees"),
    (HEAD + "- time: 1\n  position:\n    - 0\n    - .nan\n", 6, "body[0].position[1]"),
    (HEAD + "- {time: -1, position: [0, 0]}\n", 3, "got -1"),
    (HEAD + "- {time: 1, position: [0, 0]}\n- {time: 9, position: [0, 0]}\n", 4, "after the end"),
    (
        HEAD + "- {time: 1, position: [0, 0]}\n- {time: 1.001, position: [1, 0]}\n",
        4,
        "same frame as body[0]",
    ),
    ("duration: 8\njoints:\n- {time: 1, joint: 3, position: [1, 2, 3]}\n", 3, "name of a joint"),
    ("duration: 8\njoints:\n- {time: 1, joint: '', position: [1, 2, 3]}\n", 3, "name of a joint"),
    (
        "duration: 8\njoints:\n- {time: 1, joint: A, position: [1, 2]}\n",
        3,
        "three numbers [x, y, z]",
    ),
    (
        "duration: 8\njoints:\n- {time: 1, joint: A, position: [1, 2, 3], priority: 1.5}\n",
        3,
        "whole number",
    ),
    (
        "duration: 8\njoints:\n- {time: 1, joint: A, position: [1, 2, 3], weight: 0}\n",
        3,
        "positive number",
    ),
    (
        "duration: 8\nposes:\n- {time: 8.0, clip: a, frame: 4.5}\n",
        3,
        "poses[0].frame: expected a frame of the clip",
    ),
    (
        "duration: 8\nposes:\n- {time: 9.0, clip: a, frame: 4}\n",
        3,
        "poses[0].time: 9 s is after the end",
    ),
    (
        "duration: 8\nstill:\n- {from: 9.5}\n",
        3,
        "still[0].from: 9.5 s is after the end",
    ),
    (
        "duration: 8\navoid:\n- {shape: cone}\n",
        3,
        "avoid[0]: expected 'shape' to be one of cylinder, box, heightmap",
    ),
    (
        "duration: 8\navoid:\n- {shape: cylinder, center: [0, 0]}\n",
        3,
        "avoid[0].radius: missing; expected a length",
    ),
    (
        "duration: 8\navoid:\n- {shape: box, center: [0, 0], size: [1, 1], bottom: 2, top: 1}\n",
        3,
        "avoid[0].top: expected a top above the bottom",
    ),
    (
        "duration: 8\navoid:\n- {shape: heightmap, heights: [[1, 2], [3]]}\n",
        3,
        "avoid[0].heights: expected at least 2 rows",
    ),
    (
        "duration: 8\nstyle:\n- {from: 3, to: 2, label: a}\n",
        3,
        "style[0].to: expected a time after 'from'",
    ),
    (
        "duration: 8\nstyle:\n- {from: 3, lable: a, to: 4}\n",
        3,
        "style[0].lable: unknown field; did you mean label?",
    ),
    (
        "duration: 8\npaths:\n- {points: [[0, 0]]}\n",
        3,
        "paths[0].points: expected two or more points",
    ),
    (
        "duration: 8\npaths:\n- {points: [[0, 0], [1, 1]], times: [3, 2]}\n",
        3,
        "paths[0].times: expected ascending",
    ),
    (
        "duration: 8\ncosts:\n- {weight: 2}\n",
        3,
        "costs[0].name: missing; expected the name of a registered cost",
    ),
    (
        "duration: 8\njoints:\n- {time: 1, joint: a}\n",
        3,
        "joints[0].position: missing; expected a position or a velocity",
    ),
    ("duration: 8\nbody: [\n", 3, "not valid YAML or JSON"),
    ("duration: 8\n  body: 3\n", 2, "not valid YAML or JSON"),
    ("duration: 8\n---\nduration: 9\n", 2, "second document"),
    ("a: &a [1]\nb: *a\n", 1, "anchors"),
    ("x: !!python/object/apply:os.system ['true']\n", 1, "tag"),
    ("? [a]\n: 3\n", 1, "field name"),
    ("[" * 100_000, 1, "nested deeper"),
    ("duration: 8 #" + "x" * 3_000_000, None, "at most 2000000"),
    (b"duration: \x01\n", None, "save the file as UTF-8 text"),
]


@pytest.mark.parametrize(
    ("text", "line", "expected"), WRONG, ids=[str(i) for i in range(len(WRONG))]
)
def test_one_sentence_with_file_line_and_advice(tmp_path, text, line, expected):
    with pytest.raises(FormatError) as caught:
        read(tmp_path, text)
    message = str(caught.value)
    assert message.startswith(f"{tmp_path / 'wish.yaml'}:{'' if line is None else f'{line}:'} ")
    assert expected in message
    assert "\n" not in message
    assert len(message) < 400 + len(str(tmp_path))


def test_billion_laughs_are_refused_quickly(tmp_path):
    layers = ["a0: &a0 [x, x]"] + [f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 60)]
    start = time.perf_counter()
    with pytest.raises(FormatError, match="anchors"):
        read(tmp_path, "\n".join(layers))
    assert time.perf_counter() - start < 1.0


@pytest.mark.parametrize("data", [b"\xff\xfe\x00d", b"duration: \xff\n"])
def test_bytes_that_are_not_text(tmp_path, data):
    with pytest.raises(MotionloomError):
        read(tmp_path, data)


def test_missing_file_and_folder(tmp_path):
    for path in (tmp_path / "none.yaml", tmp_path):
        with pytest.raises(MotionloomError, match=str(path)):
            read_constraints(path)


finite = st.floats(-900, 900, allow_nan=False)
names = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=30
)


@st.composite
def wishes(draw):
    frames = draw(st.lists(st.integers(0, 240), max_size=5, unique=True))
    body = [
        BodyConstraint(
            time=f / 30,
            position=(draw(finite), draw(finite)),
            facing=draw(st.none() | st.floats(-360, 360)),
        )
        for f in frames
    ]
    joints = [
        JointConstraint(
            time=f / 30, joint=draw(names), position=(draw(finite), draw(finite), draw(finite))
        )
        for f in frames
    ]
    return ConstraintSet(duration=8.0, fps=30, body=tuple(body), joints=tuple(joints))


@pytest.mark.parametrize("suffix", [".yaml", ".json"])
@given(wish=wishes())
def test_round_trip(tmp_path_factory, suffix, wish):
    path = tmp_path_factory.mktemp("wish") / f"wish{suffix}"
    write_constraints(wish, path)
    assert read_constraints(path) == wish


def test_mutants_are_read_or_refused(tmp_path):
    """Bytes flipped, lines dropped, numbers swapped: a set or an error of ours, and never slow."""
    rng = random.Random(7)
    path = tmp_path / "mutant.yaml"
    read_count, messages = 0, []
    for _ in range(2000):
        path.write_bytes(_mutate(rng, GOOD.encode()))
        start = time.perf_counter()
        try:
            read_constraints(path)
            read_count += 1
        except MotionloomError as error:
            messages.append(str(error))
        assert time.perf_counter() - start < 2.0
    assert 100 < read_count < 1900
    assert all(str(path) in message and "\n" not in message for message in messages)


def _mutate(rng, data):
    kind = rng.randrange(4)
    if kind == 0:
        flipped = bytearray(data)
        for _ in range(rng.randint(1, 6)):
            flipped[rng.randrange(len(flipped))] = rng.randrange(256)
        return bytes(flipped)
    lines = data.split(b"\n")
    if kind == 1:
        del lines[rng.randrange(len(lines))]
    elif kind == 2:
        i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
        lines[i], lines[j] = lines[j], lines[i]
    else:
        values = [
            b"-1",
            b"1e400",
            b".nan",
            b"x",
            b"[]",
            b"{}",
            b"'",
            b"99999999999999999999",
            b"&a",
            b"*a",
            b"!!int",
        ]
        words = data.split(b" ")
        words[rng.randrange(len(words))] = rng.choice(values)
        return b" ".join(words)
    return b"\n".join(lines)


@pytest.mark.parametrize(
    "task", ["bandai_walk/two_01", "bandai_walk/reach_01", "cmu16/jump_01", "bandai_walk/tour_01"]
)
def test_task_files_of_real_use(shared_data, task):
    wish = read_constraints(shared_data / "tasks" / f"{task}.yaml")
    assert wish.body[0].time == 0.0
    assert wish.n_frames == round(wish.duration * 30) + 1


def test_cannot_write(tmp_path):
    with pytest.raises((MotionloomError, OSError)):
        write_constraints(ConstraintSet(duration=1), tmp_path / "none" / "wish.yaml")


def test_built_in_memory_the_errors_are_ours_too():
    with pytest.raises(InvalidInputError, match=r"time: expected a time .* got -4"):
        BodyConstraint(time=-4, position=(1, 2))
    with pytest.raises(InvalidInputError, match=r"body\[0\]\.position\[1\]: .* got 'a'"):
        ConstraintSet(duration=2, body=[{"time": 1, "position": [1, "a"]}])


def test_every_kind_survives_writing_and_reading(tmp_path):
    wish = ConstraintSet(
        duration=8.0,
        joints=(JointConstraint(time=2.0, joint="Hand", velocity=(0.0, 0.0, 1.0)),),
        poses=(PoseConstraint(time=3.0, clip="walk", frame=3),),
        avoid=(
            Cylinder(center=(1.0, 2.0), radius=0.4),
            Box(center=(1.0, 2.0), size=(1.0, 2.0), angle=30.0, top=1.0),
            HeightMap(heights=((0.0, 0.0), (0.0, 1.0))),
        ),
        style=(StyleConstraint(begin=2.0, end=6.0, label="elderly"),),
        paths=(PathConstraint(points=((0.0, 0.0), (1.0, 2.0)), times=(0.0, 4.0), curve="spline"),),
        costs=(CostConstraint(name="x", parameters={"a": 1.0, "b": True, "c": "t"}),),
    )
    for name in ("wish.yaml", "wish.json"):
        write_constraints(wish, tmp_path / name)
        assert read_constraints(tmp_path / name) == wish


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("duration: 3\njoints:\n  - {time: 1, joint: Hips, position: [0, 1, 0]}\n"
         "  - time: 2\n    joint: RightHnd\n    position: [0, 1, 2]\n", 5),
        ('{"duration": 3, "joints": [\n'
         '{"time": 1, "joint": "RightHnd", "velocity": [0, 1, 0]}]}\n', 2),
    ],
)  # fmt: skip
def test_a_joint_that_the_clips_lack_is_told_with_its_line(tmp_path, text, line):
    path = tmp_path / "wish.yaml"
    path.write_text(text)
    clip = performer_clips()[0].motion
    wish = read_constraints(path)
    with (
        pytest.raises(
            FormatError, match=rf"wish.yaml:{line}: unknown joint 'RightHnd'; nearest: RightHand"
        ),
        names_in(path),
    ):
        check_joints(wish, clip.skeleton, find_roles(clip.skeleton))


def test_many_faulty_entries_are_explained_in_proportion_to_their_number():
    """Each fault is looked at a few times, however many there are."""
    calls = []
    for count in (100, 200):
        seen = 0

        def watch(frame, event, _):
            nonlocal seen
            seen += "explain" in frame.f_code.co_filename

        with pytest.raises(ValidationError) as caught:
            ConstraintSet.model_validate({"duration": 1.0, "body": [{"time": "a"}] * count})
        sys.setprofile(watch)
        try:
            sentence, _ = explain(caught.value, ConstraintSet)
        finally:
            sys.setprofile(None)
        assert f"({2 * count - 1} more to correct)" in sentence
        calls.append(seen)
    assert calls[1] <= 2.2 * calls[0]


def test_long_names_are_told_in_short(tmp_path):
    path = tmp_path / "wish.yaml"
    path.write_text("duration: 1\n" + "f" * 1000 + ": 1\n")
    with pytest.raises(FormatError, match=r"wish.yaml:2: f{57}\.\.\.: unknown field") as caught:
        read_constraints(path)
    assert len(str(caught.value)) < 500
