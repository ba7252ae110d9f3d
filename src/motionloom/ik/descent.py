"""Compiled search for the likeliest pose: sequential quadratic programming with an active set.

Each step minimizes ``(x - c)^t Q (x - c)`` with the targets' rows linear, and with the limits and
points of the floor that would be broken as equalities. Q enters by its inverse, the covariance
`spread`, so that a number whose variance is zero stays where it is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionloom.compiling import full_kernel
from motionloom.ik.rig import measure, measure_floor
from motionloom.jacobian_kernels import Stance, run
from motionloom.typing import Array, Bools

#: Largest change of a number in one step, radians or metres.
LONGEST = 0.6
#: A solution has settled when no number changes more than this any more, radians or metres.
SETTLED = 2e-3
#: Variance (m^2) that a target of weight 1 is softened by at least and at most, so that steps exist
#: out of reach.
SOFT, SOFTEST = 1e-7, 1e-2
#: Variance (m^2) of a target of weight 1 that cannot be met, where poses settle.
NEVER_MET = 1e-5
#: What the length of a step counts beside the distance to the centre: at first, least and most.
FIRST_DAMPING, LEAST_DAMPING, MOST_DAMPING = 1.0, 1e-3, 1e6
#: Least share of a step that is taken.
SLOWEST = 0.1
#: Iterations without any gain after which an attempt is given up.
PATIENCE = 20
#: Points of the floor that are nearer to it than this may be held above it, metres, and how far
#: above what is allowed they are held.
NEAR_FLOOR, ABOVE_FLOOR = 0.06, 2e-4


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
    """The problem of one step, linear in it: the first `targets` rows are equalities that
    `softness` allows, ``rows @ step = pull``, the others ``rows @ step >= pull``.

    `away` is centre - pose, `low` and `high` what is left to the limits. ``carried`` is ``rows @
    spread``, `gram` is ``carried @ rows^t`` and `distant` is ``pull - rows @ away``; inequalities
    have them only once they are active, which `ready` tells.
    """

    targets: int
    rows: Array
    pull: Array
    softness: Array
    spread: Array
    away: Array
    low: Array
    high: Array
    carried: Array
    gram: Array
    distant: Array
    ready: Bools


@full_kernel()
def _largest(residual, aims, cap, pull):  # pragma: no cover - compiled
    """Largest error of a target, and largest one by importance, metres; wishes are passed over.

    `pull` becomes the residual with every target's part no longer than `cap`.
    """
    worst = 0.0
    miss = 0.0
    heaviest = np.where(aims.soft == 0.0, aims.weight, 0.0).max()
    for k in range(len(aims.joint)):
        own = residual[aims.rows[k] : aims.rows[k + 1]]
        length = np.sqrt(np.dot(own, own))
        if aims.soft[k] == 0.0:
            worst = max(worst, length)
            miss = max(miss, length * np.sqrt(aims.weight[k] / heaviest))
        pull[aims.rows[k] : aims.rows[k + 1]] = min(1.0, cap / max(length, 1e-300)) * own
    return worst, miss


@full_kernel()
def _step(linear, held, pressed, step):  # pragma: no cover - compiled
    """Minimize the distance to the centre subject to the linear problem; write `step`.

    `held` (P,) tells the limits and `pressed` the inequalities that are active.
    """
    for _ in range(8):
        used = np.flatnonzero(pressed)
        for row in used:
            if not linear.ready[row]:
                _prepare(linear, row)
        bound = np.flatnonzero(held)
        force = _forces(linear, held, used, bound)
        step[:] = linear.away
        step += force[: len(used)] @ linear.carried[used]
        step += force[len(used) :] @ linear.spread[bound]
        changed = _release(linear, held, pressed, used, bound, force)
        if not _hold(linear, held, pressed, step) and not changed:
            break


@full_kernel()
def _prepare(linear, a):  # pragma: no cover - compiled
    """Fill what an inequality needs that becomes active."""
    own = linear.rows[a]
    linear.carried[a] = linear.spread @ own
    linear.distant[a] = linear.pull[a] - np.dot(own, linear.away)
    linear.ready[a] = True
    for b in range(len(linear.ready)):
        if linear.ready[b]:
            linear.gram[a, b] = linear.gram[b, a] = np.dot(linear.carried[a], linear.rows[b])


@full_kernel()
def _release(linear, held, pressed, used, bound, force):  # pragma: no cover - compiled
    """Let go of what pulls instead of pushing; whether there was any."""
    slack = used[linear.targets :][force[linear.targets : len(used)] < 0.0]
    # Held at the upper limit the force must point down.
    loose = bound[force[len(used) :] * held[bound] > 0.0]
    pressed[slack] = 0
    held[loose] = 0
    return len(slack) + len(loose) > 0


@full_kernel()
def _forces(linear, held, used, bound):  # pragma: no cover - compiled
    """Multipliers of the active rows and of the limits that are held."""
    rows = len(used)
    system = np.empty((rows + len(bound), rows + len(bound)))
    for a in range(rows):
        system[a, :rows] = linear.gram[used[a]][used]
        system[a, a] += linear.softness[used[a]]
        system[a, rows:] = linear.carried[used[a]][bound]
        system[rows:, a] = system[a, rows:]
    for b in range(len(bound)):
        system[rows + b, rows:] = linear.spread[bound[b]][bound]
        system[rows + b, rows + b] = system[rows + b, rows + b] * (1.0 + 1e-9) + 1e-15
    edge = np.where(held[bound] > 0, linear.high[bound], linear.low[bound])
    right = np.concatenate((linear.distant[used], edge - linear.away[bound]))
    _solve(system, right)
    return right


@full_kernel()
def _solve(system, right):  # pragma: no cover - compiled
    """Solve a symmetric positive definite system by elimination; both are overwritten, `right` by
    the solution.
    """
    m = len(right)
    for k in range(m):
        # Limits of a fully held chain depend on each other: what is left of such a row is nothing.
        pivot = max(system[k, k], 1e-14)
        system[k, k] = pivot
        for i in range(k + 1, m):
            share = system[k, i] / pivot
            if share != 0.0:
                for j in range(i, m):
                    system[i, j] -= share * system[k, j]
                right[i] -= share * right[k]
    for k in range(m - 1, -1, -1):
        right[k] = (right[k] - np.dot(system[k, k + 1 :], right[k + 1 :])) / system[k, k]


@full_kernel()
def _hold(linear, held, pressed, step):  # pragma: no cover - compiled
    """Hold the limits and inequalities that a step breaks; whether there are any."""
    over = (held == 0) & (step > linear.high + 1e-9)
    under = (held == 0) & (step < linear.low - 1e-9)
    broken = (pressed == 0) & (linear.rows @ step < linear.pull - 1e-6)
    held[over] = 1
    held[under] = -1
    pressed[broken] = 1
    return over.any() or under.any() or broken.any()


@full_kernel()
def _linearize(descent, aims, pose, rows, pull, soft, count):  # pragma: no cover - compiled
    """The problem of one step from a pose; `count` rows are filled, the targets' first."""
    targets = aims.rows[-1]
    softness = np.full(count, 1e-9)
    for k in range(len(aims.joint)):
        for r in range(aims.rows[k], aims.rows[k + 1]):
            softness[r] = aims.soft[k] if aims.soft[k] > 0.0 else soft / aims.weight[k]
    away = descent.centre - pose
    carried = np.empty((count, len(pose)))
    carried[:targets] = rows[:targets] @ descent.spread
    gram = np.empty((count, count))
    gram[:targets, :targets] = carried[:targets] @ rows[:targets].T
    distant = np.empty(count)
    distant[:targets] = pull[:targets] - rows[:targets] @ away
    ready = np.zeros(count, np.bool_)
    ready[:targets] = True
    return _Linear(
        targets,
        rows[:count],
        pull[:count],
        softness,
        descent.spread,
        away,
        descent.lower - pose,
        descent.upper - pose,
        carried,
        gram,
        distant,
        ready,
    )


