"""Places on a body where markers sit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from motionloom.fitting.marker_sets._labels import read_data

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
    several = loose if isinstance(loose, (list, tuple)) else 3 * [LOOSE if loose is None else loose]
    x, y, z = map(float, several)
    return (x, y, z)


@lru_cache(maxsize=8)
def places_of(body: str) -> Mapping[str, Place]:
    """All named places of a body, both sides: ``"left_asis"``, ``"c7"`` ...

    Examples
    --------
    >>> len(places_of("human")) > 40
    True
    """
    joints = read_data(f"body-{body}")["joints"]
    found = {}
    for name, row in read_data(f"places-{body}").items():
        for side, sign in sides_of(row).items():
            x, y, z = map(float, row["at"])
            whole = f"{side.lower()}_{name}" if side else name
            found[whole] = Place(
                name=whole,
                joint=on_side(joints, side, row["on"]),
                anchor=on_side(joints, side, row.get("from", row["on"])),
                at=(x if row.get("unmirrored") else sign * x, y, z),
                loose=spread_out(row.get("loose")),
            )
    return found


def sides_of(row: Mapping[str, Any]) -> Mapping[str, float]:
    """`SIDES` of what a body has on both sides, else one without a name."""
    return SIDES if row.get("sided") else {"": 1.0}


def on_side(joints: Mapping[str, Any], side: str, name: str) -> str:
    """Name of a joint on a side, where it has one."""
    return side + name if joints.get(name, {}).get("sided") else name
