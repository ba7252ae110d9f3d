"""Labels of clips, kept in a library."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fnmatch import fnmatchcase
from os import PathLike
from pathlib import Path
from typing import Protocol

from motionloom.errors import InvalidInputError
from motionloom.library.manifest import ClipLabel
from motionloom.library.writer import writing


class LabelRow(Protocol):
    """A row of a labels file: clips (name or pattern), a label, from and to in seconds."""

    @property
    def clips(self) -> str:
        """Name of a clip, or a pattern."""

    @property
    def label(self) -> str:
        """The label."""

    @property
    def begin(self) -> float:
        """From when, seconds."""

    @property
    def end(self) -> float:
        """Until when, seconds; infinite for the clip's end."""


def set_labels(path: str | PathLike[str], rows: Iterable[LabelRow]) -> tuple[str, ...]:
    """Give the clips of a library that `rows` name these labels instead of those they had; returns
    their names.

    Parameters
    ----------
    path : path-like
    rows : iterable of LabelRow
        Such as `motionloom.clips.labels.read_labels` reads them.

    Raises
    ------
    InvalidInputError
        When no row is for a clip of the library.
    """
    folder = Path(path)
    rows = list(rows)
    with writing(folder) as writer:
        found = {
            name: tuple(map(_label, own)) for name, own in _rows_of(writer.clips, rows).items()
        }
        if not found:
            raise InvalidInputError(f"{folder}: none of the labels is for a clip of this library")
        writer.manifest = writer.manifest.model_copy(
            update={"labels": {**writer.manifest.labels, **found}}
        )
    return tuple(sorted(found))


def _rows_of(names: Iterable[str], rows: Iterable[LabelRow]) -> dict[str, list[LabelRow]]:
    """Rows for each clip that any is for, in their order; only patterns meet every name."""
    found: dict[str, list[LabelRow]] = {name: [] for name in names}
    for row in rows:
        if any(c in row.clips for c in "*?["):
            for name in found:
                if fnmatchcase(name, row.clips):
                    found[name].append(row)
        elif row.clips in found:
            found[row.clips].append(row)
    return {name: own for name, own in found.items() if own}


def _label(row: LabelRow) -> ClipLabel:
    return ClipLabel(label=row.label, begin=row.begin, end=None if math.isinf(row.end) else row.end)
