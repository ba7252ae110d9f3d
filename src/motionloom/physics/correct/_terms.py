"""Terms of a correction as weighted rows: pins, floor, ranges, balance, friction, torques.

Forces on a displaced body, and how they change with the displacement's curves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.kinematics import WorldPose
from motionloom.physics.correct._problem import FORCE_RATE, Problem
from motionloom.physics.correct._wrongs import LEAST_LOAD
from motionloom.physics.correct.options import CorrectionOptions
from motionloom.physics.dynamics._inverse import GRAVITY, differentiate_dynamics, inverse_dynamics
from motionloom.physics.dynamics.state import BodyState, low_pass
from motionloom.physics.ground._balance import corners_at, support_polygons, zero_moment_point
from motionloom.two_bones import unit
from motionloom.typing import Array, Bools

#: One unit of cost each: deviations of pins, of points below the floor (metres), of joints beyond
#: their range (radians), of the zero moment point (metres), of friction and of flight (shares of
#: the weight), and torques (shares of weight times stature).
PIN = 0.002
FINE_PIN = 0.0002
FLOOR = 0.002
RANGE = 0.02
BALANCE = 0.005
FRICTION = 0.03
FLIGHT = 0.03
TORQUE = 0.05
#: Soles that are not pinned may be this deep in the ground: toes bend, and rigid feet do not.
DEPTH = 0.008
#: A zero moment point farther outside pulls no harder than this far, metres.
MOST_OUTSIDE = 0.10
#: The displacement: moves (metres), turns of trunk and legs (radians), and accelerations of moves
#: and turns (per second squared). Legs are dearer: else feet in the air would be swung to keep the
#: balance.
MOVE = 0.03
TURN = 0.10
LEG_TURN = 0.05
MOVE_RATE = 4.0
TURN_RATE = 20.0
#: Jerks of moves and turns, per second cubed.
MOVE_JERK = 30.0
TURN_JERK = 150.0


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
    inward = np.where(np.isfinite(inside)[:, None], polygons.inward(np.nan_to_num(zmp)), 0.0)
    return Loads(state, dynamics.wrench, dynamics.torques, zmp, inside, inward)


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
    by_spin = np.cross(turns[:, 1], spins[..., None], axis=2)
    by_rate = np.cross(turns[:, 2], rates[..., None], axis=2)
    also = np.cross(turns[:, 2], spins[..., None], axis=2)
    out[0, :, 3:] += (by_spin + by_rate).reshape(n, d - 3, m)
    out[1, :, 3:] += also.reshape(n, d - 3, m)
    return out


@dataclass(frozen=True, eq=False)
class Rows:
    """Weighted rows of one term.

    Parameters
    ----------
    frames : int array of shape (N,)
        Frame of each row, ascending.
    residuals : array of shape (N,)
        Their values.
    jacobians : tuple of arrays of shape (N, D)
        Derivatives by the curves and, where there are any, by their derivatives.
    """

    frames: NDArray[np.intp]
    residuals: Array
    jacobians: tuple[Array, ...]


def prior_weights(problem: Problem) -> Array:
    """Weights of the displacement's squares, by order of derivative, (4, D)."""
    share = FORCE_RATE / problem.posed.fps
    n = problem.n_curves
    legs = problem.below[problem.active][:, problem.links].any(axis=1)
    legs &= problem.active != problem.active[0]
    turns = np.repeat(np.where(legs, LEG_TURN, TURN), 3)
    moves = np.arange(n) < 3
    rates = np.where(moves, MOVE_RATE, TURN_RATE)
    jerks = np.where(moves, MOVE_JERK, TURN_JERK)
    return share * np.array([[*[MOVE] * 3, *turns], np.full(n, np.inf), rates, jerks]) ** -2.0


