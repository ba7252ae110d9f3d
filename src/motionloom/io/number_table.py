"""Blocks of numbers in text, parsed fast, with the row and line of all that is not a number."""

from __future__ import annotations

import re
import string
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from motionloom.typing import Array, Bools, Ints

#: Numbers beyond this are no lengths or angles, in whatever unit.
LARGEST = 1e10
#: Bytes of a small block, what plain numbers consist of, and their most characters: all have 15
#: digits at most. Names between them begin with a letter.
_SMALL, _PLAIN, _FEW = 1 << 20, b"0123456789.-+ \t\r\n", 15
_NAMED = _PLAIN + string.ascii_letters.encode() + b"_"
#: Powers of ten that are exact, and bytes with names after which loading compiled code has paid.
_EXACT, _PAID = 22, 1 << 22
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

    values: Array
    starts: Ints
    lines: Ints
    offsets: Ints
    bad: Bools


class _Named:
    """Bytes so far of blocks that were not all plain numbers."""

    seen = 0


def parse_rows(data: bytes) -> NumberRows:
    r"""Parse a block of numbers separated by blanks.

    Numbers of up to 15 digits and powers of ten within 22 are exact, others right to 15 digits
    (beyond 1e-280, where they may become 0).

    Examples
    --------
    >>> parse_rows(b"1 2\n3 4\n").values
    array([1., 2., 3., 4.])
    """
    if data[:_SMALL].translate(None, _PLAIN):
        _Named.seen += len(data)
        if _Named.seen > _PAID:
            return _parse_any(data)
    return _parse_plain(data) or _parse_any(data)


def _parse_plain(data: bytes) -> NumberRows | None:
    """Parse a small block of plain numbers of few digits, and names; None for any other.

    Compiled code would not be done with loading by then. These numbers are exact either way.
    """
    if len(data) > _SMALL or data.translate(None, _NAMED):
        return None
    words = data.split()
    named = bool(data.translate(None, _PLAIN))
    numbers = [word for word in words if not word[:1].isalpha()] if named else words
    if not numbers or not (_are_exact(numbers) if named else max(map(len, words)) <= _FEW):
        return None
    try:
        values = np.array([np.nan if word[:1].isalpha() else float(word) for word in words])
    except ValueError:
        return None
    if not np.nanmax(np.abs(values)) <= LARGEST:
        return None
    rows = data.split(b"\n")
    counts = np.array([len(row.split()) for row in rows])
    blanks = np.array([len(row) - len(row.lstrip()) for row in rows])
    begins = np.cumsum([0, *(len(row) + 1 for row in rows[:-1])]) + blanks
    lines = np.flatnonzero(counts)
    starts = np.concatenate([[0], np.cumsum(counts[lines])])
    bad = np.logical_or.reduceat(np.isnan(values), starts[:-1])
    return NumberRows(values, starts, lines, begins[lines], bad)


def _are_exact(words: list[bytes]) -> bool:
    """Whether plain numbers have few digits, and none is of a power of ten beyond 22."""
    plain = [word for word in words if b"e" not in word]
    if max(map(len, plain), default=0) > _FEW or b"".join(plain).translate(None, _PLAIN):
        return False
    for word in words:
        if b"e" in word:
            number, _, power = word.partition(b"e")
            digits = power.lstrip(b"-+")
            if len(number) > _FEW or number.translate(None, _PLAIN) or not 0 < len(digits) < 4:
                return False
            if not digits.isdigit() or int(digits) + len(number.partition(b".")[2]) > _EXACT:
                return False
    return True


def _parse_any(data: bytes) -> NumberRows:
    from motionloom.io.number_kernels import parse

    n_lines = data.count(b"\n") + 1
    # Two bytes hold a number and its blank at least; pages that are not written to cost nothing.
    values = np.empty(len(data) // 2 + 1)
    starts = np.empty(n_lines + 1, np.int64)
    lines = np.empty(n_lines, np.int64)
    offsets = np.empty(n_lines, np.int64)
    bad = np.zeros(n_lines, np.bool_)
    text = np.frombuffer(data + b"\n", np.uint8)
    n_values, n_rows = parse(text, _POWERS, LARGEST, values, starts, lines, offsets, bad)
    return NumberRows(
        values[:n_values], starts[: n_rows + 1], lines[:n_rows], offsets[:n_rows], bad[:n_rows]
    )


def without_comments(data: bytes) -> bytes:
    r"""Text with blanks for everything from a ``#`` to the line's end: all else stays in place.

    Examples
    --------
    >>> without_comments(b"1 2 # left\n3")
    b'1 2       \n3'
    """
    if b"#" not in data:
        return data
    from motionloom.io.number_kernels import blank_comments

    text = np.frombuffer(data, np.uint8).copy()
    blank_comments(text)
    return text.tobytes()


def place_rows(values: Array, starts: Ints, table: Array) -> None:
    """Write the numbers of each row into its row of a table, as many as have a column.

    Parameters
    ----------
    values, starts : arrays
        As of `NumberRows`.
    table : array of shape (R, C)
        Changed in place.
    """
    from motionloom.io.number_kernels import place

    place(values, starts, table)


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
