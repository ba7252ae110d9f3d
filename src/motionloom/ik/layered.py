"""Poses with targets of several priorities: a solver serves the first, strict layers the rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import solve_triangular

from motionloom.ik.prioritized import (
    LayeredProblem,
    LayerOptions,
    gaussian_map,
    solve_layers,
)
from motionloom.ik.problem import IkResult, PoseProblem

if TYPE_CHECKING:
    from motionloom.ik.natural import Prior


def solve_in_layers(
    problem: PoseProblem, solve: Callable[[PoseProblem], IkResult], prior: Prior
) -> IkResult:
    """Serve the first priority, then each lower one as far as those above leave the pose free.

    Parameters
    ----------
    problem : PoseProblem
        Targets of any priorities.
    solve : callable
        Finds a pose for those of the first priority, as if there were no others.
    prior : Prior
        The likeliest steps are taken, and in the end what all layers leave open is drawn to its
        centre.

    Returns
    -------
    IkResult
        No target is missed by more than the tolerance beyond what it would be without those of
        lower priority; `layers` says how each priority came out.
    """
    layers = np.array([t.priority for t in problem.targets], np.int64)
    chosen = [t for t in problem.targets if t.priority == layers.min()]
    upper = replace(problem, targets=tuple(chosen))
    upper.__dict__["rig"] = problem.rig
    first = solve(upper)
    steps = gaussian_map(first.pose, prior.spread)
    asked = np.logical_or.reduce(problem.rig.moves[problem.aims.joint], axis=0)
    away = prior.centre(problem.start, problem.space.parts, asked) - first.pose
    found = solve_layers(
        LayeredProblem(
            problem.evaluate,
            problem.aims.rows,
            layers,
            steps,
            problem.space.lower,
            problem.space.upper,
            problem.aims.weight,
            solve_triangular(np.asarray(steps.matrix), away, lower=True),
        ),
        np.zeros(steps.size),
        LayerOptions(tolerance=problem.options.tolerance),
    )
    used = first.iterations + found.iterations
    done = problem.result(found.coordinates, used, "stalled")
    return replace(done, stopped="reached" if done.reached else "stalled", layers=found.layers)
