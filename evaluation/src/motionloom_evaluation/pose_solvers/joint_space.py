"""Baselines in the space of joint angles: the iterative Jacobian and cyclic coordinate descent."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve

from motionloom.compiling import full_kernel
from motionloom.ik.problem import IkResult, PoseProblem
from motionloom.ik.rig import measure
from motionloom.jacobian_kernels import Stance, make_stance, run
from motionloom_evaluation.pose_solvers.iterate import DAMPING, capped, iterate, row_weights

Array = NDArray[np.float64]

#: Largest turn of one angle in coordinate descent, radians.
LARGEST_TURN = 0.5


class _Sweep(NamedTuple):
    """Order and limits (P,) of the angles in coordinate descent, and room for its arrays."""

    order: NDArray[np.intp]
    lower: Array
    upper: Array
    stance: Stance
    residual: Array
    jacobian: Array


def damped_step(jacobian: Array, pull: Array, weights: Array, damping: float) -> Array:
    """Minimize ``|W (J step - pull)|^2 + damping |step|^2`` over the step.

    Parameters
    ----------
    jacobian : array of shape (R, P)
        J: metres at the targets per radian of each angle.
    pull : array of shape (R,), metres
        What the step is to change at the targets.
    weights : array of shape (R,)
        Squares of the diagonal of W.
    damping : float
        Price of a long step, square metres per square radian.

    Returns
    -------
    array of shape (P,), radians
        The step.
    """
    weighted = jacobian.T * weights
    return solve(weighted @ jacobian + damping * np.eye(jacobian.shape[1]), weighted @ pull)


def solve_jacobian(problem: PoseProblem) -> IkResult:
    """Damped least squares on all joint angles, clamped to the limits."""
    weights = row_weights(problem)

    def advance(pose: Array, residual: Array, jacobian: Array, n: int) -> Array:
        return pose + damped_step(
            jacobian, capped(residual, problem.aims, problem.options.step), weights, DAMPING
        )

    return iterate(problem, advance)


def solve_ccd(problem: PoseProblem) -> IkResult:
    """Each angle in turn, from the tips to the root, takes the value best for the targets; one
    sweep an iteration.
    """
    rig = problem.rig
    rows = int(problem.aims.rows[-1])
    sweep = _Sweep(
        order=np.argsort(-rig.owner, kind="stable"),
        lower=problem.body.lower,
        upper=problem.body.upper,
        stance=make_stance(rig),
        residual=np.zeros(rows),
        jacobian=np.zeros((rows, len(problem.start))),
    )

    def advance(pose: Array, residual: Array, jacobian: Array, n: int) -> Array:
        turned = pose.copy()
        _turn_each(rig, problem.aims, sweep, turned)
        return turned

    return iterate(problem, advance)


@full_kernel()
def _turn_each(rig, aims, sweep, pose):  # pragma: no cover - compiled
    """Turn every angle of a pose once; `pose` is changed in place."""
    residual = sweep.residual
    jacobian = sweep.jacobian
    for p in sweep.order:
        run(rig, pose, sweep.stance)
        measure(rig, aims, sweep.stance, residual, jacobian)
        gain = slope = 0.0
        for k in range(len(aims.joint)):
            for r in range(aims.rows[k], aims.rows[k + 1]):
                gain += aims.weight[k] * jacobian[r, p] * residual[r]
                slope += aims.weight[k] * jacobian[r, p] ** 2
        if slope > 1e-12:
            turn = min(max(gain / slope, -LARGEST_TURN), LARGEST_TURN)
            pose[p] = min(max(pose[p] + turn, sweep.lower[p]), sweep.upper[p])
