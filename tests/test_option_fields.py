"""Ranges of options, and what is said of a value out of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import InvalidInputError
from motionloom.options import Option, check_options, option_field, options_of


@dataclass(frozen=True)
class Walk:
    speed: float = option_field(1.0, "How fast.", unit="M/S", above=0, maximum=15)
    strides: int | None = option_field(None, "How many.", minimum=1)
    style: str = option_field("calm", "How.", choices=("calm", "brisk"))
    note: str = ""

    def __post_init__(self) -> None:
        check_options(self)


@given(st.floats())
def test_a_number_passes_where_it_lies_in_the_range_and_nowhere_else(speed):
    try:
        Walk(speed=speed)
    except InvalidInputError:
        assert not 0 < speed <= 15
    else:
        assert 0 < speed <= 15


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"speed": math.nan}, "speed: expected m/s above 0 and of at most 15, got nan"),
        ({"strides": 0}, "strides: expected a number of at least 1, got 0"),
        ({"style": "odd"}, "style: expected one of calm, brisk, got 'odd'"),
    ],
)
def test_the_sentence_names_field_range_and_value(wrong, says):
    with pytest.raises(InvalidInputError) as caught:
        Walk(**wrong)
    assert str(caught.value) == says


def test_fields_without_a_meaning_are_no_options():
    assert set(options_of(Walk)) == {"speed", "strides", "style"}


def test_a_range_of_two_ends_in_words():
    assert Option(help="", minimum=0.5, maximum=3).range == "from 0.5 to 3"
