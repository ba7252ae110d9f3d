"""Strides: how a body goes and swings its limbs, averaged over a stride. A seam at which that jumps
switches the gait or the style within a step.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from motionloom.clips.activity import limb_speeds
from motionloom.clips.clip_set import ClipSet
from motionloom.clips.travel import WINDOW, measure_travel
from motionloom.graph.transitions.momentum import measure_momentum
from motionloom.typing import Array, Singles

#: A jump is free up to what the clips themselves change in so many seconds, in most of their
#: frames, and never less than so much; metres per second.
SPAN, USUAL, UNSEEN = 0.5, 0.95, 0.1
#: A jump that is larger than usual costs so much for every time that its square is, but no more
#: than `MOST`; and so much where no label is common. Units of the threshold.
DEAR, MOST, OTHER_STYLE = 0.2, 4.0, 1.0
#: What changes the hips' velocity more than is usual costs so much for every time more, but no more
#: than `JERK_MOST`; units of the threshold.
JERK, JERK_MOST = 10.0, 20.0
#: Transitions looked at in one go.
_CHUNK = 1 << 18


def stride_costs(clips: ClipSet, source: NDArray[np.int32], target: NDArray[np.int32]) -> Singles:
    """What transitions cost for switching gait or style, shape (E,), in units of the threshold.

    The square of the largest jump of a mean over a stride, over what the clips themselves change it
    by in half a second, less 1: smaller jumps are free.

    Parameters
    ----------
    clips : ClipSet
    source, target : int arrays of shape (E,)
        Transitions, as in `EdgeList`.

    Returns
    -------
    array of shape (E,)
    """
    means = stride_means(clips)
    usual = _usual_change(clips, means)
    labels = np.array(list(clips.labels.values()), bool).reshape(-1, clips.n_frames)
    costs = np.empty(len(source), np.float32)
    for k in range(0, len(source), _CHUNK):
        part = slice(k, k + _CHUNK)
        # Of a transition the frame before `source` is shown last.
        a, b = np.maximum(source[part] - 1, 0), target[part]
        # The largest, not the sum: one hand that stops dead shows, however well all else fits.
        jump = np.square((means[b] - means[a]) / usual).max(axis=1)
        # Frames without any label may be anything: only two labelled ones can contradict each
        # other.
        other = labels[:, a].any(axis=0) & labels[:, b].any(axis=0)
        other &= ~(labels[:, a] & labels[:, b]).any(axis=0)
        # Bounded: beyond that a transition is bad enough, and may still be the only one.
        costs[part] = np.clip(DEAR * (jump - 1.0), 0.0, MOST) + OTHER_STYLE * other
    return costs


def momentum_costs(clips: ClipSet, source: NDArray[np.int32], target: NDArray[np.int32]) -> Singles:
    """What transitions cost for changing the hips' velocity more than is usual, shape (E,), in
    units of the threshold.

    Parameters
    ----------
    clips : ClipSet
    source, target : int arrays of shape (E,)
        Transitions, as in `EdgeList`.

    Returns
    -------
    array of shape (E,)
    """
    momentum = measure_momentum(clips)
    costs = np.empty(len(source), np.float32)
    for k in range(0, len(source), _CHUNK):
        part = slice(k, k + _CHUNK)
        beyond = momentum.changes(source[part], target[part]) - 1.0
        costs[part] = np.clip(JERK * beyond, 0.0, JERK_MOST)
    return costs


def stride_means(clips: ClipSet) -> Array:
    """Velocity as the body sees it and speeds of limbs and head, shape (N, D), metres a second."""
    travel = measure_travel(clips)
    return np.column_stack([travel.forward, travel.left, *limb_speeds(clips, WINDOW)])


def _usual_change(clips: ClipSet, means: Array) -> Array:
    """By how much clips change their means in half a second, shape (D,)."""
    later = max(1, round(SPAN * clips.fps))
    here = np.arange(max(clips.n_frames - later, 0))
    here = here[clips.clip_of[here] == clips.clip_of[here + later]]
    if len(here) == 0:
        return np.full(means.shape[1], UNSEEN)
    change = np.quantile(np.abs(means[here + later] - means[here]), USUAL, axis=0)
    found: Array = np.maximum(change, UNSEEN)
    return found