@full_kernel()
def _room(rig, aims, floor):  # pragma: no cover - compiled
    """Room for kinematics, residual, gaps to the floor, pull and rows."""
    joints = len(rig.parents)
    size = len(rig.owner)
    stance = Stance(np.zeros((joints, 3)), np.zeros((joints, 3, 3)), np.zeros((size, 3)))
    rows = aims.rows[-1] + len(floor.joint)
    residual = np.zeros(aims.rows[-1])
    return stance, residual, np.zeros(len(floor.joint)), np.zeros(rows), np.zeros((rows, size))


@full_kernel()
def descend(rig, aims, floor, descent, pose):  # pragma: no cover - compiled
    """Bring a pose to the targets and as near to the centre as they allow; `pose` is changed in
    place.

    Returns
    -------
    iterations : int
    reason : int
        0 reached and settled, 1 out of iterations, 2 no gain any more.
    worst, miss : float, metres
        Largest error of a target (or depth under the floor), and largest one by importance.
    """
    stance, residual, gap, pull, rows = _room(rig, aims, floor)
    targets = len(residual)
    step = np.zeros(len(pose))
    held = np.zeros(len(pose), np.int64)
    best = np.inf
    best_worst = np.inf
    best_pose = pose.copy()
    since = 0
    soft = SOFT
    before = np.inf
    last = np.inf
    pace = 1.0
    previous = np.zeros(len(pose))
    for count in range(descent.most + 1):
        run(rig, pose, stance)
        measure(rig, aims, stance, residual, rows)
        near, lowest = measure_floor(rig, floor, stance, NEAR_FLOOR, gap, rows[targets:])
        worst, miss = _largest(residual, aims, descent.cap, pull)
        worst = max(worst, -lowest)
        miss = max(miss, -lowest)
        if worst <= descent.tolerance and last < SETTLED:
            return count, 0, worst, miss
        if miss < 0.99 * best or worst <= descent.tolerance:
            best = miss
            best_worst = worst
            since = 0
            best_pose[:] = pose
        else:
            since += 1
        if count == descent.most or since > PATIENCE:
            pose[:] = best_pose
            reached = best_worst <= descent.tolerance
            return count, 0 if reached else (1 if count == descent.most else 2), best_worst, best
        soft = _softer(soft, worst > before and worst > descent.tolerance)
        before = worst
        pull[targets : targets + near] = ABOVE_FLOOR - gap[:near]
        linear = _linearize(descent, aims, pose, rows, pull, soft, targets + near)
        pressed = np.zeros(targets + near, np.int64)
        pressed[:targets] = 1
        _step(linear, held, pressed, step)
        # Steps that turn back and forth across a valley are shortened.
        pace = max(0.5 * pace, SLOWEST) if np.dot(step, previous) < 0 else min(2.0 * pace, 1.0)
        previous[:] = step
        last = _take(pose, step, pace, descent)
    return descent.most, 1, best_worst, best


