"""What tells a motion from the same motion made otherwise: least squares on random features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from motionloom.declared import LEARNED, Shape
from motionloom.typing import Array

#: Weight of small coefficients against small errors, of a row, where features are many.
PENALTY = 3e-3


@dataclass(frozen=True, eq=False)
class Basis:
    """Random features of rows of D numbers (Rahimi & Recht 2007), and some of them as they are.

    Parameters
    ----------
    mean : array of shape (D,)
    project : array of shape (D, F)
        To the F phases, radians.
    phase : array of shape (F,), radians
    plain : array of shape (D, L)
        To L numbers that are features as they are; L may be 0.
    """

    mean: Annotated[Array, Shape("b"), LEARNED]
    project: Annotated[Array, Shape("b", "f"), LEARNED]
    phase: Annotated[Array, Shape("f"), LEARNED]
    plain: Annotated[Array, Shape("b", "l"), LEARNED]

    def features(self, rows: Array) -> Array:
        """Features of rows (W, ...), shape (W, F + L + 1); the last is 1."""
        away = rows.reshape(len(rows), -1) - self.mean
        waves = np.cos(away @ self.project + self.phase)
        return np.concatenate([waves, away @ self.plain, np.ones((len(away), 1))], axis=1)


def fit_scaled(rows: Array, seed: int, *, features: int, wave: float, plain: float) -> Basis:
    """Features of all numbers, each scaled to its spread, and these numbers times `plain`.

    Parameters
    ----------
    rows : array of shape (W, D)
        Numbers of captured windows.
    seed : int
        The same seed gives the same features.
    features : int
        Random features F.
    wave : float
        Their wavelength, in spreads; longer ones are smoother.
    plain : float
        Weight of the numbers themselves.

    Returns
    -------
    Basis
    """
    # What never varies in captures would be blown up without that.
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-3
    random = np.random.default_rng(seed)
    # Frequencies of a Gaussian kernel; the root keeps its width the same for any number of columns.
    waves = random.normal(size=(len(mean), features)) / (wave * np.sqrt(len(mean)))
    phase = random.uniform(0, 2 * np.pi, features)
    return Basis(mean, waves / spread[:, None], phase, np.diag(plain / spread))


@dataclass(frozen=True, eq=False)
class Sums:
    """What a regression needs of rows of features: their products, their sum and their number."""

    squares: Array
    total: Array
    count: int

    @staticmethod
    def of(features: Array) -> Sums:
        """Of features, shape (W, F)."""
        return Sums(features.T @ features, features.sum(axis=0), len(features))

    def __add__(self, other: Sums) -> Sums:
        squares, total = self.squares + other.squares, self.total + other.total
        return Sums(squares, total, self.count + other.count)


def fit_weights(tables: Sequence[tuple[Sums, float]], penalty: float = PENALTY) -> Array:
    """Weights by which features come near to wanted numbers, by ridge regression.

    Parameters
    ----------
    tables : sequence of (Sums, float)
        Rows of features, and what all of them are to give; tables count alike, however many rows
        they have.
    penalty : float
        Weight of small coefficients against small errors, of a row.

    Returns
    -------
    array of shape (F,)
    """
    # Each table counts as a whole: what was made otherwise may have more rows, or fewer.
    squares = np.sum([sums.squares / max(sums.count, 1) for sums, _ in tables], axis=0)
    pull = np.sum([wanted * sums.total / max(sums.count, 1) for sums, wanted in tables], axis=0)
    # Captures that never move have no features at all.
    ridge = max(penalty * np.trace(squares) / len(squares), 1e-9)
    return np.linalg.solve(squares + ridge * np.eye(len(squares)), pull)
