"""Smooth building blocks: minimum-jerk ramps, quintics, smoothing, the pendulum's bounded path."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy
from numpy.typing import ArrayLike
from scipy.linalg import solve_banded

from motionloom.curves import minimum_jerk
from motionloom.typing import Array

GRAVITY = 9.81


def ramp(t: ArrayLike, start: float, stop: float) -> Array:
    """Minimum-jerk rise from 0 to 1, at rest at both ends (Flash & Hogan 1985).

    Parameters
    ----------
    t : float or array of shape (...), seconds
        Times at which it is wanted.
    start, stop : float, seconds
        When it begins and ends; 0 before and 1 after.

    Returns
    -------
    array of shape (...)
        0 to 1.
    """
    return minimum_jerk((np.asarray(t, float) - start) / (stop - start))


def pulse(t: ArrayLike, rise: float, up: float, fall: float, down: float) -> Array:
    """Rise from 0 to 1, stay, and fall back to 0, each way as a `ramp`.

    Parameters
    ----------
    t : float or array of shape (...), seconds
        Times at which it is wanted.
    rise, up : float, seconds
        When the rise begins and ends.
    fall, down : float, seconds
        When the fall begins and ends.

    Returns
    -------
    array of shape (...)
        0 to 1.
    """
    return ramp(t, rise, up) - ramp(t, fall, down)


def quintic(
    times: Sequence[float], knots: Sequence[Sequence[ArrayLike]]
) -> scipy.interpolate.BPoly:
    """Piecewise quintic through values, velocities and accelerations.

    Parameters
    ----------
    times : sequence of float, seconds
        Of the K knots, ascending.
    knots : sequence of K sequences
        Value, velocity and acceleration at each knot, numbers or arrays of one shape.

    Returns
    -------
    BPoly
        Function of time; NaN outside the knots.
    """
    derivatives = [[np.asarray(one, float) for one in knot] for knot in knots]
    return scipy.interpolate.BPoly.from_derivatives(times, derivatives, extrapolate=False)


def shifted(values: ArrayLike, lead: float, dt: float) -> Array:
    """The same signal earlier or later; the ends are held.

    Parameters
    ----------
    values : array of shape (T, ...)
        Evenly spaced in time.
    lead : float, seconds
        How much earlier (negative: later), rounded to whole samples.
    dt : float, seconds
        Time between samples.

    Returns
    -------
    array of shape (T, ...)
    """
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
        Time between samples.

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
