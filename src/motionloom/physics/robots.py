"""Bodies and their loads for robotics: MJCF models, and motions in their coordinates (.npz)."""

from __future__ import annotations

import io
from collections.abc import Mapping
from os import PathLike
from typing import Any
from xml.etree import ElementTree

import numpy as np

from motionloom import rotations as rot
from motionloom.io.files import write_file
from motionloom.physics.body import Body
from motionloom.physics.dynamics._inverse import GRAVITY
from motionloom.physics.ground import Balance, GroundForces
from motionloom.typing import Array

__all__ = ["body_to_mjcf", "save_robot_motion"]

#: MuJoCo refuses bodies without mass; a joint that only divides a segment gets this much.
LEAST_MASS = 1e-6
LEAST_INERTIA = 1e-9

#: What the file says it is.
FORMAT = "motionloom-robot-motion"
VERSION = 1


def save_robot_motion(path: str | PathLike[str], balance: Balance, forces: GroundForces) -> None:
    """Write a motion in the coordinates of `body_to_mjcf`, with contacts and forces.

    The layout is documented in the reference of formats: ``qpos``, ``qvel``, ``qacc`` and
    ``qfrc_inverse`` in MuJoCo's order, ``wrench``, ``com``, ``momentum``, ``zmp``, contacts and
    ground forces.

    Parameters
    ----------
    path : path-like
        The .npz file.
    balance : Balance
        Of the motion.
    forces : GroundForces
        Shared among the feet.
    """
    body = balance.body
    state = balance.state
    order = depth_first(body)

    def beside(base: Array, links: Array) -> Array:
        return np.hstack([base, links[:, order].reshape(state.n_frames, -1)])

    arrays: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "frame_time": 1 / balance.fps,
        "fps": balance.fps,
        "height": body.height,
        "mass": body.mass,
        "links": [body.names[k] for k in order],
        "qpos": beside(state.places, state.turns),
        "qvel": beside(state.velocities, state.spins),
        "qacc": beside(state.accelerations, state.spin_rates),
        "qfrc_inverse": beside(balance.dynamics.wrench[:, :3], balance.dynamics.torques),
        "torques": forces.torques[:, order],
        **{name: getattr(balance.dynamics, name) for name in ("wrench", "momentum")},
        "com": balance.dynamics.center,
        "zmp": balance.zmp,
        "zmp_distance": balance.distance,
        **{name: getattr(forces, name) for name in ("feet", "foot_forces", "foot_centers")},
        "contacts": balance.contacts.feet_down,
        "corner_places": balance.corners.places,
        "corner_forces": forces.forces,
        "corner_feet": balance.corners.feet,
        "missing": forces.missing,
        "ground": balance.contacts.ground,
    }
    out = io.BytesIO()
    np.savez_compressed(out, allow_pickle=False, **arrays)
    write_file(path, out.getvalue())


def depth_first(body: Body) -> list[int]:
    """Links in the order in which MuJoCo numbers nested bodies."""
    order: list[int] = []
    ahead = [0]
    while ahead:
        link = ahead.pop()
        order.append(link)
        ahead += [k for k in reversed(range(body.n_links)) if body.parents[k] == link]
    return order


def body_to_mjcf(
    body: Body, name: str = "motionloom", ranges: Mapping[int, float] | None = None
) -> str:
    """Write a body as an MJCF model.

    Y is up, as everywhere here. The first link has a free joint, all others ball joints, so that
    velocities and torques are those of `BodyState` and `Dynamics`.

    Parameters
    ----------
    body : Body
        Links with masses.
    name : str, optional
        Of the model.
    ranges : mapping of int to float, radians, optional
        How far joints of the skeleton may turn from the rest pose, as `turn_ranges` finds it;
        others, and all when not given, are free.

    Returns
    -------
    str
        XML.
    """
    root = ElementTree.Element("mujoco", model=name)
    add = ElementTree.SubElement
    add(root, "compiler", angle="radian", autolimits="true")
    add(root, "option", gravity=f"0 {-GRAVITY:.9g} 0")
    untouched = {"contype": "0", "conaffinity": "0", "rgba": "0.7 0.7 0.75 1"}
    add(add(root, "default"), "geom", untouched)
    world = add(root, "worldbody")
    add(world, "light", pos="0 4 2", dir="0 -1 -0.4")
    ground = {"name": "ground", "type": "plane", "size": "10 10 0.1", "contype": "1"}
    ground |= {"conaffinity": "1", "rgba": "0.9 0.9 0.9 1"}
    add(world, "geom", ground, quat="0.70710678 -0.70710678 0 0")
    nodes = [world]
    for link, parent in enumerate(body.parents.tolist()):
        nodes.append(_add_link(nodes[parent + 1], body, link, ranges or {}))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _add_link(
    parent: ElementTree.Element, body: Body, link: int, ranges: Mapping[int, float]
) -> ElementTree.Element:
    """Add a link below its parent."""
    add = ElementTree.SubElement
    name, joint, mass = body.names[link], int(body.joints[link]), float(body.masses[link])
    node = add(parent, "body", name=name, pos=_numbers(body.offsets[link]))
    kind = add(node, "joint", name=name, type="ball" if link else "free")
    if link and joint in ranges:
        kind.attrib |= {"limited": "true", "range": f"0 {ranges[joint]:.6g}"}
    inertia = body.inertias[link] + LEAST_INERTIA * np.eye(3) * (mass <= 0)
    full = _numbers(inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]])
    weight = f"{max(mass, LEAST_MASS):.12g}"
    add(node, "inertial", pos=_numbers(body.centers[link]), mass=weight, fullinertia=full)
    for part in (part for part in body.parts if part.segment.joint == joint):
        size = _numbers(np.maximum(part.solid.size, 1e-4))
        middle = _numbers(0.5 * (part.segment.start + part.segment.end))
        turn = _numbers(rot.from_matrix(part.axes))
        add(node, "geom", type=part.solid.shape, size=size, pos=middle, quat=turn)
    return node


def _numbers(values: Array) -> str:
    return " ".join(f"{v:.12g}" for v in values)
