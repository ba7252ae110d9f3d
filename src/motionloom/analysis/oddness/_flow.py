"""What changes sign when time runs backwards: which way the parts of a body go in each pose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from motionloom.declared import LEARNED, SPREAD, Shape
from motionloom.typing import Array

#: Changes of place (leg lengths) below this have no direction.
_LEAST = 0.05
#: Random features of both, of directions alone, their wavelength, the share that poses have in it,
#: and the weight of the plain directions.
_BOTH, _ALONE, _WAVE, _POSES, _PLAIN = 400, 200, 1.0, 0.5, 0.3
#: What is added to spreads.
_RIDGE = 0.05


@dataclass(frozen=True, eq=False)
class Flow:
    """Features of windows that change sign with the direction of time.

    Parameters
    ----------
    scale : array of shape (D,)
        Of directions: velocities, jerks, and accelerations along velocities.
    middle, spread : array of shape (E,)
        Of what time does not change: poses and accelerations.
    odd : array of shape (D, F)
        From directions to phases, radians.
    even : array of shape (E, F)
        From the others to phases.
    phase : array of shape (F,), radians
    """

    scale: Annotated[Array, Shape("d"), SPREAD]
    middle: Annotated[Array, Shape("e"), LEARNED]
    spread: Annotated[Array, Shape("e"), SPREAD]
    odd: Annotated[Array, Shape("d", "f"), LEARNED]
    even: Annotated[Array, Shape("e", "f"), LEARNED]
    phase: Annotated[Array, Shape("f"), LEARNED]

    @staticmethod
    def count(phases: int, directions: int) -> int:
        """How many features so many phases and directions give.

        Parameters
        ----------
        phases : int
            Random features of poses and directions.
        directions : int
            Numbers that change sign with time.

        Returns
        -------
        int
        """
        return phases + min(_ALONE, phases) + directions

    def features(self, windows: Array) -> Array:
        """Features of windows (W, 5, P, 3), shape (W, G)."""
        odd, even = split_windows(windows)
        odd = odd / self.scale
        turns = odd @ self.odd
        # cos(pose + turn) - cos(pose - turn), halved and with its sign changed
        poses = np.sin(((even - self.middle) / self.spread) @ self.even + self.phase)
        sines = np.sin(turns)
        return np.concatenate([2 * poses * sines, sines[:, :_ALONE], _PLAIN * odd], axis=1)


def fit_flow(windows: Array, seed: int) -> Flow:
    """Features for windows like these (W, 5, P, 3).

    Parameters
    ----------
    windows : array of shape (W, 5, P, 3)
        As `cut_windows` makes them.
    seed : int
        The same seed gives the same features.

    Returns
    -------
    Flow
    """
    odd, even = split_windows(windows)
    random = np.random.default_rng(seed)
    d, e = odd.shape[1], even.shape[1]
    # The order of the draws is what a seed means.
    by_odd = random.normal(size=(d, _BOTH)) / (_WAVE * np.sqrt(d))
    by_even = _POSES * random.normal(size=(e, _BOTH)) / (_WAVE * np.sqrt(e))
    return Flow(
        # About 0, not about the mean: in both directions of time the numbers must be alike.
        scale=np.sqrt((odd**2).mean(axis=0)) + _RIDGE,
        middle=even.mean(axis=0),
        spread=even.std(axis=0) + _RIDGE,
        odd=by_odd,
        even=by_even,
        phase=random.uniform(0, 2 * np.pi, _BOTH),
    )


def split_windows(windows: Array) -> tuple[Array, Array]:
    """Numbers of windows that change sign with time, and others."""
    first, second, third, fourth, fifth = np.moveaxis(windows, 1, 0)
    way, step = fifth - first, fourth - second
    # Third difference about the middle; like velocity it changes sign with time, bends do not.
    jerk = fifth - 2 * fourth + 2 * second - first
    bend, curve = fourth - 2 * third + second, fifth - 2 * third + first
    along = [_along(step, bend), _along(way, curve)]
    odd = [_direction(way, 2 * _LEAST), _direction(step, _LEAST), *along, _direction(jerk, _LEAST)]
    # Where the body is does not matter, only how its joints stand to each other.
    pose = third - third.mean(axis=1, keepdims=True)
    even = [pose, _direction(bend, _LEAST / 2), _direction(curve, _LEAST)]
    return _rows(odd), _rows(even)


def _direction(vectors: Array, least: float) -> Array:
    """Vectors whose length is below 1, whatever it was."""
    return np.asarray(vectors / (np.linalg.norm(vectors, axis=-1, keepdims=True) + least))


def _along(velocity: Array, acceleration: Array) -> Array:
    """Cosine between two vectors; 0 where both are small."""
    sizes = np.linalg.norm(velocity, axis=-1) * np.linalg.norm(acceleration, axis=-1)
    return np.asarray(np.sum(velocity * acceleration, axis=-1) / (sizes + _LEAST**2))


def _rows(arrays: list[Array]) -> Array:
    return np.concatenate([a.reshape(len(a), -1) for a in arrays], axis=1)
