"""Windows: 0.4 s of a track, seen from the body in the middle of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from motionloom.analysis.oddness.tracks import Track

Array = NDArray[np.float64]

#: Instants of a window and frames between them; frames from one window to the next.
INSTANTS, STRIDE, HOP = 5, 3, 3
#: Frames of a window.
SPAN = (INSTANTS - 1) * STRIDE + 1


def window_middles(n_frames: int) -> NDArray[np.int64]:
    """Middle frame of every window of a track of so many frames."""
    return np.arange(SPAN // 2, n_frames - SPAN // 2, HOP)


def cut_windows(track: Track) -> Array:
    """Places in all windows of a track.

    Parameters
    ----------
    track : Track
        N frames, P joints.

    Returns
    -------
    array of shape (W, INSTANTS, P, 3), leg lengths
        To the left, up and ahead of the body in the middle; none for a track shorter than `SPAN`.
    """
    middles = window_middles(len(track))
    frames = middles[:, None] + STRIDE * (np.arange(INSTANTS) - INSTANTS // 2)
    hips = track.places[middles, track.roles.index("hips")]
    facing = track.facing()[middles]
    # Seen from the middle frame, so that a window is the same wherever and whichever way it goes.
    cos, sin = (f(facing)[:, None, None] for f in (np.cos, np.sin))
    places = track.places[frames]
    x = places[..., 0] - hips[:, None, None, 0]
    z = places[..., 2] - hips[:, None, None, 2]
    return np.stack([cos * x - sin * z, places[..., 1], sin * x + cos * z], axis=-1)
