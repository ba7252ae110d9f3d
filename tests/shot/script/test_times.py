"""Times by name."""

import pytest

from motionloom.errors import InvalidInputError
from motionloom.shot.script.times import NamedTime, Resolver, parse_time


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("knock", NamedTime(("knock",))),
        ("walk.end", NamedTime(("walk", "end"))),
        ("anna.walk.end + 0.5", NamedTime(("anna", "walk", "end"), 0.5)),
        ("a-b.start-2", NamedTime(("a-b", "start"), -2.0)),
        ("go-1.5", NamedTime(("go",), -1.5)),
    ],
)
def test_a_time_is_names_and_a_shift(text, expected):
    assert parse_time(text) == expected


@pytest.mark.parametrize("text", ["", "3", ".end", "a..b", "a.b.c.d", "walk.end+", "walk end"])
def test_what_is_no_time_is_refused(text):
    with pytest.raises(InvalidInputError, match="write for example"):
        parse_time(text)


def test_values_are_found_through_others_and_a_loop_is_named():
    resolve = Resolver(
        {
            ("a", "end"): lambda find: find(("b", "start")) + 1.0,
            ("b", "start"): lambda find: 2.0,
            ("c", "end"): lambda find: find(("d", "end")),
            ("d", "end"): lambda find: find(("c", "end")),
        }
    )
    assert resolve(("a", "end")) == 3.0
    with pytest.raises(InvalidInputError, match=r"c\.end needs d\.end needs c\.end"):
        resolve(("c", "end"))
