"""Seeded damage to files, as disks, editors and bad exporters do it: what every reader must
survive.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

_NUMBER = re.compile(rb"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")
_BLOWN_UP = (
    b"999999999",
    b"-1",
    b"0",
    b"1e308",
    b"nan",
    b"inf",
    b"1e-308",
    b"4294967296",
    b"",
    b"0.0-7.5",
    b"x",
)


def mutate(data: bytes, rng: np.random.Generator) -> bytes:
    """Damage `data` in one to four ways."""
    for _ in range(int(rng.integers(1, 5))):
        damage = MUTATIONS[int(rng.integers(len(MUTATIONS)))]
        data = damage(data, rng) if data else data
    return data


def _place(data: bytes, rng: np.random.Generator) -> int:
    """Somewhere, half of the time near the start: heads are short and bodies long."""
    length = len(data) if rng.random() < 0.5 else min(len(data), 4096)
    return int(rng.integers(length))


def flip_bytes(data: bytes, rng: np.random.Generator) -> bytes:
    """Replace a few bytes by others."""
    out = bytearray(data)
    for _ in range(int(rng.integers(1, 9))):
        out[_place(data, rng)] = int(rng.integers(256))
    return bytes(out)


def flip_bits(data: bytes, rng: np.random.Generator) -> bytes:
    """Flip single bits."""
    out = bytearray(data)
    for _ in range(int(rng.integers(1, 9))):
        out[_place(data, rng)] ^= 1 << int(rng.integers(8))
    return bytes(out)


def truncate(data: bytes, rng: np.random.Generator) -> bytes:
    """Cut the end off."""
    return data[: _place(data, rng)]


def cut_out(data: bytes, rng: np.random.Generator) -> bytes:
    """Remove a stretch."""
    start = _place(data, rng)
    return data[:start] + data[start + int(rng.integers(1, 200)) :]


def _lines(data: bytes) -> list[bytes]:
    return data.split(b"\n")


def _line(lines: list[bytes], rng: np.random.Generator) -> int:
    """A line, half of the time among the first 200."""
    return int(rng.integers(len(lines) if rng.random() < 0.5 else min(len(lines), 200)))


def drop_line(data: bytes, rng: np.random.Generator) -> bytes:
    """Leave a line out."""
    lines = _lines(data)
    del lines[_line(lines, rng)]
    return b"\n".join(lines)


def repeat_line(data: bytes, rng: np.random.Generator) -> bytes:
    """Write a line again, once or a thousand times."""
    lines = _lines(data)
    at = _line(lines, rng)
    times = 1000 if rng.random() < 0.1 else 1
    return b"\n".join(lines[:at] + lines[at : at + 1] * times + lines[at:])


def swap_lines(data: bytes, rng: np.random.Generator) -> bytes:
    """Exchange two lines."""
    lines = _lines(data)
    a, b = _line(lines, rng), _line(lines, rng)
    lines[a], lines[b] = lines[b], lines[a]
    return b"\n".join(lines)


def _numbers(data: bytes, rng: np.random.Generator) -> list[tuple[int, int]]:
    """Where numbers are in a stretch of text."""
    start = max(_place(data, rng) - 1000, 0)
    return [
        (start + m.start(), start + m.end()) for m in _NUMBER.finditer(data[start : start + 4000])
    ]


def blow_up_number(data: bytes, rng: np.random.Generator) -> bytes:
    """Put something in the place of a number that no one expects there."""
    found = _numbers(data, rng)
    if not found:
        return data
    start, stop = found[int(rng.integers(len(found)))]
    return data[:start] + _BLOWN_UP[int(rng.integers(len(_BLOWN_UP)))] + data[stop:]


def swap_numbers(data: bytes, rng: np.random.Generator) -> bytes:
    """Exchange two numbers."""
    found = _numbers(data, rng)
    if len(found) < 2:
        return data
    first, second = sorted(rng.choice(len(found), 2, replace=False))
    (a, b), (c, d) = found[first], found[second]
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


MUTATIONS: tuple[Callable[[bytes, np.random.Generator], bytes], ...] = (
    flip_bytes,
    flip_bits,
    truncate,
    cut_out,
    drop_line,
    repeat_line,
    swap_lines,
    blow_up_number,
    swap_numbers,
)
