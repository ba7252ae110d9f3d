"""The number parser against Python's float."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.io.number_table import LARGEST, parse_rows, read_numbers

ORDINARY = st.floats(1e-12, 1e9) | st.floats(-1e9, -1e-12) | st.just(0.0)


@given(
    st.lists(ORDINARY.map(lambda v: f"{v:.6f}") | ORDINARY.map(lambda v: f"{v:.5e}"), max_size=20)
)
def test_numbers_as_programs_print_them_are_exact(words):
    np.testing.assert_array_equal(
        parse_rows(" ".join(words).encode()).values, [float(w) for w in words]
    )


@given(st.lists(st.floats(-LARGEST, LARGEST), max_size=20))
def test_numbers_with_all_their_digits_are_exact(values):
    assert parse_rows(" ".join(map(repr, values)).encode()).values.tolist() == values


@pytest.mark.parametrize(
    "word",
    [
        "1",
        "+1.5",
        "-.5",
        "5.",
        "1e3",
        "1E-003",
        "0.000000000000000000000000000012345",
        "123456789012345678901e-20",
        "-0",
    ],
)
def test_ways_to_write_a_number(word):
    (value,) = parse_rows(word.encode()).values
    assert value == float(word)
    assert np.signbit(value) == (word[0] == "-")


@pytest.mark.parametrize(
    "word",
    [
        "",
        "-",
        ".",
        "e5",
        "1e",
        "1e+",
        "1.2.3",
        "0x1",
        "nan",
        "inf",
        "1_0",
        "1d5",
        "1,5",
        "1-2",
        "1e11",
        "ü",
        "1\x00",
    ],
)
def test_words_that_are_no_numbers_are_marked(word):
    rows = parse_rows(f"1 2\n3 {word}\n4 5".encode())
    assert rows.bad.tolist() == [False, bool(word), False]


def test_rows_know_their_line_and_blank_ones_are_left_out():
    rows = parse_rows(b"\n 1 2\t3 \r\n\n   \n4\x0b5\n\n")
    assert rows.values.tolist() == [1, 2, 3, 4, 5]
    assert rows.starts.tolist() == [0, 3, 5]
    assert rows.lines.tolist() == [1, 4]


@pytest.mark.parametrize("text", ["", " ", "\n\n"])
def test_nothing(text):
    rows = parse_rows(text.encode())
    assert rows.values.shape == (0,)
    assert rows.starts.tolist() == [0]


@pytest.mark.parametrize(
    ("text", "values", "mended"),
    [
        ("1 2", [1, 2], False),
        ("0.0-7.5", [0, -7.5], True),
        ("1e-5-2", [1e-5, -2], True),
        ("1,5 -2,25", [1.5, -2.25], True),
        ("1 x", None, False),
        ("1 1e11", None, False),
        ("nan", None, False),
    ],
)
def test_one_row_that_may_be_broken(text, values, mended):
    assert read_numbers(text) == (values, mended)
