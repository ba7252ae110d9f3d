"""Read the robot out of an MJCF model: bodies, hinges, limits and simple geoms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.robots.mjcf.defaults import Defaults
from motionloom.robots.mjcf.nodes import Node, read_nodes
from motionloom.robots.mjcf.shapes import can_touch, read_shape
from motionloom.robots.mjcf.values import (
    Conventions,
    read_conventions,
    read_numbers,
    read_place,
    read_turn,
)
from motionloom.robots.robot import Robot, RobotBody, Shape

Array = NDArray[np.float64]
#: Place and turn of one frame in another.
Placed = tuple[Array, Array]

#: Elements that would make bodies of their own, which no robot here has needed.
_MAKERS = {"attach", "composite", "flexcomp", "replicate"}
_HERE: Placed = (np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))


def is_mjcf(path: str | PathLike[str]) -> bool:
    """Whether a file's name says that it is an MJCF model."""
    return Path(path).suffix.lower() in (".xml", ".mjcf")


def read_mjcf(path: str | PathLike[str]) -> Robot:
    """Read a robot from an MJCF model.

    Compiler, defaults and their classes, frames and includes are followed as MuJoCo does. Meshes,
    actuators and sensors are passed over; files it names are looked for in its own folder only.

    Parameters
    ----------
    path : path-like
        The model.

    Returns
    -------
    Robot
        With one free base and hinges.

    Raises
    ------
    FormatError
        When the file is no MJCF model, or the model is no robot with one free base and hinges.
    """
    root = read_nodes(path)
    if root.tag != "mujoco":
        raise root.error("expected <mujoco>, the root of an MJCF model; URDF is not read")
    builder = _Builder(root, read_conventions(root), Defaults(root))
    base = _find_base(root, builder)
    builder.add_base(base)
    return builder.robot(root)


def _find_base(root: Node, builder: _Builder) -> Node:
    """The one body below the world that moves."""
    found = [
        child
        for world in root.named("worldbody")
        for child, _, _ in builder.inside(world, _HERE, "")
        if child.tag == "body" and _moves(child)
    ]
    if not found:
        raise root.error("no body moves; expected a robot whose base has a <freejoint/>")
    if len(found) > 1:
        names = ", ".join(body.given.get("name", f"line {body.line}") for body in found)
        raise found[1].error(f"{len(found)} bodies move ({names}); expected a model of one robot")
    return found[0]


def _moves(node: Node) -> bool:
    return any(child.tag in ("joint", "freejoint") or _moves(child) for child in node.children)


