"""Poses with targets of several priorities: a solver serves the first, strict layers the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from motionloom.ik.layer_steps import LayeredProblem, gaussian_map
from motionloom.ik.prior import Gaussian
from motionloom.ik.prioritized import LayerOptions, solve_layers
from motionloom.ik.problem import IkResult, PoseProblem, Target
from motionloom.spaces.linear_map import LinearMap
from motionloom.typing import Array

#: Points of the floor that are nearer to it than this are kept above it in a step, metres.
NEAR_FLOOR = 0.3


def solve_in_layers(
    problem: PoseProblem,
    solve: Callable[[PoseProblem], IkResult],
    gaussian: Gaussian,
    centre: Array,
) -> IkResult:
    """Serve the first priority, then each lower one as far as those above leave the pose free.

    Parameters
    ----------
    problem : PoseProblem
        Targets of any priorities.
    solve : callable
        Finds a pose for those of the first priority and for wishes, as if there were no others.
    gaussian : Gaussian
        What poses are like: the likeliest steps are taken, weighed against wishes.
    centre : array of shape (P,)
        What all layers leave open is drawn to it in the end.

    Returns
    -------
    IkResult
        No target is missed by more than the tolerance beyond what it would be without those of
        lower priority; `layers` says how each priority came out. Floor and limits are kept.
    """
    wishes = [t for t in problem.targets if t.wish]
    asked = [t for t in problem.targets if not t.wish]
    priority = np.array([t.priority for t in asked], np.int64)
    top = int(priority[priority > 0].min())
    chosen = [t for t in problem.targets if t.wish or t.priority <= top]
    first = solve(replace(problem, targets=tuple(chosen)))
    strict = replace(problem, targets=tuple(asked))
    steps, prefer = _likely_steps(problem, wishes, first.pose, gaussian, centre)
    found = solve_layers(
        LayeredProblem(
            strict.evaluate,
            strict.aims.rows,
            np.maximum(priority, top),
            steps,
            problem.body.lower,
            problem.body.upper,
            strict.aims.weight,
            prefer,
            np.arange(problem.body.size) < problem.body.coordinates.size,
            priority == 0,
            (lambda pose: problem.heights(pose, NEAR_FLOOR)) if len(problem.floor.joint) else None,
        ),
        np.zeros(steps.size),
        LayerOptions(tolerance=problem.options.tolerance),
        served=1,
    )
    used = first.iterations + found.iterations
    done = problem.result(found.coordinates, used, "stalled")
    return replace(done, stopped="reached" if done.reached else "stalled", layers=found.layers)


def _likely_steps(
    problem: PoseProblem, wishes: Sequence[Target], pose: Array, gaussian: Gaussian, centre: Array
) -> tuple[LinearMap, Array]:
    """Standard deviations of the poses that captures and wishes make likely, told from a pose, and
    the likeliest of those.

    Wishes are measurements of the pose, linear about it: they narrow the Gaussian and draw it.
    """
    free = gaussian.spread.diagonal() > 0
    spread = gaussian.spread[np.ix_(free, free)]
    away = (centre - pose)[free]
    if wishes:
        weighed = replace(problem, targets=tuple(wishes))
        lacking, rows = weighed.evaluate(pose)
        rows = rows[:, free]
        variance = np.repeat(weighed.aims.soft, np.diff(weighed.aims.rows))
        carried = rows @ spread
        gain = np.linalg.solve(carried @ rows.T + np.diag(variance), carried).T
        away = away + gain @ (lacking - rows @ away)
        spread = spread - gain @ carried
    own = np.asarray(gaussian_map(pose[free], spread).matrix)
    matrix = np.zeros((len(pose), len(own)))
    matrix[free] = own
    return LinearMap(pose, matrix), np.linalg.solve(own, away)
