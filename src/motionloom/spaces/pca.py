"""Principal component analysis, plain and probabilistic, in one thin class with scikit-learn's
vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh, svd

from motionloom.declared import LARGEST, MOST, NUMBER, Range, Shape
from motionloom.errors import InvalidInputError
from motionloom.typing import Array

#: Directions whose variance is below this share of the largest are rounding, not data.
_RANK_SHARE = 1e-13


@dataclass(frozen=True, eq=False)
class FittedPCA:
    """The numbers of a PCA, as a file holds them; see `PCA`."""

    mean_: Annotated[Array, Shape("d"), NUMBER]
    components_: Annotated[Array, Shape("k", "d"), Range(-2, 2)]
    explained_variance_: Annotated[Array, Shape("k"), Range(1e-300, LARGEST**2)]
    explained_variance_ratio_: Annotated[Array, Shape("k"), Range(0, 2)]
    noise_variance_: Annotated[float, Range(0, LARGEST**2)]
    n_samples_: Annotated[int, Range(2, MOST)]

    def restore(self) -> PCA:
        """The PCA with these numbers."""
        pca = PCA(len(self.components_))
        vars(pca).update(vars(self))
        return pca


class PCA:
    """Linear subspace that keeps most of the data's variance, and the Gaussian that goes with it.

    A row x has the coordinates ``alpha = C W (x - mean)``, C holding orthonormal rows and W the
    feature weights on its diagonal. As a density (Tipping & Bishop 1999) ``W x`` is Gaussian: the
    variances found along the components and one noise variance, the mean of those left out, in all
    other directions.

    Parameters
    ----------
    n_components : int, float or None
        How many components K; a share of the variance (below 1) that they have to keep at least; or
        all directions in which the data vary.
    center : bool
        Whether the mean is taken off. Without it the subspace passes through the origin.
    weights : array of shape (D,), optional
        Factor of each feature, above 0; 1 for all when not given. Makes radians and metres
        comparable.

    Attributes
    ----------
    mean_ : array of shape (D,)
        Zero when not centred.
    components_ : array of shape (K, D)
        Orthonormal rows, largest variance first; the largest entry of each is positive.
    explained_variance_ : array of shape (K,)
    explained_variance_ratio_ : array of shape (K,)
        Share of the whole variance.
    noise_variance_ : float
        Mean variance of the D - K directions that are left out; 0 when none is.
    n_samples_ : int

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> rows = rng.normal(size=(200, 1)) * [3.0, 4.0, 0.0]  # all on one line
    >>> pca = PCA(n_components=1).fit(rows)
    >>> np.abs(pca.components_[0]).round(2), pca.explained_variance_ratio_.round(3)
    (array([0.6, 0.8, 0. ]), array([1.]))
    """

    mean_: Array
    components_: Array
    explained_variance_: Array
    explained_variance_ratio_: Array
    noise_variance_: float
    n_samples_: int

    def __init__(
        self,
        n_components: int | float | None = None,
        *,
        center: bool = True,
        weights: ArrayLike | None = None,
    ) -> None:
        self.n_components = n_components
        self.center = center
        self.weights = weights

    def fit(self, rows: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the components.

        Parameters
        ----------
        rows : array of shape (N, D)
            Samples by features.
        sample_weight : array of shape (N,), optional
            How often each row counts.

        Returns
        -------
        PCA
            The object itself.

        Raises
        ------
        InvalidInputError
            For fewer than two rows, numbers that are not finite, weights of rows or features that
            do not fit, or more components than directions in which the data vary.
        """
        rows = np.asarray(rows, float)
        if rows.ndim != 2 or len(rows) < 2 or not np.isfinite(rows).all():
            raise InvalidInputError(
                f"PCA needs at least two rows of finite numbers, got shape {rows.shape}"
            )
        n, d = rows.shape
        counts = np.ones(n) if sample_weight is None else np.asarray(sample_weight, float)
        least = int(self.center)
        if counts.shape != (n,) or not np.isfinite(counts).all() or counts.min() < 0:
            raise InvalidInputError(f"sample_weight needs {n} finite numbers, none below 0")
        if counts.sum() <= least:
            raise InvalidInputError(f"sample_weight needs numbers whose sum is above {least}")
        self.mean_ = counts @ rows / counts.sum() if self.center else np.zeros(d)
        scaled = (
            (rows - self.mean_)
            * self._factors(d)
            * np.sqrt(counts / (counts.sum() - self.center))[:, None]
        )
        variances, directions = _principal_axes(scaled)
        k = self._count(variances, len(variances))
        total = float(variances.sum())
        self.n_samples_ = n
        self.components_ = directions[:k]
        self.explained_variance_ = variances[:k]
        self.explained_variance_ratio_ = (
            self.explained_variance_ / total if total > 0 else np.zeros(k)
        )
        self.noise_variance_ = float(variances[k:].sum()) / (d - k) if d > k else 0.0
        return self

    def transform(self, rows: ArrayLike) -> Array:
        """Coordinates of rows (..., D) along the components, shape (..., K).

        Examples
        --------
        >>> rows = np.array([[0.0, 0.0], [2.0, 0.0], [4.0, 0.0]])
        >>> np.abs(PCA(n_components=1).fit(rows).transform(rows)).ravel()
        array([2., 0., 2.])
        """
        return (
            (np.asarray(rows, float) - self.mean_) * self._factors(len(self.mean_))
        ) @ self.components_.T

    def inverse_transform(self, coordinates: ArrayLike) -> Array:
        """Rows (..., D) at coordinates (..., K).

        Examples
        --------
        >>> rows = np.array([[0.0, 0.0], [2.0, 1.0], [4.0, 2.0]])
        >>> pca = PCA(n_components=1).fit(rows)
        >>> np.allclose(pca.inverse_transform(pca.transform(rows)), rows)
        True
        """
        return (
            np.asarray(coordinates, float) @ self.components_ / self._factors(len(self.mean_))
            + self.mean_
        )

    def score_samples(self, rows: ArrayLike) -> Array:
        """Log-likelihood of rows (..., D) under the Gaussian, shape (...).

        Raises
        ------
        InvalidInputError
            When a direction has no variance at all: the density is infinite there. Fit fewer
            components or features.
        """
        d = len(self.mean_)
        k = len(self.explained_variance_)
        variances = np.append(self.explained_variance_, [self.noise_variance_] if d > k else [])
        if variances.min() <= 0:
            raise InvalidInputError(
                "the data do not vary in some direction, so they have no density; drop features"
            )
        factors = self._factors(d)
        away = (np.asarray(rows, float) - self.mean_) * factors
        along = away @ self.components_.T
        rest = np.maximum((away**2).sum(axis=-1) - (along**2).sum(axis=-1), 0.0)
        squares = (along**2 / self.explained_variance_).sum(axis=-1)
        volume = np.log(self.explained_variance_).sum() - 2 * np.log(factors).sum()
        if d > k:
            squares = squares + rest / self.noise_variance_
            volume = volume + (d - k) * np.log(self.noise_variance_)
        densities: Array = -0.5 * (squares + volume + d * np.log(2 * np.pi))
        return densities

    def score(self, rows: ArrayLike) -> float:
        """Mean log-likelihood of rows."""
        return float(np.mean(self.score_samples(rows)))

    def get_covariance(self) -> Array:
        """Covariance of the Gaussian in the features' own units, shape (D, D).

        Examples
        --------
        >>> rows = np.random.default_rng(0).normal(size=(500, 2)) * [1.0, 2.0]
        >>> pca = PCA().fit(rows)
        >>> np.allclose(pca.get_covariance(), np.cov(rows.T), rtol=0.01, atol=0.01)
        True
        """
        d = len(self.mean_)
        excess = self.explained_variance_ - self.noise_variance_
        spread = (self.components_.T * excess) @ self.components_ + self.noise_variance_ * np.eye(d)
        factors = self._factors(d)
        return spread / np.outer(factors, factors)

    def _factors(self, d: int) -> Array:
        if self.weights is None:
            return np.ones(d)
        factors = np.asarray(self.weights, float)
        if factors.shape != (d,) or not (factors > 0).all():
            raise InvalidInputError(
                f"weights needs {d} positive numbers, got shape {factors.shape}"
            )
        return factors

    def _count(self, variances: Array, most: int) -> int:
        """Number of components that `n_components` asks for."""
        wanted = self.n_components
        if wanted is None:
            return most
        if isinstance(wanted, float) and 0 < wanted < 1:
            share = np.cumsum(variances) / max(variances.sum(), np.finfo(float).tiny)
            return min(int(np.searchsorted(share, wanted)) + 1, most)
        if not (float(wanted).is_integer() and 1 <= wanted <= most):
            raise InvalidInputError(
                f"n_components must be a share between 0 and 1 or a whole number from 1 to {most},"
                f" the number of directions in which the data vary, got {wanted}"
            )
        return int(wanted)


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
