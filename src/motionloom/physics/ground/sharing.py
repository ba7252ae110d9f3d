"""The ground's force shared among the feet: friction cones, least torque in the legs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.curves import smoothstep
from motionloom.errors import InvalidInputError
from motionloom.kinematics import WorldPose
from motionloom.physics.dynamics.inverse import hanging_on
from motionloom.physics.dynamics.state import link_poses, low_pass
from motionloom.physics.ground.balance import FRICTION, Balance
from motionloom.progress import Progress, silent
from motionloom.skeleton import restore_read_only
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
    __setstate__ = restore_read_only


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
    n_frames, n_corners = balance.corners.places.shape[:2]
    frames = _Frames.of(balance)
    edges = _pyramid(friction)
    down = balance.contacts.bearing.down[:, balance.corners.points]
    free = np.full((n_frames, len(balance.contacts.soles.feet)), np.nan)
    forces = np.zeros((n_frames, n_corners, 3))
    for t in range(n_frames):
        bearing = np.flatnonzero(down[t])
        if len(bearing):
            forces[t, bearing] = _share_one(frames, t, bearing, edges, free[t])
        if t % 100 == 0:
            progress("sharing forces", t, n_frames)
    wanted = _gentle_loads(balance, forces)
    for t in np.flatnonzero(np.isfinite(wanted).all(axis=1)).tolist():
        bearing = np.flatnonzero(down[t])
        forces[t, bearing] = _share_one(frames, t, bearing, edges, wanted[t])
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
    loads = np.stack(
        [forces[:, balance.corners.feet == f, 1].sum(axis=1) for f in range(feet.shape[1])], axis=1
    )
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

    @classmethod
    def of(cls, balance: Balance) -> _Frames:
        body = balance.body
        below = hanging_on(body)
        feet = np.unique(balance.corners.links)
        legs = np.flatnonzero(below[:, feet].any(axis=1) & (np.arange(body.n_links) > 0))
        state = balance.state
        world = link_poses(body.parents, body.offsets, state.places, state.turns)
        return cls(balance, world, below, legs)


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
    places = balance.corners.places[t, bearing]
    links = balance.corners.links[bearing]
    center = balance.dynamics.center[t]
    force = np.tile(edges, (len(bearing), 1))
    spots = np.repeat(places, len(edges), axis=0)
    owners = np.repeat(links, len(edges))
    moment = np.cross(spots - center, force) / scale
    wrench = balance.dynamics.wrench[t] / balance.weight
    wanted = [wrench[:3], (wrench[3:] - np.cross(center, wrench[:3])) / scale]
    torque = _torque_rows(frames, t, (force, spots, owners)) / scale
    own = rot.rotate(
        frames.world.rotations[t, frames.legs], balance.dynamics.torques[t, frames.legs]
    )
    feet = np.flatnonzero(np.isfinite(loads))
    of_foot = np.repeat(balance.corners.feet[bearing], len(edges)) == feet[:, None]
    rows = np.concatenate(
        [
            TOTAL * force.T,
            moment.T,
            TORQUE * torque,
            SHARE * of_foot * force[:, 1],
            FORCE * np.eye(len(force)),
        ]
    )
    aims = np.concatenate(
        [
            TOTAL * wanted[0],
            wanted[1],
            TORQUE * own.ravel() / (balance.weight * scale),
            SHARE * loads[feet],
            np.zeros(len(force)),
        ]
    )
    sizes, _ = scipy.optimize.nnls(rows, aims)
    shared: Array = (sizes[:, None] * force).reshape(len(bearing), len(edges), 3).sum(axis=1)
    return balance.weight * shared


def _torque_rows(frames: _Frames, t: int, unit: tuple[Array, Array, Ints]) -> Array:
    """What unit forces at the soles take off the legs' torques, in the world, (3 legs, N)."""
    force, spots, owners = unit
    joints = frames.world.positions[t, frames.legs]
    arms = spots[None] - joints[:, None]
    moments = np.cross(arms, force[None]) * frames.below[frames.legs][:, owners][..., None]
    rows: Array = moments.transpose(0, 2, 1).reshape(-1, len(force))
    return rows


def _collect(balance: Balance, frames: _Frames, forces: Array) -> GroundForces:
    corners = balance.corners
    feet = balance.contacts.soles.feet
    totals = np.stack([forces[:, corners.feet == f].sum(axis=1) for f in range(len(feet))], axis=1)
    centers = np.stack(
        [
            _pressure_center(forces[:, corners.feet == f], corners.places[:, corners.feet == f])
            for f in range(len(feet))
        ],
        axis=1,
    )
    center = balance.dynamics.center
    wrench = balance.dynamics.wrench
    arms = corners.places - center[:, None]
    moment = wrench[:, 3:] - np.cross(center, wrench[:, :3])
    missing = np.concatenate(
        [wrench[:, :3] - forces.sum(axis=1), moment - np.cross(arms, forces).sum(axis=1)], axis=1
    )
    return GroundForces(
        forces, feet, totals, centers, missing, torques_with_ground(balance, frames, forces)
    )


def _pressure_center(forces: Array, places: Array) -> Array:
    up = np.maximum(forces[..., 1], 0.0)
    total = up.sum(axis=1)
    mean = (up[..., None] * places).sum(axis=1) / np.where(total > 1e-6, total, np.nan)[:, None]
    return np.asarray(mean, float)


def torques_with_ground(balance: Balance, frames: _Frames, forces: Array) -> Array:
    """Torques at the joints once forces act at the soles, (T, L, 3)."""
    torques = balance.dynamics.torques.copy()
    places = balance.corners.places
    for link in range(balance.body.n_links):
        below = frames.below[link, balance.corners.links]
        if not below.any():
            continue
        arms = places[:, below] - frames.world.positions[:, link, None]
        moment = np.cross(arms, forces[:, below]).sum(axis=1)
        torques[:, link] -= rot.rotate(rot.conjugate(frames.world.rotations[:, link]), moment)
    return torques
