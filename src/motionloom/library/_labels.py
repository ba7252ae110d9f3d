"""Labels of clips, kept in a library."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from math import inf
from pathlib import Path

from motionloom.clips.labels import Label
from motionloom.errors import InvalidInputError
from motionloom.library.manifest import ClipLabel
from motionloom.library.writer import writing
from motionloom.typing import PathName


def set_labels(path: PathName, rows: Iterable[Label]) -> tuple[str, ...]:
    """Give the clips of a library that rows name these labels instead of those they had.

    Parameters
    ----------
    path : path-like
        The library.
    rows : iterable of Label
        Such as `motionloom.clips.labels.read_labels` reads them.

    Returns
    -------
    tuple of str
        Names of the clips with new labels, sorted.

    Raises
    ------
    InvalidInputError
        When no row is for a clip of the library.
    MotionloomError
        When there is no library, or it cannot be read or changed.
    """
    folder = Path(path)
    with writing(folder) as writer:
        found = _labels_of(writer.clips, rows)
        if not found:
            raise InvalidInputError(f"{folder}: none of the labels is for a clip of this library")
        writer.manifest = writer.manifest.model_copy(
            update={"labels": {**writer.manifest.labels, **found}}
        )
    return tuple(sorted(found))


def _labels_of(names: Iterable[str], rows: Iterable[Label]) -> dict[str, tuple[ClipLabel, ...]]:
    """Labels of each clip that has any, in their order; only patterns meet every name."""
    found: dict[str, list[ClipLabel]] = {name: [] for name in names}
    for row in rows:
        end = None if row.end == inf else row.end
        label = ClipLabel(label=row.label, begin=row.begin, end=end)
        own = [n for n in found if fnmatchcase(n, row.clips)] if row.is_pattern else [row.clips]
        for name in own:
            if name in found:
                found[name].append(label)
    return {name: tuple(own) for name, own in found.items() if own}
