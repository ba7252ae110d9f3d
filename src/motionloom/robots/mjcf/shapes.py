"""Geoms as spheres whose hull they are, and as capsules that are quick to test."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.robots.mjcf.nodes import Node
from motionloom.robots.mjcf.values import Conventions, read_numbers, read_place, read_turn, z_turn
from motionloom.robots.robot import Shape

Array = NDArray[np.float64]

#: How many sizes each kind of geom has; kinds that are not here are passed over.
SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}
#: Points on the rim of a cylinder.
_RIM = 12


def read_shape(
    node: Node,
    given: dict[str, str],
    conventions: Conventions,
    carried: tuple[Array, Array],
    where: tuple[int, int],
) -> Shape | None:
    """A geom, or None for meshes, planes and other kinds that are passed over.

    Parameters
    ----------
    node : Node
        The ``<geom>``.
    given : dict of str to str
        Its attributes with defaults filled in.
    conventions : Conventions
        Of the model.
    carried : (array of shape (3,), array of shape (4,))
        Place and turn of the geom's body in its link.
    where : (int, int)
        The body and the link.

    Returns
    -------
    Shape or None

    Raises
    ------
    FormatError
        When sizes are missing or not positive.
    """
    kind = given.get("type", "sphere")
    if kind not in SIZES or given.get("mesh"):
        return None
    place, turn, size = _frame(node, given, conventions, kind)
    if size.min() <= 0:
        raise node.error(f"size={given.get('size', '')!r}; expected positive sizes")
    bits = (_bits(node, given, "contype"), _bits(node, given, "conaffinity"))
    local, radius = _hull(kind, size)
    core, thickness = _capsule(kind, size)
    to_link = (rot.multiply(carried[1], turn), rot.rotate(carried[1], place) + carried[0])
    return Shape(
        where[0],
        kind,
        where[1],
        centers=rot.rotate(to_link[0], local) + to_link[1],
        radius=radius,
        core=rot.rotate(to_link[0], core) + to_link[1],
        thickness=thickness,
        collides=bits,
    )


def can_touch(node: Node, given: dict[str, str]) -> bool:
    """Whether a geom meets others: MuJoCo's bits are not both 0.

    Parameters
    ----------
    node : Node
        The ``<geom>``.
    given : dict of str to str
        Its attributes with defaults filled in.

    Returns
    -------
    bool
    """
    return bool(_bits(node, given, "contype") | _bits(node, given, "conaffinity"))


def _bits(node: Node, given: dict[str, str], name: str) -> int:
    return int(read_numbers(node, given, name, 1)[0]) if name in given else 1


def _frame(
    node: Node, given: dict[str, str], conventions: Conventions, kind: str
) -> tuple[Array, Array, Array]:
    """Place, turn and sizes of a geom in its body."""
    count = SIZES[kind]
    if "fromto" not in given:
        if "size" not in given:
            raise node.error(f"a {kind} needs size; expected {count} numbers")
        size = read_numbers(node, given, "size", count, 3)[:count]
        return read_place(node, given), read_turn(node, given, conventions), size
    ends = read_numbers(node, given, "fromto", 6).reshape(2, 3)
    along = ends[1] - ends[0]
    if count == 1 or not np.linalg.norm(along):
        raise node.error(f"fromto={given['fromto']!r}; expected two places, and no sphere")
    width = read_numbers(node, given, "size", 1, 3)[:1] if "size" in given else np.zeros(1)
    size = np.append(np.repeat(width, count - 1), 0.5 * np.linalg.norm(along))
    return ends.mean(axis=0), z_turn(along), size


def _hull(kind: str, size: Array) -> tuple[Array, float]:
    """Centres and radius of spheres whose hull is the geom (inside it for an ellipsoid)."""
    if kind == "sphere":
        return np.zeros((1, 3)), float(size[0])
    if kind == "capsule":
        return np.array([[0, 0, -size[1]], [0, 0, size[1]]]), float(size[0])
    if kind == "box":
        return np.array(list(product((-1.0, 1.0), repeat=3))) * size, 0.0
    if kind == "cylinder":
        angles = np.arange(_RIM) * (2 * np.pi / _RIM)
        rim = size[0] * np.column_stack([np.cos(angles), np.sin(angles)])
        ends = np.repeat([-size[1], size[1]], _RIM)
        return np.column_stack([np.tile(rim, (2, 1)), ends]), 0.0
    return np.vstack([np.diag(size), -np.diag(size)]), 0.0


def _capsule(kind: str, size: Array) -> tuple[Array, float]:
    """Ends and radius of a capsule about as large as the geom; exact for spheres and capsules."""
    if kind in ("sphere", "capsule"):
        half = np.array([0.0, 0.0, size[1] if kind == "capsule" else 0.0])
        return np.array([-half, half]), float(size[0])
    lengths = np.array([size[0], size[0], size[1]]) if kind == "cylinder" else size
    longest = int(np.argmax(lengths))
    radius = float(np.delete(lengths, longest).min())
    half = np.eye(3)[longest] * max(lengths[longest] - radius, 0.0)
    return np.array([-half, half]), radius
