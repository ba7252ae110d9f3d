"""What takes that nearly did what is asked suggest: coefficients by Gaussian-process regression.

The likeliest motion where tasks are measured with an error: maximum a posteriori.
"""

from __future__ import annotations

import numpy as np

from motionloom.models.solving.latent_kernels import Eigen, Steps, TaskRows, measure_frames
from motionloom.typing import Array

#: Variance of the local part beside that of the linear part, and its reach in typical distances of
#: takes from their mean; the best for takes left out counts.
_KERNELS = ((0.0, 1.0), (0.5, 0.5), (0.5, 1.0), (0.5, 2.0), (2.0, 0.5), (2.0, 1.0), (2.0, 2.0))
#: Variances of what tasks do not decide; the best counts, too.
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
    # What is wanted comes last; a local part reaches as far whatever the number of rows.
    points = np.vstack([missed - middle, -middle])
    unit = max(float(np.sqrt((points[:-1] ** 2).mean())), 1e-6) * np.sqrt(missed.shape[1] / 3.0)
    products = points @ points.T / unit**2
    squares = np.diag(products)
    distances = squares[:, None] + squares - 2 * products
    motions = coefficients * sigmas
    gram = motions @ motions.T
    noise = np.array(_NOISE)[:, None, None] * np.eye(len(missed))
    best = np.inf
    shares = np.zeros(len(missed))
    for local, reach in _KERNELS:
        kernel = _COMMON + products + local * np.exp(-distances / (2.0 * reach**2))
        inverse = np.linalg.inv(kernel[:-1, :-1] + noise)
        # A take is missed by its row of the inverse over the diagonal where it is left out.
        missing = (inverse @ gram * inverse).sum(axis=2) / np.diagonal(inverse, 0, 1, 2) ** 2
        errors = missing.sum(axis=1)
        if errors.min() < best:
            best = errors.min()
            shares = kernel[-1, :-1] @ inverse[errors.argmin()]
    return np.asarray(shares @ coefficients)


#: Steps that gain less than this share are the last.
_GAIN = 1e-6
#: A step that is turned down is damped by so much more, and given up beyond this damping.
_DAMPED, _MOST = 4.0, 1e8


def solve_likeliest(
    asked: TaskRows, eigen: Eigen, steps: Steps, spread: float
) -> tuple[Array, Array, Array]:
    """Unknowns that are standard deviations, and rows that may be missed by about `spread`.

    The sum of squares of unknowns less `want` and of rows divided by `spread` is made least, by
    Gauss-Newton steps that are damped until they gain.

    Parameters
    ----------
    asked : TaskRows
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


def _lengths(asked: TaskRows, residual: Array) -> Array:
    squares = (asked.weight * residual) ** 2
    return np.sqrt(np.add.reduceat(squares, asked.ends[:-1]))
