"""Values between frames, on curves with a continuous slope through all of them."""

from __future__ import annotations

import numpy as np

from motionloom import rotations as rot
from motionloom.typing import Array, Ints


def sample_turns(quaternions: Array, at: Array) -> Array:
    """Rotations at times between frames, by Catmull and Rom's cubic about the frame before.

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


def _rows(n_frames: int, at: Array) -> tuple[list[Ints], Array]:
    """Frames around each time, those at an end twice, and how far on it is."""
    first = np.clip(np.floor(at).astype(np.int64), 0, max(n_frames - 2, 0))
    rows = [np.clip(first + k, 0, n_frames - 1) for k in (-1, 0, 1, 2)]
    return rows, at - first
