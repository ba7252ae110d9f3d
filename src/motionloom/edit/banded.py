"""Smooth curves by least squares over time: banded systems, with or without a bound on the curve's
speed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy

from motionloom.typing import Array

#: Most steps of the bounded solver, and how near to the bound it aims.
ROUNDS = 400
AIM = 0.98
#: Weight of the bound against the geometric mean of the other weights on a step.
PENALTY = 300.0


def bands(place: Array, step: Array, bend: float) -> Array:
    """Upper bands of the matrix of ``sum place d^2 + sum step (d')^2 + bend sum (d'')^2``.

    d' and d'' are first and second differences of a curve d.

    Parameters
    ----------
    place : array of shape (T,)
        Weight of every value.
    step : array of shape (T - 1,)
        Weight of every first difference.
    bend : float
        Weight of all second differences.

    Returns
    -------
    array of shape (3, T)
        Second and first upper diagonal, then the diagonal: the upper form of
        `scipy.linalg.solveh_banded`.
    """
    n = len(place)
    out = np.zeros((3, n))
    out[2] = place
    out[2, :-1] += step
    out[2, 1:] += step
    out[1, 1:] -= step
    if n > 2:
        out[2, :-2] += bend
        # Squares of second differences (1, -2, 1), summed over all places they can stand at.
        out[2, 1:-1] += 4 * bend
        out[2, 2:] += bend
        out[1, 1:-1] -= 2 * bend
        out[1, 2:] -= 2 * bend
        out[0, 2:] += bend
    return out


def step_rhs(steps: Array) -> Array:
    """Right-hand side (T, ...) of ``2 sum steps d'`` for weighted wanted steps (T - 1, ...)."""
    none = np.zeros((1, *steps.shape[1:]))
    return np.concatenate([none, steps]) - np.concatenate([steps, none])


def solve(matrix: Array, rhs: Array) -> Array:
    """Curves that solve a banded system.

    Parameters
    ----------
    matrix : array of shape (3, T)
        Upper bands of a positive definite matrix, as from `bands`.
    rhs : array of shape (T,) or (T, K)
        Right-hand side; of several curves in columns.

    Returns
    -------
    array of the shape of `rhs`
    """
    return scipy.linalg.solveh_banded(matrix, rhs)


def solve_bounded(matrices: Sequence[Array], rhs: Array, lift: Array, most: Array) -> Array:
    """Curves whose steps together stay within a bound.

    Minimizes the K quadratics under ``|d' + lift'| <= most`` (Euclidean over the K) by the
    alternating direction method of multipliers (Boyd et al. 2011): the bound is a projection of
    every step, the rest stays banded. What is left of a violation in the end is taken away by
    shrinking the whole.

    Parameters
    ----------
    matrices : sequence of K arrays of shape (3, T)
        Upper bands, one quadratic per axis.
    rhs : array of shape (T, K)
        Right-hand sides of the quadratics without the bound.
    lift : array of shape (T, K)
        What is added to the curves afterwards.
    most : array of shape (T - 1,)
        Largest steps, in the unit of the curves.

    Returns
    -------
    array of shape (T, K)
        The curves, without `lift`.
    """
    # A little within the bound, so that it is met after finitely many rounds.
    aim = AIM * most
    # Every axis is a row: rows are contiguous, as LAPACK wants them.
    sides = np.ascontiguousarray(np.asarray_chkfinite(rhs).T)
    extra = np.diff(lift.T)
    ones = np.ones(len(rhs) - 1)
    # ADMM (Boyd et al. 2011, section 3): the factors stay the same in all rounds.
    factors = [
        scipy.linalg.cholesky_banded(m + bands(np.zeros(len(rhs)), PENALTY * ones, 0.0))
        for m in matrices
    ]
    # Thousands of small solutions: LAPACK itself, as SciPy's checks take longer than it does.
    solve_factored = scipy.linalg.lapack.dpbtrs
    moved = np.zeros_like(extra)
    dual = np.zeros_like(extra)
    wanted = np.zeros((len(extra), len(rhs) + 1))
    for _ in range(ROUNDS):
        wanted[:, 1:-1] = PENALTY * (moved - dual - extra)
        d = sides - np.diff(wanted)
        for factor, row in zip(factors, d, strict=True):
            row[:] = solve_factored(factor, row, lower=0, overwrite_b=1)[0]
        steps = np.diff(d) + extra
        if np.all(_sizes(steps) <= most):
            return d.T.copy()
        moved = _within(steps + dual, aim)
        dual += steps - moved
    # Not met in time: all of it smaller rather than any step too fast.
    shrink = min(1.0, float(np.min(most / np.maximum(_sizes(steps), 1e-300))))
    curves: Array = (shrink * (d + lift.T) - lift.T).T
    return curves.copy()


def _sizes(steps: Array) -> Array:
    """Lengths (T,) of steps (K, T)."""
    return np.sqrt(np.add.reduce(steps * steps))


def _within(steps: Array, most: Array) -> Array:
    """Steps (K, T) cut to lengths (T,)."""
    return steps * np.minimum(1.0, most / np.maximum(_sizes(steps), 1e-300))
