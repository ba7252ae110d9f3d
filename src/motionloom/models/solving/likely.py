"""What takes that nearly did what is asked suggest: coefficients by Gaussian-process regression.

The likeliest motion where tasks are measured with an error: maximum a posteriori.
"""

from __future__ import annotations

import numpy as np

from motionloom.compiling import full_kernel
from motionloom.models.solving.latent_kernels import Asked, Eigen, Steps, measure_frames
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


#: Steps that gain less than this share are the last.
_GAIN = 1e-6
#: A step that is turned down is damped by so much more, and given up beyond this damping.
_DAMPED, _MOST = 4.0, 1e8


def solve_likeliest(
    asked: Asked, eigen: Eigen, steps: Steps, spread: float
) -> tuple[Array, Array, Array]:
    """Unknowns that are standard deviations, and rows that may be missed by about `spread`.

    The sum of squares of unknowns less `want` and of rows divided by `spread` is made least, by
    Gauss-Newton steps that are damped until they gain.

    Parameters
    ----------
    asked : Asked
        The tasks; weights divide their spread.
    eigen : Eigen
        Poses of their frames.
    steps : Steps
        Where to begin, what is drawn to, limits and the most steps.
    spread : float, metres
        Standard deviation of what a row may be missed by.

    Returns
    -------
    unknowns : array of shape (K,)
    residual : array of shape (R,), metres
        In the order of layers.
    history : array of shape (I + 1, L), metres
        Length of each layer's residual at the start and after every step.
    """
    rows = len(asked.place)
    now = steps.start.copy()
    gain = asked.weight / spread

    def measured(unknowns: Array) -> tuple[Array, Array, float]:
        residual = np.zeros(rows)
        jacobian = np.zeros((rows, len(unknowns)))
        measure_frames(asked, eigen, unknowns, residual, jacobian)
        cost = ((gain * residual) ** 2).sum() + ((unknowns - steps.want) ** 2).sum()
        return residual, jacobian, float(cost)

    residual, jacobian, cost = measured(now)
    history = [_lengths(asked, residual)]
    damping = 0.0
    while len(history) <= steps.most:
        scaled = gain[:, None] * jacobian
        system = scaled.T @ scaled + (1.0 + damping) * np.eye(len(now))
        right = scaled.T @ (gain * residual) + steps.want - now
        then = np.clip(now + np.linalg.solve(system, right), steps.low, steps.high)
        other, slopes, reached = measured(then)
        if reached >= cost:
            damping = max(_DAMPED * damping, 1.0)
            if damping > _MOST or np.abs(then - now).max() < 1e-9:
                break
            history.append(history[-1])
            continue
        done = cost - reached < _GAIN * cost
        now, residual, jacobian, cost = then, other, slopes, reached
        damping /= _DAMPED
        history.append(_lengths(asked, residual))
        if done:
            break
    return now, residual, np.array(history)


def _lengths(asked: Asked, residual: Array) -> Array:
    squares = (asked.weight * residual) ** 2
    lengths: Array = np.sqrt(np.add.reduceat(squares, asked.ends[:-1]))
    return lengths
