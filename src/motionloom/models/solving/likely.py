"""What takes that nearly did what is asked suggest: coefficients by Gaussian-process regression."""

from __future__ import annotations

import numpy as np

from motionloom.compiling import full_kernel
from motionloom.typing import Array

#: Reach of the local part, in typical distances of takes from their mean, its variance beside that
#: of the linear part, and variance of what tasks do not decide; the best for takes left out counts.
_REACHES = (0.5, 1.0, 2.0)
_LOCAL = (0.0, 0.5, 2.0)
_NOISE = (0.1, 0.4, 1.5, 6.0)
#: Variance of the mean: what takes have in common is not drawn to zero.
_COMMON = 1e3


def suggest_coefficients(missed: Array, coefficients: Array, sigmas: Array) -> Array:
    """Coefficients that takes suggest for tasks, from what each take misses them by.

    Parameters
    ----------
    missed : array of shape (d, R), metres
        Residual of the tasks in every take.
    coefficients : array of shape (d, K)
        Of the takes.
    sigmas : array of shape (K,)
        Standard deviations: errors of strong eigen-motions count more.

    Returns
    -------
    array of shape (K,)
        Where the residual is expected to be zero: a linear function of the residual and a local
        one, mixed as predicts takes that are left out best.
    """
    middle = missed.mean(axis=0)
    away = missed - middle
    unit = max(float(np.sqrt((away**2).mean())), 1e-6)
    points = away / unit
    wanted = -middle / unit
    # A local part reaches as far whatever the number of rows.
    products = 3.0 / points.shape[1] * (points @ points.T)
    to_wanted = 3.0 / points.shape[1] * (points @ wanted)
    squares = np.diag(products)
    distances = squares[:, None] + squares - 2 * products
    own = 3.0 / points.shape[1] * float(wanted @ wanted)
    near = squares + own - 2 * to_wanted
    motions = coefficients * sigmas
    shares = mix_takes(products, distances, to_wanted, near, motions @ motions.T)
    suggested: Array = shares @ coefficients
    return suggested


@full_kernel()
def mix_takes(products, distances, to_wanted, near, gram):  # pragma: no cover - compiled
    """Share of every take (d,) in what is expected where tasks are met.

    Parameters are the scalar products (d, d) and squared distances (d, d) of takes, those with what
    is wanted (d,), and the scalar products of whole motions (d, d).
    """
    n = len(near)
    best = np.inf
    shares = np.zeros(n)
    kernel = np.empty((n, n))
    for local in _LOCAL:
        for reach in _REACHES:
            if local == 0.0 and reach != _REACHES[0]:
                continue
            width = 2.0 * reach * reach
            for noise in _NOISE:
                for i in range(n):
                    for k in range(n):
                        kernel[i, k] = products[i, k] + local * np.exp(-distances[i, k] / width)
                        kernel[i, k] += _COMMON
                    kernel[i, i] += noise
                _invert(kernel)
                error = _left_out(kernel, gram)
                if error < best:
                    best = error
                    shares[:] = 0.0
                    for i in range(n):
                        close = _COMMON + to_wanted[i] + local * np.exp(-near[i] / width)
                        for k in range(n):
                            shares[k] += close * kernel[i, k]
    return shares


@full_kernel()
def _left_out(inverse, gram):  # pragma: no cover - compiled
    """Squared error of takes left out, in closed form (Rasmussen & Williams 2006, 5.4.2)."""
    n = len(gram)
    error = 0.0
    for i in range(n):
        total = 0.0
        for a in range(n):
            once = 0.0
            for b in range(n):
                once += inverse[i, b] * gram[a, b]
            total += once * inverse[i, a]
        error += total / inverse[i, i] ** 2
    return error


@full_kernel()
def _invert(matrix):  # pragma: no cover - compiled
    """Invert a positive definite matrix in its place: pivots are positive in any order."""
    n = len(matrix)
    for p in range(n):
        pivot = 1.0 / matrix[p, p]
        matrix[p, p] = 1.0
        for k in range(n):
            matrix[p, k] *= pivot
        for i in range(n):
            if i == p:
                continue
            factor = matrix[i, p]
            matrix[i, p] = 0.0
            for k in range(n):
                matrix[i, k] -= factor * matrix[p, k]
