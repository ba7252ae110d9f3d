"""Joints past their hinges, and turns about other axes than the captured ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.hinges import FULL
from motionloom.declared import LEARNED, SPREAD, Shape
from motionloom.typing import Array

#: Share of captured frames beyond each end of a hinge's range.
_BEYOND = 0.002
#: What is added to spreads, degrees: of a hinge's ends, and of a joint's turns.
_HINGE_RIDGE, _TURN_RIDGE = 5.0, 12.0
#: Of the joints this share is turned at most so unusually.
_MOST = 0.4


@dataclass(frozen=True, eq=False)
class HingeRange:
    """How far H knees and elbows bent in captures.

    Parameters
    ----------
    low, high : array of shape (H,), degrees
    spread : array of shape (2, H), degrees
        By how much clips differ in what they reach at the low and at the high end.
    """

    low: Annotated[Array, Shape("H"), LEARNED]
    high: Annotated[Array, Shape("H"), LEARNED]
    spread: Annotated[Array, Shape(2, "H"), SPREAD]

    def excess(self, flexion: Array) -> Array:
        """How far flexions (N, H), degrees, are beyond the range, in spreads; below 0 inside."""
        low = (self.low - flexion) / self.spread[0]
        high = (flexion - self.high) / self.spread[1]
        return np.asarray(np.maximum(low, high))


def fit_hinge_range(clips: Sequence[Array]) -> HingeRange:
    """Range of flexions in clips, (N, H) each, degrees."""
    together = np.concatenate(clips)
    low, high = np.quantile(together, [_BEYOND, 1 - _BEYOND], axis=0)
    # What nobody did in the captures, people may still do: stretch a limb, and bend it fully.
    low, high = np.minimum(low, 0.0), np.maximum(high, np.degrees(FULL))
    ends = np.array([[c.min(axis=0), c.max(axis=0)] for c in clips])
    # A third of how clips differ: they differ in what they show, not in how joints are built.
    return HingeRange(low, high, np.minimum(ends.std(axis=0) / 3, _HINGE_RIDGE) + _HINGE_RIDGE)


@dataclass(frozen=True, eq=False)
class AxisModel:
    """How J joints are turned in captures: a Gaussian of each, about its mean turn.

    Parameters
    ----------
    middle : array of shape (J, 4)
        Mean rotations.
    mean : array of shape (J, 3), radians
        Of rotation vectors from there.
    factor : array of shape (J, 3, 3)
        Inverse Cholesky factors of their covariances.
    """

    middle: Annotated[Array, Shape("I", 4), LEARNED]
    mean: Annotated[Array, Shape("I", 3), LEARNED]
    factor: Annotated[Array, Shape("I", 3, 3), LEARNED]

    def distances(self, rotations: Array) -> Array:
        """How unusually each joint is turned, (N, J), for local rotations (N, J, 4)."""
        away = rot.to_rotvec(rot.multiply(rot.conjugate(self.middle), rotations)) - self.mean
        # Whitened by the inverse Cholesky factor: the length is the Mahalanobis distance.
        scaled = np.einsum("jab,njb->nja", self.factor, away)
        return np.asarray(np.sqrt(np.mean(scaled**2, axis=-1)))

    def oddness(self, distances: Array) -> Array:
        """Distance that most joints have, shape (N,)."""
        return np.quantile(distances, _MOST, axis=1)


def fit_axes(clips: Sequence[Array]) -> AxisModel:
    """How joints are turned in clips, local rotations (N, J, 4) each."""
    together = np.concatenate(clips)
    # Rotation vectors are about a mean turn: about rest some would be near 180 degrees and flip.
    middle = rot.mean(together)
    away = rot.to_rotvec(rot.multiply(rot.conjugate(middle), together))
    mean = away.mean(axis=0)
    spread = np.einsum("nja,njb->jab", away - mean, away - mean) / len(away)
    # A joint that hardly turns in a few captures would otherwise find any turn unusual.
    spread += np.radians(_TURN_RIDGE) ** 2 * np.eye(3)
    return AxisModel(middle, mean, np.linalg.inv(np.linalg.cholesky(spread)))
