"""A body as an MJCF model: the same links, with ball joints, under MuJoCo's conventions.

A motion with its loads as arrays for robotics (.npz).
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from os import PathLike
from xml.sax.saxutils import quoteattr

import numpy as np

from motionloom import rotations as rot
from motionloom.io.files import write_file
from motionloom.physics.body.model import Body, Part
from motionloom.physics.dynamics.inverse import GRAVITY
from motionloom.physics.ground.balance import Balance
from motionloom.physics.ground.sharing import GroundForces
from motionloom.typing import Array

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
    state = balance.state
    order = depth_first(balance.body)
    n = state.n_frames
    root = balance.dynamics.wrench[:, :3]
    torques = balance.dynamics.torques[:, order].reshape(n, -1)
    contacts = balance.contacts
    arrays = {
        "format": np.array(FORMAT),
        "version": np.array(VERSION),
        "frame_time": np.array(1 / balance.fps),
        "fps": np.array(balance.fps),
        "height": np.array(balance.body.height),
        "mass": np.array(balance.body.mass),
        "links": np.array([balance.body.names[k] for k in order]),
        "qpos": np.concatenate([state.places, state.turns[:, order].reshape(n, -1)], axis=1),
        "qvel": np.concatenate([state.velocities, state.spins[:, order].reshape(n, -1)], axis=1),
        "qacc": np.concatenate(
            [state.accelerations, state.spin_rates[:, order].reshape(n, -1)], axis=1
        ),
        "qfrc_inverse": np.concatenate([root, torques], axis=1),
        "torques": forces.torques[:, order],
        "wrench": balance.dynamics.wrench,
        "com": balance.dynamics.center,
        "momentum": balance.dynamics.momentum,
        "zmp": balance.zmp,
        "zmp_distance": balance.distance,
        "feet": np.array(forces.feet),
        "contacts": np.stack(list(contacts.bearing.by_foot().values()), axis=1),
        "foot_forces": forces.foot_forces,
        "foot_centers": forces.foot_centers,
        "corner_places": balance.corners.places,
        "corner_forces": forces.forces,
        "corner_feet": balance.corners.feet,
        "missing": forces.missing,
        "ground": np.array(contacts.ground),
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
    body: Body,
    name: str = "motionloom",
    gravity: float = GRAVITY,
    ranges: Mapping[int, float] | None = None,
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
    gravity : float, metres per second squared, optional
        Downwards along y.
    ranges : mapping of int to float, radians, optional
        How far joints of the skeleton may turn from the rest pose, as `turn_ranges` finds it;
        others, and all when not given, are free.

    Returns
    -------
    str
        XML.
    """
    lines = [
        f"<mujoco model={quoteattr(name)}>",
        '  <compiler angle="radian" autolimits="true"/>',
        f'  <option gravity="0 {-gravity:.9g} 0"/>',
        "  <default>",
        '    <geom contype="0" conaffinity="0" rgba="0.7 0.7 0.75 1"/>',
        "  </default>",
        "  <worldbody>",
        '    <light pos="0 4 2" dir="0 -1 -0.4"/>',
        '    <geom name="ground" type="plane" size="10 10 0.1" quat="0.70710678 -0.70710678 0 0"'
        ' contype="1" conaffinity="1" rgba="0.9 0.9 0.9 1"/>',
        *_link_lines(body, 0, "    ", ranges or {}),
        "  </worldbody>",
        "</mujoco>",
        "",
    ]
    return "\n".join(lines)


def _link_lines(body: Body, link: int, indent: str, ranges: Mapping[int, float]) -> list[str]:
    name = body.names[link]
    kind = "free" if body.parents[link] < 0 else "ball"
    lines = [
        f'{indent}<body name={quoteattr(name)} pos="{_numbers(body.offsets[link])}">',
        f'{indent}  <joint name={quoteattr(name)} type="{kind}"{_range(body, link, ranges)}/>',
        f"{indent}  {_inertial(body, link)}",
    ]
    joint = int(body.joints[link])
    lines += [f"{indent}  {_geom(part)}" for part in body.parts if part.segment.joint == joint]
    for child in range(body.n_links):
        if body.parents[child] == link:
            lines += _link_lines(body, child, indent + "  ", ranges)
    return [*lines, f"{indent}</body>"]


def _range(body: Body, link: int, ranges: Mapping[int, float]) -> str:
    """How far a ball joint turns, as attributes; nothing for one that is free."""
    joint = int(body.joints[link])
    if body.parents[link] < 0 or joint not in ranges:
        return ""
    return f' limited="true" range="0 {ranges[joint]:.6g}"'


def _inertial(body: Body, link: int) -> str:
    mass = max(float(body.masses[link]), LEAST_MASS)
    inertia = body.inertias[link] + LEAST_INERTIA * np.eye(3) * (body.masses[link] <= 0)
    six = [inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    return (
        f'<inertial pos="{_numbers(body.centers[link])}" mass="{mass:.12g}"'
        f' fullinertia="{_numbers(np.array(six))}"/>'
    )


def _geom(part: Part) -> str:
    middle = 0.5 * (part.segment.start + part.segment.end)
    quat = rot.from_matrix(part.axes)
    size = tuple(max(s, 1e-4) for s in part.solid.size)
    return (
        f'<geom type="{part.solid.shape}" size="{_numbers(np.array(size))}"'
        f' pos="{_numbers(middle)}" quat="{_numbers(quat)}"/>'
    )


def _numbers(values: Array) -> str:
    return " ".join(f"{v:.12g}" for v in values)