def point_slopes(problem: Problem, world: WorldPose, points: Array) -> Array:
    """Derivatives of the soles' points by the curves, (T, P, 3, D)."""
    n_frames, n_points = points.shape[:2]
    slopes = np.zeros((n_frames, n_points, 3, problem.n_curves))
    slopes[..., :3] = np.eye(3)
    for a, link in enumerate(problem.active):
        axes = rot.to_matrix(world.rotations[:, link])
        for i, own in enumerate(problem.links):
            if problem.below[link, own]:
                arm = points[:, i] - world.positions[:, link]
                moved = np.cross(axes.transpose(0, 2, 1), arm[:, None])
                slopes[:, i, :, 3 + 3 * a : 6 + 3 * a] = moved.transpose(0, 2, 1)
    return slopes


def foot_rows(problem: Problem, points: Array, slopes: Array, pin: float = PIN) -> Iterator[Rows]:
    """Pins, and points that are below the floor; rows of one foot have curves of one leg only."""
    pins = problem.pins
    share = np.sqrt(FORCE_RATE / problem.posed.fps)
    off = points - pins.places
    deep = points[..., 1] - pins.floor + DEPTH
    for foot in problem.soles.feet:
        mine = np.isin(np.arange(points.shape[1]), problem.soles.of(foot))
        at = np.nonzero(pins.held & mine)
        firm = (share / np.where(pins.mended, pin, PIN))[at]
        slope = (firm[:, None, None] * slopes[at]).reshape(3 * len(firm), slopes.shape[-1])
        yield Rows(np.repeat(at[0], 3), (firm[:, None] * off[at]).ravel(), (slope,))
        at = np.nonzero(~pins.held & mine & (deep < 0))
        yield Rows(at[0], share / FLOOR * deep[at], (share / FLOOR * slopes[..., 1, :][at],))


def range_rows(problem: Problem, world: WorldPose) -> Iterator[Rows]:
    """Joints that bend beyond their ranges."""
    share = np.sqrt(FORCE_RATE / problem.posed.fps) / RANGE
    active = problem.active.tolist()
    for limit in problem.limits:
        before, joint, behind = map(problem.body.link, (limit.before, limit.joint, limit.behind))
        if joint not in active:
            continue
        u = unit(world.positions[:, before] - world.positions[:, joint])
        v = unit(world.positions[:, behind] - world.positions[:, joint])
        sine = np.linalg.norm(np.cross(u, v), axis=-1)
        angle = np.arctan2(sine, np.sum(u * v, axis=-1))
        excess = np.minimum(angle - limit.least, 0) + np.maximum(angle - limit.most, 0)
        frames = np.flatnonzero(np.abs(excess) > 0)
        if not len(frames):
            continue
        axes = rot.to_matrix(world.rotations[frames, joint]).transpose(0, 2, 1)
        turned = np.cross(axes, v[frames, None])
        slope = -np.sum(turned * u[frames, None], axis=-1) / np.maximum(sine[frames, None], 0.05)
        rows = np.zeros((len(frames), problem.n_curves))
        a = active.index(joint)
        rows[:, 3 + 3 * a : 6 + 3 * a] = share * slope
        yield Rows(frames, share * excess[frames], (rows,))


def load_rows(
    problem: Problem, loads: Loads, slopes: LoadSlopes, options: CorrectionOptions
) -> Iterator[Rows]:
    """Balance, friction and flight."""
    weight = problem.body.mass * GRAVITY
    up = loads.wrench[:, 1] / weight
    known = np.isfinite(loads.inside)
    if options.balance:
        allowed = np.where(known, problem.allowed[problem.frames], 0.0)
        short = np.minimum(-allowed - np.nan_to_num(loads.inside, nan=1.0), MOST_OUTSIDE)
        n = np.flatnonzero(short > 0)
        slope = _balance_slope(problem, loads, slopes.wrench, n)
        yield _rows(problem, n, np.minimum(up[n], 1.0) / BALANCE, short[n], slope)
        flat = np.hypot(loads.wrench[:, 0], loads.wrench[:, 2]) / weight
        excess = np.where(known, flat - options.friction * up, 0.0)
        n = np.flatnonzero(excess > 0)
        slope = _friction_slope(loads, slopes.wrench, n, options) / weight
        yield _rows(problem, n, 1 / FRICTION, excess[n], slope)
    if options.flight:
        n = np.flatnonzero(problem.wrongs.flights[problem.frames])
        for axis in range(3):
            slope = slopes.wrench[:, n, axis]
            yield _rows(problem, n, 1 / (FLIGHT * weight), loads.wrench[n, axis], slope)


