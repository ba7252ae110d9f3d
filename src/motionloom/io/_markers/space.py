"""Units and axes of marker files: from the file, the user, or guessed from the markers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from motionloom.io._notes import Notes
from motionloom.io.units import (
    UNIT_NAMES,
    UNITS,
    axes_to_y_up,
    check_unit,
    is_insisted,
    turn_vectors,
)
from motionloom.motion import Source
from motionloom.typing import Array, Bools, PathName

#: Extents of all markers (metres) that nothing needs to be said about: from a hand to a large
#: stage.
PLAUSIBLE_EXTENT = (0.05, 50.0)
TYPICAL_EXTENT = 1.5


@dataclass(frozen=True)
class MarkerSpace:
    """How a file's numbers become positions: metres, +Y up.

    Parameters
    ----------
    unit : float
        Metres per unit of the file.
    unit_reason : str
        Why that unit was taken.
    up : str
        The file's up axis.
    """

    unit: float
    unit_reason: str
    up: str

    def to_metres(self, positions: ArrayLike) -> Array:
        """Positions (..., 3) of the file in metres, +Y up."""
        return turn_vectors(axes_to_y_up(self.up, markers=True), positions) * self.unit

    def source(self, kind: str, path: PathName, notes: Notes, **extra: Any) -> Source:
        """Where markers come from: a format, its file, all that was noted, and the rest."""
        texts = notes.texts
        return Source(kind, str(path), self.unit, self.unit_reason, self.up, (), texts, extra)

    def from_metres(self, positions: ArrayLike) -> Array:
        """Undo `to_metres`."""
        return turn_vectors(axes_to_y_up(self.up, markers=True).T, positions) / self.unit


def find_marker_space(
    positions: Array,
    valid: Bools,
    notes: Notes,
    named: tuple[str | None, str | None],
    told: tuple[float | str | None, str | None],
    default_up: str,
) -> MarkerSpace:
    """Unit and up axis of a marker file.

    Parameters
    ----------
    positions : array of shape (T, M, 3)
        In the file's unit and axes.
    valid : bool array of shape (T, M)
        Whether the marker was seen.
    notes : Notes
        Takes guesses and what looks wrong.
    named : tuple of str or None
        Unit and up axis as the file says them; None or a unit that nobody knows leads to a guess.
    told : tuple of float (metres) or str or None
        Unit and up axis as the user says them, as `load` takes them; they win.
    default_up : str
        Up axis where the markers do not tell.

    Returns
    -------
    MarkerSpace
        Turns the file's numbers into metres, +Y up.

    Raises
    ------
    InvalidInputError
        When what the user says cannot be used.
    """
    (named_unit, named_up), (unit, up) = named, told
    low, high = _extremes(positions, valid)
    chosen_up = _choose_up(low, high, notes, named_up, up, default_up)
    metres, reason = _choose_unit(low, high, notes, named_unit, unit, "xyz".index(chosen_up))
    return MarkerSpace(metres, reason, chosen_up)


def note_rate(rate: float, notes: Notes) -> None:
    """Tell a frame rate that hardly any cameras have."""
    if not 1 <= rate <= 10_000:
        notes.guessed(f"a rate of {rate:g} frames per second is unusual; check it")


def without_zeros(positions: Array, seen: Bools, notes: Notes, why: str = "") -> Bools:
    """Which markers (T, N) were seen, those at exactly 0 0 0 not.

    Parameters
    ----------
    positions : array of shape (T, N, 3)
        Of the file.
    seen : bool array of shape (T, N)
        As the file says it.
    notes : Notes
        Told of them.
    why : str, optional
        The end of what is told.
    """
    zero: Bools = seen & (positions == 0).all(axis=-1)
    if zero.any():
        notes.guessed(f"{zero.sum()} points at exactly 0 0 0 are taken as not seen{why}")
    return seen & ~zero


def _guess_marker_up(low: Array, high: Array) -> str | None:
    """Axis along which the lowest marker stays near zero, as over a floor.

    Parameters
    ----------
    low, high : array of shape (N, 3)
        Least and largest coordinate of all markers in each frame.

    Returns
    -------
    str or None
        ``"x"``, ``"y"`` or ``"z"``; None where it is not clear.
    """
    if not len(low):
        return None
    span = np.median(high - low, axis=0)
    if not span.max() > 0:
        return None
    flat = span < 0.25 * span.max()
    wander = np.abs(np.median(low, axis=0)) + np.ptp(np.percentile(low, [5, 95], axis=0), axis=0)
    cost = np.where(flat, np.inf, wander / np.where(flat, 1.0, span))
    best, second = np.sort(cost)[:2]
    return "xyz"[int(np.argmin(cost))] if best < 0.4 and best < 0.5 * second else None


def _extremes(positions: Array, valid: Bools) -> tuple[Array, Array]:
    """Least and largest coordinates, shape (N, 3) each, of the frames where anything is seen."""
    seen = valid.any(axis=1)
    p, v = positions[seen], valid[seen][..., None]
    return np.min(p, axis=1, where=v, initial=np.inf), np.max(p, axis=1, where=v, initial=-np.inf)


def _choose_up(
    low: Array, high: Array, notes: Notes, named: str | None, told: str | None, default: str
) -> str:
    guess = _guess_marker_up(low, high)
    if told is not None:
        axes_to_y_up(told, markers=True)
        if guess is not None and guess != told:
            message = f"{told.upper()} was told to be up, but the markers stand on a floor along"
            notes.guessed(f"{message} {guess.upper()}")
        return told
    if named is None:
        why = "along it the lowest marker stays near zero" if guess else "the markers do not tell"
        message = "the file does not say which axis is up;"
        notes.guessed(f"{message} {(guess or default).upper()} is taken, as {why}")
        return guess or default
    if guess is not None and guess != named:
        message = f"the file says {named.upper()} is up, but the markers stand on a floor along"
        notes.guessed(f"{message} {guess.upper()}; if they lie down, give {guess} as the up axis")
    return named


def _choose_unit(
    low: Array, high: Array, notes: Notes, named: str | None, told: float | str | None, up: int
) -> tuple[float, str]:
    extent = float(np.median((high - low).max(axis=1))) if len(low) else 0.0
    if told is not None:
        metres = check_unit(told)
        if extent > 0 and not (
            is_insisted(told) or PLAUSIBLE_EXTENT[0] <= extent * metres <= PLAUSIBLE_EXTENT[1]
        ):
            notes.guessed(f"with the unit {told} the markers span {extent * metres:.3g} m")
        return metres, "told by the user"
    known = UNIT_NAMES.get((named or "").strip().lower())
    if known is not None:
        if extent > 0 and not PLAUSIBLE_EXTENT[0] <= extent * known <= PLAUSIBLE_EXTENT[1]:
            message = f"the file says its unit is {named}, but then the markers span"
            notes.guessed(f"{message} {extent * known:.3g} m; give the unit if that is wrong")
        return known, f"the file says {(named or '').strip()}"
    said = f"the unknown unit {named.strip()[:20]!r}" if named and named.strip() else "no unit"
    height = float(np.median(high[:, up] - low[:, up])) if len(low) else 0.0
    if not height > 0:
        notes.guessed(f"the file names {said} and nothing tells; a unit is taken as a millimetre")
        return 0.001, "taken as a millimetre"
    names = [n for n in UNITS if n.endswith("metre")]
    best = min(names, key=lambda n: abs(np.log(height * UNITS[n] / TYPICAL_EXTENT)))
    reason = f"the markers rise {height:.4g} units,"
    reason = f"{reason} which is {height * UNITS[best]:.3g} m if a unit is a {best}"
    notes.guessed(f"the file names {said}; {reason}")
    return UNITS[best], reason


def name_markers(
    labels: Sequence[str], count: int, notes: Notes, what: str = "marker"
) -> list[str]:
    """Make exactly `count` different names out of the labels of a file.

    Parameters
    ----------
    labels : sequence of str
        As the file has them; too many, too few, empty or repeated ones are noted.
    count : int
        How many there are to name.
    notes : Notes
        Takes what was made up, repeated or left over; refuses made-up and repeated names when
        strict.
    what : str, optional
        What is named; also the stem of made-up names.

    Returns
    -------
    list of str
        In the order of the labels.
    """
    labels = [label.strip() for label in labels]
    if any(labels[count:]):
        message = f"there are {len(labels)} labels for {count} {what}s;"
        notes.guessed(f"{message} the last {len(labels) - count} are left out")
    names: list[str] = []
    taken = set(labels[:count])
    made_up = repeated = 0
    used: set[str] = set()
    numbers: dict[str, int] = {}
    for i in range(count):
        name = labels[i] if i < len(labels) else ""
        if not name:
            made_up += 1
            name = _free(f"{what}{i + 1}", taken, numbers)
        elif name in used:
            repeated += 1
            name = _free(name, taken, numbers)
        used.add(name)
        taken.add(name)
        names.append(name)
    if made_up:
        notes.mended(f"{made_up} of {count} {what}s have no label; they are named by number")
    if repeated:
        notes.mended(f"{repeated} {what} labels appear more than once; a number is added to them")
    return names


def _free(name: str, taken: set[str], numbers: dict[str, int]) -> str:
    """`name`, with a number behind it where it is taken; `numbers` keeps which were tried."""
    candidate = name
    n = numbers.get(name, 2)
    while candidate in taken:
        candidate = f"{name}_{n}"
        n += 1
    numbers[name] = n
    return candidate
