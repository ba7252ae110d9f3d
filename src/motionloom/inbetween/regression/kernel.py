"""Kernel ridge regression with the Matern kernel of smoothness 3/2, for samples and their mirror
images.

A sample x has a mirror image m(x), and what is predicted for it is mirrored too. The part of the
values that mirroring leaves as they are (even) then has the kernel ``k(x, z) + k(x, m(z))`` and the
part that it turns around (odd) ``k(x, z) - k(x, m(z))``: two problems of half the size instead of
one, and the answers are mirrored exactly.

With as many landmarks as samples the regression is exact. With fewer it is that of Nystroem: with Z
the landmarks and ``K(Z, Z) = L L^t``, ridge regression on the features ``L^-1 K(Z, x)``, whose sums
are gathered chunk by chunk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve_triangular

from motionloom.inbetween.regression.mirroring import Exchange
from motionloom.progress import breathe
from motionloom.typing import Singles

#: Gaps of this many frames or more are compared coarsely and finely at once, by these length
#: scales; chosen on captures: in shorter gaps one scale is as good.
LONG = 21
MIXED = (0.5, 1.0, 2.5)
#: Samples that are worked on at a time.
CHUNK = 1024
#: Added to the diagonal of the landmarks' kernel where they are fewer than the samples; single
#: precision needs it.
_JITTER = 1e-4


def squared_distances(first: Singles, second: Singles) -> Singles:
    """Squared distances between all rows of two arrays, shape (A, B)."""
    lengths = np.einsum("ij,ij->i", first, first)[:, None]
    others = np.einsum("ij,ij->i", second, second)
    squares = first @ second.T
    squares *= np.float32(-2.0)
    squares += lengths
    squares += others
    np.maximum(squares, np.float32(0.0), out=squares)
    return squares


def matern(squares: Singles) -> Singles:
    """Matern kernel of smoothness 3/2, ``(1 + r) e^-r`` with ``r = sqrt(3) d``; changes its input.

    Parameters
    ----------
    squares : array
        Squared distances in units of the length scale.

    Returns
    -------
    array of the shape of `squares`
        Between 0 and 1.
    """
    far = np.sqrt(np.multiply(squares, np.float32(3.0), out=squares), out=squares)
    fallen = np.negative(far)
    np.exp(fallen, out=fallen)
    far += np.float32(1.0)
    return np.multiply(far, fallen, out=far)


def scales_of(missing: int) -> tuple[float, ...]:
    """Length scales whose mean is the kernel for gaps of some length, in units of the band's."""
    return MIXED if missing >= LONG else (1.0,)


def mixed_matern(squares: Singles, scales: Sequence[float]) -> Singles:
    """Mean of Matern kernels of several length scales; may change its input.

    Parameters
    ----------
    squares : array
        Squared distances in units of the length scale.
    scales : sequence of float
        Length scales in the same units.

    Returns
    -------
    array of the shape of `squares`
        Between 0 and 1.
    """
    if len(scales) == 1:
        return matern(squares)
    total = np.zeros_like(squares)
    for scale in scales:
        total += matern(squares * np.float32(scale**-2))
    total /= np.float32(len(scales))
    return total


