"""Momentum: a transition that would change the hips' velocity more than the clips themselves do
from one frame to the next, in that gait, would show as a jerk or a sudden stop.

Strides: how a body goes and swings its limbs, averaged over a stride. A seam at which that jumps
switches the gait or the style within a step.
"""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from motionloom.analysis.gaits import GAITS, gaits_of
from motionloom.analysis.soles import leg_length
from motionloom.clips.activity import limb_speeds
from motionloom.clips.clip_set import ClipSet
from motionloom.clips.rates import clip_rates
from motionloom.clips.travel import WINDOW, measure_travel
from motionloom.errors import InvalidInputError
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array, Bools, Ints, Singles

#: Share of a gait's frames that change their momentum less than its limit.
USUAL = 0.99
#: A gait of which the clips show less than this, seconds, is judged by all gaits.
LEAST_SHOWN = 1.0
#: However smooth the clips are, a change is borne that captured walks show in 1 % of their frames,
#: metres per second.
UNSEEN = 0.25
#: Transitions looked at in one go.
_CHUNK = 1 << 18


@dataclass(frozen=True, eq=False)
class Momentum:
    """How the hips move in every frame of a clip set, and how much that may change in a frame.

    Parameters
    ----------
    velocity : array of shape (N, 2), metres per second
        As the body sees it.
    gait : array of shape (N,)
        Index of `GAITS`.
    limits : array of shape (G,), metres per second
        Of each gait, change of velocity from frame to frame.
    """

    velocity: Array
    gait: Ints
    limits: Array

    def changes(self, source: NDArray[np.int32], target: NDArray[np.int32]) -> Array:
        """Changes of velocity over what they may be, shape (E,).

        Frame `target` follows the frame before `source`; the larger limit of the two gaits counts.

        Parameters
        ----------
        source, target : int arrays of shape (E,)
            Transitions, as in `EdgeList`.

        Returns
        -------
        array of shape (E,)
        """
        found = np.empty(len(source))
        limits = self.limits[self.gait]
        for k in range(0, len(source), _CHUNK):
            part = slice(k, k + _CHUNK)
            # No transition leaves a clip in its first frame, so the frame before is of the same
            # clip.
            last, to = np.maximum(source[part] - 1, 0), target[part]
            step = np.linalg.norm(self.velocity[to] - self.velocity[last], axis=1)
            found[part] = step / np.maximum(limits[last], limits[to])
        return found

    def bears(self, source: NDArray[np.int32], target: NDArray[np.int32], times: float) -> Bools:
        """Whether transitions change no more than so many times what they may, shape (E,).

        Parameters
        ----------
        source, target : int arrays of shape (E,)
            Transitions, as in `EdgeList`.
        times : float
            How many times as much as is usual is borne.

        Returns
        -------
        bool array of shape (E,)
        """
        return self.changes(source, target) <= times


#: Calibration, connection and the search all ask for it, so each clip set is measured once.
_KNOWN: WeakKeyDictionary[ClipSet, Momentum] = WeakKeyDictionary()


def measure_momentum(clips: ClipSet) -> Momentum:
    """Measure how the hips move, and how much the clips change that from frame to frame.

    Parameters
    ----------
    clips : ClipSet
        N frames; measured when first asked for.

    Returns
    -------
    Momentum
    """
    if clips not in _KNOWN:
        _KNOWN[clips] = _measure(clips)
    return _KNOWN[clips]


def _measure(clips: ClipSet) -> Momentum:
    body = clip_rates(clips, clips.body)
    # As the body sees it, or the same walk in another direction would count as a change.
    velocity = GroundTransform(clips.body[:, 2]).seen(body[:, :2])
    gait = _gaits(clips)
    # Between the last frame of a clip and the first of the next there is no step.
    inside = clips.clip_of[1:] == clips.clip_of[:-1]
    steps = np.linalg.norm(np.diff(velocity, axis=0), axis=1)[inside]
    later = gait[1:][inside]
    limits = np.full(len(GAITS), UNSEEN)
    for g in range(len(GAITS)):
        own = steps[later == g]
        # A quantile of a few frames would be the largest of them.
        shown = own if len(own) >= LEAST_SHOWN * clips.fps else steps
        if len(shown):
            limits[g] = max(UNSEEN, np.quantile(shown, USUAL))
    return Momentum(velocity, gait, limits)


def _gaits(clips: ClipSet) -> Ints:
    """Gait of every frame; one for all of a body without legs."""
    try:
        leg = leg_length(PosedMotion(clips.motions[0].cut(0, 1), clips.roles))
    except InvalidInputError:
        return np.zeros(clips.n_frames, np.int64)
    return gaits_of(measure_travel(clips).speed, leg)


#: A jump is free up to what the clips themselves change in so many seconds, in most of their
#: frames, and never less than so much; metres per second.
SPAN, USUAL_CHANGE, UNSEEN_CHANGE = 0.5, 0.95, 0.1
#: A jump that is larger than usual costs so much for every time that its square is, but no more
#: than `MOST`; and so much where no label is common. Units of the threshold.
DEAR, MOST, OTHER_STYLE = 0.2, 4.0, 1.0
#: What changes the hips' velocity more than is usual costs so much for every time more, but no more
#: than `JERK_MOST`; units of the threshold.
JERK, JERK_MOST = 10.0, 20.0


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
    beyond = measure_momentum(clips).changes(source, target) - 1.0
    return np.clip(JERK * beyond, 0.0, JERK_MOST).astype(np.float32)


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
        return np.full(means.shape[1], UNSEEN_CHANGE)
    change = np.quantile(np.abs(means[here + later] - means[here]), USUAL_CHANGE, axis=0)
    return np.maximum(change, UNSEEN_CHANGE)
