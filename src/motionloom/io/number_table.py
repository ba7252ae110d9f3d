"""Blocks of numbers in text, with the row and line of all that is not a number."""

from __future__ import annotations

import io
import re
import warnings
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from motionloom.io.files import decode
from motionloom.typing import Array, Bools, Ints

#: Numbers beyond this are no lengths or angles, in whatever unit.
LARGEST = 1e10
#: What plain numbers consist of, and words that are none: names, and marks of blank cells.
_PLAIN = b"0123456789.-+eE \t\r\n"
_NAME = re.compile(rb"(?<!\S)[A-Za-z_\x01]\S*")
_COMMENT = re.compile(rb"#[^\n]*")
_GLUED = re.compile(r"(?<=[0-9.])(?=[-+])")
_AS_BLANKS = bytes.maketrans(b"\x1c\x1d\x1e\x1f\x85\xa0", b" " * 6)


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
        Byte of the text at which each row begins.
    bad : bool array of shape (R,)
        Rows with a NaN.
    """

    values: Array
    starts: Ints
    lines: Ints
    offsets: Ints
    bad: Bools

    def words(self, text: bytes, row: int, most: int = 10_000) -> list[str]:
        """Words of a row of the text that was parsed; of very many bytes the first."""
        start = self.offsets[row]
        stop = text.find(b"\n", start)
        return decode(text[start : stop if stop >= 0 else None][:most]).split()


def parse_rows(data: bytes) -> NumberRows:
    r"""Parse a block of numbers separated by blanks.

    Examples
    --------
    >>> parse_rows(b"1 2\n3 4\n").values
    array([1., 2., 3., 4.])
    """
    return _parse_even(data) or _parse_any(data)


def _parse_even(data: bytes) -> NumberRows | None:
    """Rows of one length, of numbers alone: by the quicker of NumPy's parsers."""
    try:
        with warnings.catch_warnings(action="error"):  # of no rows
            table = np.loadtxt(io.BytesIO(data), comments=None, ndmin=2)
    except (ValueError, UserWarning):
        return None
    ends = np.flatnonzero(np.frombuffer(data + b"\n", np.uint8) == ord("\n"))
    begins = np.append(0, ends[:-1] + 1)
    lines = np.flatnonzero(ends > begins)
    rows, columns = table.shape
    if len(lines) != rows:  # of blanks alone, or ended otherwise
        return None
    starts = columns * np.arange(rows + 1)
    return _checked(NumberRows(table.ravel(), starts, lines, begins[lines], np.zeros(rows, bool)))


def _parse_any(data: bytes) -> NumberRows:
    text = np.frombuffer(data, np.uint8)
    blank = np.concatenate([[True], (text == 32) | ((text >= 9) & (text <= 13))])
    words = np.flatnonzero(blank[:-1] & ~blank[1:])
    lines = np.searchsorted(np.flatnonzero(text == ord("\n")), words)
    first = np.flatnonzero(np.diff(lines, prepend=-1))
    plain = _NAME.sub(b"nan", data) if data.translate(None, _PLAIN) else data
    try:
        with warnings.catch_warnings(action="error"):  # of NumPy before 2.3
            values = np.fromstring(plain, sep=" ")
    except (DeprecationWarning, ValueError):
        values = np.zeros(0)
    # Where two numbers run together there are more of them than words.
    if len(values) != len(words):
        values = np.array([_number(word) for word in data.split()])
    none = np.zeros(len(first), bool)
    return _checked(
        NumberRows(values, np.append(first, len(words)), lines[first], words[first], none)
    )


def _checked(rows: NumberRows) -> NumberRows:
    """The rows with NaN for what is too large, and which have one."""
    values = np.where(np.abs(rows.values) <= LARGEST, rows.values, np.nan)
    if not len(rows.lines):
        return replace(rows, values=values)
    bad = np.logical_or.reduceat(np.isnan(values), rows.starts[:-1])
    return replace(rows, values=values, bad=bad)


def _number(word: bytes) -> float:
    try:
        return np.nan if b"_" in word else float(word)
    except ValueError:
        return np.nan


def without_comments(data: bytes) -> bytes:
    r"""Text with blanks for everything from a ``#`` to the line's end: all else stays in place.

    Examples
    --------
    >>> without_comments(b"1 2 # left\n3")
    b'1 2       \n3'
    """
    return _COMMENT.sub(lambda comment: b" " * len(comment[0]), data)


def separated(data: bytes, decimal: Literal[".", ","] = ".") -> bytes:
    """Text with a blank between numbers run together (``0.0-7.5``).

    Parameters
    ----------
    data : bytes
        The text.
    decimal : {".", ","}, optional
        With ``","``, commas become points.

    Returns
    -------
    bytes
        With the same lines.

    Examples
    --------
    >>> separated(b"0.0-7.5 1")
    b'0.0 -7.5 1'
    """
    text = np.frombuffer(data.replace(b"\xc2\xa0", b"  ").translate(_AS_BLANKS), np.uint8)
    if decimal == ",":
        text = np.where(text == ord(","), np.uint8(ord(".")), text)
    number = ((text >= ord("0")) & (text <= ord("9"))) | (text == ord("."))
    sign = (text == ord("-")) | (text == ord("+"))
    return inserted(text, np.concatenate([[False], number[:-1] & sign[1:]]), b" ")


def inserted(text: NDArray[np.uint8], before: Bools, byte: bytes) -> bytes:
    """Text with a byte put in before each place that is marked.

    Parameters
    ----------
    text : uint8 array of shape (N,)
        Bytes of the text.
    before : bool array of shape (N,)
        Which bytes get another one before them.
    byte : bytes
        The byte to put in.

    Returns
    -------
    bytes
        Longer by one byte for each marked place.
    """
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
        The row.

    Returns
    -------
    values : list of float or None
        None when it holds anything else than numbers up to `LARGEST`.
    mended : bool
        Whether numbers had to be separated (``0.0-7.5``) or decimal commas replaced.

    Examples
    --------
    >>> read_numbers("1.5 2,5 3")
    ([1.5, 2.5, 3.0], True)
    """
    for mended, candidate in enumerate(
        (text, _GLUED.sub(" ", text), _GLUED.sub(" ", text.replace(",", ".")))
    ):
        try:
            values = [float(word) for word in candidate.split()]
        except ValueError:
            continue
        if all(abs(v) <= LARGEST for v in values):
            return values, mended > 0
    return None, False
