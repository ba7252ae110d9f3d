"""Blocks of numbers in text, parsed fast, with the row and line of everything that is not a number."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

#: Numbers beyond this are no lengths or angles, in whatever unit.
LARGEST = 1e10
_GLUED = re.compile(r"(?<=[0-9.])(?=[-+])")
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
    bad : bool array of shape (R,)
        Rows with a NaN.
    """

    values: NDArray[np.float64]
    starts: NDArray[np.int64]
    lines: NDArray[np.int64]
    bad: NDArray[np.bool_]


def parse_rows(text: str) -> NumberRows:
    """Parse a block of numbers separated by blanks.

    Numbers of up to 15 digits and powers of ten within 22 are exact, others right to 15 digits (beyond
    1e-280, where they may become 0).
    """
    data = np.frombuffer(text.encode("utf-8", "replace"), np.uint8)
    n_tokens, n_rows = _count(data)
    values, starts = np.empty(n_tokens), np.empty(n_rows + 1, np.int64)
    lines, bad = np.empty(n_rows, np.int64), np.zeros(n_rows, np.bool_)
    _parse(data, _POWERS, LARGEST, values, starts, lines, bad)
    return NumberRows(values, starts, lines, bad)


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
def _count(data):  # pragma: no cover - compiled
    """Count words and lines that are not blank."""
    tokens = rows = 0
    in_word = in_row = False
    for byte in data:
        if byte == 10:
            in_word = in_row = False
        elif byte == 32 or 9 <= byte <= 13:
            in_word = False
        elif not in_word:
            in_word = True
            tokens += 1
            if not in_row:
                in_row = True
                rows += 1
    return tokens, rows


@njit(cache=True)
def _number(data, i, powers):  # pragma: no cover - compiled
    """Parse the number that starts at byte `i`; return it (NaN if it is none) and the byte after its word."""
    n = len(data)
    negative = data[i] == 45
    if negative or data[i] == 43:
        i += 1
    mantissa, digits, exponent = np.uint64(0), 0, 0
    point = False
    while i < n:
        byte = data[i]
        if 48 <= byte <= 57:
            digits += 1
            if mantissa < np.uint64(10**17):
                mantissa = mantissa * np.uint64(10) + np.uint64(byte - 48)
                exponent -= point
            else:
                exponent += not point
        elif byte == 46 and not point:
            point = True
        else:
            break
        i += 1
    valid = digits > 0
    if i < n and (data[i] == 101 or data[i] == 69):
        i += 1
        down = i < n and data[i] == 45
        if i < n and (data[i] == 45 or data[i] == 43):
            i += 1
        power, digits = 0, 0
        while i < n and 48 <= data[i] <= 57:
            power = min(power * 10 + data[i] - 48, 9999)
            digits += 1
            i += 1
        valid = valid and digits > 0
        exponent += -power if down else power
    while i < n and not (data[i] == 32 or 9 <= data[i] <= 13):
        valid = False
        i += 1
    value = float(mantissa)
    if 0 <= exponent <= 22:
        value *= powers[exponent]
    elif -22 <= exponent < 0:
        value /= powers[-exponent]
    elif value != 0:
        value *= 10.0**exponent
    return (-value if negative else value) if valid else np.nan, i


@njit(cache=True)
def _parse(data, powers, largest, values, starts, lines, bad):  # pragma: no cover - compiled
    """Fill the arrays of a `NumberRows`."""
    token, row, line, i = 0, -1, 0, 0
    fresh = True
    while i < len(data):
        byte = data[i]
        if byte == 10:
            fresh = True
            line += 1
            i += 1
        elif byte == 32 or 9 <= byte <= 13:
            i += 1
        else:
            if fresh:
                fresh = False
                row += 1
                starts[row], lines[row] = token, line
            value, i = _number(data, i, powers)
            if not abs(value) <= largest:
                value = np.nan
                bad[row] = True
            values[token] = value
            token += 1
    starts[row + 1] = token
