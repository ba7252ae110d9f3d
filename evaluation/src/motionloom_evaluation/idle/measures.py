"""How alike two stretches of idle motion are: speeds, spectra, stays."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.signal import welch
from scipy.stats import ks_2samp

from motionloom import rotations as rot
from motionloom.motion import Motion

Array = NDArray[np.float64]

#: Edges of the bands that spectra are compared in, Hz.
BANDS = (0.1, 0.2, 0.4, 0.8, 1.6, 4.0)
#: Windows that are compared with all earlier ones in one go.
_ROWS = 512
#: Seconds that spectra are measured over.
_SPECTRUM = 10.0
#: A joint that turns less than this on average (radians/s) does not count.
_STILL = 1e-5


def angular_rates(motion: Motion) -> tuple[Array, Array]:
    """Sizes of angular velocity (T - 1, J) and acceleration (T - 2, J) of every joint.

    Parameters
    ----------
    motion : Motion
        The motion.

    Returns
    -------
    speed : array of shape (T - 1, J), radians/s
    acceleration : array of shape (T - 2, J), radians/s^2
    """
    steps = rot.multiply(rot.conjugate(motion.rotations[:-1]), motion.rotations[1:])
    velocity = rot.to_rotvec(steps) * motion.fps
    acceleration = np.diff(velocity, axis=0) * motion.fps
    return np.linalg.norm(velocity, axis=-1), np.linalg.norm(acceleration, axis=-1)


def distance_of_rates(first: Motion, second: Motion) -> tuple[float, float]:
    """Kolmogorov and Smirnov's distance of speeds and of accelerations, mean over joints.

    Parameters
    ----------
    first, second : Motion
        Of one skeleton and frame rate.

    Returns
    -------
    (float, float)
        Each 0 where both are distributed alike, 1 where they do not overlap.
    """
    speed, acceleration = (
        _distance(a, b) for a, b in zip(angular_rates(first), angular_rates(second), strict=True)
    )
    return speed, acceleration


def _distance(first: Array, second: Array) -> float:
    alive = (first.mean(axis=0) > _STILL) & (second.mean(axis=0) > _STILL)
    distances = [ks_2samp(first[:, j], second[:, j]).statistic for j in np.flatnonzero(alive)]
    return float(np.mean(distances)) if distances else 0.0


def spectrum_difference(made: Array, recorded: Array, fps: float) -> Array:
    """Power of components in bands, beside recorded power, shape (K, B), dB.

    Parameters
    ----------
    made, recorded : array of shape (T, K)
        Components of postures.
    fps : float
        Frames per second.

    Returns
    -------
    array of shape (K, B)
        For the bands between `BANDS`.
    """
    powers = []
    for values in (made, recorded):
        at, power = welch(values, fps, nperseg=round(_SPECTRUM * fps), axis=0)
        bands = [power[(at >= low) & (at < high)].mean(axis=0) for low, high in pairwise(BANDS)]
        powers.append(np.array(bands).T)
    difference: Array = 10.0 * np.log10(np.maximum(powers[0], 1e-30) / np.maximum(powers[1], 1e-30))
    return difference


def bootstrap_interval(
    values: Sequence[float], rng: np.random.Generator, resamples: int = 2000
) -> tuple[float, float]:
    """Interval (2.5 to 97.5 %) of the mean of values, by resampling.

    Parameters
    ----------
    values : sequence of float
        At least one.
    rng : Generator
        Draws.
    resamples : int
        How often.

    Returns
    -------
    (float, float)
    """
    array = np.asarray(values, float)
    draws = rng.choice(array, (resamples, len(array))).mean(axis=1)
    low, high = np.quantile(draws, (0.025, 0.975))
    return float(low), float(high)


def nearest_earlier(components: Array, window: int, stride: int) -> float:
    """How near any window comes to an earlier one that does not overlap, root mean square.

    Parameters
    ----------
    components : array of shape (T, K)
        Postures.
    window : int
        Frames of a window.
    stride : int
        Frames between windows that are compared.

    Returns
    -------
    float
        Infinite where there are no two such windows.
    """
    starts = np.arange(0, len(components) - window + 1, stride)
    if len(starts) < 2 or starts[-1] - starts[0] < window:
        return float("inf")
    rows = np.stack([components[s : s + window].ravel() for s in starts]).astype(np.float32)
    rows -= rows.mean(axis=0)
    squares = np.einsum("ij,ij->i", rows, rows)
    nearest = float("inf")
    for i in range(0, len(starts), _ROWS):
        part = slice(i, i + _ROWS)
        distances = squares[part, None] + squares[None, : i + _ROWS]
        distances -= 2.0 * rows[part] @ rows[: i + _ROWS].T
        apart = starts[part, None] - starts[None, : i + _ROWS] >= window
        if apart.any():
            nearest = min(nearest, _exact(components, starts, window, i, distances, apart))
    return nearest


def _exact(
    components: Array,
    starts: NDArray[np.int64],
    window: int,
    i: int,
    distances: NDArray[np.float32],
    apart: NDArray[np.bool_],
) -> float:
    """The least distance of a block of windows, without what differences of squares lose."""
    at = int(np.argmin(np.where(apart, distances, np.inf)))
    later, earlier = divmod(at, distances.shape[1])
    a, b = starts[i + later], starts[earlier]
    off = components[a : a + window] - components[b : b + window]
    return float(np.sqrt(np.sum(off**2) / window))


def kpss(values: Array) -> float:
    """Statistic of Kwiatkowski, Phillips, Schmidt and Shin (1992) for staying at one level.

    Parameters
    ----------
    values : array of shape (n,)
        In the order of time, evenly spaced.

    Returns
    -------
    float
        Above .463 what stays at one level does so in one case of twenty (.739 in one of a hundred).
    """
    values = np.asarray(values, float)
    n = len(values)
    off = values - values.mean()
    lags = int(4.0 * (n / 100.0) ** 0.25)
    spread = float(off @ off) / n
    for lag in range(1, lags + 1):
        spread += 2.0 * (1.0 - lag / (lags + 1.0)) * float(off[lag:] @ off[:-lag]) / n
    return float(np.sum(np.cumsum(off) ** 2) / (n * n * max(spread, 1e-30)))
