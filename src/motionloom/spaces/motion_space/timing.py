"""How long a motion takes: the spans between key postures, predicted from where it lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import PchipInterpolator

from motionloom.declared import NUMBER, SIZE, Range, Shape, below
from motionloom.typing import Array, Ints

#: Strengths of shrinking that are tried, as shares of the number of takes.
_STRENGTHS = np.geomspace(1e-3, 1e3, 31)


@dataclass(frozen=True, eq=False)
class Timing:
    """Seconds between key postures, as a shrunken linear function of a motion's coefficients.

    Logarithms are predicted, so that no span is ever negative.

    Parameters
    ----------
    frames : int array of shape (P,)
        Normalised frame of every key posture, the first 0.
    mean : array of shape (P - 1,)
        Mean logarithm of the seconds of every span.
    slopes : array of shape (P - 1, K)
        Its change with each coefficient.
    error : array of shape (P - 1,)
        How far a take that is left out is missed, root mean square of the logarithm.
    takes : array of shape (d, P - 1), seconds
        Spans of the takes.
    """

    frames: Annotated[Ints, Shape("P"), below("N")]
    mean: Annotated[Array, Shape("s"), Range(-50, 50)]
    slopes: Annotated[Array, Shape("s", "K"), NUMBER]
    error: Annotated[Array, Shape("s"), SIZE]
    takes: Annotated[Array, Shape("M", "s"), SIZE]

    def spans(self, coefficients: ArrayLike) -> Array:
        """Seconds of every span, shape (..., P - 1), of coefficients (..., K)."""
        spans: Array = np.exp(self.mean + np.asarray(coefficients, float) @ self.slopes.T)
        return spans

    def key_times(self, coefficients: ArrayLike, duration: float | None = None) -> Array:
        """Time of every key posture, seconds, shape (P,).

        Parameters
        ----------
        coefficients : array of shape (K,)
            Of the motion.
        duration : float, seconds, optional
            All spans are stretched alike to last so long; as predicted when not given.
        """
        times = np.concatenate([[0.0], np.cumsum(self.spans(coefficients))])
        return times if duration is None else times * (duration / times[-1])


def fit_timing(frames: Ints, spans: Array, coefficients: Array) -> Timing:
    """Learn how long spans last.

    Parameters
    ----------
    frames : int array of shape (P,)
        Normalised frame of every key posture.
    spans : array of shape (d, P - 1), seconds
        Of every take.
    coefficients : array of shape (d, K)
        Of every take.

    Returns
    -------
    Timing
        Shrunken towards the mean by as much as predicts takes that are left out best; the mean
        itself where nothing does better.
    """
    logs = np.log(spans)
    mean = logs.mean(axis=0)
    slopes = np.zeros((logs.shape[1], coefficients.shape[1]))
    error = np.empty(logs.shape[1])
    for s in range(logs.shape[1]):
        slopes[s], error[s] = _shrunken(coefficients, logs[:, s] - mean[s])
    return Timing(frames, mean - slopes @ coefficients.mean(axis=0), slopes, error, spans)


def _shrunken(coefficients: Array, wanted: Array) -> tuple[Array, float]:
    """Slopes of a ridge regression and the error of takes left out; no slopes where none helps."""
    n = len(wanted)
    # Without a take the mean of the others is farther from it by this factor.
    best = float(np.sqrt(np.mean((wanted * n / (n - 1)) ** 2)))
    slopes = np.zeros(coefficients.shape[1])
    centred = coefficients - coefficients.mean(axis=0)
    left, singular, right = np.linalg.svd(centred, full_matrices=False)
    along = left.T @ wanted
    for strength in n * _STRENGTHS:
        gain = singular**2 / (singular**2 + strength)
        leverage = (left**2) @ gain + 1.0 / n
        missed = (wanted - left @ (gain * along)) / np.maximum(1.0 - leverage, 1e-9)
        error = float(np.sqrt(np.mean(missed**2)))
        if error < best:
            best = error
            slopes = right.T @ (singular / (singular**2 + strength) * along)
    return slopes, best


def warp(at: ArrayLike, values: ArrayLike, wanted: ArrayLike) -> Array:
    """Smooth, monotone function through key points, evaluated.

    Parameters
    ----------
    at, values : array of shape (P,)
        Ascending; straight where there are two.
    wanted : array of shape (T,)
        Where it is asked for, between the first and the last.

    Returns
    -------
    array of shape (T,)
    """
    known = np.asarray(at, float)
    own = np.clip(wanted, known[0], known[-1])
    found: Array = PchipInterpolator(known, np.asarray(values, float))(own)
    return found
