"""The same track, made otherwise: what a check of motion learns to tell from what was captured."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.analysis.oddness._tracks import LEG, RATE, Track
from motionloom.typing import Array


def faster(track: Track, times: float) -> Track:
    """So many times as fast, with as many fewer frames.

    Parameters
    ----------
    track : Track
        N frames.
    times : float
        How many times as fast.

    Returns
    -------
    Track
        About N / `times` frames.
    """
    at = np.arange(0, len(track) - 1, times)
    first = at.astype(int)
    share = (at - first)[:, None, None]
    places = (1 - share) * track.places[first] + share * track.places[first + 1]
    return replace(track, places=places, trunk=track.trunk[first])


def leaning(track: Track, turn: Array) -> Track:
    """The whole body turned about its hips by a rotation matrix (3, 3).

    Parameters
    ----------
    track : Track
        Whose body leans.
    turn : array of shape (3, 3)
        Rotation in the world.

    Returns
    -------
    Track
        Above a ground at height 0.
    """
    hips = track.places[:, :1]
    places = hips + (track.places - hips) @ turn.T
    # Turned about the hips feet sink or rise; that must not be what gives it away.
    return replace(track, places=places, trunk=turn @ track.trunk).above_ground()


def with_late_limb(track: Track, side: str, parts: tuple[str, ...], lag: int) -> Track:
    """One limb some frames late; the first frames, where it has nothing to do, are left out.

    Parameters
    ----------
    track : Track
        N frames.
    side : str
        ``"left"`` or ``"right"``.
    parts : tuple of str
        `ARM` or `LEG`.
    lag : int, frames
        How late it is.

    Returns
    -------
    Track
        N - `lag` frames.
    """
    columns = track.limb(side, parts)
    frames = track.trunk[:, 0 if parts == LEG else 1]
    # As the trunk sees it: the limb is late in its swing, not left behind in the world.
    top = track.places[:, columns[:1]]
    local = (track.places[:, columns] - top) @ frames
    places = track.places[lag:].copy()
    places[:, columns] = top[lag:] + local[:-lag] @ np.swapaxes(frames[lag:], 1, 2)
    return replace(track, places=places, trunk=track.trunk[lag:])


def mirrored(track: Track) -> Track:
    """Left for right: only the places, which is all that windows show."""
    swap = {"left": "right", "right": "left"}
    others = [
        track.roles.index(f"{swap[side]}_{part}") if part and side in swap else i
        for i, (side, _, part) in enumerate(role.partition("_") for role in track.roles)
    ]
    return replace(track, places=track.places[:, others] * np.array([-1.0, 1.0, 1.0]))


def drifting(track: Track, velocity: Array) -> Track:
    """The whole body carried along by a velocity (3,), leg lengths per second.

    Parameters
    ----------
    track : Track
        Whose body drifts.
    velocity : array of shape (3,)
        Leg lengths per second.

    Returns
    -------
    Track
    """
    times = np.arange(len(track))[:, None, None] / RATE
    return replace(track, places=track.places + times * velocity)
