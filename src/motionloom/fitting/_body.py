"""Prototype bodies: joints, proportions, how much these differ, and how far joints turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from motionloom.fitting.marker_sets._places import on_side, read_data, sides_of
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import Skeleton
from motionloom.typing import Array, Ints


@dataclass(frozen=True)
class Proportion:
    """A distance between two joints that goes with the body's size.

    Parameters
    ----------
    name : str
        Such as ``"left thigh"``.
    ends : tuple of str
        Names of the joints.
    share : float
        Of the body's size.
    differs : float
        Standard deviation of the share among bodies.
    """

    name: str
    ends: tuple[str, str]
    share: float
    differs: float


@dataclass(frozen=True, eq=False)
class Prototype:
    """A body of size 1 that is scaled and varied to fit.

    Parameters
    ----------
    kind : str
        ``"human"`` or ``"dog"``.
    names : tuple of str
        Of the joints.
    parents : int array of shape (J,)
        As of a skeleton.
    shares : array of shape (J, 3)
        Offsets of the joints in shares of the body's size.
    vary : array of shape (J, 3)
        Standard deviation of the shares; 0 where an offset only scales.
    spread : array of shape (J, 3), radians
        How far joints usually turn; see `MarkerModel`.
    tips : mapping of str to tuple of float
        End sites in shares, by joint.
    proportions : tuple of Proportion
        What is compared with the size.
    sizes : tuple of float, metres
        Smallest and largest size that is plausible.
    """

    kind: str
    names: tuple[str, ...]
    parents: Ints
    shares: Array
    vary: Array
    spread: Array
    tips: Mapping[str, tuple[float, ...]]
    proportions: tuple[Proportion, ...]
    sizes: tuple[float, float]

    def skeleton(self, size: float = 1.0, offsets: Array | None = None) -> Skeleton:
        """The body at a size, or with given offsets; tips always scale."""
        places = self.shares * size if offsets is None else offsets
        return Skeleton(
            self.names,
            self.parents,
            places,
            np.array([self.names.index(joint) for joint in self.tips], int),
            size * np.array(list(self.tips.values()), float).reshape(-1, 3),
        )

    @property
    def roles(self) -> Roles:
        """Which joint plays which part."""
        return find_roles(self.skeleton())

    def index(self, name: str) -> int:
        """Number of a joint."""
        return self.names.index(name)


@lru_cache(maxsize=4)
def prototype(kind: str = "human") -> Prototype:
    """The prototype of a kind of body: ``"human"`` or ``"dog"``."""
    data = read_data(f"body-{kind}")
    joints = data["joints"]
    rows = _rows(joints)
    names = tuple(rows)
    parents = [names.index(row["on"]) if row["on"] else -1 for row in rows.values()]
    tips = {
        side + name: (sign * x, y, z)
        for name, (x, y, z) in data["tips"].items()
        for side, sign in sides_of(joints[name]).items()
    }
    return Prototype(
        kind=data["kind"],
        names=names,
        parents=np.array(parents),
        shares=np.array([row["at"] for row in rows.values()]),
        vary=np.array([row["vary"] for row in rows.values()]),
        spread=np.array([row["spread"] for row in rows.values()]),
        tips=tips,
        proportions=_proportions(data),
        sizes=tuple(data["sizes"]),
    )


def _rows(joints: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Rows of all joints, both sides, parents before children."""
    return {
        side + name: {
            "on": on_side(joints, side, row.get("on", "")),
            "at": np.multiply((sign, 1.0, 1.0), row["at"]),
            "vary": row.get("vary", (0.0, 0.0, 0.0)),
            "spread": row.get("spread", (np.inf, np.inf, np.inf)),
        }
        for name, row in joints.items()
        for side, sign in sides_of(row).items()
    }


def _proportions(data: Mapping[str, Any]) -> tuple[Proportion, ...]:
    joints = data["joints"]
    found = []
    for name, row in data["proportions"].items():
        sided = any(joints.get(row[end], {}).get("sided") for end in ("from", "to"))
        for side in sides_of({"sided": sided}):
            ends = on_side(joints, side, row["from"]), on_side(joints, side, row["to"])
            title = f"{side.lower()} {name}".strip()
            found.append(Proportion(title, ends, row["share"], row["differs"]))
    return tuple(found)


@dataclass(frozen=True, eq=False)
class Lengths:
    """How a skeleton's offsets depend on few numbers.

    Parameters
    ----------
    directions : array of shape (K, J, 3)
        What each of K numbers, the first being the size, adds to the joints' offsets.
    spread : array of shape (K,)
        Standard deviation of each among bodies of size 1; infinite for the size.
    """

    directions: Array
    spread: Array

    def offsets(self, values: Array) -> Array:
        """Offsets of the joints, shape (J, 3), metres."""
        return np.asarray(np.einsum("k,kjc->jc", values, self.directions))


def lengths_of(body: Prototype, symmetric: bool = True) -> Lengths:
    """Numbers that a body's lengths depend on: its size, and what differs from its proportions."""
    directions = [body.shares]
    spread = [np.inf]
    for j, name in enumerate(body.names):
        mirrored = name.startswith("Right") and symmetric
        for axis in range(3):
            if mirrored or not body.vary[j, axis] > 0:
                continue
            direction = np.zeros_like(body.shares)
            direction[j, axis] = 1.0
            if symmetric and name.startswith("Left"):
                other = body.index("Right" + name.removeprefix("Left"))
                direction[other, axis] = -1.0 if axis == 0 else 1.0
            directions.append(direction)
            spread.append(float(body.vary[j, axis]))
    return Lengths(np.stack(directions), np.array(spread))
