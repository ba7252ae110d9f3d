"""Blocks of numbers in text, parsed fast, with the row and line of everything that is not a number."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

#: Numbers beyond this are no lengths or angles, in whatever unit.
LARGEST = 1e10
_GLUED = re.compile(r"(?<=[0-9.])(?=[-+])")
_AS_BLANKS = bytes.maketrans(b"\x1c\x1d\x1e\x1f\x85\xa0", b" " * 6)
_POWERS = np.array([float(f"1e{k}") for k in range(23)])


@dataclass(frozen=True)
class NumberRows:
    """The numbers of a text, row by row; rows without anything in them are left out.

    Parameters
    ----------
    values : array of shape (N,)
        All numbers; NaN where there is something else or a number beyond `LARGEST`.
    starts : int array of shape (R + 1,)
        Row r holds ``values[starts[r] : starts[r + 1]]``.
    lines : int array of shape (R,)
        Line of each row within the text, counted from 0.
    offsets : int array of shape (R,)
        Byte of the text at which each row's first word begins.
    bad : bool array of shape (R,)
        Rows with a NaN.
    """

    values: NDArray[np.float64]
    starts: NDArray[np.int64]
    lines: NDArray[np.int64]
    offsets: NDArray[np.int64]
    bad: NDArray[np.bool_]


def parse_rows(data: bytes) -> NumberRows:
    """Parse a block of numbers separated by blanks.

    Numbers of up to 15 digits and powers of ten within 22 are exact, others right to 15 digits (beyond
    1e-280, where they may become 0).
    """
    n_lines = data.count(b"\n") + 1
    # Two bytes hold a number and its blank at least; pages that are not written to cost nothing.
    values, starts = np.empty(len(data) // 2 + 1), np.empty(n_lines + 1, np.int64)
    lines, offsets, bad = np.empty(n_lines, np.int64), np.empty(n_lines, np.int64), np.zeros(n_lines, np.bool_)
    text = np.frombuffer(data + b"\n", np.uint8)
    n_values, n_rows = _parse(text, _POWERS, LARGEST, values, starts, lines, offsets, bad)
    return NumberRows(values[:n_values], starts[: n_rows + 1], lines[:n_rows], offsets[:n_rows], bad[:n_rows])


def without_comments(data: bytes) -> bytes:
    """Text with blanks for everything from a ``#`` to the end of its line, so that all else stays where it was."""
    if b"#" not in data:
        return data
    text = np.frombuffer(data, np.uint8).copy()
    _blank_comments(text)
    return text.tobytes()


def separated(data: bytes, decimal: Literal[".", ","] = ".") -> bytes:
    """Text with a blank wherever two numbers run together (``0.0-7.5``), and points for decimal commas if asked.

    Lines and what is no number stay, so that the rows of both texts are the same. Blanks of other kinds become plain.
    """
    text = np.frombuffer(data.replace(b"\xc2\xa0", b"  ").translate(_AS_BLANKS), np.uint8)
    if decimal == ",":
        text = np.where(text == ord(","), np.uint8(ord(".")), text)
    number = ((text >= ord("0")) & (text <= ord("9"))) | (text == ord("."))
    sign = (text == ord("-")) | (text == ord("+"))
    return inserted(text, np.concatenate([[False], number[:-1] & sign[1:]]), b" ")


def inserted(text: NDArray[np.uint8], before: NDArray[np.bool_], byte: bytes) -> bytes:
    """Text with a byte put in before each place that is marked."""
    if not before.any():
        return text.tobytes()
    shifted = np.cumsum(before)
    out = np.full(len(text) + int(shifted[-1]), byte[0], np.uint8)
    out[shifted + np.arange(len(text))] = text
    return out.tobytes()