def usual_distance(samples: Singles) -> float:
    """Median distance between rows, of at most some hundreds of them."""
    some = samples[:: max(1, len(samples) // 400)]
    return float(np.sqrt(np.median(squared_distances(some, some)))) or 1.0


def fit_ridge(
    samples: Singles,
    values: Singles,
    landmarks: int,
    ridge: float,
    mirrored: tuple[Exchange, Exchange] | None = None,
    scales: Sequence[float] = (1.0,),
) -> Singles:
    """Coefficients of the first samples, the landmarks.

    Parameters
    ----------
    samples : array of shape (N, D)
        In units of the kernel's length scale.
    values : array of shape (N, O)
        What is to be predicted for them, less its mean.
    landmarks : int
        How many of the samples are landmarks, at most N.
    ridge : float
        Variance of what cannot be predicted, against that of what can.
    mirrored : tuple of Exchange, optional
        Of samples and of values; without it mirror images do not count.
    scales : sequence of float
        Length scales of the kernels whose mean is taken.

    Returns
    -------
    array of shape (M, O)
        ``k(x, Z)`` times it predicts the values of x; with mirror images, that and the mirrored
        product of ``k(m(x), Z)``.
    """
    exact = landmarks >= len(samples)
    solve = _solve_exactly if exact else _solve_on_landmarks
    if mirrored is None:
        return solve(
            lambda some: [_kernel(some, samples[:landmarks], scales)], samples, [values], ridge
        )
    of_samples, of_values = mirrored
    images = of_samples.apply(samples[:landmarks])

    def kernels(some: Singles) -> list[Singles]:
        even = _kernel(some, samples[:landmarks], scales)
        breathe()
        image = _kernel(some, images, scales)
        odd = even - image
        even += image
        return [even, odd]

    half = np.float32(0.5)
    turned = of_values.apply(values)
    return solve(kernels, samples, [(values + turned) * half, (values - turned) * half], ridge)


#: Kernels of some samples with the landmarks, for each kind of values.
_Kernels = Callable[[Singles], list[Singles]]


def _kernel(some: Singles, landmarks: Singles, scales: Sequence[float]) -> Singles:
    return mixed_matern(squared_distances(some, landmarks), scales)


def _chunks(samples: Singles) -> Iterator[slice]:
    for at in range(0, len(samples), CHUNK):
        breathe()
        yield slice(at, at + CHUNK)


def _solve_exactly(
    kernels: _Kernels, samples: Singles, values: Sequence[Singles], ridge: float
) -> Singles:
    """Sum of the coefficients of all kinds of values, with all samples as landmarks."""
    count = len(samples)
    matrices = [np.empty((count, count), np.float32) for _ in values]
    for rows in _chunks(samples):
        for matrix, kernel in zip(matrices, kernels(samples[rows]), strict=True):
            matrix[rows] = kernel
    found = np.zeros_like(values[0])
    for own in values:
        breathe()
        matrix = matrices.pop(0)
        matrix[np.diag_indices(count)] += np.float32(ridge)
        found += _solve(matrix, own)
    return found


def _solve_on_landmarks(
    kernels: _Kernels, samples: Singles, values: Sequence[Singles], ridge: float
) -> Singles:
    """Sum of the coefficients of all kinds of values, by the features of the landmarks' kernel."""
    lowers = []
    # The landmarks' own kernels have as many rows as columns.
    count = kernels(samples[:1])[0].shape[1]
    for own in kernels(samples[:count]):
        breathe()
        matrix = own.astype(float)
        matrix[np.diag_indices(count)] += _JITTER
        breathe()
        lowers.append(np.linalg.cholesky(matrix).astype(np.float32))
    normals = [np.diag(np.full(count, ridge, np.float32)) for _ in values]
    rights = [np.zeros((count, own.shape[1]), np.float32) for own in values]
    for chunk in _chunks(samples):
        found = kernels(samples[chunk])
        for lower, normal, right, own, kernel in zip(
            lowers, normals, rights, values, found, strict=True
        ):
            breathe()
            rows = solve_triangular(lower, kernel.T, lower=True, check_finite=False)
            breathe()
            normal += rows @ rows.T
            right += rows @ own[chunk]
    total = np.zeros_like(rights[0])
    for lower, normal, right in zip(lowers, normals, rights, strict=True):
        breathe()
        solved = _solve(normal, right)
        total += solve_triangular(lower, solved, lower=True, trans=1, check_finite=False)
    return total


def _solve(matrix: Singles, right: Singles) -> Singles:
    """Solution of a positive definite system; the matrix is overwritten."""
    # Both triangles hold the same, so that the one in Fortran's order needs no copy.
    factor = cho_factor(matrix.T, lower=False, overwrite_a=True, check_finite=False)
    solved: Singles = cho_solve(factor, right, check_finite=False)
    return solved
