"""The ground's force shared among the feet: friction cones, least torque in the legs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.curves import smoothstep
from motionloom.errors import InvalidInputError
from motionloom.kinematics import WorldPose, tree_kinematics
from motionloom.physics.dynamics._inverse import hanging_on
from motionloom.physics.dynamics.state import low_pass
from motionloom.physics.ground._balance import FRICTION, Balance
from motionloom.progress import Progress, silent
from motionloom.typing import Array, Bools, Ints

#: Weight of the sum of forces against that of its moment.
TOTAL = 3.0
#: Weight of torques against what the ground cannot carry: enough to choose among ways that carry
#: it, too little to give any of it up.
TORQUE = 0.02
#: Weight of the forces themselves, which makes the choice among a foot's corners unique.
FORCE = 0.002
#: How load goes from foot to foot: shares of it are low-passed (hertz), grow from nothing and go to
#: nothing within so long (seconds), and count so much against where its centre of pressure is.
SHARED = 4.0
GENTLY = 0.10
SHARE = 0.3
#: Edges of the pyramid that lies within each friction cone.
EDGES = 4


@dataclass(frozen=True, eq=False)
class GroundForces:
    """What each foot could bear so that the body moves as it does.

    Parameters
    ----------
    forces : array of shape (T, C, 3), newtons
        At the corners of the soles, in the world.
    feet : tuple of str
        Roles of the F feet.
    foot_forces : array of shape (T, F, 3), newtons
        Sums over each foot.
    foot_centers : array of shape (T, F, 3), metres
        Centre of pressure of each foot; NaN where it bears nothing.
    missing : array of shape (T, 6), newtons and newton metres
        Part of the wrench that feet in contact cannot give, the moment about the centre of mass.
    torques : array of shape (T, L, 3), newton metres
        At the joints with the ground's forces at the feet, in the links' frames; of the first link
        the moment that is missing.
    """

    forces: Array
    feet: tuple[str, ...]
    foot_forces: Array
    foot_centers: Array
    missing: Array
    torques: Array


def share_forces(
    balance: Balance, friction: float = FRICTION, progress: Progress = silent
) -> GroundForces:
    """Share the wrench on the body among the corners of the soles that bear weight.

    Each corner's force lies in its friction cone (in the pyramid within it). Of all ways to carry
    the wrench the one with the least sum of squared torques in the legs is taken; what no way can
    carry is left over. Shares of the feet that this gives are made smooth in time, and the corners'
    forces are found anew near these: the sum stays, and where two feet stand its moment gives in.

    Parameters
    ----------
    balance : Balance
        Of the motion.
    friction : float
        Horizontal over vertical force that the ground can bear.
    progress : Progress, optional
        Told how far it is.

    Returns
    -------
    GroundForces

    Raises
    ------
    InvalidInputError
        When `friction` is not positive.
    """
    if not friction > 0:
        raise InvalidInputError(f"friction must be a positive number, got {friction}")
    n_frames = len(balance.zmp)
    frames = _frames_of(balance)
    edges = _pyramid(friction)
    down = balance.contacts.bearing.down[:, balance.corners.points]
    free = np.full(len(balance.contacts.soles.feet), np.nan)
    forces = np.zeros_like(balance.corners.places)
    for t in range(n_frames):
        if down[t].any():
            forces[t, down[t]] = _share_one(frames, t, np.flatnonzero(down[t]), edges, free)
        if t % 100 == 0:
            progress("sharing forces", t, n_frames)
    wanted = _gentle_loads(balance, forces)
    for t in np.flatnonzero(np.isfinite(wanted).all(axis=1)).tolist():
        forces[t, down[t]] = _share_one(frames, t, np.flatnonzero(down[t]), edges, wanted[t])
    progress("sharing forces", n_frames, n_frames)
    return _collect(balance, frames, forces)


def _gentle_loads(balance: Balance, forces: Array) -> Array:
    """Vertical forces that feet should bear, in body weights, (T, F); NaN but where two or more do.

    Parameters
    ----------
    balance : Balance
        Of the motion.
    forces : array of shape (T, C, 3), newtons
        At the corners, as they are best in each frame alone.
    """
    feet = balance.contacts.feet_down
    of_foot = balance.corners.feet[:, None] == np.arange(feet.shape[1])
    loads = forces[..., 1] @ of_foot
    total = loads.sum(axis=1, keepdims=True)
    shares = np.where(total > 0, loads / np.where(total > 0, total, 1.0), 0.0)
    smooth = np.clip(low_pass(shares, balance.fps, SHARED), 0.0, 1.0)
    padded = np.pad(feet, ((1, 1), (0, 0)), mode="edge")
    for f in range(feet.shape[1]):
        inside = np.full(len(feet), np.inf)
        if not feet[:, f].all():
            inside = scipy.ndimage.distance_transform_edt(padded[:, f])[1:-1]
        smooth[:, f] *= smoothstep(inside / (GENTLY * balance.fps))
    sums = smooth.sum(axis=1, keepdims=True)
    wanted = smooth / np.where(sums > 0, sums, 1.0) * total / balance.weight
    both = (feet.sum(axis=1) > 1) & (sums[:, 0] > 0)
    return np.where(both[:, None], wanted, np.nan)


@dataclass(frozen=True, eq=False)
class _Frames:
    """World poses of the links and what hangs on which, for one motion."""

    balance: Balance
    world: WorldPose
    below: Bools
    legs: Ints


def _frames_of(balance: Balance) -> _Frames:
    body, state = balance.body, balance.state
    world = tree_kinematics(body.parents, body.offsets, state.places, state.turns)
    below = hanging_on(body)
    legs = np.flatnonzero(below[:, np.unique(balance.corners.links)].any(axis=1))
    return _Frames(balance, world, below, legs[legs > 0])


def _pyramid(friction: float) -> Array:
    """Edges of a pyramid within a friction cone, (EDGES, 3)."""
    angles = np.pi / EDGES + 2 * np.pi * np.arange(EDGES) / EDGES
    return np.stack([friction * np.cos(angles), np.ones(EDGES), friction * np.sin(angles)], axis=-1)


def _share_one(
    frames: _Frames, t: int, bearing: NDArray[np.intp], edges: Array, loads: Array
) -> Array:
    """Forces (N, 3) at the corners that bear weight in one frame.

    Parameters
    ----------
    frames : _Frames
        The motion.
    t : int
        Frame.
    bearing : int array of shape (N,)
        Corners that bear weight.
    edges : array of shape (EDGES, 3)
        Of the pyramid within a friction cone.
    loads : array of shape (F,), body weights
        Vertical forces of the feet; NaN where they are free.
    """
    balance = frames.balance
    scale = balance.body.height
    center = balance.dynamics.center[t]
    force = np.tile(edges, (len(bearing), 1))
    corners = np.repeat(bearing, len(edges))
    spots = balance.corners.places[t, corners]
    wrench = balance.dynamics.wrench[t] / balance.weight
    legs = frames.legs
    arms = spots - frames.world.positions[t, legs, None]
    below = frames.below[legs][:, balance.corners.links[corners], None]
    torque = (np.cross(arms, force) * below).transpose(0, 2, 1).reshape(-1, len(force))
    own = rot.rotate(frames.world.rotations[t, legs], balance.dynamics.torques[t, legs])
    feet = np.flatnonzero(np.isfinite(loads))
    of_foot = balance.corners.feet[corners] == feet[:, None]
    moment = wrench[3:] - np.cross(center, wrench[:3])
    terms = (
        (TOTAL * force.T, TOTAL * wrench[:3]),
        (np.cross(spots - center, force).T / scale, moment / scale),
        (TORQUE / scale * torque, TORQUE / scale * own.ravel() / balance.weight),
        (SHARE * of_foot * force[:, 1], SHARE * loads[feet]),
        (FORCE * np.eye(len(force)), np.zeros(len(force))),
    )
    rows, aims = (np.concatenate(parts) for parts in zip(*terms, strict=True))
    sizes, _ = scipy.optimize.nnls(rows, aims)
    shared: Array = (sizes[:, None] * force).reshape(len(bearing), len(edges), 3).sum(axis=1)
    return balance.weight * shared


def _collect(balance: Balance, frames: _Frames, forces: Array) -> GroundForces:
    corners = balance.corners
    feet = balance.contacts.soles.feet
    of_foot = (corners.feet[:, None] == np.arange(len(feet))).astype(float)
    totals = np.einsum("tci,cf->tfi", forces, of_foot)
    up = np.maximum(forces[..., 1], 0.0)[..., None] * of_foot
    load = up.sum(axis=1)[..., None]
    centers = np.einsum("tcf,tci->tfi", up, corners.places) / np.where(load > 1e-6, load, np.nan)
    force, moment = np.split(balance.dynamics.wrench, 2, axis=1)
    lost = force - forces.sum(axis=1)
    turned = moment - np.cross(corners.places, forces).sum(axis=1)
    missing = np.concatenate([lost, turned - np.cross(balance.dynamics.center, lost)], axis=1)
    below = frames.below[:, corners.links, None]
    arms = corners.places[:, None] - frames.world.positions[:, :, None]
    moments = (np.cross(arms, forces[:, None]) * below).sum(axis=2)
    torques = balance.dynamics.torques - rot.rotate(rot.conjugate(frames.world.rotations), moments)
    return GroundForces(forces, feet, totals, centers, missing, torques)
