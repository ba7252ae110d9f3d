"""Values between frames, on curves with a continuous slope through all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Track:
    """What a stream is made from, in the world.

    Parameters
    ----------
    rotations : array of shape (T, J, 4)
        Of every joint relative to its parent.
    places : array of shape (T, 1, 3), metres
        Where joint 0 is.
    feet : array of shape (T, 2, 3), metres
        Where both ankles shall be.
    turns : array of shape (T, 2, 4)
        World rotations of both feet.
    """

    rotations: Array
    places: Array
    feet: Array
    turns: Array

    @property
    def n_frames(self) -> int:
        """Number of frames."""
        return len(self.rotations)

    def behind(self, frame: int) -> Track:
        """The track from a frame on."""
        return Track(*(a[frame:] for a in self.arrays))

    @property
    def arrays(self) -> tuple[Array, Array, Array, Array]:
        """All four."""
        return self.rotations, self.places, self.feet, self.turns


def sample_track(track: Track, at: Array) -> Track:
    """A track at times between frames: `sample_turns` and `sample_places` in one compiled pass.

    Parameters
    ----------
    track : Track
        At least one frame, where there are times.
    at : array of shape (N,)
        Times in frames, within the track.

    Returns
    -------
    Track
        Of N frames, that nobody else has.
    """
    from motionloom.idle.kernels.sampling import sample

    sampled = Track(*(np.empty((len(at), *a.shape[1:])) for a in track.arrays))
    sample(*track.arrays, at, sampled.arrays)
    return sampled


def sample_places(values: Array, at: Array) -> Array:
    """Values at times between frames, by Catmull and Rom's cubic.

    Parameters
    ----------
    values : array of shape (T, ...)
        One row for every frame.
    at : array of shape (N,)
        Times in frames, within the motion.

    Returns
    -------
    array of shape (N, ...)
        Exactly the rows at whole frames, and where four rows are the same, that.
    """
    rows, u = _rows(len(values), at)
    u = u.reshape(-1, *(1,) * (values.ndim - 1))
    before, first, second, after = (values[row] for row in rows)
    step = second - first
    # Slopes at both ends, as what they add to the straight line.
    begin = 0.5 * (second - before) - step
    end = 0.5 * (after - first) - step
    bent: Array = first + u * step + u * (1 - u) * ((1 - u) * begin - u * end)
    return bent


def sample_turns(quaternions: Array, at: Array) -> Array:
    """Rotations at times between frames, by the same cubic about the frame before.

    Parameters
    ----------
    quaternions : array of shape (T, ..., 4)
        One row for every frame, unit.
    at : array of shape (N,)
        Times in frames, within the motion.

    Returns
    -------
    array of shape (N, ..., 4)
    """
    rows, u = _rows(len(quaternions), at)
    u = u.reshape(-1, *(1,) * (quaternions.ndim - 1))
    before, first, second, after = (quaternions[row] for row in rows)
    back = rot.conjugate(first)
    last, step, far = (rot.to_rotvec(rot.multiply(back, q)) for q in (before, second, after))
    begin = 0.5 * (step - last) - step
    end = 0.5 * far - step
    bent = u * step + u * (1 - u) * ((1 - u) * begin - u * end)
    return rot.normalize(rot.multiply(first, rot.from_rotvec(bent)))


def _rows(n_frames: int, at: Array) -> tuple[list[NDArray[np.int64]], Array]:
    """Frames around each time, those at an end twice, and how far on it is."""
    first = np.clip(np.floor(at).astype(np.int64), 0, max(n_frames - 2, 0))
    rows = [np.clip(first + k, 0, n_frames - 1) for k in (-1, 0, 1, 2)]
    return rows, at - first
