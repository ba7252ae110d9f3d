"""Parameters of the command line are made of fields."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer

from motionloom.cli._command import Command, Result
from motionloom.cli._fields import argument, reading
from motionloom.cli._parameters import function_of
from motionloom.errors import InvalidInputError
from motionloom.options import option_field
from motionloom.progress import Progress
from motionloom.reading import ReadOptions


class Count(Command):
    """Count things."""

    places: tuple[Path, ...] = argument("Where.", "PLACE...", repeats=True)
    most: int = option_field(5, "How many.", minimum=1, maximum=9)
    aligned: bool = option_field(True, "Leave them where they are.", name="in-place")
    parts: tuple[tuple[str, float], ...] = option_field(
        (),
        "Shares.",
        repeats=True,
        parse=lambda texts: tuple((a, float(b)) for a, b in (text.split("=") for text in texts)),
    )
    reading: ReadOptions = reading("only")

    def make(self, progress: Progress) -> Result:
        return Result()


def called(*words):
    got = []
    app = typer.Typer()
    app.command()(function_of(Count, lambda command: got.append(command) or 0))
    app(args=list(words), standalone_mode=False)
    return got[0]


def test_what_is_not_given_keeps_the_default_of_the_field():
    command = called("a")
    assert command == Count(places=(Path("a"),), reading=ReadOptions())
    assert (command.most, command.aligned, command.parts) == (5, True, ())


def test_what_is_typed_becomes_the_values_of_command_and_library():
    words = ["a", "b", "--most", "3", "--in-place", "--parts", "x=1", "--parts", "y=2"]
    command = called(*words, "--rate", "50", "--only", "walk*", "--up", "Z")
    assert command.places == (Path("a"), Path("b"))
    assert (command.most, command.aligned) == (3, False)
    assert command.parts == (("x", 1.0), ("y", 2.0))
    assert command.reading == ReadOptions(rate=50.0, only=("walk*",), up="z")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--most", "10"], "--most: expected a number from 1 to 9, got 10"),
        (["--rate", "0"], "--rate: expected fps above 0 and of at most 10000, got 0"),
    ],
)
def test_a_value_out_of_the_range_of_its_field_is_refused_by_the_name_of_the_option(words, says):
    with pytest.raises(InvalidInputError) as caught:
        called("a", *words)
    assert str(caught.value) == says
