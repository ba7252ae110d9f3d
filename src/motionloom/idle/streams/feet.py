"""Feet of somebody who waits: exactly where they stand, and on their way only when they step."""

from __future__ import annotations

import numpy as np

from motionloom.curves import runs_of, smoothstep
from motionloom.typing import Array, Bools


def steady_tracks(tracks: Array, moving: Bools) -> Array:
    """Tracks that stand still wherever they do not move; shape (T, F, C).

    Parameters
    ----------
    tracks : array of shape (T, F, C)
        Of F feet: places, or rotations as unit quaternions on one side of the sphere.
    moving : bool array of shape (T, F)
        Where each is on its way.

    Returns
    -------
    array of shape (T, F, C)
        The mean where it stands; on its way as recorded, led from one mean to the other.
    """
    steady = np.array(tracks, float)
    for f in range(steady.shape[1]):
        _steady(steady[:, f], moving[:, f])
    return steady


def _steady(track: Array, moving: Bools) -> None:
    recorded = track.copy()
    for a, b in runs_of(~moving):
        track[a:b] = recorded[a:b].mean(axis=0)
    for a, b in runs_of(moving):
        begin = track[a - 1] - recorded[a - 1] if a else np.zeros(track.shape[1])
        end = track[b] - recorded[b] if b < len(track) else np.zeros(track.shape[1])
        u = (np.arange(1, b - a + 1) / (b - a + 1))[:, None]
        track[a:b] = recorded[a:b] + (1.0 - u) * begin + u * end


def lead_between(tracks: Array, start: Array, end: Array) -> Array:
    """Tracks begun and ended elsewhere: what differs is made good while they move, eased.

    Parameters
    ----------
    tracks : array of shape (T, F, C)
        Steady tracks; see `steady_tracks`.
    start, end : array of shape (F, C)
        Where they begin and end instead.

    Returns
    -------
    array of shape (T, F, C)
        One that never moves stays at its start, wherever its end is.
    """
    eased = smoothstep(way_share(tracks))
    off = (1.0 - eased)[..., None] * (start - tracks[0])
    led: Array = tracks + off + eased[..., None] * (end - tracks[-1])
    return led


def way_share(tracks: Array) -> Array:
    """How much of its way each foot has gone, shape (T, F): from 0 to 1; 0 of one that stands.

    Parameters
    ----------
    tracks : array of shape (T, F, C)
        Steady tracks; see `steady_tracks`.
    """
    change = np.linalg.norm(np.diff(tracks, axis=0, prepend=tracks[:1]), axis=-1)
    way = np.cumsum(change, axis=0)
    total = way[-1]
    return np.where(total > 1e-9, way / np.maximum(total, 1e-9), 0.0)
