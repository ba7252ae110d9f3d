"""The loop that the step-by-step solvers share: step, keep the limits, stop, begin again from
captured poses.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from motionloom.ik.natural import restart_poses
from motionloom.ik.problem import IkResult, PoseProblem
from motionloom.ik.rig import Aims

Array = NDArray[np.float64]

#: Price of a long step beside the squared errors, square metres per square radian.
DAMPING = 5e-3
#: Iterations without a gain of one per cent after which an attempt is given up.
PATIENCE = 40

#: From a pose, its residual, its Jacobian and the number of the step to the next pose.
Advance = Callable[[Array, Array, Array, int], Array]


def iterate(problem: PoseProblem, advance: Advance) -> IkResult:
    """Step until all targets are reached: from the start, then from captured poses near them.

    Parameters
    ----------
    problem : PoseProblem
        Targets, start, and the options' tolerance, iterations and restarts.
    advance : callable
        A solver's step: from a pose (P,), radians, its residual (R,), metres, its Jacobian (R, P)
        and the number of the step in this attempt to the next pose.

    Returns
    -------
    IkResult
        Of the first pose that reaches all targets; else of the one whose largest weighted miss is
        smallest.
    """
    options = problem.options
    used = 0
    best = (np.inf, problem.start)
    reason = "iterations"
    hard = problem.aims.soft == 0
    importance = hard * np.sqrt(problem.aims.weight / problem.aims.weight[hard].max(initial=1e-9))
    seeds: list[Array] = []
    for attempt in range(options.restarts + 1):
        if attempt == 1:
            seeds = restart_poses(problem, options.restarts)
        if attempt > len(seeds):
            break
        pose = problem.clamp(problem.start) if attempt == 0 else seeds[attempt - 1]
        lowest = np.inf
        since = 0
        n = 0
        while True:
            residual, jacobian = problem.evaluate(pose)
            lengths = problem.lengths(residual)
            # Where not all can be met, weights say whose miss counts.
            miss = float((lengths * importance).max())
            since = 0 if miss < 0.99 * lowest else since + 1
            lowest = min(lowest, miss)
            if miss < best[0]:
                best = (miss, pose)
            if problem.worst(residual) <= options.tolerance:
                return problem.result(pose, used, "reached")
            if used >= options.iterations:
                return problem.result(best[1], used, "iterations")
            if since > PATIENCE:
                reason = "stalled"
                break
            pose = problem.clamp(advance(pose, residual, jacobian, n))
            n = n + 1
            used = used + 1
    return problem.result(best[1], used, reason)


def row_weights(problem: PoseProblem) -> Array:
    """Weight of every row of a problem's residual, shape (R,)."""
    return np.repeat(problem.aims.weight, np.diff(problem.aims.rows))


def capped(residual: Array, aims: Aims, most: float) -> Array:
    """Shorten each target's part of a residual to a greatest length.

    Parameters
    ----------
    residual : array of shape (R,), metres
        Of all targets, stacked.
    aims : Aims
        Tells which rows are whose.
    most : float, metres
        Greatest length of one target's part.

    Returns
    -------
    array of shape (R,), metres
    """
    lengths = np.sqrt(np.add.reduceat(residual**2, aims.rows[:-1]))
    share = np.minimum(1.0, most / np.maximum(lengths, 1e-12))
    cut: Array = residual * np.repeat(share, np.diff(aims.rows))
    return cut
