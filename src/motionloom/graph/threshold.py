"""Thresholds of the transition cost: given, or calibrated on the clips' own steps and the number of splices left."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from motionloom.graph.clips import ClipSet
from motionloom.graph.cost import step_costs
from motionloom.graph.product import relative_costs

Array = NDArray[np.float64]

#: Frames whose change calibrates the threshold, where clips are many and where they are few.
DENSE_STEP, SPARSE_STEP = 2, 3
#: A clip that stands still hardly changes in a step; this share of the pooled threshold keeps it joinable.
_STILL = 0.1
#: Frames from which the number of splices is estimated.
_SAMPLE = 512


def calibrate(
    clips: ClipSet,
    features: Array,
    *,
    tau: float | None = None,
    step: int | None = None,
    relative: float = 1.0,
    density: float = 30.0,
    most: float = np.inf,
    min_jump: int = 10,
) -> Array:
    """Square root of every frame's threshold; a pair's threshold is the product of two.

    Parameters
    ----------
    clips : ClipSet
    features : array of shape (N, D)
        Scaled features.
    tau : float, optional
        One threshold for all frames. Not given, it is calibrated.
    step : int, frames, optional
        A splice may change the pose as much as the clips do in this many frames. Not given, it is 2, and 3 where that
        leaves fewer than `density` splices a frame.
    relative : float
        0 takes one threshold for all frames (the median cost of a step), 1 takes each frame's own step; between them,
        a geometric mean.
    density : float
        Splices a frame that are enough.
    most : float
        Splices a frame that are too many: all thresholds are lowered by one factor until they are no more.
    min_jump : int, frames
        As for `find_edges`; nearer frames do not count as splices.

    Returns
    -------
    array of shape (N,)
    """
    if tau is not None:
        limits = np.full(clips.n_frames, np.sqrt(tau))
    else:
        limits = _step_limits(clips, features, step or DENSE_STEP, relative)
    near = _sampled_costs(clips, features, limits, min_jump)
    rows = min(_SAMPLE, clips.n_frames)
    if tau is None and step is None and len(near) < density * rows:
        limits = _step_limits(clips, features, SPARSE_STEP, relative)
        near = _sampled_costs(clips, features, limits, min_jump)
    if tau is None and len(near) > most * rows:
        limits = limits * np.sqrt(np.partition(near, int(most * rows))[int(most * rows)])
    return limits


def _step_limits(clips: ClipSet, features: Array, step: int, relative: float) -> Array:
    own = step_costs(clips, features, step)
    pooled = float(np.median(own))
    own = np.maximum(own, _STILL * pooled)
    return np.sqrt(pooled ** (1 - relative) * own**relative)


def _sampled_costs(clips: ClipSet, features: Array, limits: Array, min_jump: int) -> Array:
    """Costs over their thresholds, as far as they are below 1, of splices from frames at equal distances."""
    sample = np.linspace(0, clips.n_frames - 1, min(_SAMPLE, clips.n_frames)).astype(int)
    near = []
    for first, costs in relative_costs(features, limits, sample):
        frames = np.arange(first, first + costs.shape[1])
        i, j = np.nonzero(costs < 1)
        apart = (clips.clip_of[sample[i]] != clips.clip_of[frames[j]]) | (np.abs(sample[i] - frames[j]) >= min_jump)
        near.append(costs[i[apart], j[apart]])
    return np.maximum(np.concatenate(near), 0.0).astype(float)
