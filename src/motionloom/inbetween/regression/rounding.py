"""Coefficients of a kernel regression in few bits.

Rounding each coefficient by itself fails: a smooth kernel adds the errors of hundreds of landmarks.
So coefficients are rounded one landmark after the other, and those that follow take over what the
rounding changed in the predictions at the landmarks. A landmark whose change the others can take
over well gets a coarse step. Values that vary together are rounded together, along the principal
directions of what the coefficients do to predictions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cholesky

from motionloom.declared import NUMBER, SIZE, Range, Shape
from motionloom.inbetween.regression.kernel import mixed_matern, squared_distances
from motionloom.progress import breathe
from motionloom.typing import Array, Singles

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
        found: Singles = along @ directions.astype(np.float32)
        return found


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
