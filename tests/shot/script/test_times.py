"""Times by name."""

import pytest
from pydantic import TypeAdapter, ValidationError

from motionloom.errors import InvalidInputError
from motionloom.shot.plan._meetings import Resolver
from motionloom.shot.script.span_fields import When, parse_time


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("knock", (("knock",), 0.0)),
        ("walk.end", (("walk", "end"), 0.0)),
        ("anna.walk.end + 0.5", (("anna", "walk", "end"), 0.5)),
        ("a-b.start-2", (("a-b", "start"), -2.0)),
        ("go-1.5", (("go",), -1.5)),
    ],
)
def test_a_time_is_names_and_a_shift(text, expected):
    assert parse_time(text) == expected


@pytest.mark.parametrize("text", ["", "3", ".end", "a..b", "a.b.c.d", "walk.end+", "walk end"])
def test_what_is_no_time_is_refused(text):
    with pytest.raises(ValidationError, match="not a time"):
        TypeAdapter(When).validate_python(text)


def test_values_are_found_through_others_and_a_loop_is_named():
    rules = {
        ("a", "end"): lambda: resolve(("b", "start")) + 1.0,
        ("b", "start"): lambda: 2.0,
        ("c", "end"): lambda: resolve(("d", "end")),
        ("d", "end"): lambda: resolve(("c", "end")),
    }
    resolve = Resolver(lambda key: rules[key]())
    assert resolve(("a", "end")) == 3.0
    with pytest.raises(InvalidInputError, match=r"c\.end needs d\.end needs c\.end"):
        resolve(("c", "end"))
