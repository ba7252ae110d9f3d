"""Cross-fade: around a seam both pieces play at once, warped in time so that like poses meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import scipy

from motionloom import rotations as rot
from motionloom.curves import hann_window, smoothstep
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.typing import Array

#: The warp is sought in steps of this many frames a frame: pieces play between 1 - SLOPE and 1 +
#: SLOPE of their speed.
SLOPE = 0.5
#: A step of the warp costs as much as this share of the mean difference between the pieces.
STIFFNESS = 0.1


def cross_fade(
    motion: Motion, overlaps: Sequence[tuple[int, Motion, Motion]], warp: bool = True
) -> Motion:
    """Replace the frames of every overlap by a cross-fade of its two pieces.

    Parameters
    ----------
    motion : Motion
        Pieces laid down one after the other.
    overlaps : sequence of (int, Motion, Motion)
        Stretches of time around a seam in which both pieces are there, that share no frame but
        their ends: first frame, and the piece that ends and the one that begins, both in the
        motion's place, frame by frame.
    warp : bool
        Whether the pieces are aligned in time first. They meet at both ends of the overlap as they
        are, so the number of frames stays.

    Returns
    -------
    Motion

    Raises
    ------
    InvalidInputError
        When the two pieces of an overlap differ in length or lie outside the motion.
    """
    quats = motion.rotations.copy()
    translations = motion.translations.copy()
    for first, before, after in overlaps:
        n = before.n_frames
        if n != after.n_frames or not 0 <= first <= motion.n_frames - n:
            raise InvalidInputError(
                f"an overlap of {n} and {after.n_frames} frames from frame {first}"
                f" on does not fit a motion of {motion.n_frames} frames"
            )
        if n < 3:
            continue
        shift = align_times(before, after) if warp else np.zeros(n)
        frames = np.arange(n, dtype=float)
        old = before.at(frames + shift)
        new = after.at(frames - shift)
        share = smoothstep(np.linspace(0.0, 1.0, n))[:, None, None]
        here = slice(first, first + n)
        quats[here] = rot.slerp(old.rotations, new.rotations, share[..., 0])
        translations[here] = (1.0 - share) * old.translations + share * new.translations
    return replace(motion, rotations=quats, translations=translations)


def align_times(before: Motion, after: Motion) -> Array:
    """Dynamic time warping that treats both pieces alike.

    Parameters
    ----------
    before, after : Motion
        Of n frames each.

    Returns
    -------
    array of shape (n,), frames
        Frame i of the result shows `before` at i plus, and `after` at i minus this; 0 at both ends.
    """
    n = before.n_frames
    halves = 0.5 * np.arange(2 * n - 1, dtype=float)
    a, b = (piece.at(halves).rotations.swapaxes(0, 1) for piece in (before, after))
    cost = (1.0 - (a @ b.swapaxes(1, 2)) ** 2).sum(axis=0)
    most = (n - 1) // 2  # in half frames: a quarter of the overlap
    shifts = np.arange(-most, most + 1)
    middle = 2 * np.arange(n)[:, None]
    rows = middle + shifts
    columns = middle - shifts
    last = 2 * n - 2
    inside = (rows >= 0) & (rows <= last) & (columns >= 0) & (columns <= last)
    own = np.where(inside, cost[np.clip(rows, 0, last), np.clip(columns, 0, last)], np.inf)
    steps = _cheapest_walk(own, most, STIFFNESS * float(cost.mean()))
    # Half-frame steps would be jerks; a window that vanishes at the ends keeps both ends where they
    # are.
    width = max(3, n // 4) | 1
    smooth = scipy.ndimage.convolve1d(SLOPE * steps, hann_window(width // 2), mode="constant")
    ramp = np.minimum(np.arange(n), np.arange(n)[::-1]) / width
    return smooth * np.minimum(1.0, ramp)


def _cheapest_walk(own: Array, middle: int, step_cost: float) -> Array:
    """Walk through columns, one a row, from the middle to the middle in steps of at most 1, minus
    the middle.
    """
    n, m = own.shape
    total = np.full(m, np.inf)
    came = np.zeros((n, m), np.intp)
    total[middle] = own[0, middle]
    for i in range(1, n):
        padded = np.pad(total, 1, constant_values=np.inf)
        options = np.stack([padded[:-2] + step_cost, padded[1:-1], padded[2:] + step_cost])
        came[i] = options.argmin(axis=0) - 1
        total = options.min(axis=0) + own[i]
    walk = np.empty(n, np.intp)
    walk[-1] = middle
    for i in range(n - 1, 0, -1):
        walk[i - 1] = walk[i] + came[i, walk[i]]
    return (walk - middle).astype(float)