def read_numbers(text: str) -> tuple[list[float] | None, bool]:
    """Read one row that may be slightly broken.

    Parameters
    ----------
    text : str

    Returns
    -------
    values : list of float or None
        None when it holds anything else than numbers up to `LARGEST`.
    mended : bool
        Whether numbers had to be separated (``0.0-7.5``) or decimal commas replaced.
    """
    for mended, candidate in enumerate((text, _GLUED.sub(" ", text), _GLUED.sub(" ", text.replace(",", ".")))):
        try:
            values = [float(word) for word in candidate.split()]
        except ValueError:
            continue
        if all(abs(v) <= LARGEST for v in values):
            return values, mended > 0
    return None, False


@njit(cache=True)
def _parse(data, powers, largest, values, starts, lines, offsets, bad):  # pragma: no cover - compiled
    """Fill the arrays of a `NumberRows`; return how many values and rows there are.

    `data` ends with a line end, where every loop stops. Plain numbers are parsed here, others by `_number`.
    """
    token, row, line, i = 0, -1, 0, 0
    fresh = True
    while i < len(data):
        byte = data[i]
        if byte == 10:
            fresh = True
            line += 1
            i += 1
            continue
        if byte == 32 or 9 <= byte <= 13:
            i += 1
            continue
        if fresh:
            fresh = False
            row += 1
            starts[row], lines[row], offsets[row] = token, line, i
        start = i
        negative = byte == 45
        i += negative
        mantissa, point = np.int64(0), -1
        digit = np.int64(data[i]) - 48
        while 0 <= digit <= 9 or (digit == -2 and point < 0):
            if digit == -2:
                point = i
            else:
                mantissa = mantissa * 10 + digit
            i += 1
            digit = np.int64(data[i]) - 48
        decimals = i - point - 1 if point >= 0 else 0
        digits = i - start - negative - (point >= 0)
        if 0 < digits <= 18 and (digit == -16 or digit == -38):  # a blank or the end of the line
            value = float(mantissa) / powers[decimals]
            value = -value if negative else value
        else:
            value, i = _number(data, start, powers)
        if not abs(value) <= largest:
            value = np.nan
            bad[row] = True
        values[token] = value
        token += 1
    starts[row + 1] = token
    return token, row + 1


@njit(cache=True)
def _blank_comments(text):  # pragma: no cover - compiled
    """Put blanks for comments."""
    inside = False
    for i in range(len(text)):
        if text[i] == 10:
            inside = False
        elif inside or text[i] == 35:
            inside = True
            text[i] = 32


@njit(cache=True)
def place_rows(values, starts, table):  # pragma: no cover - compiled
    """Write the numbers of each row into its row of a table, as many as have a column."""
    for row in range(len(starts) - 1):
        for k in range(min(starts[row + 1] - starts[row], table.shape[1])):
            table[row, k] = values[starts[row] + k]


@njit(cache=True)
def _number(data, i, powers):  # pragma: no cover - compiled
    """Parse any number that starts at byte `i`; return it (NaN if it is none) and the byte after its word."""
    negative = data[i] == 45
    if negative or data[i] == 43:
        i += 1
    mantissa, exponent, digits, point = np.int64(0), np.int64(0), 0, False
    while 48 <= data[i] <= 57 or (data[i] == 46 and not point):
        if data[i] == 46:
            point = True
        else:
            digits += 1
            if mantissa < 10**17:
                mantissa = mantissa * 10 + np.int64(data[i]) - 48
                exponent -= point
            else:
                exponent += not point
        i += 1
    valid = digits > 0
    if data[i] == 101 or data[i] == 69:
        i += 1
        down = data[i] == 45
        if down or data[i] == 43:
            i += 1
        first, power = i, np.int64(0)
        while 48 <= data[i] <= 57:
            if power < 1000:
                power = power * 10 + np.int64(data[i]) - 48
            i += 1
        valid = valid and i > first
        exponent += -power if down else power
    while not (data[i] == 32 or 9 <= data[i] <= 13):
        valid = False
        i += 1
    value = float(mantissa)
    if -22 <= exponent < 0:
        value /= powers[-exponent]
    elif 0 <= exponent <= 22:
        value *= powers[exponent]
    elif value != 0:
        value *= 10.0**exponent
    return (-value if negative else value) if valid else np.nan, i
