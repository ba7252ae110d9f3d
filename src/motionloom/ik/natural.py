"""The default solver: the likeliest pose that meets the targets and keeps the effective limits.

Among all poses x with ``f(x) = target`` and ``lower <= x <= upper`` it looks for the one nearest to
a centre c in the metric of the captured poses, ``(x - c)^t Q (x - c)``; Q adds up the precisions of
the overlapping segments (`PoseSpace.precision`). Each step solves this with f linear and the limits
that would be broken as equalities: sequential quadratic programming with an active set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from motionloom.errors import InvalidInputError
from motionloom.ik.iterate import restart_poses
from motionloom.ik.layered import solve_in_layers
from motionloom.ik.problem import IkResult, PoseProblem, make_problem
from motionloom.ik.rig import Aims, Stance, measure, run
from motionloom.spaces.pose_space import PoseSpace

Array = NDArray[np.float64]

#: How far the centre lies from the mean captured pose towards the start, in parts of the body that
#: have targets ...
CENTRE = 0.4
#: ... and in those that have none: what nobody asks about stays as it is.
FREE_CENTRE = 1.0
#: A start that is odder than captured poses pulls less, by this power of how much odder it is.
DOUBT = 3.0
#: Largest change of an angle in one step, radians.
LONGEST = 0.6
#: A solution has settled when no angle changes more than this any more, radians.
SETTLED = 2e-3
#: Variance (m^2) that a target of weight 1 is softened by at least and at most, so that steps exist
#: out of reach.
SOFT, SOFTEST = 1e-7, 1e-2
#: Least share of a step that is taken.
SLOWEST = 0.1
#: Iterations without any gain after which an attempt is given up.
PATIENCE = 20

_STOPPED = ("reached", "iterations", "stalled")


class Descent(NamedTuple):
    """What a descent keeps to: the covariance `spread` (P, P) of poses, limits and centre (P,).

    `tolerance` is the largest error in metres that counts as reached, `cap` the longest part of an
    error that one step makes good, and `most` the most iterations.
    """

    spread: Array
    lower: Array
    upper: Array
    centre: Array
    tolerance: float
    cap: float
    most: int


class _Linear(NamedTuple):
    """The problem of one step, linear in it: ``jacobian @ step = pull``, where `softness` allows.

    `away` is centre - pose, `low` and `high` what is left to the limits, `carried` is ``jacobian @
    spread``.
    """

    jacobian: Array
    carried: Array
    spread: Array
    pull: Array
    softness: Array
    away: Array
    low: Array
    high: Array


@dataclass(frozen=True, eq=False)
class Prior:
    """Gaussian of poses as the solver takes it.

    Parameters
    ----------
    mean : array of shape (P,)
        Mean captured pose, radians.
    precision, spread : array of shape (P, P)
        Inverse covariance, and covariance.
    """

    mean: Array
    precision: Array
    spread: Array

    def centre(
        self, start: Array, parts: Sequence[NDArray[np.int64]], asked: NDArray[np.bool_]
    ) -> Array:
        """The pose that solutions are drawn to: between the mean and a start.

        Parameters
        ----------
        start : array of shape (P,), radians
            Pose that the solver was given.
        parts : sequence of int array
            Columns of the parts of the body that are independent of each other.
        asked : bool array of shape (P,)
            Which numbers move a target.

        Returns
        -------
        array of shape (P,), radians
            The mean, plus the way from it to the start: the whole way in parts that move no target,
            `CENTRE` of it in others, less where the start is odder than captured poses.
        """
        away = start - self.mean
        oddness = float(np.sqrt(away @ self.precision @ away / len(away)))
        away = away * min(1.0, 1.0 / max(oddness, 1e-12)) ** DOUBT
        share = np.full(len(away), CENTRE)
        for columns in parts:
            if not asked[columns].any():
                share[columns] = FREE_CENTRE
        centre: Array = self.mean + share * away
        return centre


def make_prior(space: PoseSpace, *, whole: bool = False) -> Prior:
    """Gaussian of the captured poses, as the default solver takes it.

    Parameters
    ----------
    space : PoseSpace
        The captured poses and their segments.
    whole : bool
        Whether the whole body is one Gaussian, for comparison; else the precisions of the segments
        are joined.

    Returns
    -------
    Prior
        In radians.
    """
    precision = space.whole_precision if whole else space.precision
    return Prior(space.mean, precision, np.ascontiguousarray(np.linalg.inv(precision)))


def solve_natural(problem: PoseProblem, prior: Prior | None = None) -> IkResult:
    """Solve for the likeliest pose.

    Parameters
    ----------
    problem : PoseProblem
        Targets, start and options.
    prior : Prior, optional
        That of the problem's pose space when not given.

    Returns
    -------
    IkResult
        Of the attempt whose largest weighted miss is smallest.
    """
    prior = prior or make_prior(problem.space)
    if problem.layered:
        return solve_in_layers(problem, lambda upper: solve_natural(upper, prior), prior)
    options = problem.options
    # From the centre rather than from the start: an odd start would end in an odd local minimum.
    descent = _make_descent(problem, prior)
    pose = problem.clamp(descent.centre)
    used = 0
    reason = 1
    best = (np.inf, pose)
    reached = False
    seeds: list[Array] = []
    for attempt in range(options.restarts + 1):
        if attempt == 1:
            seeds = restart_poses(problem, options.restarts)
        if attempt > len(seeds):
            break
        begin = pose if attempt == 0 else seeds[attempt - 1]
        found = begin.copy()
        rest = descent._replace(most=options.iterations - used)
        count, reason, worst, miss = descend(problem.rig, problem.aims, rest, found)
        used += count
        if miss < best[0]:
            best = (miss, found)
            reached = worst <= options.tolerance
        if reason == 0 or used >= options.iterations:
            break
    return problem.result(best[1], used, _STOPPED[0] if reached else _STOPPED[reason or 1])


def solve_many(
    problem: PoseProblem, values: Array, prior: Prior | None = None
) -> tuple[Array, Array]:
    """Solve one problem for many targets at once; each solution is independent of the others.

    Parameters
    ----------
    problem : PoseProblem
        Its targets say which joints shall do what; their values are replaced.
    values : array of shape (N, K, 3)
        Places, or points looked at, of all K targets; none may be an orientation.
    prior : Prior, optional
        That of the problem's pose space when not given.

    Returns
    -------
    poses : array of shape (N, P), radians
    errors : array of shape (N,)
        Largest error of a target, metres at the lever; those that one attempt left above the
        tolerance have been tried again from captured poses.

    Raises
    ------
    InvalidInputError
        When `values` has another shape, or a target is an orientation.
    """
    prior = prior or make_prior(problem.space)
    space = problem.space
    options = problem.options
    values = np.asarray(values, float)
    if values.ndim != 3 or values.shape[1:] != (len(problem.targets), 3):
        raise InvalidInputError(
            f"expected values of shape (N, {len(problem.targets)}, 3), got {values.shape}"
        )
    if any(t.kind == "orientation" for t in problem.targets):
        raise InvalidInputError(
            "many orientations at once are not supported; solve for them one by one"
        )
    descent = _make_descent(problem, prior)
    poses, errors = _descend_all(problem.rig, problem.aims, values, descent)
    if problem.layered:
        errors[:] = np.inf  # one weighted descent is no answer to several priorities
    for n in np.flatnonzero(errors > options.tolerance):
        targets = tuple(
            replace(t, value=v) for t, v in zip(problem.targets, values[n], strict=True)
        )
        again = make_problem(space, targets, problem.start, options)
        again.__dict__["rig"] = problem.rig
        result = solve_natural(again, prior)
        worst = float(again.lengths(again.evaluate(result.pose)[0]).max())
        if worst < errors[n]:
            poses[n] = result.pose
            errors[n] = worst
    return poses, errors


def _make_descent(problem: PoseProblem, prior: Prior) -> Descent:
    space = problem.space
    options = problem.options
    asked = np.logical_or.reduce(problem.rig.moves[problem.aims.joint], axis=0)
    return Descent(
        spread=prior.spread,
        lower=space.lower,
        upper=space.upper,
        centre=prior.centre(problem.start, space.parts, asked),
        tolerance=options.tolerance,
        cap=options.step,
        most=options.iterations,
    )


@njit(cache=True)
def _largest(residual, aims, cap, pull):  # pragma: no cover - compiled
    """Largest error of a target, and largest one by importance, metres.

    `pull` becomes the residual with every target's part no longer than `cap`.
    """
    worst = 0.0
    miss = 0.0
    heaviest = aims.weight.max()
    for k in range(len(aims.joint)):
        length = 0.0
        for r in range(aims.rows[k], aims.rows[k + 1]):
            length += residual[r] ** 2
        length = np.sqrt(length)
        worst = max(worst, length)
        miss = max(miss, length * np.sqrt(aims.weight[k] / heaviest))
        share = 1.0 if length <= cap else cap / length
        for r in range(aims.rows[k], aims.rows[k + 1]):
            pull[r] = share * residual[r]
    return worst, miss


@njit(cache=True)
def _step(linear, held, step):  # pragma: no cover - compiled
    """Minimize the distance to the centre subject to the linear problem and the limits; write
    `step`.

    `held` is the active set, which is kept from step to step.
    """
    rows, n = linear.jacobian.shape
    for _ in range(8):
        bound = np.flatnonzero(held)
        force = _forces(linear, held, bound)
        step[:] = linear.away + linear.carried.T @ force[:rows]
        for b in range(len(bound)):
            for p in range(n):
                step[p] += linear.spread[bound[b], p] * force[rows + b]
        changed = False
        for b in range(len(bound)):
            # A limit that pushes outwards is not needed: held at the upper one the force must point
            # down.
            if force[rows + b] * held[bound[b]] > 0:
                held[bound[b]] = 0
                changed = True
        if not _hold(linear, held, step) and not changed:
            break


@njit(cache=True)
def _forces(linear, held, bound):  # pragma: no cover - compiled
    """Multipliers of the targets' rows and of the limits that are held."""
    rows = len(linear.jacobian)
    carried = linear.carried
    m = rows + len(bound)
    system = np.zeros((m, m))
    right = np.zeros(m)
    system[:rows, :rows] = carried @ linear.jacobian.T
    right[:rows] = linear.pull - linear.jacobian @ linear.away
    for r in range(rows):
        system[r, r] += linear.softness[r]
    for b in range(len(bound)):
        p = bound[b]
        for r in range(rows):
            system[rows + b, r] = system[r, rows + b] = carried[r, p]
        for c in range(len(bound)):
            system[rows + b, rows + c] = linear.spread[p, bound[c]]
        system[rows + b, rows + b] *= 1.0 + 1e-9
        right[rows + b] = (linear.high[p] if held[p] > 0 else linear.low[p]) - linear.away[p]
    return np.linalg.solve(system, right)


