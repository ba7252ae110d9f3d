"""Gaits by their speed: standing, walking, running."""

from __future__ import annotations

import numpy as np

from motionloom.typing import Array, Ints

#: Names of the gaits, slowest first.
GAITS = ("standing", "walking", "running")
STANDING, WALKING, RUNNING = range(len(GAITS))
#: Slowest walk and slowest run: speed over the square root of gravity times leg length. People and
#: most animals leave the walk near a Froude number of 0.5 (Alexander 1989), its square.
GAIT_SPEEDS = (0.1, 0.5**0.5)
#: Metres per second squared.
GRAVITY = 9.81


def gaits_of(speed: Array, leg: float) -> Ints:
    """Gait of every mean speed: an index of `GAITS`.

    Parameters
    ----------
    speed : array of shape (T,), metres per second
        Averaged over about a stride.
    leg : float, metres
        Length of a leg.

    Returns
    -------
    int array
        Indices of `GAITS`, of the same shape.

    Examples
    --------
    >>> [GAITS[i] for i in gaits_of(np.array([0.0, 1.3, 3.5]), leg=0.9)]
    ['standing', 'walking', 'running']
    """
    return np.asarray(np.searchsorted(GAIT_SPEEDS, speed / np.sqrt(GRAVITY * leg)))
