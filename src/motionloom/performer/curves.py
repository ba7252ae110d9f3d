"""Smooth building blocks: minimum-jerk ramps, quintics, smoothing, the pendulum's bounded path."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.interpolate import BPoly
from scipy.linalg import solve_banded
from scipy.ndimage import gaussian_filter1d

Array = NDArray[np.float64]
GRAVITY = 9.81


def ramp(t: ArrayLike, start: float, stop: float) -> Array:
    """Minimum-jerk rise from 0 at `start` to 1 at `stop` (Flash & Hogan 1985), at rest at both."""
    u = np.clip((np.asarray(t, float) - start) / (stop - start), 0.0, 1.0)
    return u**3 * (10.0 - 15.0 * u + 6.0 * u * u)


def pulse(t: ArrayLike, rise: float, up: float, fall: float, down: float) -> Array:
    """Rise from 0 to 1 between `rise` and `up`, stay, and fall back between `fall` and `down`."""
    return ramp(t, rise, up) - ramp(t, fall, down)


def quintic(times: Sequence[float], knots: Sequence[Sequence[ArrayLike]]) -> BPoly:
    """Piecewise quintic through knots (value, velocity, acceleration); not defined outside them."""
    return BPoly.from_derivatives(
        np.asarray(times, float),
        [[np.asarray(d, float) for d in knot] for knot in knots],
        extrapolate=False,
    )


def smooth(values: ArrayLike, sigma: float, dt: float) -> Array:
    """Gaussian smoothing along time; `sigma` in seconds."""
    return gaussian_filter1d(np.asarray(values, float), sigma / dt, axis=0, mode="nearest")


def shifted(values: ArrayLike, lead: float, dt: float) -> Array:
    """The same signal `lead` seconds earlier (negative: later); ends are held."""
    x = np.asarray(values, float)
    index = np.clip(np.arange(len(x)) + round(lead / dt), 0, len(x) - 1)
    return x[index]


def pendulum_path(support: ArrayLike, height: float, dt: float) -> Array:
    """Path of a mass on a linear inverted pendulum whose point of support moves as told.

    Solves ``c - (h / g) c'' = p`` with the mass above its support at both ends (Kajita et al. 2001;
    Winter 1995 for standing): the only path on which the pendulum never falls. It looks ahead by
    itself: the body leans into a first step before the foot leaves the ground.

    Parameters
    ----------
    support : array of shape (T, K), metres
        Centre of pressure p.
    height : float, metres
        Height h of the mass.
    dt : float, seconds

    Returns
    -------
    array of shape (T, K), metres
    """
    p = np.asarray(support, float)
    k = height / (GRAVITY * dt * dt)
    bands = np.empty((3, len(p)))
    bands[0] = -k
    bands[1] = 1.0 + 2.0 * k
    bands[2] = -k
    bands[1, [0, -1]] = 1.0
    bands[0, 1] = bands[2, -2] = 0.0
    return solve_banded((1, 1), bands, p)


def derivative(values: ArrayLike, dt: float, order: int = 1) -> Array:
    """Central differences along time, `order` times."""
    out = np.asarray(values, float)
    for _ in range(order):
        out = np.gradient(out, dt, axis=0)
    return out
