"""What is made small: misfit of markers with a loss that lets outliers go, and priors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.fitting.calibration.posing import Layout, Posed, Poses, rest_terms
from motionloom.typing import Array, Bools

#: Standard deviation (metres) of a marker about its place on a rigid segment. Larger than what is
#: left over in the end: errors of soft tissue last for many frames, so these are not independent.
NOISE = 0.012
#: Residual (metres) from which a marker counts ever less (Geman & McClure 1985).
OUTLIER = 0.060


@dataclass(frozen=True, eq=False)
class Data:
    """What is fitted to.

    Parameters
    ----------
    positions : array of shape (T, M, 3), metres
        Of the markers.
    seen : bool array of shape (T, M)
        Which are known.
    size : float, metres
        Guess of the body's size.
    size_spread : float, metres
        Standard deviation of that guess.
    """

    positions: Array
    seen: Bools
    size: float
    size_spread: float


@dataclass(frozen=True, eq=False)
class State:
    """Where the solver stands.

    Parameters
    ----------
    values : array of shape (K,)
        Numbers of the lengths.
    shifts : array of shape (M, 3), metres
        Of the markers from their prior places.
    poses : Poses
        Of the frames.
    """

    values: Array
    shifts: Array
    poses: Poses


@dataclass(frozen=True)
class Effort:
    """How long is solved.

    Parameters
    ----------
    steps : int
        Most steps.
    enough : float
        Relative decrease of the cost below which it ends.
    shared : bool
        Whether lengths and marker places are found too, or only poses.
    outlier : float, metres
        Of the loss.
    """

    steps: int = 30
    enough: float = 1e-4
    shared: bool = True
    outlier: float = OUTLIER


def cost_of(layout: Layout, data: Data, state: State, posed: Posed, outlier: float) -> float:
    """Half the sum of squares that is made small, with the loss in place of squared residuals."""
    return float(np.sum(frame_costs(layout, data, state, posed, outlier))) + _shared_cost(
        layout, data, state
    )


def frame_costs(layout: Layout, data: Data, state: State, posed: Posed, outlier: float) -> Array:
    """Cost of every frame by itself, shape (T,)."""
    square = np.sum((posed.markers - data.positions) ** 2, axis=-1) * data.seen
    loss = square / (1 + square / outlier**2) / NOISE**2
    rest, _ = rest_terms(layout, state.poses)
    return np.asarray(0.5 * (loss.sum(axis=1) + (rest**2).sum(axis=1)))


def _shared_cost(layout: Layout, data: Data, state: State) -> float:
    pull = length_pull(layout, data, state.values)
    return float(0.5 * (np.sum(pull**2) + np.sum((state.shifts / layout.loose) ** 2)))


def length_pull(layout: Layout, data: Data, values: Array) -> Array:
    """Residuals of the prior on lengths; that of the size on its guess."""
    spread = length_spread(layout, data)
    mean = np.zeros_like(values)
    mean[0] = data.size
    return np.asarray((values - mean) / spread)


def length_spread(layout: Layout, data: Data) -> Array:
    """Standard deviations of the prior on lengths, metres."""
    spread = layout.lengths.spread * data.size
    spread[0] = data.size_spread
    return np.asarray(spread)


def weights_of(data: Data, posed: Posed, outlier: float) -> Array:
    """Weights of the markers in every frame, shape (T, M), 1 / m^2; 0 for those not seen."""
    square = np.sum((posed.markers - data.positions) ** 2, axis=-1)
    return np.asarray(data.seen / (1 + square / outlier**2) ** 2 / NOISE**2)
