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
    heaviest = 0.0
    for k in range(len(aims.joint)):
        if aims.soft[k] == 0.0:
            heaviest = max(heaviest, aims.weight[k])
    for k in range(len(aims.joint)):
        length = 0.0
        for r in range(aims.rows[k], aims.rows[k + 1]):
            length += residual[r] ** 2
        length = np.sqrt(length)
        if aims.soft[k] == 0.0:
            worst = max(worst, length)
            miss = max(miss, length * np.sqrt(aims.weight[k] / heaviest))
        share = 1.0 if length <= cap else cap / length
        for r in range(aims.rows[k], aims.rows[k + 1]):
            pull[r] = share * residual[r]
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
        for a in range(len(used)):
            for p in range(len(step)):
                step[p] += linear.carried[used[a], p] * force[a]
        for b in range(len(bound)):
            for p in range(len(step)):
                step[p] += linear.spread[bound[b], p] * force[len(used) + b]
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
    changed = False
    for a in range(linear.targets, len(used)):
        if force[a] < 0:
            pressed[used[a]] = 0
            changed = True
    for b in range(len(bound)):
        # Held at the upper limit the force must point down.
        if force[len(used) + b] * held[bound[b]] > 0:
            held[bound[b]] = 0
            changed = True
    return changed


@full_kernel()
def _forces(linear, held, used, bound):  # pragma: no cover - compiled
    """Multipliers of the active rows and of the limits that are held."""
    rows = len(used)
    m = rows + len(bound)
    system = np.zeros((m, m))
    right = np.zeros(m)
    for a in range(rows):
        for b in range(rows):
            system[a, b] = linear.gram[used[a], used[b]]
        system[a, a] += linear.softness[used[a]]
        right[a] = linear.distant[used[a]]
    for b in range(len(bound)):
        p = bound[b]
        for a in range(rows):
            system[rows + b, a] = system[a, rows + b] = linear.carried[used[a], p]
        for c in range(len(bound)):
            system[rows + b, rows + c] = linear.spread[p, bound[c]]
        system[rows + b, rows + b] = system[rows + b, rows + b] * (1.0 + 1e-9) + 1e-15
        right[rows + b] = (linear.high[p] if held[p] > 0 else linear.low[p]) - linear.away[p]
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
        total = right[k]
        for j in range(k + 1, m):
            total -= system[k, j] * right[j]
        right[k] = total / system[k, k]


@full_kernel()
def _hold(linear, held, pressed, step):  # pragma: no cover - compiled
    """Hold the limits and inequalities that a step breaks; whether there are any."""
    changed = False
    for p in range(len(step)):
        if held[p] == 0 and step[p] > linear.high[p] + 1e-9:
            held[p] = 1
            changed = True
        elif held[p] == 0 and step[p] < linear.low[p] - 1e-9:
            held[p] = -1
            changed = True
    for a in range(linear.targets, len(pressed)):
        if pressed[a] == 0:
            moved = 0.0
            for p in range(len(step)):
                moved += linear.rows[a, p] * step[p]
            if moved < linear.pull[a] - 1e-6:
                pressed[a] = 1
                changed = True
    return changed


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
    n = len(pose)
    targets = aims.rows[-1]
    stance = Stance(
        np.zeros((len(rig.parents), 3)), np.zeros((len(rig.parents), 3, 3)), np.zeros((n, 3))
    )
    most_rows = targets + len(floor.joint)
    residual = np.zeros(targets)
    gap = np.zeros(len(floor.joint))
    pull = np.zeros(most_rows)
    rows = np.zeros((most_rows, n))
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
        for m in range(near):
            pull[targets + m] = ABOVE_FLOOR - gap[m]
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
    n = len(pose)
    targets = aims.rows[-1]
    stance = Stance(
        np.zeros((len(rig.parents), 3)), np.zeros((len(rig.parents), 3, 3)), np.zeros((n, 3))
    )
    residual = np.zeros(targets)
    gap = np.zeros(len(floor.joint))
    pull = np.zeros(targets + len(floor.joint))
    rows = np.zeros((len(pull), n))
    step = np.zeros(n)
    held = np.zeros(n, np.int64)
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
            for m in range(near):
                pull[targets + m] = ABOVE_FLOOR - gap[m]
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
        for r in range(aims.rows[k], aims.rows[k + 1]):
            total += residual[r] ** 2 / soft
    for m in range(len(gap)):
        total += min(gap[m], 0.0) ** 2 / SOFT
    return total


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
    for p in range(len(pose)):
        pose[p] = min(max(pose[p] + share * step[p], descent.lower[p]), descent.upper[p])
    return last
