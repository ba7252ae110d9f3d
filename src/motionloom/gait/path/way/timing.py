"""Timing: how far along its route a body is at every moment, speeding up and slowing down as people
do.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from motionloom.curves import hann_average, smoothstep
from motionloom.errors import InvalidInputError
from motionloom.typing import Array

#: Speed changes take at least this long, seconds, and longer where they would ask for more than
#: this, metres per second squared, on average.
CHANGE_TIME = 1.0
ACCELERATION = 1.5
#: Slower than this a body stands, metres per second.
STANDS = 0.02


@dataclass(frozen=True, eq=False)
class Timing:
    """How far a body is along its route, frame by frame.

    Parameters
    ----------
    fps : float
        Frames per second; frame i is at time ``i / fps``.
    along : array of shape (T,), metres
        Length along the route, never descending.
    speeds : array of shape (T,), metres per second
        How fast it goes.
    """

    fps: float
    along: Array
    speeds: Array

    @property
    def n_frames(self) -> int:
        """Number of frames T."""
        return len(self.along)

    @property
    def times(self) -> Array:
        """Of every frame, seconds, shape (T,)."""
        return np.arange(self.n_frames) / self.fps

    def scaled(self, size: float) -> Timing:
        """The same times over a way of another size: all speeds change alike."""
        return Timing(self.fps, self.along * size, self.speeds * size)


def steady(speed: float, seconds: float, fps: float) -> Timing:
    """The same speed throughout.

    Parameters
    ----------
    speed : float, metres per second
        From the first frame to the last.
    seconds : float
        Time of the last frame.
    fps : float
        Frames per second.

    Returns
    -------
    Timing
    """
    n = round(seconds * fps) + 1
    along: Array = speed * np.arange(n, dtype=float) / fps
    return Timing(fps, along, np.full(n, float(speed)))


def passing(marks: ArrayLike, times: ArrayLike, n_frames: int, fps: float) -> Timing:
    """Pass places of a route at given times.

    Between them the speed is even, where they are even; it changes gently. Before the first time
    and after the last the body stands, if there is time left for it: it starts a little earlier
    then, and stops a little later, so that it is on time in between. A way that takes up all the
    time is walked from the first frame to the last.

    Parameters
    ----------
    marks : array of shape (K,), metres
        Lengths along the route, never descending; the same twice is a pause.
    times : array of shape (K,), seconds
        Ascending.
    n_frames : int
        Frames of the motion.
    fps : float
        Frames per second.

    Returns
    -------
    Timing

    Raises
    ------
    InvalidInputError
        When times do not ascend.
    """
    s = np.asarray(marks, float)
    t = np.asarray(times, float)
    if len(t) < 2 or np.any(np.diff(t) <= 0):
        raise InvalidInputError("a way needs at least two times, ascending")
    margin = 4.0
    fine = max(fps, 100.0)
    grid = np.arange(round((n_frames / fps + 2 * margin) * fine) + 1) / fine - margin
    last = (n_frames - 1) / fps
    speeds = _even_speeds(s, t, grid, last)
    width = min(max(CHANGE_TIME, float(np.ptp(speeds)) / ACCELERATION), 2 * margin - 0.5)
    smooth = hann_average(speeds, max(1, round(0.5 * width * fine)))
    along, even = scipy.integrate.cumulative_trapezoid([smooth, speeds], grid, initial=0)
    # The middle of the way is where it was before: an average is symmetric.
    along += s[0] - np.interp(t[0], grid, even)
    now = np.arange(n_frames) / fps
    return Timing(fps, np.interp(now, grid, along), np.interp(now, grid, smooth))


def _even_speeds(s: Array, t: Array, grid: Array, last: float) -> Array:
    """Speed at every time of a grid, even between passing times; on where there is no pause."""
    own = np.diff(s) / np.diff(t)
    piece = np.searchsorted(t, grid, side="right") - 1
    speeds = np.where((piece >= 0) & (piece < len(own)), own[np.clip(piece, 0, len(own) - 1)], 0.0)
    if t[0] < 0.499 * CHANGE_TIME:
        speeds[grid < t[0]] = own[0]
    if t[-1] > last - 0.499 * CHANGE_TIME:
        speeds[grid >= t[-1]] = own[-1]
    return speeds


def between_speeds(first: float, last: float, length: float, seconds: float, fps: float) -> Timing:
    """A way of given length in a given time, from one speed to another.

    Speed is the smoothest curve with these ends, without accelerations there, and this integral; it
    is a quartic (the least integral of squared jerk is not asked for: speed must not run below 0).

    Parameters
    ----------
    first, last : float, metres per second
        At the first and at the last frame.
    length : float, metres
        Of the way.
    seconds : float
        Time of the last frame.
    fps : float
        Frames per second.

    Returns
    -------
    Timing
        Where such a speed would run below 0, the body stands for a while in between.
    """
    u = np.linspace(0.0, 1.0, round(seconds * fps) + 1)
    ramp = first + (last - first) * smoothstep(u)
    speeds = ramp + (length / seconds - 0.5 * (first + last)) * hill(u)
    if speeds.min() < 0:
        speeds = _pausing(u, (first, last), length / seconds)
    return covering(speeds, length, fps)


def hill(u: Array) -> Array:
    """What speeds are raised by in the middle of a way, at shares of its time; its mean is 1."""
    return np.asarray(30.0 * (u * (1.0 - u)) ** 2)


def covering(speeds: Array, length: float, fps: float) -> Timing:
    """Times of a way at these speeds, all scaled so that it is of a length, metres."""
    along = scipy.integrate.cumulative_trapezoid(speeds, dx=1.0 / fps, initial=0)
    return Timing(fps, along, speeds).scaled(length / along[-1] if along[-1] > 0 else 1.0)


def _pausing(u: Array, ends: tuple[float, float], mean: float) -> Array:
    """Speeds that fall to 0 and rise again in time for a short way."""

    def curve(width: float) -> Array:
        fall = smoothstep(1.0 - u / width)
        rise = smoothstep(1.0 - (1.0 - u) / width)
        return ends[0] * fall + ends[1] * rise

    def lacking(width: float) -> float:
        return float(curve(width).mean()) - mean

    widest = 0.5
    if lacking(widest) < 0:
        return curve(widest)
    width = scipy.optimize.brentq(lacking, 0.02, widest) if lacking(0.02) < 0 else 0.02
    return curve(float(width))
