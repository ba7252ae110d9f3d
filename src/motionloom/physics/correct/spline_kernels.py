"""Sums of normal equations in compiled code."""

from __future__ import annotations

import numpy as np

from motionloom.compiling import kernel


@kernel
def add_products(
    first: np.ndarray, used: np.ndarray, products: np.ndarray, wide: np.ndarray
) -> None:  # pragma: no cover - compiled
    """Add products of rows over four control points each to the lower half of a banded matrix.

    Parameters
    ----------
    first : int array of shape (N,)
        First of the four control points.
    used : int array of shape (U,)
        Curves that the rows have.
    products : array of shape (N, 4 U, 4 U)
        Point by point, then curve by curve.
    wide : array of shape (K, D, 5 D)
        By control point and curve of the column: rows from that control point on.
    """
    n = wide.shape[1]
    u = len(used)
    for i in range(len(first)):
        for a in range(4):
            for p in range(u):
                column = wide[first[i] + a, used[p]]
                row = products[i, a * u + p]
                for lag in range(4 - a):
                    for q in range(u):
                        column[lag * n + used[q]] += row[(a + lag) * u + q]
