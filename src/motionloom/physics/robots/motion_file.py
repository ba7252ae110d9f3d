"""A motion with its loads as arrays for robotics (.npz)."""

from __future__ import annotations

import io
from os import PathLike

import numpy as np

from motionloom.io.files import write_file
from motionloom.physics.ground.balance import Balance
from motionloom.physics.ground.sharing import GroundForces
from motionloom.physics.robots.mjcf import depth_first

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
