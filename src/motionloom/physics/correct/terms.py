"""Terms of a correction as weighted rows: pins, floor, ranges, balance, friction, torques."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.kinematics import WorldPose
from motionloom.physics.correct.loads import Loads, LoadSlopes
from motionloom.physics.correct.options import CorrectionOptions
from motionloom.physics.correct.problem import FORCE_RATE, Problem
from motionloom.physics.dynamics.inverse import GRAVITY
from motionloom.physics.dynamics.state import low_pass
from motionloom.typing import Array

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
    weights = np.zeros((4, n))
    legs = problem.below[problem.active][:, problem.links].any(axis=1)
    legs &= problem.active != problem.active[0]
    turns = np.repeat(np.where(legs, LEG_TURN**-2, TURN**-2), 3)
    weights[0] = np.concatenate([np.full(3, MOVE**-2), turns]) * share
    moves = np.arange(n) < 3
    weights[2] = np.where(moves, MOVE_RATE**-2, TURN_RATE**-2) * share
    weights[3] = np.where(moves, MOVE_JERK**-2, TURN_JERK**-2) * share
    return weights


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
    """Pins, and points that are below the floor."""
    for foot in problem.soles.feet:
        yield from _rows_of_foot(problem, points, slopes, pin, problem.soles.of(foot))


def _rows_of_foot(
    problem: Problem, points: Array, slopes: Array, pin: float, own: tuple[int, ...]
) -> Iterator[Rows]:
    """Rows of one foot, which have curves of one leg only."""
    pins = problem.pins
    mine = np.zeros(points.shape[1], bool)
    mine[list(own)] = True
    share = np.sqrt(FORCE_RATE / problem.posed.fps)
    off = points - pins.places
    frames, which = np.nonzero(pins.held & mine)
    firm = (share / np.where(pins.mended, pin, PIN))[frames, which]
    yield Rows(
        np.repeat(frames, 3),
        (firm[:, None] * off[frames, which]).ravel(),
        ((firm[:, None, None] * slopes[frames, which]).reshape(-1, problem.n_curves),),
    )
    deep = points[..., 1] - pins.floor + DEPTH
    frames, which = np.nonzero(~pins.held & mine & (deep < 0))
    yield Rows(
        frames,
        share / FLOOR * deep[frames, which],
        (share / FLOOR * slopes[frames, which, 1],),
    )


def range_rows(problem: Problem, world: WorldPose) -> Iterator[Rows]:
    """Joints that bend beyond their ranges."""
    share = np.sqrt(FORCE_RATE / problem.posed.fps) / RANGE
    active = problem.active.tolist()
    for limit in problem.limits:
        before, joint, behind = (
            problem.body.link(j) for j in (limit.before, limit.joint, limit.behind)
        )
        if joint not in active:
            continue
        u = _unit(world.positions[:, before] - world.positions[:, joint])
        v = _unit(world.positions[:, behind] - world.positions[:, joint])
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


def _unit(v: Array) -> Array:
    unit: Array = v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-12)
    return unit


def load_rows(
    problem: Problem, loads: Loads, slopes: LoadSlopes | None, options: CorrectionOptions
) -> Iterator[Rows]:
    """Balance, friction and flight; without slopes the residuals only."""
    weight = problem.body.mass * GRAVITY
    up = loads.wrench[:, 1] / weight
    if options.balance:
        allowed = np.where(np.isfinite(loads.inside), problem.allowed[problem.frames], 0.0)
        short = np.minimum(-allowed - np.nan_to_num(loads.inside, nan=1.0), MOST_OUTSIDE)
        n = np.flatnonzero(short > 0)
        share = np.minimum(up[n], 1.0) / BALANCE
        slope = None if slopes is None else _balance_slope(problem, loads, slopes.wrench, n)
        yield _rows(problem, n, share * short[n], slope, share)
        flat = np.hypot(loads.wrench[:, 0], loads.wrench[:, 2]) / weight
        excess = np.where(np.isfinite(loads.inside), flat - options.friction * up, 0.0)
        n = np.flatnonzero(excess > 0)
        share = np.full(len(n), 1 / FRICTION)
        slope = None if slopes is None else _friction_slope(loads, slopes.wrench, n, options)
        yield _rows(problem, n, share * excess[n], _scaled(slope, 1 / weight), share)
    if options.flight:
        n = np.flatnonzero(problem.wrongs.flights[problem.frames])
        for axis in range(3):
            share = np.full(len(n), 1 / (FLIGHT * weight))
            slope = None if slopes is None else slopes.wrench[:, n, axis]
            yield _rows(problem, n, share * loads.wrench[n, axis], slope, share)


def _scaled(slope: Array | None, by: float) -> Array | None:
    return None if slope is None else by * slope


def _rows(
    problem: Problem, n: NDArray[np.intp], residuals: Array, slope: Array | None, share: Array
) -> Rows:
    """Rows of force frames n; slopes (3, N, D) are weighted here."""
    jacobians = () if slope is None else tuple(share[:, None] * part for part in slope)
    return Rows(problem.frames[n], residuals, jacobians)


def _balance_slope(problem: Problem, loads: Loads, wrench: Array, n: NDArray[np.intp]) -> Array:
    """Derivatives of how far the zero moment point is outside, (3, N, D)."""
    d = wrench[:, n]
    up = loads.wrench[n, 1][None, :, None]
    h = problem.ground
    x = (d[:, :, 5] + h * d[:, :, 0] - loads.zmp[n, 0][None, :, None] * d[:, :, 1]) / up
    z = (h * d[:, :, 2] - d[:, :, 3] - loads.zmp[n, 1][None, :, None] * d[:, :, 1]) / up
    inward = loads.inward[n]
    return np.asarray(-(inward[None, :, 0, None] * x + inward[None, :, 1, None] * z), float)


def _friction_slope(
    loads: Loads, wrench: Array, n: NDArray[np.intp], options: CorrectionOptions
) -> Array:
    d = wrench[:, n]
    flat = loads.wrench[n][:, [0, 2]]
    flat = flat / np.maximum(np.linalg.norm(flat, axis=-1, keepdims=True), 1e-9)
    along = flat[None, :, 0, None] * d[:, :, 0] + flat[None, :, 1, None] * d[:, :, 2]
    return np.asarray(along - options.friction * d[:, :, 1], float)


def torque_rows(
    problem: Problem, loads: Loads, slopes: LoadSlopes | None, positions: Array, turns: Array
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
    slopes : LoadSlopes, optional
        Derivatives.
    positions, turns : arrays of shape (N, L, 3) and (N, L, 4)
        World poses of the links in the force frames.
    """
    unit = problem.body.mass * GRAVITY * problem.body.height * TORQUE
    parts = foot_parts(problem)
    feet = problem.soles.feet
    feet_links = [problem.body.link(problem.body.roles.joints[foot]) for foot in feet]
    n = np.arange(len(problem.frames))
    for link in problem.active[1:]:
        carried = sum(parts[:, f] * problem.below[link, own] for f, own in enumerate(feet_links))
        back = rot.to_matrix(turns[:, link]).transpose(0, 2, 1)
        place = positions[:, link]
        moment = loads.wrench[:, 3:] - np.cross(place, loads.wrench[:, :3])
        own = loads.torques[:, link] - carried[:, None] * np.einsum("nij,nj->ni", back, moment)
        slope = None
        if slopes is not None:
            d = slopes.wrench
            across = d[:, :, 3:] - np.cross(
                place[None, :, :, None], d[:, :, :3], axisa=2, axisb=2, axisc=2
            )
            slope = slopes.torques[:, :, link] - carried[None, :, None, None] * np.einsum(
                "nij,onjd->onid", back, across
            )
        for axis in range(3):
            share = np.full(len(n), 1 / unit)
            yield _rows(
                problem,
                n,
                share * own[:, axis],
                None if slope is None else slope[:, :, axis],
                share,
            )


def foot_parts(problem: Problem) -> Array:
    """Part of the wrench that each foot bears in the force frames, (N, F), smooth over time."""
    down = problem.contacts.feet_down.astype(float)
    parts = down / np.maximum(down.sum(axis=1, keepdims=True), 1.0)
    smooth = np.clip(low_pass(parts, problem.posed.fps, 5.0), 0.0, 1.0) * (down > 0)
    total = smooth.sum(axis=1, keepdims=True)
    return np.asarray((smooth / np.where(total > 0, total, 1.0))[problem.frames], float)


def cost_of(rows: Sequence[Rows]) -> float:
    """Sum of squares."""
    return float(sum(np.sum(r.residuals**2) for r in rows))
