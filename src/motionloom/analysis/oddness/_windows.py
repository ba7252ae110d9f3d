"""Windows: 0.4 s of a track, seen from the body in the middle of it.

Running means.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.analysis.oddness._tracks import RATE, Track
from motionloom.motion import GroundTransform
from motionloom.typing import Array, Ints

#: Instants of a window and frames between them; frames from one window to the next.
INSTANTS, STRIDE, HOP = 5, 3, 3
#: Frames of a window.
SPAN = (INSTANTS - 1) * STRIDE + 1


def window_middles(n_frames: int) -> Ints:
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
    # Seen from the middle frame, so that a window is the same wherever and whichever way it goes.
    middle = np.column_stack([hips[:, [0, 2]], track.facing()[middles]])
    return GroundTransform.of_body(middle[:, None, None]).seen(track.places[frames])


@dataclass(frozen=True, eq=False)
class Dealt:
    """Frames at any rate, dealt to the windows that they are nearest to.

    Parameters
    ----------
    window : int array of shape (F,)
        Of each frame.
    begins, counts : int array of shape (K,)
        First frame, and number of frames, of each window that has some.
    nearest : int array of shape (W,)
        Of those windows the one nearest to each window: a slow capture may leave some without.
    """

    window: Ints
    begins: Ints
    counts: Ints
    nearest: Ints

    @staticmethod
    def of(frame_times: Array, times: Array) -> Dealt:
        """Frames (F,) dealt to windows with such middles (W,), seconds."""
        near = np.round((frame_times - times[0]) * RATE / HOP).astype(np.int64)
        window = np.clip(near, 0, len(times) - 1)
        begins = np.flatnonzero(np.diff(window, prepend=-1))
        counts = np.diff(begins, append=len(window))
        nearest = np.abs(np.arange(len(times))[:, None] - window[begins]).argmin(axis=1)
        return Dealt(window, begins, counts, nearest)

    def worst(self, values: Array) -> tuple[Array, Ints]:
        """Largest of values (F, K) in the frames of each window, and its column."""
        most = values.max(axis=1)
        highest = np.maximum.reduceat(most, self.begins)
        where = np.flatnonzero(most == np.repeat(highest, self.counts))
        where = where[np.diff(self.window[where], prepend=-1) > 0]  # the first of equals
        return highest[self.nearest], values[where].argmax(axis=1)[self.nearest]


def running_means(values: Array, count: int) -> Array:
    """Means of so many rows that follow each other.

    Parameters
    ----------
    values : array of shape (N, ...)
    count : int
        1 to N.

    Returns
    -------
    array of shape (N - `count` + 1, ...)
    """
    # One running sum: each mean is one difference, however many rows it is of.
    sums = np.concatenate([np.zeros((1, *values.shape[1:])), np.cumsum(values, axis=0)])
    return np.asarray((sums[count:] - sums[:-count]) / count)


def means_around(values: Array, count: int) -> Array:
    """Means of so many rows around each, shape (N, ...); at the ends as beside them.

    Parameters
    ----------
    values : array of shape (N, ...)
    count : int
        All rows where there are fewer.

    Returns
    -------
    array of shape (N, ...)
    """
    count = min(count, len(values))
    means = running_means(values, count)
    at = np.arange(len(values)) - (count - 1) // 2
    return means[np.clip(at, 0, len(means) - 1)]
