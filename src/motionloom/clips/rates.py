"""Rates of change and running means of a clip set's values, each clip for itself."""

from __future__ import annotations

import numpy as np

from motionloom.clips.clip_set import ClipSet
from motionloom.curves import moving_average
from motionloom.typing import Array


def clip_rates(clips: ClipSet, values: Array) -> Array:
    """Time derivatives within every clip: central differences, one-sided at the ends of clips.

    Parameters
    ----------
    clips : ClipSet
        N frames.
    values : array of shape (N, ...)
        One value for each frame.

    Returns
    -------
    array of shape (N, ...)
        Change of the values in a second.

    Examples
    --------
    >>> from motionloom.clips.clip_set import make_clip_set
    >>> clips = make_clip_set([walk])
    >>> speed = clip_rates(clips, clips.body[:, 1])  # along +Z, metres per second
    >>> round(float(np.median(speed)), 1)
    0.9
    """
    rates = np.empty_like(values)
    for a, b in clips.spans:
        rates[a:b] = np.gradient(values[a:b], 1.0 / clips.fps, axis=0)
    return rates


def clip_means(clips: ClipSet, values: Array, span: float) -> Array:
    """Means within every clip; at its ends its first and last value go on.

    Parameters
    ----------
    clips : ClipSet
        N frames.
    values : array of shape (N,)
        One value for each frame.
    span : float, seconds
        What is averaged over, half of it before and half after a frame.

    Returns
    -------
    array of shape (N,)

    Examples
    --------
    >>> from motionloom.clips.clip_set import make_clip_set
    >>> clips = make_clip_set([walk])
    >>> clip_means(clips, np.ones(clips.n_frames), 0.5).max()
    np.float64(1.0)
    """
    # An odd number of frames: an even one would shift the means by half a frame.
    width = 2 * round(0.5 * span * clips.fps) + 1
    means = np.empty(clips.n_frames)
    for a, b in clips.spans:
        means[a:b] = moving_average(values[a:b], width)
    return means


def joint_velocities(clips: ClipSet, joint: int) -> Array:
    """Velocity of a joint in every frame.

    Parameters
    ----------
    clips : ClipSet
        Joint positions of N frames.
    joint : int
        Index in the skeleton.

    Returns
    -------
    array of shape (N, 3), metres per second
        In the axes of the clips.

    Examples
    --------
    >>> from motionloom.clips.clip_set import make_clip_set
    >>> clips = make_clip_set([walk])
    >>> velocity = joint_velocities(clips, clips.skeleton.index("Hips"))
    >>> round(float(np.median(velocity[:, 2])), 1)  # metres per second ahead
    0.9
    """
    return clip_rates(clips, clips.positions[:, joint])
