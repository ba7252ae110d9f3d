"""Baselines in the space of joint angles: the iterative Jacobian and cyclic coordinate descent."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.linalg import solve

from motionloom.ik.iterate import iterate
from motionloom.ik.problem import IkResult, PoseProblem
from motionloom.ik.rig import make_stance, measure, run

Array = NDArray[np.float64]

#: Largest turn of one angle in coordinate descent, radians.
LARGEST_TURN = 0.5


def damped_step(jacobian: Array, pull: Array, weights: Array, damping: float) -> Array:
    """Minimize ``|W (J step - pull)|^2 + damping |step|^2`` over the step, shape (P,)."""
    weighted = jacobian.T * weights
    return solve(weighted @ jacobian + damping * np.eye(jacobian.shape[1]), weighted @ pull)


def solve_jacobian(problem: PoseProblem) -> IkResult:
    """Damped least squares on all joint angles, clamped to the limits."""
    weights = problem.row_weights()

    def advance(pose: Array, residual: Array, jacobian: Array, n: int) -> Array:
        return pose + damped_step(
            jacobian, problem.pull(residual), weights, problem.options.damping
        )

    return iterate(problem, advance)


def solve_ccd(problem: PoseProblem) -> IkResult:
    """Each angle in turn, from the tips to the root, takes the value best for the targets; one
    sweep an iteration.
    """
    rig = problem.rig
    stance = make_stance(problem.rig)
    rows = int(problem.aims.rows[-1])
    order = np.argsort(-rig.owner, kind="stable")
    residual_room = np.zeros(rows)
    jacobian_room = np.zeros((rows, len(problem.start)))

    def advance(pose: Array, residual: Array, jacobian: Array, n: int) -> Array:
        turned = pose.copy()
        space = problem.space
        _sweep(
            rig,
            problem.aims,
            stance,
            order,
            space.lower,
            space.upper,
            turned,
            residual_room,
            jacobian_room,
        )
        return turned

    return iterate(problem, advance)


@njit(cache=True)
def _sweep(
    rig, aims, stance, order, lower, upper, pose, residual, jacobian
):  # pragma: no cover - compiled
    for p in order:
        run(rig, pose, stance)
        measure(rig, aims, stance, residual, jacobian)
        gain = slope = 0.0
        for k in range(len(aims.joint)):
            for r in range(aims.rows[k], aims.rows[k + 1]):
                gain += aims.weight[k] * jacobian[r, p] * residual[r]
                slope += aims.weight[k] * jacobian[r, p] ** 2
        if slope > 1e-12:
            turn = min(max(gain / slope, -LARGEST_TURN), LARGEST_TURN)
            pose[p] = min(max(pose[p] + turn, lower[p]), upper[p])
