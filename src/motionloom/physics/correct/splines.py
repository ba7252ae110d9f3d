"""Uniform cubic B-splines over frames, and systems whose unknowns are their control points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from motionloom.physics.correct.spline_kernels import add_products
from motionloom.typing import Array, Bools, Ints

#: Added to the diagonal at control points that must not move.
STIFF = 1e15


@dataclass(frozen=True, eq=False)
class Spline:
    """Values of the four basis functions that act in each frame (Rogers & Adams 1990).

    Parameters
    ----------
    first : int array of shape (T,)
        First of the four control points that act in each frame.
    basis : array of shape (4, T, 4)
        Values, first, second and third derivatives (per second) of their basis functions.
    n_controls : int
        Number of control points K.
    """

    first: Ints
    basis: Array
    n_controls: int

    def values(self, controls: Array, order: int = 0) -> Array:
        """Curves (T, D) of control points (K, D), or their derivatives of an order."""
        near = controls[self.first[:, None] + np.arange(4)]
        return np.asarray(np.einsum("tk,tkd->td", self.basis[order], near), float)

    def held_ends(self, start: bool, stop: bool) -> Bools:
        """Control points (K,) that are zero where curves begin or end gently, from nothing.

        Three at an end: value, velocity and acceleration there.
        """
        fixed = np.zeros(self.n_controls, bool)
        fixed[:3] = start
        fixed[-3:] |= stop
        return fixed

    def fit(self, curves: Array) -> Array:
        """Control points (K, D) whose curves are nearest to given ones (T, D)."""
        bands = np.zeros((4, self.n_controls))
        rhs = np.zeros((self.n_controls, curves.shape[1]))
        weights = self.basis[0]
        for a in range(4):
            np.add.at(rhs, self.first + a, weights[:, a, None] * curves)
            for b in range(a, 4):
                np.add.at(bands[b - a], self.first + a, weights[:, a] * weights[:, b])
        bands[0] += 1e-9
        return np.asarray(scipy.linalg.solveh_banded(bands, rhs, lower=True), float)


def make_spline(n_frames: int, fps: float, rate: float) -> Spline:
    """A spline over a motion.

    Parameters
    ----------
    n_frames : int
        T.
    fps : float
        Frames per second.
    rate : float
        Control points per second, no more than frames.

    Returns
    -------
    Spline
    """
    span = max(n_frames - 1, 1)
    intervals = max(1, round(span / fps * min(rate, fps)))
    place = np.arange(n_frames) * (intervals / span)
    first = np.minimum(place.astype(int), intervals - 1)
    x = place - first
    speed = fps * intervals / span
    basis = np.stack(
        [
            np.stack(
                [(1 - x) ** 3, 3 * x**3 - 6 * x**2 + 4, -3 * x**3 + 3 * x**2 + 3 * x + 1, x**3],
                axis=-1,
            )
            / 6,
            speed
            * np.stack([-((1 - x) ** 2), 3 * x**2 - 4 * x, -3 * x**2 + 2 * x + 1, x**2], axis=-1)
            / 2,
            speed**2 * np.stack([1 - x, 3 * x - 2, 1 - 3 * x, x], axis=-1),
            speed**3 * np.tile([-1.0, 3.0, -3.0, 1.0], (n_frames, 1)),
        ]
    )
    return Spline(first, basis, intervals + 3)


class BandedSystem:
    """Normal equations of rows over frames, block-banded over control points.

    Parameters
    ----------
    spline : Spline
        Which control points act in which frames.
    n_curves : int
        Number of curves D; unknowns are K times D, control point by control point.
    """

    def __init__(self, spline: Spline, n_curves: int) -> None:
        self.spline = spline
        self.n_curves = n_curves
        # Rows of the lower half, column by column, with room for the shift that makes bands.
        self._wide = np.zeros((spline.n_controls, n_curves, 5 * n_curves))
        self.gradient = np.zeros((spline.n_controls, n_curves))

    def add(self, frames: NDArray[np.intp], jacobians: Sequence[Array], residuals: Array) -> None:
        """Add squared rows.

        Parameters
        ----------
        frames : int array of shape (N,)
            Frame of each row, ascending.
        jacobians : sequence of arrays of shape (N, D)
            Derivatives of the rows by the curves, by their first and by their second derivatives;
            as many as are not zero.
        residuals : array of shape (N,)
            Values of the rows, weighted as the derivatives are.
        """
        if not len(frames):
            return
        spline = self.spline
        used = np.flatnonzero(np.any([part.any(axis=0) for part in jacobians], axis=0))
        rows = np.zeros((len(frames), 4, len(used)))
        for order, jacobian in enumerate(jacobians):
            rows += spline.basis[order][frames][:, :, None] * jacobian[:, None, used]
        flat = rows.reshape(len(frames), -1)
        first = spline.first[frames]
        edges = np.flatnonzero(np.diff(first)) + 1
        starts = np.concatenate([[0], edges])
        grams = np.empty((len(starts), 4 * len(used), 4 * len(used)))
        slopes = np.empty((len(starts), 4 * len(used)))
        for i, (start, stop) in enumerate(zip(starts, [*edges, len(frames)], strict=True)):
            own = flat[start:stop]
            np.matmul(own.T, own, out=grams[i])
            np.matmul(own.T, residuals[start:stop], out=slopes[i])
        add_products(first[starts], used, grams, self._wide)
        for lag in range(4):
            near = slopes.reshape(-1, 4, len(used))[:, lag]
            self.gradient[np.ix_(first[starts] + lag, used)] += near

    def add_prior(self, weights: Array, controls: Array) -> None:
        """Add squares of all curves and of their derivatives.

        Parameters
        ----------
        weights : array of shape (4, D)
            Of the squares in every frame, by order of derivative and curve.
        controls : array of shape (K, D)
            Where the curves are.
        """
        spline = self.spline
        n = self.n_curves
        own = np.arange(n)
        intervals = spline.n_controls - 3
        for order, row in enumerate(weights):
            basis = spline.basis[order]
            squares = np.zeros((intervals, 4, 4))
            np.add.at(squares, spline.first, basis[:, :, None] * basis[:, None, :])
            for a in range(4):
                for b in range(4):
                    near = controls[b : b + intervals]
                    self.gradient[a : a + intervals] += squares[:, a, b, None] * row * near
                for b in range(a, 4):
                    near = squares[:, a, b, None] * row
                    self._wide[a : a + intervals, own, (b - a) * n + own] += near

    def solve(self, ridge: float, fixed: Bools | None = None) -> Array:
        """The step (K, D) that makes the sum of squares least, without that of fixed points."""
        n = self.n_curves
        k = self.spline.n_controls
        wide = self._wide
        size = wide.itemsize
        strides = (5 * n * n * size, (5 * n + 1) * size, size)
        bands = as_strided(wide, (k, n, 4 * n), strides).reshape(k * n, 4 * n).T
        bands[0] += ridge
        free = 1.0 if fixed is None else (~fixed[:, None]).astype(float)
        if fixed is not None:
            bands[0] += STIFF * np.repeat(fixed, n)
        step = scipy.linalg.solveh_banded(
            bands,
            -(free * self.gradient).ravel(),
            lower=True,
            overwrite_ab=True,
            check_finite=False,
        )
        return np.asarray(free * step.reshape(k, n), float)
