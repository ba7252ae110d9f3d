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

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, solve_triangular

from motionloom.inbetween.mirroring import Exchange

Floats = NDArray[np.float32]

#: Samples that are worked on at a time.
CHUNK = 1024
#: Added to the diagonal of the landmarks' kernel where they are fewer than the samples; single
#: precision needs it.
_JITTER = 1e-4


def squared_distances(first: Floats, second: Floats) -> Floats:
    """Squared distances between all rows of two arrays, shape (A, B)."""
    lengths = np.einsum("ij,ij->i", first, first)[:, None]
    others = np.einsum("ij,ij->i", second, second)
    squares = first @ second.T
    squares *= np.float32(-2.0)
    squares += lengths
    squares += others
    return np.maximum(squares, np.float32(0.0), out=squares)


def matern(squares: Floats) -> Floats:
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


def usual_distance(samples: Floats) -> float:
    """Median distance between rows, of at most some hundreds of them."""
    some = samples[:: max(1, len(samples) // 400)]
    return float(np.sqrt(np.median(squared_distances(some, some)))) or 1.0


def fit_ridge(
    samples: Floats,
    values: Floats,
    landmarks: int,
    ridge: float,
    mirrored: tuple[Exchange, Exchange] | None = None,
) -> Floats:
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

    Returns
    -------
    array of shape (M, O)
        ``k(x, Z)`` times it predicts the values of x; with mirror images, that and the mirrored
        product of ``k(m(x), Z)``.
    """
    if mirrored is None:
        kernels = _Kernels(samples, landmarks, None)
        return kernels.solve(values, ridge, 0.0)
    of_samples, of_values = mirrored
    kernels = _Kernels(samples, landmarks, of_samples.apply(samples[:landmarks]))
    half = np.float32(0.5)
    turned = of_values.apply(values)
    even = kernels.solve((values + turned) * half, ridge, 1.0)
    odd = kernels.solve((values - turned) * half, ridge, -1.0)
    return even + odd


class _Kernels:
    """Kernels of samples with landmarks and their images."""

    def __init__(self, samples: Floats, landmarks: int, images: Floats | None) -> None:
        self.samples = samples
        self.landmarks = samples[:landmarks]
        self.images = images
        self.exact = landmarks >= len(samples)

    def solve(self, values: Floats, ridge: float, sign: float) -> Floats:
        """Coefficients for one kind of values."""
        if self.exact:
            kernel = self._of(self.samples, sign)
            kernel[np.diag_indices(len(kernel))] += np.float32(ridge)
            return _solve(kernel, values)
        own = self._of(self.landmarks, sign).astype(float)
        own[np.diag_indices(len(own))] += _JITTER
        lower = np.linalg.cholesky(own).astype(np.float32)
        normal = np.diag(np.full(len(own), ridge, np.float32))
        right = np.zeros((len(own), values.shape[1]), np.float32)
        for at in range(0, len(self.samples), CHUNK):
            rows = solve_triangular(
                lower,
                self._of(self.samples[at : at + CHUNK], sign).T,
                lower=True,
                check_finite=False,
            )
            normal += rows @ rows.T
            right += rows @ values[at : at + CHUNK]
        solved = _solve(normal, right)
        back: Floats = solve_triangular(lower, solved, lower=True, trans=1, check_finite=False)
        return back

    def _of(self, samples: Floats, sign: float) -> Floats:
        kernel = np.empty((len(samples), len(self.landmarks)), np.float32)
        for at in range(0, len(samples), CHUNK):
            some = samples[at : at + CHUNK]
            rows = kernel[at : at + CHUNK]
            rows[:] = matern(squared_distances(some, self.landmarks))
            if self.images is not None:
                other = matern(squared_distances(some, self.images))
                rows += np.float32(sign) * other
        return kernel


def _solve(matrix: Floats, right: Floats) -> Floats:
    """Solution of a positive definite system; the matrix is overwritten."""
    factor = cho_factor(matrix, lower=True, overwrite_a=True, check_finite=False)
    solved: Floats = cho_solve(factor, right, check_finite=False)
    return solved
