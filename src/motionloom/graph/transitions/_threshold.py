"""Thresholds of the transition cost: given, or calibrated on the clips' own steps and the
transitions left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from motionloom.clips.clip_set import ClipSet
from motionloom.clips.prepare import label_of
from motionloom.errors import InvalidInputError
from motionloom.graph.transitions._cost import (
    FeatureScale,
    compute_features,
    scale_features,
    step_costs,
)
from motionloom.graph.transitions.options import GraphOptions
from motionloom.graph.transitions.product import relative_costs
from motionloom.typing import Array, Bools

#: Which pairs of frames, source and target, count as transitions.
Allowed = Callable[[NDArray[np.int32], NDArray[np.int32]], Bools]

#: Frames whose change calibrates the threshold, where clips are many and where they are few; and
#: the longest, where not all alike frames count.
DENSE_STEP, SPARSE_STEP, SPARSEST_STEP = 2, 3, 5
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
        Factors of the features.
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
        """Square root of every frame's threshold; a pair's threshold is the product of two.

        Parameters
        ----------
        clips : ClipSet
            N frames in all.
        features : array of shape (N, D)
            Their scaled features, as `Calibration.features` gives them.

        Returns
        -------
        array of shape (N,)
            All the same for a threshold that was given.
        """
        if self.step is None:
            return np.full(clips.n_frames, self.factor * np.sqrt(self.pooled))
        # Without a floor, frames of who stands could only be joined with themselves.
        own = np.maximum(step_costs(clips, features, self.step), _STILL * self.pooled)
        # Costs are squared distances, and a pair's threshold the product of two: hence the root.
        return self.factor * np.sqrt(self.pooled ** (1 - self.relative) * own**self.relative)

    def drift(self, clips: ClipSet, features: Array) -> float:
        """How many times as much these clips change in a step as those of the calibration.

        Parameters
        ----------
        clips : ClipSet
            To compare with those of the calibration.
        features : array of shape (N, D)
            Their scaled features, as `Calibration.features` gives them.

        Returns
        -------
        float
            Root of the ratio of median step costs; 1 for a threshold that was given.
        """
        if self.step is None:
            return 1.0
        return float(np.sqrt(np.median(step_costs(clips, features, self.step)) / self.pooled))


def calibrate(
    clips: ClipSet,
    features: Array,
    scale: FeatureScale,
    options: GraphOptions,
    allowed: Allowed | None = None,
) -> Calibration:
    """Find thresholds that fit the clips.

    Parameters
    ----------
    clips : ClipSet
        Their own steps give the threshold.
    features : array of shape (N, D)
        Features of the clips.
    scale : FeatureScale
        What they were scaled by.
    options : GraphOptions
        What is given, and how many transitions are enough and too many.
    allowed : function, optional
        ``allowed(source, target)``: which pairs of frames count as transitions, whatever they cost.
        Where it leaves few, poses may differ a little more.

    Returns
    -------
    Calibration
        The number of transitions is estimated from at most 512 frames.

    Raises
    ------
    InvalidInputError
        When nothing moves in the clips.
    """
    step = options.step
    if options.tau is not None:
        return Calibration(scale, None, options.relative, float(options.tau))
    rows = min(_SAMPLE, clips.n_frames)
    for own_step in (step,) if step is not None else _steps(allowed):
        pooled = _usual_change(clips, step_costs(clips, features, own_step))
        found = Calibration(scale, own_step, options.relative, pooled)
        limits = found.limits(clips, features)
        near = _sampled_costs(clips, features, limits, options.min_jump, allowed)
        if step is not None or len(near) >= options.density * rows:
            break
    if len(near) > options.most * rows:
        most = int(options.most * rows)
        # The cost below which just `most` a frame are left becomes the new threshold.
        found = replace(found, factor=float(np.sqrt(np.partition(near, most)[most])))
    return found


def _usual_change(clips: ClipSet, changes: Array) -> float:
    """Median of what clips change in a step; of those frames that change, where most do not."""
    usual = float(np.median(changes))
    if usual > 0:
        return usual
    moving = changes[changes > 0]
    if not len(moving):
        raise InvalidInputError(
            f"{label_of(clips.motions[0])}: nothing moves in these clips, and a motion graph joins"
            " poses of people who move; add clips of movement"
        )
    return float(np.median(moving))


def _steps(allowed: Allowed | None) -> tuple[int, ...]:
    longest = SPARSE_STEP if allowed is None else SPARSEST_STEP
    return tuple(range(DENSE_STEP, longest + 1))


def _sampled_costs(
    clips: ClipSet, features: Array, limits: Array, min_jump: int, allowed: Allowed | None
) -> Array:
    """Costs over their thresholds, as far as they are below 1, of transitions from frames at equal
    distances.
    """
    sample = np.linspace(0, clips.n_frames - 1, min(_SAMPLE, clips.n_frames)).astype(int)
    near = []
    for first, costs in relative_costs(features, limits, sample):
        frames = np.arange(first, first + costs.shape[1])
        i, j = np.nonzero(costs < 1)
        # Neighbours within a clip are alike in any database and say nothing about its density.
        apart = (clips.clip_of[sample[i]] != clips.clip_of[frames[j]]) | (
            np.abs(sample[i] - frames[j]) >= min_jump
        )
        if allowed is not None:
            apart &= allowed(sample[i].astype(np.int32), frames[j].astype(np.int32))
        near.append(costs[i[apart], j[apart]])
    return np.maximum(np.concatenate(near), 0.0).astype(float)
