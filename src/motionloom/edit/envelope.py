"""Smooth curves that are nowhere below given values."""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import NDArray

Array = NDArray[np.float64]


def smooth_envelope(values: Array, half: int, slope: float = np.inf) -> Array:
    """Smooth curve nowhere below `values`.

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
    # The highest value within reach, then an average no wider than that reach, is smooth and
    # nowhere too little.
    held = scipy.ndimage.maximum_filter1d(values, 2 * half + 1, mode="nearest")
    if np.isfinite(slope):
        ramp = slope * np.arange(len(values))
        # A running maximum over a ramp falls no faster than the ramp: both ways, the slope is
        # bounded.
        rising = np.maximum.accumulate(held + ramp) - ramp
        falling = np.maximum.accumulate((held - ramp)[::-1])[::-1] + ramp
        held = np.maximum(rising, falling)
    kernel = np.hanning(2 * half + 3)[1:-1]
    return scipy.ndimage.convolve1d(held, kernel / kernel.sum(), mode="nearest")
