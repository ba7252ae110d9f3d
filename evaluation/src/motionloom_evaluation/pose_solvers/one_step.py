"""One step of rows in strict layers, by itself: what is timed, and shown to have its properties."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from motionloom.errors import InvalidInputError
from motionloom.ik.layer_kernels import Bounds, Layers, layered_step
from motionloom.typing import Array


def project_step(
    residual: ArrayLike,
    jacobian: ArrayLike,
    layers: ArrayLike,
    *,
    matrix: ArrayLike | None = None,
    low: ArrayLike | None = None,
    high: ArrayLike | None = None,
    longest: float = np.inf,
    prefer: ArrayLike | None = None,
) -> Array:
    """One step of rows in strict layers.

    Parameters
    ----------
    residual : array of shape (R,)
        What each row lacks.
    jacobian : array of shape (R, A)
        ``jacobian @ step`` is how much of that a step makes good, to first order.
    layers : int array of shape (R,)
        Layer of each row; the smallest number is served first.
    matrix : array of shape (D, A), optional
        How the coordinates that have limits change with the unknowns; the unknowns themselves when
        not given.
    low, high : array of shape (D,), optional
        What the coordinates may change by, ``low <= 0 <= high``; without end when not given.
    longest : float
        Most that any of them changes.
    prefer : array of shape (A,), optional
        The step that is wanted in what all layers leave open.

    Returns
    -------
    array of shape (A,)
        Each layer's part changes nothing of the rows above it; a coordinate at its limit is held,
        and the layer solved again without it. Poorly conditioned layers are damped.

    Raises
    ------
    InvalidInputError
        When the shapes do not fit together.
    """
    rows, level = np.ascontiguousarray(residual, float), np.asarray(layers)
    own = np.ascontiguousarray(jacobian, float)
    if own.ndim != 2 or not rows.shape == level.shape == own.shape[:1] != (0,):
        raise InvalidInputError(
            "a step needs as many residuals and layers as its Jacobian has rows, at least one, got"
            f" {rows.shape}, {level.shape} and {own.shape}"
        )
    deeper = level[1:] - level[:-1]
    if deeper.size and deeper.min() < 0:
        order = np.argsort(level, kind="stable")
        rows, own, level = rows[order], own[order], level[order]
        deeper = level[1:] - level[:-1]
    ends = np.array([0, *(np.flatnonzero(deeper) + 1), len(level)], np.int64)
    size = own.shape[1]
    change = np.zeros((0, size)) if matrix is None else np.ascontiguousarray(matrix, float)
    moved = size if matrix is None else len(change)
    bounds = Bounds(
        change,
        matrix is None,
        np.full(moved, -np.inf) if low is None else np.minimum(low, 0.0),
        np.full(moved, np.inf) if high is None else np.maximum(high, 0.0),
        float(longest),
    )
    wanted = np.zeros(size) if prefer is None else np.array(prefer, float)
    if not (bounds.low.shape == bounds.high.shape == (moved,) and change.shape[1:] == (size,)):
        raise InvalidInputError(
            f"limits of a step must have shape ({moved},), got {bounds.low.shape} and"
            f" {bounds.high.shape}; its matrix must have {size} columns"
        )
    if wanted.shape != (size,):
        raise InvalidInputError(f"a preferred step must have shape ({size},), got {wanted.shape}")
    step: Array = layered_step(Layers(own, rows, ends, wanted), bounds)
    return step
