"""How fast joints turn beside each other: one that hangs still while its body runs is odd."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.oddness.evidence import Body
from motionloom.analysis.oddness.tracks import RATE, nearest_frames
from motionloom.analysis.oddness.windows import SPAN, window_middles
from motionloom.declared import LEARNED, Shape
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array

#: Joints that turn more slowly are alike, degrees per second.
STILL = 3.0
#: Added to every standard deviation: what never varies in captures would be blown up without that.
_RIDGE = 0.1


def measure_turning(body: Body, posed: PosedMotion) -> Array:
    """How fast each large joint turns in the windows of a motion.

    Parameters
    ----------
    body : Body
        Which joints are large.
    posed : PosedMotion
        Of the body's skeleton, at least one window long.

    Returns
    -------
    array of shape (W, L)
        Natural logarithm of the root mean square over the window, degrees per second.
    """
    frames = nearest_frames(posed)
    large = body.moving[body.large]
    turns = rot.unroll(posed.motion.rotations[frames][:, large])
    # A quaternion's length is half an angle.
    speed = np.degrees(2 * np.linalg.norm(np.diff(turns, axis=0), axis=-1)) * RATE
    middles = window_middles(len(frames))
    steps = middles[:, None] + np.arange(-(SPAN // 2), SPAN // 2)
    return np.asarray(np.log(STILL + np.sqrt((speed[steps] ** 2).mean(axis=1))))


@dataclass(frozen=True, eq=False)
class TurningModel:
    """How fast joints turn in captures: one Gaussian of all of them.

    Parameters
    ----------
    mean : array of shape (L,)
        Of the logarithms.
    precision : array of shape (L, L)
        Inverse of their covariance.
    """

    mean: Annotated[Array, Shape("n"), LEARNED]
    precision: Annotated[Array, Shape("n", "n"), LEARNED]

    def distances(self, turning: Array) -> Array:
        """How far windows (W, L) are from the mean (Mahalanobis 1936), by the root of L."""
        away = turning - self.mean
        squares = np.einsum("wi,ij,wj->w", away, self.precision, away) / len(self.mean)
        return np.asarray(np.sqrt(np.maximum(squares, 0.0)))

    def beside_others(self, turning: Array) -> Array:
        """How much faster each joint turns than the others let expect, in deviations, (W, L)."""
        faster: Array = (turning - self.mean) @ self.precision
        return faster / np.sqrt(np.diag(self.precision))


def fit_turning(turning: Array) -> TurningModel:
    """How fast joints turn in captured windows (W, L)."""
    covariance = np.atleast_2d(np.cov(turning, rowvar=False))
    covariance = covariance + _RIDGE**2 * np.eye(len(covariance))
    precision = np.asarray(np.linalg.inv(covariance), np.float64)
    return TurningModel(turning.mean(axis=0), precision)