@dataclass
class _Builder:
    """Collects links and bodies on the way down the tree."""

    root: Node
    conventions: Conventions
    defaults: Defaults
    joints: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=lambda: [-1])
    offsets: list[Array] = field(default_factory=lambda: [np.zeros(3)])
    turns: list[Array] = field(default_factory=lambda: [_HERE[1]])
    axes: list[Array] = field(default_factory=lambda: [np.zeros(3)])
    ranges: list[tuple[float, float, float]] = field(default_factory=list)
    bodies: list[RobotBody] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    base: Placed = _HERE

    def inside(
        self, node: Node, placed: Placed, childclass: str
    ) -> Iterator[tuple[Node, Placed, str]]:
        """Children of a body with the frames around them resolved."""
        for child in node.children:
            if child.tag in _MAKERS:
                raise child.error("is not read; save the model out of MuJoCo as plain bodies")
            if child.tag == "frame":
                own = _then(placed, self._placed(child, child.given))
                yield from self.inside(child, own, child.given.get("childclass", childclass))
            else:
                yield child, placed, childclass

    def add_base(self, node: Node) -> None:
        """The floating base and all below it."""
        free = [child for child in node.children if _is_free(child)]
        if len(free) != 1 or sum(child.tag == "joint" for child in node.children) > 1:
            raise node.error(
                "the robot's base is fixed to the world; expected a <freejoint/> in its first body"
            )
        self.base = self._placed(node, node.given)
        self._fill_body(node, -1, 0, _HERE, node.given.get("childclass", ""))

    def _placed(self, node: Node, given: dict[str, str]) -> Placed:
        return read_place(node, given), read_turn(node, given, self.conventions)

    def _fill_body(
        self, node: Node, parent: int, link: int, placed: Placed, childclass: str
    ) -> None:
        index = len(self.bodies)
        children = list(self.inside(node, _HERE, childclass))
        for child, within, name in children:
            if child.tag == "joint" and not _is_free(child):
                link, placed = self._add_hinge(child, link, placed, within, name)
        self.bodies.append(_body(node, index, parent, link, placed))
        for child, within, name in children:
            if child.tag == "geom":
                self._add_shape(child, (index, link), _then(placed, within), name)
            elif child.tag == "body":
                own = _then(within, self._placed(child, child.given))
                below = child.given.get("childclass", name)
                self._fill_body(child, index, link, _then(placed, own), below)

    def _add_hinge(
        self, node: Node, link: int, placed: Placed, within: Placed, childclass: str
    ) -> tuple[int, Placed]:
        """A new link below `link`, and where the body lies in it."""
        given = self.defaults.fill(node, childclass)
        if given.get("type", "hinge") != "hinge":
            raise node.error(f"type={given['type']!r}; expected hinges below the robot's base")
        axis = read_numbers(node, given, "axis", 3) if "axis" in given else np.array([0.0, 0, 1])
        if not np.linalg.norm(axis):
            raise node.error("axis is zero; expected a direction")
        axis = rot.rotate(within[1], axis / np.linalg.norm(axis))
        anchor = rot.rotate(within[1], read_place(node, given)) + within[0]
        ref = self._angles(node, given, "ref", 1)[0] if "ref" in given else 0.0
        self.parents.append(link)
        self.offsets.append(rot.rotate(placed[1], anchor) + placed[0])
        # Angles count from the reference, so that a hinge there leaves the body as it is drawn.
        self.turns.append(rot.multiply(placed[1], rot.from_rotvec(-ref * axis)))
        self.axes.append(axis)
        self.joints.append(given.get("name", f"joint{len(self.joints) + 1}"))
        self.ranges.append((*self._limits(node, given), ref))
        return len(self.parents) - 1, (-anchor, _HERE[1])

    def _angles(self, node: Node, given: dict[str, str], name: str, count: int) -> Array:
        return self.conventions.angle(read_numbers(node, given, name, count))

    def _limits(self, node: Node, given: dict[str, str]) -> tuple[float, float]:
        limited = given.get("limited", "auto")
        told = "range" in given and (limited == "true" or self.conventions.autolimits)
        if limited == "false" or not told:
            return -np.inf, np.inf
        low, high = self._angles(node, given, "range", 2)
        if low > high or (low == high == 0 and limited != "true"):
            if low == high:
                return -np.inf, np.inf
            raise node.error(f"range={given['range']!r}; expected the lower limit first")
        return float(low), float(high)

    def _add_shape(
        self, node: Node, where: tuple[int, int], placed: Placed, childclass: str
    ) -> None:
        given = self.defaults.fill(node, childclass)
        shape = read_shape(node, given, self.conventions, placed, where)
        if shape is None:
            kind = "meshes" if given.get("mesh") or given.get("type") == "mesh" else "others"
            self.skipped[kind if can_touch(node, given) else "seen only"] += 1
        else:
            self.shapes.append(shape)

    def robot(self, root: Node) -> Robot:
        """All that was found."""
        if not self.joints:
            raise root.error("the robot has no hinges; expected <joint> elements in its bodies")
        low, high, neutral = np.array(self.ranges).T
        passed = self.skipped.total()
        notes = (f"{passed} meshes and other geoms passed over",) if passed else ()
        return Robot(
            name=root.given.get("model", root.path.stem),
            joints=tuple(self.joints),
            parents=np.array(self.parents),
            offsets=np.array(self.offsets),
            turns=np.array(self.turns),
            axes=np.array(self.axes),
            low=low,
            high=high,
            neutral=np.clip(neutral, low, high),
            base_place=self.base[0],
            base_turn=self.base[1],
            bodies=tuple(self.bodies),
            shapes=tuple(self.shapes),
            apart=self._apart(root),
            notes=notes,
            meshes=self.skipped["meshes"],
            others=self.skipped["others"],
        )

    def _apart(self, root: Node) -> frozenset[tuple[int, int]]:
        """Pairs of bodies that MuJoCo does not test against each other."""
        names = {body.name: i for i, body in enumerate(self.bodies)}
        links = [body.link for body in self.bodies]
        pairs = {
            (i, k)
            for i in range(len(links))
            for k in range(i + 1, len(links))
            if links[i] == links[k] or self._next(links[i], links[k])
        }
        for contact in root.named("contact"):
            for node in contact.named("exclude"):
                both = [names.get(node.given.get(key, ""), -1) for key in ("body1", "body2")]
                if min(both) >= 0:
                    pairs.add((min(both), max(both)))
        return frozenset(pairs)

    def _next(self, a: int, b: int) -> bool:
        """Whether a link hangs on the other, with or without more hinges of the same body."""
        welded = {body.link for body in self.bodies}

        def above(link: int) -> int:
            link = self.parents[link]
            while link > 0 and link not in welded:
                link = self.parents[link]
            return link

        return above(a) == b or above(b) == a


def _is_free(node: Node) -> bool:
    return node.tag == "freejoint" or (node.tag == "joint" and node.given.get("type") == "free")


def _then(outer: Placed, inner: Placed) -> Placed:
    """A frame within a frame."""
    return rot.rotate(outer[1], inner[0]) + outer[0], rot.multiply(outer[1], inner[1])


def _body(node: Node, index: int, parent: int, link: int, placed: Placed) -> RobotBody:
    x, y, z = (float(value) for value in placed[0])
    w, i, j, k = (float(value) for value in placed[1])
    name = node.given.get("name", f"body{index + 1}")
    mass, center = _mass(node, placed)
    return RobotBody(name, parent, link, (x, y, z), (w, i, j, k), mass, center)


def _mass(node: Node, placed: Placed) -> tuple[float, tuple[float, float, float]]:
    """Mass of a body, kilograms, and its centre in the link, metres; zeros where it is not said."""
    for child in node.children:
        if child.tag == "inertial" and {"pos", "mass"} <= child.given.keys():
            local = read_numbers(child, child.given, "pos", 3)
            x, y, z = (float(value) for value in rot.rotate(placed[1], local) + placed[0])
            return float(read_numbers(child, child.given, "mass", 1)[0]), (x, y, z)
    return 0.0, (0.0, 0.0, 0.0)
