"""PCA of cycles (Xiao 2009, section 4.2.1): the leading components and their energy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from motionloom.declared import NUMBER, PART, SINGLE, SIZE, Shape
from motionloom.skeleton import restore_read_only
from motionloom.typing import Array


@dataclass(frozen=True, eq=False)
class GaitBasis:
    """Leading components of rows.

    Parameters
    ----------
    mean : array of shape (D,)
        Mean row.
    axes : array of shape (K, D)
        Orthonormal, by decreasing variance.
    variances : array of shape (M,)
        Of all components that there are, M at least K.
    """

    mean: Annotated[Array, Shape("D"), NUMBER, SINGLE]
    axes: Annotated[Array, Shape("k", "D"), PART, SINGLE]
    variances: Annotated[Array, Shape("m"), SIZE]
    __setstate__ = restore_read_only

    @property
    def energy(self) -> Array:
        """Share of the variance in the first 1, 2 ... components, shape (M,); eq. 4.4."""
        total = float(self.variances.sum())
        return np.cumsum(self.variances) / max(total, 1e-30)

    def coefficients(self, rows: Array) -> Array:
        """Coefficients of rows (..., D), shape (..., K)."""
        return (rows - self.mean) @ self.axes.T

    def keep(self, rows: Array) -> Array:
        """The part of differences (..., D) that lies in the basis."""
        return (rows @ self.axes.T) @ self.axes

    def count_for(self, share: float) -> int:
        """Number of components that hold a share of the variance."""
        return int(np.searchsorted(self.energy, share - 1e-12)) + 1


def fit_basis(rows: Array, most: int) -> GaitBasis:
    """Principal components of rows.

    Parameters
    ----------
    rows : array of shape (R, D)
        Far fewer rows than numbers in each.
    most : int
        Components kept, where there are as many.

    Returns
    -------
    GaitBasis
    """
    mean = rows.mean(axis=0)
    away = rows - mean
    values, vectors = np.linalg.eigh(away @ away.T)
    order = np.argsort(values)[::-1]
    values = np.maximum(values[order], 0.0)
    real = values > 1e-9 * max(float(values[0]), 1e-30)
    kept = order[: min(most, int(real.sum()))]
    axes = vectors[:, kept].T @ away
    axes /= np.maximum(np.linalg.norm(axes, axis=1, keepdims=True), 1e-30)
    return GaitBasis(mean, axes, values[real] / len(rows))
