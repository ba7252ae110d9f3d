"""A user's table of markers: what labels that no marker set knows stand for."""

from __future__ import annotations

import difflib
from os import PathLike
from typing import Any

import numpy as np

from motionloom.fitting._body import prototype
from motionloom.fitting.marker_sets._places import Place, places_of, spread_out
from motionloom.io.document import read_document
from motionloom.skeleton import few

#: What leaves a label out.
_NONE = ("none", None)
_BODIES = ("human", "dog")
#: Largest share of the size that a place lies from its joint, and loosest place (metres).
_FAR = 1.0
_LOOSEST = 0.5
_KEYS = ("on", "from", "at", "loose")


def read_marker_table(path: str | PathLike[str]) -> tuple[dict[str, Place | None], str | None]:
    """Read a user's table.

    Parameters
    ----------
    path : path-like
        YAML or JSON: ``LABEL: PLACE`` for each label, PLACE being the name of a place
        (``left_knee_lateral``), ``none`` to leave the label out, or a mapping ``{on: JOINT, at: [x,
        y, z]}`` in shares of the body's size with, if wanted, ``from: JOINT`` and ``loose:
        METRES``; ``body: dog`` for another body than a person's.

    Returns
    -------
    table : dict of str to Place or None
        By label.
    body : str or None
        As the table says.

    Raises
    ------
    FormatError
        With the line, for what is no such table.
    """
    document = read_document(path)
    told = document.value
    if not isinstance(told, dict) or not told:
        raise document.fault("expected lines of 'LABEL: PLACE', such as 'M12: left_knee_lateral'")
    body = told.get("body")
    if body is not None and body not in _BODIES:
        raise document.fault(f"body must be {' or '.join(_BODIES)}, got {body!r}", "body")
    rows = {str(label): row for label, row in told.items() if label != "body"}
    try:
        return {name: _place(name, row, body or "human") for name, row in rows.items()}, body
    except _WrongPlaceError as error:
        label, message = error.args
        raise document.fault(f"{label}: {message}", label) from None


class _WrongPlaceError(ValueError):
    """A label, and what is wrong with its place."""


def _place(label: str, row: Any, body: str) -> Place | None:
    if row in _NONE:
        return None
    known = places_of(body)
    if isinstance(row, str):
        if row not in known:
            near = few(difflib.get_close_matches(row, known, 4, 0.3) or list(known), 8)
            wanted = f"expected one of {near}, none, or {{on: JOINT, at: [x, y, z]}}"
            raise _WrongPlaceError(label, f"there is no place {row!r} on a {body}; {wanted}")
        return known[row]
    if not isinstance(row, dict) or not set(row) <= set(_KEYS) or "on" not in row:
        raise _WrongPlaceError(
            label,
            "expected the name of a place, none, or {on: JOINT, at: [x, y, z]} with, if"
            f" wanted, from: JOINT and loose: METRES, got {str(row)[:80]!r}",
        )
    return _own_place(label, row, body)


def _own_place(label: str, row: dict[str, Any], body: str) -> Place:
    joints = prototype(body).names
    for key in ("on", "from"):
        if key in row and row[key] not in joints:
            message = f"a {body} has no joint {row[key]!r}, but {', '.join(joints)}"
            raise _WrongPlaceError(label, message)
    at = row.get("at", [0.0, 0.0, 0.0])
    if not _numbers(at, 3, -_FAR, _FAR):
        wanted = "at must be three shares of the body's size, left, up and ahead, each between"
        raise _WrongPlaceError(label, f"{wanted} -1 and 1, got {str(at)[:80]}")
    loose = row.get("loose")
    several = loose if isinstance(loose, list) else 3 * [loose]
    if loose is not None and not _numbers(several, 3, 1e-4, _LOOSEST):
        wanted = f"loose must be one or three numbers of metres up to {_LOOSEST}"
        raise _WrongPlaceError(label, f"{wanted}, got {str(loose)[:80]}")
    x, y, z = map(float, at)
    return Place(label, row["on"], row.get("from", row["on"]), (x, y, z), spread_out(loose))


def _numbers(values: Any, count: int, low: float, high: float) -> bool:
    if not isinstance(values, list) or len(values) != count:
        return False
    plain = all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values)
    return plain and bool(np.all((np.array(values) >= low) & (np.array(values) <= high)))
