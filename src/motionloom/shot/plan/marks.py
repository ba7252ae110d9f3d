"""Places and points of a shot: marks by their names, or numbers as they are."""

from __future__ import annotations

import difflib

from motionloom.constraints.values import Ground
from motionloom.io.field_path import Path
from motionloom.shot.script.reading import ShotFile
from motionloom.shot.script.shot import Mark


def place_of(
    file: ShotFile, where: Path, place: str | Ground, facing: float | None = None
) -> tuple[Ground, float | None]:
    """Position and facing of a mark or place.

    Parameters
    ----------
    file : ShotFile
        Knows the marks.
    where : tuple of str and int
        Path of the field, for messages.
    place : str or tuple of (float, float)
        As it is in the file.
    facing : float, degrees, optional
        Goes before the mark's.

    Returns
    -------
    position : tuple of (float, float), metres
        For the body that the clips are of; see `ShotFile.scale`.
    facing : float, degrees, or None
    """
    if not isinstance(place, str):
        return file.scaled(place), facing
    mark = file.shot.marks.get(place)
    if mark is None or mark.position is None:
        raise _no_mark(file, where, place, "position")
    return file.scaled(mark.position), mark.facing if facing is None else facing


def point_of(
    file: ShotFile, where: Path, point: str | tuple[float, float, float]
) -> tuple[float, float, float]:
    """A mark's point, or the point itself; see `place_of`."""
    if not isinstance(point, str):
        return point
    mark = file.shot.marks.get(point)
    if mark is None or mark.point is None:
        raise _no_mark(file, where, point, "point")
    return mark.point


def _no_mark(file: ShotFile, where: Path, name: str, field: str) -> Exception:
    def has(mark: Mark) -> bool:
        return getattr(mark, field) is not None

    known = [other for other, mark in file.shot.marks.items() if has(mark)]
    near = difflib.get_close_matches(name, known, n=2, cutoff=0.5) or known[:6]
    advice = f"use one of {', '.join(near)}" if near else f"add it to marks, with a {field}"
    return file.fault(where, f"no mark with a {field} is called {name!r}; {advice}")
