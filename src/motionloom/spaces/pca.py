"""Principal components of rows of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh, svd

from motionloom.declared import LARGEST, MOST, NUMBER, Range, Shape
from motionloom.errors import InvalidInputError
from motionloom.typing import Array

#: Directions whose variance is below this share of the largest are rounding, not data.
_RANK_SHARE = 1e-13


@dataclass(frozen=True, eq=False)
class PCA:
    """Linear subspace that keeps most of the data's variance.

    A row x has the coordinates ``C (x - mean)``, C holding orthonormal rows.

    Parameters
    ----------
    mean_ : array of shape (D,)
        Mean of the rows.
    components_ : array of shape (K, D)
        Orthonormal rows, the strongest first; the largest entry of each is positive.
    explained_variance_ : array of shape (K,)
        Variance of the rows along each, with N - 1 in the denominator.
    explained_variance_ratio_ : array of shape (K,)
        The same as shares of the whole variance.
    noise_variance_ : float
        Mean variance of the directions left out (Tipping & Bishop 1999).
    n_samples_ : int
        Number of rows N.

    Examples
    --------
    >>> rows = np.array([[0.0, 0.0], [1.0, 2.0], [2.0, 4.0]])
    >>> pca = PCA.fit(rows, 1)
    >>> pca.components_.round(3), pca.explained_variance_ratio_.round(3)
    (array([[0.447, 0.894]]), array([1.]))
    """

    mean_: Annotated[Array, Shape("d"), NUMBER]
    components_: Annotated[Array, Shape("k", "d"), Range(-2, 2)]
    explained_variance_: Annotated[Array, Shape("k"), Range(1e-300, LARGEST**2)]
    explained_variance_ratio_: Annotated[Array, Shape("k"), Range(0, 2)]
    noise_variance_: Annotated[float, Range(0, LARGEST**2)]
    n_samples_: Annotated[int, Range(2, MOST)]

    @classmethod
    def fit(
        cls, rows: ArrayLike, n_components: int | float | None = None, *, weights: ArrayLike = 1.0
    ) -> PCA:
        """Find the components.

        Parameters
        ----------
        rows : array of shape (N, D)
            Samples by features.
        n_components : int, float or None
            How many components K; a share of the variance (below 1) that they have to keep at
            least; or all directions in which the data vary.
        weights : array of shape (D,), optional
            What deviations from the mean are multiplied with first; components are of the products.

        Returns
        -------
        PCA

        Raises
        ------
        InvalidInputError
            For fewer than two rows, numbers that are not finite, or more components than directions
            in which the data vary.
        """
        rows = np.asarray(rows, float)
        if rows.ndim != 2 or len(rows) < 2 or not np.isfinite(rows).all():
            raise InvalidInputError(
                f"PCA needs at least two rows of finite numbers, got shape {rows.shape}"
            )
        n, d = rows.shape
        mean = np.ones(n) @ rows / n
        scaled = (rows - mean) * weights * np.sqrt(1.0 / (n - 1))
        variances, directions = _principal_axes(scaled)
        k = count_components(variances, n_components)
        if k is None:
            raise InvalidInputError(
                "n_components must be a share between 0 and 1 or a whole number from 1 to"
                f" {len(variances)}, the number of directions in which the data vary, got"
                f" {n_components}"
            )
        return cls(
            mean_=mean,
            components_=directions[:k],
            explained_variance_=variances[:k],
            explained_variance_ratio_=variances[:k] / max(variances.sum(), np.finfo(float).tiny),
            noise_variance_=float(variances[k:].sum()) / (d - k) if d > k else 0.0,
            n_samples_=n,
        )

    def transform(self, rows: ArrayLike) -> Array:
        """Coordinates (..., K) of rows (..., D)."""
        return (np.asarray(rows, float) - self.mean_) @ self.components_.T

    def inverse_transform(self, coordinates: ArrayLike) -> Array:
        """Rows (..., D) with given coordinates (..., K)."""
        return np.asarray(coordinates, float) @ self.components_ + self.mean_


def count_components(variances: Array, wanted: int | float | None) -> int | None:
    """How many components are kept.

    Parameters
    ----------
    variances : array of shape (R,)
        Along all directions in which the data vary, descending.
    wanted : int, float or None
        A number, a share of the variance below 1, or all.

    Returns
    -------
    int or None
        None where there are not as many, or it is neither a number nor a share.
    """
    if wanted is None:
        return len(variances)
    if isinstance(wanted, float) and 0 < wanted < 1:
        share = np.cumsum(variances) / max(variances.sum(), np.finfo(float).tiny)
        return min(int(np.searchsorted(share, wanted)) + 1, len(variances))
    whole = float(wanted).is_integer() and 1 <= wanted <= len(variances)
    return int(wanted) if whole else None


def _principal_axes(rows: Array) -> tuple[Array, Array]:
    """Variances above zero (largest first) and their orthonormal directions, shapes (R,) and (R,
    D).

    With far more features than rows, the eigenvectors of the N x N Gram matrix give them at a
    fraction of the cost.
    """
    n, d = rows.shape
    if d > 2 * n:
        variances, left = eigh(rows @ rows.T)
        variances = variances[::-1]
        left = left[:, ::-1]
        left = left[:, variances > _RANK_SHARE * variances[0]]
        # QR mends what rounding took from orthogonality.
        basis, triangle = np.linalg.qr(rows.T @ left)
        directions = basis.T
        variances = np.diag(triangle) ** 2
    else:
        _, singular, directions = svd(rows, full_matrices=False)
        variances = singular**2
    real = variances > _RANK_SHARE * max(float(variances.max(initial=0.0)), np.finfo(float).tiny)
    variances = variances[real]
    directions = directions[real]
    largest = np.take_along_axis(
        directions, np.abs(directions).argmax(axis=1, keepdims=True), axis=1
    )
    return variances, directions * np.sign(largest)
