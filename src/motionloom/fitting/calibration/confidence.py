"""How surely a fit knows where each joint's centre is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from motionloom.fitting.calibration.cost import Data, Effort, State
from motionloom.fitting.calibration.layout import Layout
from motionloom.fitting.calibration.posing import (
    Posed,
    joint_length_jacobian,
    joint_pose_jacobian,
    run,
)
from motionloom.fitting.calibration.solve import Normal, eliminate, normal_equations
from motionloom.typing import Array

#: Frames over which a joint's variance is averaged.
_FRAMES = 8


def joint_confidence(layout: Layout, data: Data, state: State) -> Array:
    """Standard deviation of every joint's place in the world, shape (J,), metres.

    It follows from the normal equations at the solution, with priors and the noise that was
    assumed: lengths, marker places and poses are all uncertain together. It is the root of the
    mean variance of the three coordinates, averaged over frames.

    Parameters
    ----------
    layout : Layout
        The body and its markers.
    data : Data
        What was fitted to.
    state : State
        The solution.
    """
    posed = run(layout, state.values, state.shifts, state.poses)
    normal = normal_equations(layout, data, state, posed, Effort())
    block, _, answers, _ = eliminate(normal)
    covariance = np.asarray(np.linalg.inv(block), float)
    some = np.unique(np.linspace(0, len(data.seen) - 1, _FRAMES).astype(int))
    variances = _variances(layout, _at(posed, some), normal, answers, covariance, some)
    return np.asarray(np.sqrt(variances))


def _at(posed: Posed, frames: NDArray[np.intp]) -> Posed:
    return Posed(posed.places[frames], posed.turns[frames], posed.markers[frames])


def _variances(
    layout: Layout,
    posed: Posed,
    normal: Normal,
    answers: Array,
    covariance: Array,
    frames: NDArray[np.intp],
) -> Array:
    longer = joint_length_jacobian(layout, posed)
    n_lengths = longer.shape[-1]
    blocks = normal.pose[frames] + 1e-6 * np.eye(layout.freedom)
    inverse = np.linalg.inv(blocks)
    found = np.empty(len(layout.parents))
    for j in range(len(found)):
        moved = joint_pose_jacobian(layout, posed, j)
        shared = -moved @ answers[frames]
        shared[..., :n_lengths] += longer[:, j]
        spread = moved @ inverse @ moved.swapaxes(1, 2) + shared @ covariance @ shared.swapaxes(
            1, 2
        )
        found[j] = np.trace(spread, axis1=1, axis2=2).mean() / 3
    return found
