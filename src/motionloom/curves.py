"""Curves over time: runs of true frames, easing, smoothing, envelopes and Hermite segments."""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import ArrayLike

from motionloom.typing import Array, Bools


def runs_of(mask: ArrayLike, least: float = 0.0, joining: int = 0) -> list[tuple[int, int]]:
    """Find the runs of true frames.

    Parameters
    ----------
    mask : bool array of shape (T,)
        A flag for every frame.
    least : float, frames
        Shorter runs are left out.
    joining : int, frames
        Runs are one where no more false frames than these are between them.

    Returns
    -------
    list of (int, int)
        First frame of each run and the frame after its last, in the order of time.

    Examples
    --------
    >>> runs_of([True, True, False, True])
    [(0, 2), (3, 4)]
    """
    padded = np.concatenate([[False], np.asarray(mask, bool), [False]])
    edges = np.flatnonzero(padded[1:] != padded[:-1])
    joined = np.repeat(edges[2::2] - edges[1:-1:2] <= joining, 2)
    ends = np.delete(edges, 1 + np.flatnonzero(joined)).reshape(-1, 2).tolist()
    return [(start, stop) for start, stop in ends if stop - start >= least]


def touching_runs(mask: Bools, frames: Bools) -> Bools:
    """Keep the runs of true frames that contain any of some frames.

    Parameters
    ----------
    mask, frames : bool array of shape (T,)

    Returns
    -------
    bool array of shape (T,)
    """
    kept = np.zeros(len(mask), bool)
    for start, stop in runs_of(mask):
        kept[start:stop] = frames[start:stop].any()
    return kept


def smoothstep(u: ArrayLike) -> Array:
    """Ease from 0 at 0 to 1 at 1 with slope 0 at both ends: ``3 u^2 - 2 u^3``, clipped.

    Examples
    --------
    >>> smoothstep([-1.0, 0.5, 2.0]).tolist()
    [0.0, 0.5, 1.0]
    """
    x = np.clip(np.asarray(u, float), 0.0, 1.0)
    return np.asarray(x * x * (3.0 - 2.0 * x))


def minimum_jerk(u: ArrayLike) -> Array:
    """Ease from 0 at 0 to 1 at 1 with slope and curvature 0 at both ends (Flash & Hogan 1985).

    ``10 u^3 - 15 u^4 + 6 u^5``, clipped.

    Examples
    --------
    >>> minimum_jerk([-1.0, 0.5, 2.0]).tolist()
    [0.0, 0.5, 1.0]
    """
    x = np.clip(np.asarray(u, float), 0.0, 1.0)
    return np.asarray(x**3 * (10.0 - 15.0 * x + 6.0 * x * x))


def gaussian_average(values: ArrayLike, deviation: float) -> Array:
    """Average over time with a Gaussian window; the end values continue beyond both ends.

    Parameters
    ----------
    values : array of shape (T, ...)
        Series along the first axis.
    deviation : float, frames
        Standard deviation of the window.

    Returns
    -------
    array of shape (T, ...)
    """
    series = np.asarray(values, float)
    if deviation <= 0:
        return series.copy()
    return scipy.ndimage.gaussian_filter1d(series, deviation, axis=0, mode="nearest")


def moving_average(values: Array, width: int) -> Array:
    """Average over time with an even window; the end values continue beyond both ends.

    Parameters
    ----------
    values : array of shape (T, ...)
        Series along the first axis.
    width : int, frames
        Length of the window.

    Returns
    -------
    array of shape (T, ...)
    """
    return scipy.ndimage.uniform_filter1d(values, width, axis=0, mode="nearest")


def hann_window(half: int) -> Array:
    """Make the weights, with sum 1, of a Hann window that reaches `half` frames to each side."""
    window = np.hanning(2 * half + 3)[1:-1]
    return np.asarray(window / window.sum())


