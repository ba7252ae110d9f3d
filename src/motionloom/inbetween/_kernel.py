"""Kernel ridge regression with the Matern kernel of smoothness 3/2, for samples and their mirror
images.

A sample x has a mirror image m(x), and what is predicted for it is mirrored too. The part of the
values that mirroring leaves as they are (even) then has the kernel ``k(x, z) + k(x, m(z))`` and the
part that it turns around (odd) ``k(x, z) - k(x, m(z))``: two problems of half the size instead of
one, and the answers are mirrored exactly.

With as many landmarks as samples the regression is exact. With fewer it is that of Nystroem: with Z
the landmarks and ``K(Z, Z) = L L^t``, ridge regression on the features ``L^-1 K(Z, x)``, whose sums
are gathered chunk by chunk.

Coefficients of a kernel regression in few bits.

Rounding each coefficient by itself fails: a smooth kernel adds the errors of hundreds of landmarks.
So coefficients are rounded one landmark after the other, and those that follow take over what the
rounding changed in the predictions at the landmarks. A landmark whose change the others can take
over well gets a coarse step. Values that vary together are rounded together, along the principal
directions of what the coefficients do to predictions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve, cholesky, solve_triangular

from motionloom.declared import NUMBER, SIZE, Range, Shape
from motionloom.inbetween._curves import Exchange
from motionloom.progress import breathe
from motionloom.typing import Array, Singles

#: Gaps of this many frames or more are compared coarsely and finely at once, by these length
#: scales; chosen on captures: in shorter gaps one scale is as good.
LONG = 21
MIXED = (0.5, 1.0, 2.5)
#: Samples that are worked on at a time.
CHUNK = 1024
#: Added to the diagonal of the landmarks' kernel where they are fewer than the samples; single
#: precision needs it.
_JITTER = 1e-4

#: Share of the mean square of the kernel that counts for gaps that are unlike all landmarks; less
#: is lost in single precision.
_UNLIKE = 3e-6
#: Rows that are worked on at a time.
_ROWS = 256
_BLOCK = 64
#: Steps of a direction's entries for each step of its largest effect.
_FINER = 4.0
#: The largest entry of a direction, in its steps; it has 16 bits.
_FINEST = 16_000.0
#: Directions whose largest effect is less than this many steps are left out.
_LEAST = 0.25
#: Steps of the largest coefficient at most; with what it takes over from others it is a whole
#: number of 31 bits.
_MOST = 1 << 24


@dataclass(frozen=True, eq=False)
class Exact:
    """Coefficients as the regression found them.

    Parameters
    ----------
    values : array of shape (M, O)
        Of every landmark.
    """

    values: Annotated[Singles, Shape("M", "O"), NUMBER]

    @property
    def shape(self) -> tuple[int, ...]:
        """M and O."""
        return self.values.shape


@dataclass(frozen=True, eq=False)
class Rounded:
    """Coefficients as whole numbers of steps along few directions.

    Parameters
    ----------
    planes : array of bytes of shape (4, R, M)
        Steps of every landmark along every direction; see `counts`.
    steps : array of shape (M,)
        Size of the landmark's steps.
    directions : int16 array of shape (R, O)
        Directions in the space of the values, in units of `units`.
    units : array of shape (R,)
        Size of 1 in each direction.
    weights : array of shape (O,)
        What the values were multiplied by.
    """

    planes: Annotated[NDArray[np.uint8], Shape(4, "R", "M")]
    steps: Annotated[Singles, Shape("M"), SIZE]
    directions: Annotated[NDArray[np.int16], Shape("R", "O"), Range(-_FINEST, _FINEST)]
    units: Annotated[Singles, Shape("R"), Range(0, 1)]
    weights: Annotated[Singles, Shape("O"), Range(1e-6, 1e6)]

    @property
    def shape(self) -> tuple[int, ...]:
        """M and O."""
        return len(self.steps), len(self.weights)

    @property
    def counts(self) -> NDArray[np.int32]:
        """Steps of every landmark along every direction, shape (M, R)."""
        folded = np.ascontiguousarray(np.moveaxis(self.planes, 0, -1)).view("<u4")[..., 0].T
        signs = -(folded & 1).astype(np.int32)
        return np.ascontiguousarray((folded >> 1).astype(np.int32) ^ signs)

    @cached_property
    def values(self) -> Singles:
        """The coefficients, shape (M, O)."""
        along = self.counts.astype(np.float32) * self.steps[:, None]
        directions = self.directions * self.units[:, None] / self.weights
        return along @ directions.astype(np.float32)


def round_coefficients(
    coefficients: Singles, weights: Singles, influence: Array, noise: float
) -> Rounded:
    """Round coefficients so that predictions hardly change.

    Parameters
    ----------
    coefficients : array of shape (M, O)
        Of the landmarks.
    weights : array of shape (O,)
        How much an error of each value counts.
    influence : array of shape (M, M)
        Of `influence_of`.
    noise : float
        Root mean square of what may change in the weighted values of a prediction, over all of
        them together.

    Returns
    -------
    Rounded
    """
    wanted = coefficients.astype(float) * weights
    count, outputs = wanted.shape
    own = np.diag(influence)
    least = float(np.abs(wanted * own[:, None]).max(initial=0.0)) / _MOST
    step = max(noise * float(np.sqrt(12.0 / (count * outputs))), least, 1e-30)
    directions, units = _directions_of(influence @ wanted, step)
    basis: Array = directions * units[:, None].astype(float)
    steps = (step / own).astype(np.float32)
    counts = _round_rows(
        np.asarray(wanted @ np.linalg.pinv(basis), float), influence, steps.astype(float)
    )
    used = np.abs(counts).max(axis=0, initial=0) > 0
    return Rounded(_planes(counts[:, used]), steps, directions[used], units[used], weights)


def influence_of(landmarks: Singles, images: Singles | None, scales: Sequence[float]) -> Array:
    """What the landmarks' coefficients do to predictions at the landmarks.

    Parameters
    ----------
    landmarks : array of shape (M, D)
        In units of the kernel's length scale.
    images : array of shape (M, D) or None
        Mirror images of the landmarks, where these count.
    scales : sequence of float
        Length scales of the kernels whose mean is taken.

    Returns
    -------
    array of shape (M, M)
        Upper triangle R. Changes E of the coefficients change the predictions by ``|R E|``, the
        root of the sum over values of mean squares.
    """
    count = len(landmarks)
    total = np.zeros((count, count))
    for seen in (landmarks,) if images is None else (landmarks, images):
        breathe()
        kernel = mixed_matern(squared_distances(seen, landmarks), scales)
        # Single precision holds small differences from the mean better than the kernel itself.
        mean = kernel.mean(axis=0, dtype=float)
        kernel -= mean.astype(np.float32)
        for at in range(0, count, _ROWS):
            breathe()
            total += kernel[at : at + _ROWS].T @ kernel[at : at + _ROWS]
        total += count * np.outer(mean, mean)
    total /= count
    return _root_of(total)


def _root_of(square: Array) -> Array:
    """Upper triangle whose square is this matrix and a little more on its diagonal."""
    more = _UNLIKE
    while True:
        breathe()
        try:
            found: Array = cholesky(square + more * np.eye(len(square)), check_finite=False)
        except LinAlgError:  # rounding made the matrix indefinite
            more *= 10.0
        else:
            return found


def _directions_of(effect: Array, step: float) -> tuple[NDArray[np.int16], Singles]:
    """Principal directions of effects on predictions that are worth a step, and their units."""
    _, vectors = np.linalg.eigh(effect.T @ effect)
    vectors = vectors[:, ::-1]
    sizes = np.abs(effect @ vectors).max(axis=0) / step
    used = sizes >= _LEAST
    finest = np.clip(_FINER * sizes[used], 16.0, _FINEST)
    units = (1.0 / finest).astype(np.float32)
    return np.rint(vectors[:, used].T * finest[:, None]).astype(np.int16), units


def _round_rows(wanted: Array, influence: Array, steps: Array) -> NDArray[np.int32]:
    """Whole numbers of steps, from the last row to the first; each row makes up for later ones."""
    counts = np.empty(wanted.shape, np.int32)
    left = np.zeros(wanted.shape)
    carried = np.zeros(wanted.shape)
    own = np.diag(influence)
    for high in range(len(wanted), 0, -_BLOCK):
        breathe()
        low = max(0, high - _BLOCK)
        for i in range(high - 1, low - 1, -1):
            behind = carried[i] + influence[i, i + 1 : high] @ left[i + 1 : high]
            counts[i] = np.rint((wanted[i] + behind / own[i]) / steps[i])
            left[i] = wanted[i] - counts[i] * steps[i]
        carried[:low] += influence[:low, low:high] @ left[low:high]
    return counts


def _planes(counts: NDArray[np.int32]) -> NDArray[np.uint8]:
    """Bytes of whole numbers, each kind together, which compresses best; shape (4, R, M)."""
    # 0, -1, 1, -2 ... become 0, 1, 2, 3 ..., so that the higher bytes of small numbers are 0.
    folded = ((counts << 1) ^ (counts >> 31)).T.astype("<u4")
    planes = np.ascontiguousarray(folded)[..., None].view(np.uint8)
    return np.ascontiguousarray(np.moveaxis(planes, -1, 0))


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
    return cho_solve(factor, right, check_finite=False)
