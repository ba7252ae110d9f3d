"""MOT files read: OpenSim's tables of named columns over time."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motionloom.errors import FormatError
from motionloom.io.files import decode, name_of, read_text_bytes
from motionloom.io.limits import MOST_FRAMES
from motionloom.io.opensim.angles import MotTable
from motionloom.skeleton import frozen_array

Array = NDArray[np.float64]

#: The header ends within so many lines, and names at most so many columns.
_HEAD_LINES, _MOST_COLUMNS = 100, 10_000


def read_mot(path: str | PathLike[str]) -> MotTable:
    """Read a table that OpenSim or `write_mot` wrote.

    Parameters
    ----------
    path : path-like
        The file.

    Returns
    -------
    MotTable
        Angles as the file has them.

    Raises
    ------
    FormatError
        When it is no such table.
    """
    lines = decode(read_text_bytes(path)).splitlines()
    head = [line.strip().lower() for line in lines[:_HEAD_LINES]]
    if "endheader" not in head:
        raise FormatError(
            f"expected a line 'endheader' within {_HEAD_LINES} lines, found none; is this a MOT"
            " file?",
            path,
        )
    end = head.index("endheader")
    names = lines[end + 1].split() if end + 1 < len(lines) else []
    if not names or names[0].lower() != "time" or len(names) > _MOST_COLUMNS:
        raise FormatError(
            f"expected names of columns that begin with 'time', found {' '.join(names[:3])!r}",
            path,
            end + 2,
        )
    values = _read_rows(lines, end + 2, len(names), path)
    columns = {n: frozen_array(values[:, i]) for i, n in enumerate(names) if i}
    degrees = any(line.replace(" ", "") == "indegrees=yes" for line in head)
    named = lines[0].strip() or name_of(Path(path))
    return MotTable(frozen_array(values[:, 0]), columns, degrees, named)


def _read_rows(lines: list[str], first: int, width: int, path: str | PathLike[str]) -> Array:
    if len(lines) - first > MOST_FRAMES:
        raise FormatError(f"more than {MOST_FRAMES} rows", path)
    rows: list[ArrayLike] = []
    for i, line in enumerate(lines[first:], first + 1):
        words = line.split()
        if not words:
            continue
        try:
            row = [float(word) for word in words]
        except ValueError:
            raise FormatError(f"expected numbers, found {line.strip()[:30]!r}", path, i) from None
        if len(row) != width:
            raise FormatError(f"expected {width} columns, found {len(row)}", path, i)
        rows.append(row)
    return np.array(rows, float).reshape(-1, width)
