"""Thresholds of the transition cost: given, or calibrated on the clips' own steps and the
transitions left.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from motionloom.clips.clip_set import ClipSet
from motionloom.graph.transitions.cost import (
    FeatureScale,
    compute_features,
    scale_features,
    step_costs,
)
from motionloom.graph.transitions.product import relative_costs

Array = NDArray[np.float64]

#: Frames whose change calibrates the threshold, where clips are many and where they are few.
DENSE_STEP, SPARSE_STEP = 2, 3
#: A clip that stands still hardly changes in a step; this share of the pooled threshold keeps it
#: joinable.
_STILL = 0.1
#: Frames from which the number of transitions is estimated.
_SAMPLE = 512


@dataclass(frozen=True, eq=False)
class Calibration:
    """What the cost of a transition is measured by, and how much it may be.

    It is fitted to a set of clips once and kept when clips come or go, so that the transitions
    between the others stay.

    Parameters
    ----------
    scale : FeatureScale
    step : int, frames, or None
        The threshold is what the clips change in so many frames; None for one that was given.
    relative : float
        0 is one threshold for all frames, 1 each frame's own.
    pooled : float
        Median cost of a step over all clips, or the threshold that was given.
    factor : float
        By which all thresholds are lowered, squared, so that transitions are not too many.
    """

    scale: FeatureScale
    step: int | None
    relative: float
    pooled: float
    factor: float = 1.0

    def features(self, clips: ClipSet) -> Array:
        """Scaled features of every frame, shape (N, D); their squared distance is the cost."""
        return scale_features(*compute_features(clips), self.scale)

    def limits(self, clips: ClipSet, features: Array) -> Array:
        """Square root of every frame's threshold, shape (N,); a pair's threshold is the product of
        two.
        """
        if self.step is None:
            return np.full(clips.n_frames, self.factor * np.sqrt(self.pooled))
        own = np.maximum(step_costs(clips, features, self.step), _STILL * self.pooled)
        thresholds: Array = self.factor * np.sqrt(
            self.pooled ** (1 - self.relative) * own**self.relative
        )
        return thresholds

    def drift(self, clips: ClipSet, features: Array) -> float:
        """How many times as much these clips change in a step as those that the calibration was
        fitted to.
        """
        if self.step is None:
            return 1.0
        return float(np.sqrt(np.median(step_costs(clips, features, self.step)) / self.pooled))


@dataclass(frozen=True)
class CalibrationOptions:
    """Which thresholds are wanted.

    Parameters
    ----------
    tau : float, optional
        One threshold for all frames. Not given, it is calibrated.
    step : int, frames, optional
        A transition may change the pose as much as the clips do in this many frames. Not given, it
        is 2, and 3 where that leaves fewer than `density` transitions a frame.
    relative : float
        0 takes one threshold for all frames (the median cost of a step), 1 takes each frame's own
        step; between them, a geometric mean.
    density : float
        Transitions a frame that are enough.
    most : float
        Transitions a frame that are too many: all thresholds are lowered by one factor until they
        are no more.
    min_jump : int, frames
        As for `find_edges`; nearer frames do not count as transitions.
    """

    tau: float | None = None
    step: int | None = None
    relative: float = 1.0
    density: float = 30.0
    most: float = np.inf
    min_jump: int = 10


def calibrate(
    clips: ClipSet,
    features: Array,
    scale: FeatureScale,
    options: CalibrationOptions | None = None,
) -> Calibration:
    """Find thresholds that fit the clips.

    Parameters
    ----------
    clips : ClipSet
    features : array of shape (N, D)
        Features of the clips.
    scale : FeatureScale
        What they were scaled by.
    options : CalibrationOptions, optional
    """
    options = options or CalibrationOptions()
    step = options.step
    if options.tau is not None:
        return Calibration(scale, None, options.relative, float(options.tau))
    rows = min(_SAMPLE, clips.n_frames)
    for own_step in (step,) if step is not None else (DENSE_STEP, SPARSE_STEP):
        pooled = float(np.median(step_costs(clips, features, own_step)))
        found = Calibration(scale, own_step, options.relative, pooled)
        near = _sampled_costs(clips, features, found.limits(clips, features), options.min_jump)
        if step is not None or len(near) >= options.density * rows:
            break
    if len(near) > options.most * rows:
        most = int(options.most * rows)
        found = replace(found, factor=float(np.sqrt(np.partition(near, most)[most])))
    return found


def _sampled_costs(clips: ClipSet, features: Array, limits: Array, min_jump: int) -> Array:
    """Costs over their thresholds, as far as they are below 1, of transitions from frames at equal
    distances.
    """
    sample = np.linspace(0, clips.n_frames - 1, min(_SAMPLE, clips.n_frames)).astype(int)
    near = []
    for first, costs in relative_costs(features, limits, sample):
        frames = np.arange(first, first + costs.shape[1])
        i, j = np.nonzero(costs < 1)
        apart = (clips.clip_of[sample[i]] != clips.clip_of[frames[j]]) | (
            np.abs(sample[i] - frames[j]) >= min_jump
        )
        near.append(costs[i[apart], j[apart]])
    nearest: Array = np.maximum(np.concatenate(near), 0.0).astype(float)
    return nearest
