"""Forces on a displaced body, and how they change with the displacement's curves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from motionloom.physics.correct.problem import Problem
from motionloom.physics.correct.wrongs import LEAST_LOAD
from motionloom.physics.dynamics.inverse import GRAVITY, differentiate_dynamics, inverse_dynamics
from motionloom.physics.dynamics.state import BodyState
from motionloom.physics.ground.balance import corners_at, support_polygons, zero_moment_point
from motionloom.typing import Array, Bools


@dataclass(frozen=True, eq=False)
class Loads:
    """Wrench and balance in the frames whose forces are looked at.

    Parameters
    ----------
    state : BodyState
        Of these N frames.
    wrench : array of shape (N, 6)
        On the body from outside, about the world's origin.
    torques : array of shape (N, L, 3)
        At the joints, without the ground's forces.
    zmp : array of shape (N, 2), metres
        NaN where the ground carries little.
    inside : array of shape (N,), metres
        Distance to the polygon's edge, negative outside; NaN where it does not count.
    inward : array of shape (N, 2)
        Unit vectors from the nearest point of the edge into the polygon.
    """

    state: BodyState
    wrench: Array
    torques: Array
    zmp: Array
    inside: Array
    inward: Array


def loads_of(problem: Problem, curves: Array, points: Array) -> Loads:
    """Forces on the body displaced by curves (T, D), with soles' points (T, P, 3)."""
    frames = problem.frames
    state = problem.state(curves).at(frames)
    dynamics = inverse_dynamics(problem.body, state)
    weight = problem.body.mass * GRAVITY
    zmp = zero_moment_point(dynamics.wrench, problem.ground, LEAST_LOAD * weight)
    facing = problem.posed.facing[frames]
    corners = corners_at(points[frames], facing, problem.body, problem.soles)
    down = problem.contacts.bearing.down[frames][:, corners.points]
    polygons = support_polygons(corners.places, down)
    inside = np.where(np.isinf(problem.allowed[frames]), np.nan, polygons.distance(zmp))
    return Loads(
        state=state,
        wrench=dynamics.wrench,
        torques=dynamics.torques,
        zmp=zmp,
        inside=inside,
        inward=np.where(np.isfinite(inside)[:, None], polygons.inward(np.nan_to_num(zmp)), 0.0),
    )


class LoadSlopes(NamedTuple):
    """Derivatives of wrench (3, N, 6, D) and torques (3, N, L, 3, D) by the curves and their first
    and second derivatives; torques are empty where they were not asked for.
    """

    wrench: Array
    torques: Array


def no_slopes(problem: Problem) -> LoadSlopes:
    """Derivatives by no curves, where only the loads count."""
    n = len(problem.frames)
    return LoadSlopes(np.zeros((3, n, 6, 0)), np.zeros((3, n, problem.body.n_links, 3, 0)))


def slopes_of(problem: Problem, loads: Loads, wanted: Bools | None = None) -> LoadSlopes:
    """Derivatives of the loads by the curves.

    A link that is turned by a small vector e in its own frame changes its angular velocity by
    ``e' + w x e`` and its rate by ``e'' + a x e + w x e'``.

    Parameters
    ----------
    problem : Problem
        What moves.
    loads : Loads
        Where it is.
    wanted : bool array of shape (N,), optional
        Frames in which those of the wrench are wanted, and those of torques nowhere; else both in
        all.

    Returns
    -------
    LoadSlopes
    """
    frames = np.flatnonzero(np.ones(len(problem.frames)) if wanted is None else wanted)
    state = loads.state.at(frames)
    spins, rates = state.spins[:, problem.active], state.spin_rates[:, problem.active]
    active = problem.active.tolist()
    found = differentiate_dynamics(problem.body, state, active, with_torques=wanted is None)
    shape = found.torques.shape
    flat = found.torques.reshape(*shape[:3], shape[3] * 3)
    wrench = np.zeros((3, len(problem.frames), 6, problem.n_curves))
    wrench[:, frames] = np.moveaxis(_by_curves(found.wrench, spins, rates), 2, 3)
    torques = np.moveaxis(_by_curves(flat, spins, rates), 2, 3)
    return LoadSlopes(wrench, torques.reshape(3, len(frames), *shape[3:], problem.n_curves))


def _by_curves(found: Array, spins: Array, rates: Array) -> Array:
    """From pose, velocity, acceleration (N, 3, D, M) to orders of the curves, (3, N, D, M)."""
    n, _, d, m = found.shape
    out = found.transpose(1, 0, 2, 3).copy()
    turns = found[:, :, 3:].reshape(n, 3, d // 3 - 1, 3, m)
    by_spin = np.einsum("nadm,nade->naem", turns[:, 1], _skew(spins))
    by_rate = np.einsum("nadm,nade->naem", turns[:, 2], _skew(rates))
    also = np.einsum("nadm,nade->naem", turns[:, 2], _skew(spins))
    out[0, :, 3:] += (by_spin + by_rate).reshape(n, d - 3, m)
    out[1, :, 3:] += also.reshape(n, d - 3, m)
    return out


def _skew(v: Array) -> Array:
    """Matrices of cross products with v, (..., 3, 3)."""
    zero = np.zeros_like(v[..., 0])
    x, y, z = v[..., 0], v[..., 1], v[..., 2]
    return np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(*v.shape, 3)
