"""Read a robot from an MJCF or URDF model: bodies, hinges, limits and shapes.

Shapes of a compiled model as spheres whose hull they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from motionloom import rotations as rot
from motionloom.robots._reading.model import Compiled, compile_model
from motionloom.robots._robot import Robot, RobotBody, Shape
from motionloom.typing import Array

#: Points on the rim of a cylinder.
_RIM = 12
#: Directions in which the farthest points of a mesh are taken.
_DIRECTIONS = np.array([d for d in product((-1.0, 0.0, 1.0), repeat=3) if any(d)])

#: Place and turn of one frame in another.
Placed = tuple[Array, Array]
_HERE: Placed = (np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))
#: MuJoCo's numbers of free joints and hinges.
_FREE, _HINGE = 0, 3
#: So many files that are missing are named.
_NAMED = 5
#: Arrays of a model whose numbers are below this: metres, radians, directions.
_LARGEST = 1e6
_BOUNDED = (
    *("body_pos", "body_quat", "body_ipos", "jnt_pos", "jnt_axis", "qpos0"),
    *("geom_pos", "geom_quat", "geom_size", "mesh_vert"),
)
#: Masses up to this are those of bodies for which the model says none, kilograms.
_NO_MASS = 1e-6


def read_robot(path: str | PathLike[str]) -> Robot:
    """Read a robot from an MJCF or URDF model.

    MuJoCo parses it. The base of a URDF model floats unless the model fixes it to a world. Meshes
    and included files are looked for in the model's own folder only; actuators, sensors and what
    is only seen are passed over.

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
        When MuJoCo refuses the model, or it is no robot with one free base and hinges.
    MissingExtraError
        When MuJoCo is not installed.
    """
    compiled = compile_model(Path(path))
    return _Tree(compiled, _find_base(compiled)).robot(Path(path).stem)


def _find_base(compiled: Compiled) -> int:
    """The one body below the world that moves; the joints below it have to be hinges."""
    model = compiled.model
    for name in _BOUNDED:
        if not (np.abs(getattr(model, name)) < _LARGEST).all():
            raise compiled.error(f"a position, angle or size is not below {_LARGEST:g}")
    found = sorted({int(model.body_rootid[body]) for body in model.jnt_bodyid})
    if not found:
        raise compiled.error("no body moves; expected a robot whose base has a <freejoint/>")
    if len(found) > 1:
        names = ", ".join(model.body(body).name or f"body{body}" for body in found)
        raise compiled.error(
            f"{len(found)} bodies move ({names}); expected a model of one robot",
            model.body(found[1]).name,
        )
    if model.jnt_type[0] != _FREE:
        raise compiled.error(
            "the robot's base is fixed to the world; expected a <freejoint/> in its first body",
            model.body(found[0]).name,
        )
    for joint in 1 + np.flatnonzero(model.jnt_type[1:] != _HINGE):
        message = "expected hinges below the robot's base, found another kind of joint"
        raise compiled.error(message, model.joint(joint).name)
    if model.njnt < 2:
        raise compiled.error("the robot has no hinges; expected <joint> elements in its bodies")
    return found[0]


@dataclass
class _Tree:
    """Collects links and bodies in MuJoCo's order, which has every body after its parent."""

    compiled: Compiled
    base: int
    #: Of every link its parent, its place and turn there, and the axis of its hinge.
    hinges: list[tuple[int, Array, Array, Array]] = field(
        default_factory=lambda: [(-1, *_HERE, np.zeros(3))]
    )
    links: dict[int, int] = field(default_factory=dict)
    placed: dict[int, Placed] = field(default_factory=dict)

    def __post_init__(self) -> None:
        model = self.compiled.model
        for body in np.flatnonzero(model.body_rootid == self.base).tolist():
            link, placed = 0, _HERE
            if body != self.base:
                parent = int(model.body_parentid[body])
                link = self.links[parent]
                placed = _then(self.placed[parent], model.body_pos[body], model.body_quat[body])
                for joint in np.flatnonzero(model.jnt_bodyid == body).tolist():
                    link, placed = self._add_hinge(joint, link, placed)
            self.links[body] = link
            self.placed[body] = placed

    def _add_hinge(self, joint: int, link: int, placed: Placed) -> tuple[int, Placed]:
        """A new link below `link`, and where the body lies in it."""
        model = self.compiled.model
        axis = np.array(model.jnt_axis[joint])
        # Angles count from the reference, so that a hinge there leaves the body as it is drawn.
        drawn = rot.from_rotvec(-model.qpos0[model.jnt_qposadr[joint]] * axis)
        offset, turn = _then(placed, model.jnt_pos[joint], drawn)
        self.hinges.append((link, offset, turn, axis))
        return len(self.hinges) - 1, (-model.jnt_pos[joint], _HERE[1])

    def bodies(self) -> Iterator[RobotBody]:
        """Bodies with what the model says of their masses."""
        model = self.compiled.model
        for number, (body, (place, turn)) in enumerate(self.placed.items(), 1):
            mass = float(model.body_mass[body])
            center, _ = _then((place, turn), model.body_ipos[body], _HERE[1])
            name = model.body(body).name or f"body{number}"
            mass = mass if mass > _NO_MASS else 0.0
            yield RobotBody(name, self.links[body], place, turn, mass, center)

    def shapes(self) -> tuple[list[Shape], list[Shape]]:
        """Simple geoms, and meshes that can touch."""
        model = self.compiled.model
        simple: list[Shape] = []
        meshes: list[Shape] = []
        for geom, body in enumerate(model.geom_bodyid.tolist()):
            hull = _hull_of(model, geom)
            points, radius = hull or (points_of(model, geom), 0.0)
            if body in self.placed and points is not None:
                place, turn = _then(self.placed[body], model.geom_pos[geom], model.geom_quat[geom])
                shape = Shape(self.links[body], rot.rotate(turn, points) + place, radius)
                (simple if hull else meshes).append(shape)
        return simple, meshes

    def robot(self, name: str) -> Robot:
        """All that was found."""
        model = self.compiled.model
        given = self.compiled.root.given
        simple, meshes = self.shapes()
        low, high = model.jnt_range[1:].T
        if (low > high).any():
            joint = model.joint(1 + int(np.argmax(low > high))).name
            raise self.compiled.error("expected the lower limit of the range first", joint)
        limited = model.jnt_limited[1:].astype(bool)
        low, high = np.where(limited, [low, high], [[-np.inf], [np.inf]])
        of_links = map(np.array, zip(*self.hinges, strict=True))
        return Robot(
            name=given.get("model") or given.get("name") or name,
            joints=tuple(model.joint(1 + i).name or f"joint{1 + i}" for i in range(len(low))),
            **dict(zip(("parents", "offsets", "turns", "axes"), of_links, strict=True)),
            low=low,
            high=high,
            neutral=np.clip(model.qpos0[7:], low, high),
            base_place=np.array(model.qpos0[:3]),
            base_turn=np.array(model.qpos0[3:7]),
            bodies=tuple(self.bodies()),
            shapes=tuple(simple),
            meshes=tuple(meshes),
            model=model,
            notes=self._notes(),
            left_out=self.compiled.left_out,
        )

    def _notes(self) -> tuple[str, ...]:
        """What was passed over, and what MuJoCo warns of."""
        notes = []
        model = self.compiled.model
        seen = (model.geom_dataid >= 0) & (model.geom_contype | model.geom_conaffinity == 0)
        count = int(seen.sum()) - self.compiled.left_out
        if count:
            notes.append(f"{count} meshes that touch nothing are passed over")
        missing = self.compiled.missing
        if missing:
            more = ", ..." if len(missing) > _NAMED else ""
            left_out = self.compiled.left_out
            lost = f"{left_out} shapes that could touch are passed over" if left_out else ""
            notes.append(
                f"{len(missing)} mesh files are not in the model's folder, or none that MuJoCo"
                f" decodes: {', '.join(missing[:_NAMED])}{more}; {lost or 'they are only seen'}"
            )
        return (*notes, *(f"MuJoCo: {warning}" for warning in self.compiled.warnings))