def _rows(
    problem: Problem, n: NDArray[np.intp], share: Array | float, residuals: Array, slope: Array
) -> Rows:
    """Rows of force frames n with residuals and slopes (3, N, D), both weighted here."""
    weights = np.broadcast_to(share, len(n))
    return Rows(problem.frames[n], weights * residuals, tuple(weights[:, None] * slope))


def _balance_slope(problem: Problem, loads: Loads, wrench: Array, n: NDArray[np.intp]) -> Array:
    """Derivatives of how far the zero moment point is outside, (3, N, D)."""
    force_x, up, force_z, moment_x, _, moment_z = np.moveaxis(wrench[:, n], 2, 0)
    zmp = loads.zmp[n, :, None]
    inward = loads.inward[n, :, None] / loads.wrench[n, 1, None, None]
    x = moment_z + problem.ground * force_x - zmp[:, 0] * up
    z = problem.ground * force_z - moment_x - zmp[:, 1] * up
    return np.asarray(-(inward[:, 0] * x + inward[:, 1] * z), float)


def _friction_slope(
    loads: Loads, wrench: Array, n: NDArray[np.intp], options: CorrectionOptions
) -> Array:
    flat = unit(loads.wrench[n][:, [0, 2]])[..., None]
    force_x, up, force_z = np.moveaxis(wrench[:, n, :3], 2, 0)
    return np.asarray(flat[:, 0] * force_x + flat[:, 1] * force_z - options.friction * up, float)


def torque_rows(
    problem: Problem, loads: Loads, slopes: LoadSlopes, positions: Array, turns: Array
) -> Iterator[Rows]:
    """Torques of the active joints, with the wrench from outside at the feet that bear it.

    The wrench is shared among the feet in fixed parts; what it takes off the torques of the joints
    above a foot is its moment about them.

    Parameters
    ----------
    problem : Problem
        What moves.
    loads : Loads
        Where it is.
    slopes : LoadSlopes
        Derivatives.
    positions, turns : arrays of shape (N, L, 3) and (N, L, 4)
        World poses of the links in the force frames.
    """
    share = 1 / (problem.body.mass * GRAVITY * problem.body.height * TORQUE)
    feet = [problem.body.link(problem.body.roles.joints[foot]) for foot in problem.soles.feet]
    parts = _foot_parts(problem)
    n = np.arange(len(problem.frames))
    force, moment = loads.wrench[:, :3], loads.wrench[:, 3:]
    change = slopes.wrench
    for link in problem.active[1:]:
        carried = (parts * problem.below[link, feet]).sum(axis=1)[:, None]
        back = rot.to_matrix(turns[:, link]).transpose(0, 2, 1)
        place = positions[:, link]
        taken = np.einsum("nij,nj->ni", back, moment - np.cross(place, force))
        own = loads.torques[:, link] - carried * taken
        arms = np.cross(place[None, :, :, None], change[:, :, :3], axis=2)
        across = np.einsum("nij,onjd->onid", back, change[:, :, 3:] - arms)
        slope = slopes.torques[:, :, link] - carried[..., None] * across
        for axis in range(3):
            yield _rows(problem, n, share, own[:, axis], slope[:, :, axis])


def _foot_parts(problem: Problem) -> Array:
    """Part of the wrench that each foot bears in the force frames, (N, F), smooth over time."""
    down = problem.contacts.feet_down.astype(float)
    parts = down / np.maximum(down.sum(axis=1, keepdims=True), 1.0)
    smooth = np.clip(low_pass(parts, problem.posed.fps, 5.0), 0.0, 1.0) * (down > 0)
    total = smooth.sum(axis=1, keepdims=True)
    return np.asarray((smooth / np.where(total > 0, total, 1.0))[problem.frames], float)
