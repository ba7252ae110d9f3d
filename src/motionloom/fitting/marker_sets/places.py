"""Places on a body where markers sit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from motionloom.fitting.marker_sets.labels import read_data

#: Standard deviation (metres) of a marker about its place where nothing else is said.
LOOSE = 0.008
#: Sides of a body, and what its left side is multiplied with to be that side.
SIDES = {"Left": 1.0, "Right": -1.0}

Triple = tuple[float, float, float]


@dataclass(frozen=True)
class Place:
    """Where on a body a marker sits.

    Parameters
    ----------
    name : str
        Such as ``"left_knee_lateral"``.
    joint : str
        Joint whose segment carries it.
    anchor : str
        Joint from which `at` is measured: the same one, or one of its children.
    at : tuple of float
        Left, up and ahead in shares of the body's size, body at rest.
    loose : tuple of float, metres
        Standard deviation about that place.
    """

    name: str
    joint: str
    anchor: str
    at: Triple
    loose: Triple = (LOOSE, LOOSE, LOOSE)


def spread_out(loose: float | list[float] | tuple[float, ...] | None) -> Triple:
    """A standard deviation for all three axes, or one for each."""
    if isinstance(loose, (list, tuple)):
        x, y, z = map(float, loose)
        return (x, y, z)
    one = LOOSE if loose is None else float(loose)
    return (one, one, one)


@lru_cache(maxsize=8)
def places_of(body: str) -> Mapping[str, Place]:
    """All named places of a body, both sides: ``"left_asis"``, ``"c7"`` ...

    Examples
    --------
    >>> len(places_of("human")) > 40
    True
    """
    sided = sided_joints(body)
    found: dict[str, Place] = {}
    for name, row in read_data(f"places-{body}").items():
        for place in _both_sides(name, row, sided) if row.get("sided") else [_place(name, row)]:
            found[place.name] = place
    return found


@lru_cache(maxsize=8)
def sided_joints(body: str) -> frozenset[str]:
    """Names, without the side, of joints that a body has on both sides."""
    rows = read_data(f"body-{body}")["joints"]
    return frozenset(name for name, row in rows.items() if row.get("sided"))


def _place(name: str, row: Mapping[str, Any]) -> Place:
    x, y, z = map(float, row["at"])
    joint = row["on"]
    return Place(name, joint, row.get("from", joint), (x, y, z), spread_out(row.get("loose")))


def _both_sides(name: str, row: Mapping[str, Any], sided: frozenset[str]) -> list[Place]:
    found = []
    for side, sign in SIDES.items():
        x, y, z = map(float, row["at"])
        joint = _on_side(row["on"], side, sided)
        anchor = _on_side(row.get("from", row["on"]), side, sided)
        mirrored = x if row.get("unmirrored") else sign * x
        whole = f"{side.lower()}_{name}"
        found.append(Place(whole, joint, anchor, (mirrored, y, z), spread_out(row.get("loose"))))
    return found


def _on_side(joint: str, side: str, sided: frozenset[str]) -> str:
    return f"{side}{joint}" if joint in sided else joint
