"""When to sample what files hold at key times, and frame times that they hold almost exactly."""

from __future__ import annotations

from os import PathLike

import numpy as np

from motionloom.errors import FormatError
from motionloom.typing import Array

#: Key times this near to even steps, as a share of a step, are even.
_EVEN = 1e-3
#: Frames beyond this many are no motion.
_MOST = 1e7

_NTSC = 1000 / 1001
#: How far, relatively, a frame rate may be from one that people use.
_NEAR = 1e-7


def nearest_frame_time(frame_time: float, near: float = _NEAR) -> float:
    """The frame time of the rate that people use, where it is that but for rounding.

    Parameters
    ----------
    frame_time : float, seconds
        As times of a file say it.
    near : float, optional
        How far, relatively, it may be off.

    Returns
    -------
    float, seconds
        Of a rate with at most two decimals, of an NTSC rate, or what it was to 12 decimals.

    Examples
    --------
    >>> round(1 / nearest_frame_time(0.0333333), 6)
    30.00003
    """
    rate = 1 / frame_time
    for exact in (round(rate), round(rate / _NTSC) * _NTSC, round(rate, 2)):
        if exact > 0 and abs(rate - exact) <= near * rate:
            return 1 / exact
    return round(frame_time, 12) or frame_time


def choose_times(
    keys: Array, first: float, last: float, usual: float, path: str | PathLike[str]
) -> tuple[Array, float]:
    """When to sample curves between `first` and `last`, and the time between frames.

    Even keys at the scene's rate or above are the frames; others are sampled at the scene's rate.

    Parameters
    ----------
    keys : array of shape (K,), seconds
        Key times of the busiest curve.
    first, last : float, seconds
        What is wanted.
    usual : float, seconds
        Frame time of the scene.
    path : path-like
        The file, for errors.

    Returns
    -------
    times : array of shape (T,), seconds
        Ascending, at even steps.
    frame_time : float, seconds
        The step.

    Raises
    ------
    FormatError
        When the times make no sense.
    """
    step = even_step(keys)
    frame_time = usual if step is None or step > usual * (1 + _EVEN) else step
    if not (np.isfinite([first, last]).all() and 0 <= last - first < _MOST * frame_time):
        raise FormatError("has key times that make no sense", path)
    return even_times(first, last, frame_time), nearest_frame_time(frame_time)


def even_times(first: float, last: float, step: float) -> Array:
    """Times (T,) from the first to the last, as many as fit."""
    return np.asarray(first + step * np.arange(int((last - first) / step + _EVEN) + 1), float)


def even_step(times: Array, known: float = 0.0) -> float | None:
    """Seconds between times (K,) that are even but for `known` seconds; None where they are not."""
    if len(times) < 2 or not np.isfinite(times).all():
        return None
    step = float((times[-1] - times[0]) / (len(times) - 1))
    uneven = np.abs(times - times[0] - step * np.arange(len(times))).max() > _EVEN * step + known
    return None if uneven or not step > 0 else step
