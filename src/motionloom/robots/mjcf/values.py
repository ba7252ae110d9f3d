"""Numbers and orientations of MJCF attributes, under the conventions of the model's compiler."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.robots.mjcf.nodes import Node

Array = NDArray[np.float64]

#: Ways to tell an orientation, of which one element may use one.
ORIENTATIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")


@dataclass(frozen=True)
class Conventions:
    """What ``<compiler>`` says about numbers.

    Parameters
    ----------
    degrees : bool
        Whether angles are in degrees.
    order : str
        Axes of Euler angles, lower case about moving and upper case about fixed axes.
    autolimits : bool
        Whether a range alone limits a joint.
    """

    degrees: bool = True
    order: str = "xyz"
    autolimits: bool = True

    def angle(self, value: Array) -> Array:
        """Angles in radians."""
        return np.radians(value) if self.degrees else value


def read_conventions(root: Node) -> Conventions:
    """What the compilers of a model say; the last one that says something holds.

    Parameters
    ----------
    root : Node
        ``<mujoco>``.

    Returns
    -------
    Conventions

    Raises
    ------
    FormatError
        When a value is none that MuJoCo knows, or coordinates are global.
    """
    given: dict[str, str] = {}
    for node in root.named("compiler"):
        given |= node.given
        if given.get("coordinate", "local") != "local":
            raise node.error("coordinate='global' is out of use; expected local coordinates")
        if given.get("angle", "degree") not in ("degree", "radian"):
            raise node.error(f"angle={given['angle']!r}; expected 'degree' or 'radian'")
        order = given.get("eulerseq", "xyz")
        if len(order) != 3 or order.strip("xyzXYZ"):
            raise node.error(f"eulerseq={order!r}; expected three of x, y, z, X, Y and Z")
    return Conventions(
        degrees=given.get("angle", "degree") == "degree",
        order=given.get("eulerseq", "xyz"),
        autolimits=given.get("autolimits", "true") == "true",
    )


def read_numbers(node: Node, given: dict[str, str], name: str, least: int, most: int = 0) -> Array:
    """Numbers of an attribute.

    Parameters
    ----------
    node : Node
        Where it stands, for errors.
    given : dict of str to str
        Attributes with defaults filled in.
    name : str
        Of the attribute.
    least, most : int
        How many numbers there are; exactly `least` where `most` is 0.

    Returns
    -------
    array of shape (N,)

    Raises
    ------
    FormatError
        When they are not so many finite numbers.
    """
    words = given[name].split()
    most = most or least
    try:
        values = np.array([float(word) for word in words])
    except ValueError:
        values = np.full(len(words), np.nan)
    if not least <= len(words) <= most or not np.isfinite(values).all():
        count = f"{least}" if least == most else f"{least} to {most}"
        raise node.error(f"{name}={given[name][:60]!r}; expected {count} finite numbers")
    return values


def read_place(node: Node, given: dict[str, str]) -> Array:
    """Where an element is in its parent, shape (3,), metres."""
    return read_numbers(node, given, "pos", 3) if "pos" in given else np.zeros(3)


def read_turn(node: Node, given: dict[str, str], conventions: Conventions) -> Array:
    """How an element is turned in its parent.

    Parameters
    ----------
    node : Node
        Where it stands, for errors.
    given : dict of str to str
        Attributes with defaults filled in.
    conventions : Conventions
        Of the model.

    Returns
    -------
    array of shape (4,)
        Unit quaternion (w, x, y, z).

    Raises
    ------
    FormatError
        When several orientations are given, or one that turns nothing.
    """
    told = [name for name in ORIENTATIONS if name in given]
    if not told:
        return np.array([1.0, 0.0, 0.0, 0.0])
    if len(told) > 1:
        raise node.error(f"has {' and '.join(told)}; expected one orientation")
    sizes = {"quat": 4, "axisangle": 4, "xyaxes": 6, "zaxis": 3, "euler": 3}
    values = read_numbers(node, given, told[0], sizes[told[0]])
    if told[0] != "euler" and not np.linalg.norm(values[: 3 if told[0] != "quat" else 4]):
        raise node.error(f"{told[0]}={given[told[0]]!r}; expected a direction, not zero")
    if told[0] == "quat":
        return rot.normalize(values)
    if told[0] == "axisangle":
        angle = conventions.angle(values[3])
        return rot.from_rotvec(values[:3] / np.linalg.norm(values[:3]) * angle)
    if told[0] == "euler":
        return _from_euler(conventions.angle(values), conventions.order)
    if told[0] == "zaxis":
        return z_turn(values)
    x = values[:3] / np.linalg.norm(values[:3])
    y = values[3:] - (values[3:] @ x) * x
    if not np.linalg.norm(y):
        raise node.error(f"xyaxes={given['xyaxes']!r}; expected two axes that are not parallel")
    y /= np.linalg.norm(y)
    return rot.from_matrix(np.column_stack([x, y, np.cross(x, y)]))


def z_turn(direction: Array) -> Array:
    """The shortest turn that takes the z axis to a direction, as a unit quaternion."""
    x, y, z = direction / np.linalg.norm(direction)
    across = np.array([-y, x, 0.0])
    length = np.linalg.norm(across)
    axis = across / length if length else np.array([1.0, 0.0, 0.0])
    return rot.from_rotvec(np.arctan2(length, z) * axis)


def _from_euler(angles: Array, order: str) -> Array:
    """Small letters turn about the axes as they are turned so far, capitals about fixed ones."""
    turn = np.array([1.0, 0.0, 0.0, 0.0])
    for angle, axis in zip(angles, order, strict=True):
        one = rot.from_rotvec(angle * np.eye(3)["xyz".index(axis.lower())])
        turn = rot.multiply(turn, one) if axis.islower() else rot.multiply(one, turn)
    return turn