@full_kernel()
def settle(rig, aims, floor, descent, precision, soft, pose):  # pragma: no cover - compiled
    """Bring a pose to where the sum of its distance to the centre and of what targets are missed
    by, whose variance for a weight of 1 is `soft`, is least; `pose` is changed in place.

    Slower than `descend`, but no step makes that sum larger (Levenberg 1944, damped in the metric
    of poses): where targets are out of reach it ends at one pose instead of near many, which moves
    with the targets.

    Returns
    -------
    iterations : int
    worst, miss : float, metres
        As of `descend`.
    """
    stance, residual, gap, pull, rows = _room(rig, aims, floor)
    targets = len(residual)
    step = np.zeros(len(pose))
    held = np.zeros(len(pose), np.int64)
    tried = pose.copy()
    merit = np.inf
    damping = FIRST_DAMPING
    count = 0
    near = 0
    while True:
        run(rig, tried, stance)
        measure(rig, aims, stance, residual, rows)
        near, lowest = measure_floor(rig, floor, stance, NEAR_FLOOR, gap, rows[targets:])
        worst, miss = _largest(residual, aims, np.inf, pull)
        now = _sum(residual, aims, gap[:near], precision, soft, tried - descent.centre)
        last = np.abs(tried - pose).max() if count > 0 else np.inf
        better = now < merit
        if better:
            gained = merit - now
            best_worst = max(worst, -lowest)
            best_miss = max(miss, -lowest)
            merit = now
            pose[:] = tried
            damping = max(0.2 * damping, LEAST_DAMPING)
            pull[targets : targets + near] = ABOVE_FLOOR - gap[:near]
            base = _linearize(descent, aims, pose, rows, pull, soft, targets + near)
        else:
            damping *= 5.0
        settled = gained < 1e-6 * merit if better else last < 1e-5
        if settled or count == descent.most or damping > MOST_DAMPING:
            return count, best_worst, best_miss
        linear = _damped(base, damping)
        pressed = np.zeros(len(linear.pull), np.int64)
        pressed[:targets] = 1
        _step(linear, held, pressed, step)
        tried[:] = pose
        _take(tried, step, 1.0, descent)
        count += 1
    return count, best_worst, best_miss


@full_kernel()
def _sum(residual, aims, gap, precision, variance, away):  # pragma: no cover - compiled
    """What `settle` makes small."""
    total = np.dot(away, precision @ away)
    for k in range(len(aims.joint)):
        soft = aims.soft[k] if aims.soft[k] > 0.0 else variance / aims.weight[k]
        own = residual[aims.rows[k] : aims.rows[k + 1]]
        total += np.dot(own, own) / soft
    return total + np.sum(np.minimum(gap, 0.0) ** 2) / SOFT


@full_kernel()
def _damped(linear, damping):  # pragma: no cover - compiled
    """The same step, its length in the metric of poses weighed too."""
    share = 1.0 / (1.0 + damping)
    distant = linear.pull.copy()
    ready = linear.ready.copy()
    ready[linear.targets :] = False
    away = share * linear.away
    distant[: linear.targets] -= linear.rows[: linear.targets] @ away
    return _Linear(
        linear.targets,
        linear.rows,
        linear.pull,
        linear.softness * (1.0 + damping),
        linear.spread,
        away,
        linear.low,
        linear.high,
        linear.carried,
        linear.gram,
        distant,
        ready,
    )


@full_kernel()
def _softer(soft, worse):  # pragma: no cover - compiled
    return min(soft * 10.0, SOFTEST) if worse else max(soft * 0.3, SOFT)


@full_kernel()
def _take(pose, step, pace, descent):  # pragma: no cover - compiled
    """Take a share of a step within the limits; its largest change before it was shortened."""
    last = pace * np.abs(step).max()
    share = pace * min(1.0, LONGEST / max(last, 1e-12))
    pose[:] = np.minimum(np.maximum(pose + share * step, descent.lower), descent.upper)
    return last
