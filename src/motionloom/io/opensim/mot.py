"""MOT files: OpenSim's tables of named columns over time, such as joint angles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motionloom.errors import FormatError, InvalidInputError
from motionloom.io.files import decode, name_of, read_text_bytes, write_file
from motionloom.io.limits import MOST_FRAMES
from motionloom.skeleton import frozen_array, restore_read_only

Array = NDArray[np.float64]

#: The header ends within so many lines, and names at most so many columns.
_HEAD_LINES, _MOST_COLUMNS = 100, 10_000


@dataclass(frozen=True, eq=False)
class MotTable:
    """Columns over time.

    Parameters
    ----------
    times : array of shape (T,), seconds
        Of the rows.
    columns : mapping of str to array of shape (T,)
        By name, in the order of the file; angles in radians or degrees as `in_degrees` says, places
        in metres.
    in_degrees : bool
        Whether angles are degrees.
    name : str
        What the table shows.
    """

    times: Array
    columns: Mapping[str, Array]
    in_degrees: bool = True
    name: str = "Coordinates"
    __setstate__ = restore_read_only


def write_mot(table: MotTable, path: str | PathLike[str]) -> None:
    """Write a table as OpenSim reads it.

    Parameters
    ----------
    table : MotTable
        What is written.
    path : path-like
        Where to write; a file that is there is replaced.

    Raises
    ------
    InvalidInputError
        When columns do not have as many values as there are times, or the file cannot be written.
    """
    rows = [table.times]
    for name, column in table.columns.items():
        if np.shape(column) != np.shape(table.times):
            raise InvalidInputError(
                f"column {name!r} has {np.size(column)} values for {len(table.times)} times"
            )
        rows.append(np.asarray(column, float))
    values = np.stack(rows, axis=1)
    head = [
        table.name,
        "version=1",
        f"nRows={values.shape[0]}",
        f"nColumns={values.shape[1]}",
        f"inDegrees={'yes' if table.in_degrees else 'no'}",
        "",
        "Units are S.I. units (second, meters, Newtons, ...)",
        f"Angles are in {'degrees' if table.in_degrees else 'radians'}.",
        "",
        "endheader",
        "\t".join(["time", *table.columns]),
    ]
    body = ["\t".join(f"{value:.8f}" for value in row) for row in values.tolist()]
    write_file(path, "\n".join([*head, *body]) + "\n")


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