@njit(cache=True)
def _hold(linear, held, step):  # pragma: no cover - compiled
    """Hold the limits that a step breaks; whether there are any."""
    changed = False
    for p in range(len(step)):
        if held[p] == 0 and step[p] > linear.high[p] + 1e-9:
            held[p] = 1
            changed = True
        elif held[p] == 0 and step[p] < linear.low[p] - 1e-9:
            held[p] = -1
            changed = True
    return changed


@njit(cache=True)
def descend(rig, aims, descent, pose):  # pragma: no cover - compiled
    """Bring a pose to the targets and as near to the centre as they allow; `pose` is changed in
    place.

    Returns
    -------
    iterations : int
    reason : int
        0 reached and settled, 1 out of iterations, 2 no gain any more.
    worst, miss : float, metres
        Largest error of a target, and largest one by importance.
    """
    lower = descent.lower
    upper = descent.upper
    tolerance = descent.tolerance
    most = descent.most
    n = len(pose)
    rows = aims.rows[-1]
    place = np.zeros((len(rig.parents), 3))
    turn = np.zeros((len(rig.parents), 3, 3))
    axes = np.zeros((n, 3))
    for j in range(len(rig.parents)):
        turn[j] = np.eye(3)
    stance = Stance(place, turn, axes)
    residual = np.zeros(rows)
    pull = np.zeros(rows)
    softness = np.zeros(rows)
    jacobian = np.zeros((rows, n))
    step = np.zeros(n)
    held = np.zeros(n, np.int64)
    best = np.inf
    best_worst = np.inf
    best_pose = pose.copy()
    since = 0
    soft = SOFT
    before = np.inf
    last = np.inf
    pace = 1.0
    previous = np.zeros(n)
    for count in range(most + 1):
        run(rig, pose, stance)
        measure(rig, aims, stance, residual, jacobian)
        worst, miss = _largest(residual, aims, descent.cap, pull)
        if worst <= tolerance and last < SETTLED:
            return count, 0, worst, miss
        if miss < 0.99 * best or worst <= tolerance:
            best = miss
            best_worst = worst
            since = 0
            best_pose[:] = pose
        else:
            since += 1
        if count == most or since > PATIENCE:
            pose[:] = best_pose
            return (
                count,
                (0 if best_worst <= tolerance else (1 if count == most else 2)),
                best_worst,
                best,
            )
        soft = (
            min(soft * 10.0, SOFTEST)
            if worst > before and worst > tolerance
            else max(soft * 0.3, SOFT)
        )
        before = worst
        for k in range(len(aims.joint)):
            for r in range(aims.rows[k], aims.rows[k + 1]):
                softness[r] = soft / aims.weight[k]
        carried = jacobian @ descent.spread
        away = descent.centre - pose
        low = lower - pose
        high = upper - pose
        linear = _Linear(jacobian, carried, descent.spread, pull, softness, away, low, high)
        _step(linear, held, step)
        # Steps that turn back and forth across a valley are shortened.
        pace = max(0.5 * pace, SLOWEST) if np.dot(step, previous) < 0 else min(2.0 * pace, 1.0)
        previous[:] = step
        last = pace * np.abs(step).max()
        share = pace * min(1.0, LONGEST / max(last, 1e-12))
        for p in range(n):
            pose[p] = min(max(pose[p] + share * step[p], lower[p]), upper[p])
    return most, 1, best_worst, best


@njit(cache=True)
def _descend_all(rig, aims, values, descent):  # pragma: no cover - compiled
    centre = descent.centre
    poses = np.empty((len(values), len(centre)))
    errors = np.empty(len(values))
    value = aims.value.copy()
    own = Aims(aims.joint, aims.kind, value, aims.local, aims.weight, aims.rows, aims.lever)
    for n in range(len(values)):
        value[:, 0] = values[n]
        pose = np.minimum(np.maximum(centre, descent.lower), descent.upper)
        errors[n] = descend(rig, own, descent, pose)[2]
        poses[n] = pose
    return poses, errors
