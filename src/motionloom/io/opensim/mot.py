"""MOT files: OpenSim's tables of named columns over time, such as joint angles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.io.files import write_file
from motionloom.skeleton import restore_read_only
from motionloom.typing import Array


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