def _then(outer: Placed, place: Array, turn: Array) -> Placed:
    """A frame within a frame."""
    return rot.rotate(outer[1], place) + outer[0], rot.multiply(outer[1], turn)


def _hull_of(model: Any, geom: int) -> tuple[Array, float] | None:
    """Spheres whose hull is a simple geom; inside it for an ellipsoid.

    Parameters
    ----------
    model : mujoco.MjModel
        The model.
    geom : int
        Number of the geom.

    Returns
    -------
    centers : array of shape (B, 3), metres
        In the geom's frame.
    radius : float, metres
        Of all of them.

    None for meshes and other kinds.
    """
    from mujoco import mjtGeom

    kind = mjtGeom(model.geom_type[geom])
    size = np.array(model.geom_size[geom])
    if kind == mjtGeom.mjGEOM_SPHERE:
        return np.zeros((1, 3)), float(size[0])
    if kind == mjtGeom.mjGEOM_CAPSULE:
        return np.array([[0, 0, size[1]], [0, 0, -size[1]]]), float(size[0])
    if kind == mjtGeom.mjGEOM_BOX:
        return np.array(list(product((-1.0, 1.0), repeat=3))) * size, 0.0
    if kind == mjtGeom.mjGEOM_CYLINDER:
        angles = np.arange(_RIM) * (2 * np.pi / _RIM)
        rim = size[0] * np.column_stack([np.cos(angles), np.sin(angles)])
        ends = np.repeat([-size[1], size[1]], _RIM)
        return np.column_stack([np.tile(rim, (2, 1)), ends]), 0.0
    if kind == mjtGeom.mjGEOM_ELLIPSOID:
        return np.vstack([np.diag(size), -np.diag(size)]), 0.0
    return None


def points_of(model: Any, geom: int) -> Array | None:
    """Points of a mesh that are farthest in one of 26 directions.

    Parameters
    ----------
    model : mujoco.MjModel
        The model.
    geom : int
        Number of the geom.

    Returns
    -------
    array of shape (B, 3), metres, or None
        In the geom's frame; None for meshes that touch nothing, and for simple geoms.
    """
    mesh = model.geom_dataid[geom]
    if mesh < 0 or not model.geom_contype[geom] | model.geom_conaffinity[geom]:
        return None
    first = model.mesh_vertadr[mesh]
    points = np.array(model.mesh_vert[first : first + model.mesh_vertnum[mesh]], float)
    return np.asarray(points[np.unique(np.argmax(points @ _DIRECTIONS.T, axis=0))])