def hann_average(values: Array, half: int) -> Array:
    """Average over time with a Hann window; the end values continue beyond both ends.

    Parameters
    ----------
    values : array of shape (T,)
        Series over time.
    half : int, frames
        Reach of the window on each side.

    Returns
    -------
    array of shape (T,)
    """
    return scipy.ndimage.convolve1d(values, hann_window(half), mode="nearest")


def low_pass(values: Array, fps: float, cutoff: float, pad: int = 9) -> Array:
    """Filter forth and back with a Butterworth filter of second order, so that nothing moves in
    time.

    Parameters
    ----------
    values : array of shape (T, ...)
        Series along the first axis.
    fps : float
        Frames per second.
    cutoff : float, hertz
        Where each pass leaves half of the power.
    pad : int
        Frames by which the series is continued at both ends, turned about them.

    Returns
    -------
    array of shape (T, ...)
        The values themselves where the cutoff is above what the frame rate shows, or where there
        are too few frames to filter.
    """
    if not 0 < cutoff < 0.5 * fps or len(values) <= pad:
        return values
    start, end = 2 * values[0] - values[pad:0:-1], 2 * values[-1] - values[-2 : -pad - 2 : -1]
    wide = np.concatenate([start, values, end])
    passed = wide.reshape(len(wide), -1)
    for _ in ("forth", "back"):
        passed = _butterworth(passed, np.tan(np.pi * cutoff / fps))[::-1]
    return passed.reshape(wide.shape)[pad : len(wide) - pad]


def _butterworth(values: Array, k: float) -> Array:
    """One pass over series (T, K) that are steady before they begin; `k` is the cutoff's tangent.

    The recursion ``y[t] + a y[t-1] + b y[t-2] = g (x[t] + 2 x[t-1] + x[t-2])`` is a banded system:
    `scipy.signal` takes half a second to import and does no more here.
    """
    import scipy.linalg

    whole = 1 + np.sqrt(2) * k + k**2
    g, a, b = k**2 / whole, 2 * (k**2 - 1) / whole, (1 - np.sqrt(2) * k + k**2) / whole
    before = np.concatenate([values[:1], values[:1], values])
    driven = g * (before[2:] + 2 * before[1:-1] + before[:-2])
    driven[0] -= (a + b) * values[0]
    driven[1] -= b * values[0]
    bands = np.array([[1.0], [a], [b]]) * np.ones(len(values))
    return scipy.linalg.solve_banded((2, 0), bands, driven, check_finite=False)


def smooth_envelope(values: Array, half: int, slope: float = np.inf) -> Array:
    """Make a smooth curve that is nowhere below `values`.

    Parameters
    ----------
    values : array of shape (T,)
        Not negative.
    half : int, frames
        Reach of the smoothing on each side.
    slope : float
        Most by which the curve rises or falls in a frame.

    Returns
    -------
    array of shape (T,)
        In the unit of `values`; 0 everywhere where they all are.
    """
    if not np.any(values):
        return np.zeros(len(values))
    # The average is no wider than the reach of the maximum, so it is nowhere below the values.
    held = scipy.ndimage.maximum_filter1d(values, 2 * half + 1, mode="nearest")
    if np.isfinite(slope):
        ramp = slope * np.arange(len(values))
        # A running maximum over a ramp falls no faster than the ramp: both ways, the slope is
        # bounded.
        rising = np.maximum.accumulate(held + ramp) - ramp
        falling = np.maximum.accumulate((held - ramp)[::-1])[::-1] + ramp
        held = np.maximum(rising, falling)
    return hann_average(held, half)


def hermite(ends: ArrayLike, slopes: ArrayLike, u: ArrayLike) -> Array:
    """Evaluate a cubic with given ends and slopes.

    Parameters
    ----------
    ends, slopes : array of shape (2, ...)
        Values at 0 and 1, and their changes per unit of `u` there.
    u : array of shape (T,)
        From 0 to 1.

    Returns
    -------
    array of shape (T, ...)
    """
    curve = scipy.interpolate.CubicHermiteSpline([0.0, 1.0], np.asarray(ends), np.asarray(slopes))
    return curve(np.asarray(u))
