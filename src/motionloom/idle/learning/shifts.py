"""Shifts from one resting posture to another: kept as they were recorded, fitted to new postures.

After Egges, Molet & Magnenat-Thalmann (2004, section 5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.interpolate import PchipInterpolator

from motionloom.errors import InvalidInputError
from motionloom.motion import GroundTransform
from motionloom.skeleton import restore_read_only
from motionloom.threads import one_thread

Array = NDArray[np.float64]

#: Frames over which a shift takes over from the rest before it, as a share of its length, and most
#: seconds.
EASE, LONGEST_EASE = 0.25, 0.4


@dataclass(frozen=True, eq=False)
class Shift:
    """A recorded way from one posture to another.

    Parameters
    ----------
    postures : array of shape (n, K)
        Components, seen from a place that goes from the stance before it to the one behind it, as
        a cubic eases; the shift's share of time is the share of the way.
    begin, end : str
        Categories of balance before and after.
    feet : array of shape (n, 2, 3), metres, optional
        Places of both ankles seen from the stance before it, where a foot steps.
    turns : array of shape (n, 2, 4), optional
        Rotations of both feet likewise.
    moved : GroundTransform
        The stance after it, seen from the stance before it.
    """

    postures: Array
    begin: str
    end: str
    feet: Array | None = None
    turns: Array | None = None
    moved: GroundTransform = field(default_factory=GroundTransform)
    __setstate__ = restore_read_only

    @property
    def n_frames(self) -> int:
        """How long it takes."""
        return len(self.postures)

    @property
    def steps(self) -> bool:
        """Whether a foot steps."""
        return self.feet is not None


def choose_shift(
    shifts: Sequence[Shift], start: ArrayLike, end: ArrayLike, weights: ArrayLike
) -> int:
    """The shift that fits best between two postures (section 5.4.3).

    Parameters
    ----------
    shifts : sequence of Shift
        At least one.
    start, end : array of shape (K,)
        Postures.
    weights : array of shape (K,)
        Of the components in the distance (equation 4).

    Returns
    -------
    int
        The one whose larger distance, at its first and its last frame, is least.
    """
    weights = np.asarray(weights, float)
    firsts = np.array([shift.postures[0] for shift in shifts])
    lasts = np.array([shift.postures[-1] for shift in shifts])
    at_start = np.sum(weights * (firsts - start) ** 2, axis=1)
    at_end = np.sum(weights * (lasts - end) ** 2, axis=1)
    return int(np.argmin(np.maximum(at_start, at_end)))


def warp_through(
    postures: ArrayLike,
    keys: Sequence[tuple[int, ArrayLike]],
    *,
    smooth: bool = True,
    free: Sequence[int] = (),
) -> Array:
    """Bend a motion so that it passes through postures at given frames (section 5.4.4).

    What is added goes through the difference at every key and is held before the first and behind
    the last, so that the motion never jumps.

    Parameters
    ----------
    postures : array of shape (n, K)
        The motion.
    keys : sequence of (int, array of shape (K,))
        Frames, ascending, and what shall be there.
    smooth : bool
        With a continuous slope that does not overshoot; else straight lines between keys.
    free : sequence of int
        Components that are left alone.

    Returns
    -------
    array of shape (n, K)

    Raises
    ------
    InvalidInputError
        When keys are not in order, beyond the motion, or of another number of components.
    """
    motion = np.array(postures, float)
    if not keys:
        return motion
    frames = np.array([frame for frame, _ in keys])
    if (np.diff(frames) <= 0).any() or frames[0] < 0 or frames[-1] >= len(motion):
        raise InvalidInputError(
            f"keys must be at ascending frames from 0 to {len(motion) - 1}, got {frames.tolist()}"
        )
    wanted = np.array([np.asarray(posture, float) for _, posture in keys])
    if wanted.shape[1:] != motion.shape[1:]:
        raise InvalidInputError(
            f"every posture must have {motion.shape[1]} components, got {wanted.shape[1:]}"
        )
    offsets = wanted - motion[frames]
    offsets[:, list(free)] = 0.0
    at = np.clip(np.arange(len(motion)), frames[0], frames[-1])
    return motion + _curve(frames, offsets, at, smooth)


def _curve(frames: NDArray[np.int64], offsets: Array, at: NDArray[np.int64], smooth: bool) -> Array:
    if len(frames) == 1:
        return np.tile(offsets, (len(at), 1))
    if smooth and len(frames) == 2:
        # Flat at both ends, as it is where it is held.
        u = ((at - frames[0]) / (frames[1] - frames[0]))[:, None]
        ease = u * u * (3.0 - 2.0 * u)
        led: Array = offsets[0] + ease * (offsets[1] - offsets[0])
        return led
    if smooth:
        return _held_cubic(frames, offsets, at)
    lines = [np.interp(at, frames, column) for column in offsets.T]
    return np.column_stack(lines)


def _held_cubic(frames: NDArray[np.int64], offsets: Array, at: NDArray[np.int64]) -> Array:
    """Monotone cubic between keys, flat where it meets what is held."""
    around = np.concatenate([[frames[0] - 1], frames, [frames[-1] + 1]])
    held = np.concatenate([offsets[:1], offsets, offsets[-1:]])
    curve: Array = PchipInterpolator(around, held, axis=0)(at)
    return curve


@one_thread()
def fit_shift(shift: Shift, start: Array, end: Array, fps: float) -> Array:
    """A shift from one posture to another, begun and ended at rest.

    Parameters
    ----------
    shift : Shift
        As recorded.
    start, end : array of shape (K,)
        Postures, seen from the stance before it.
    fps : float
        Frames per second.

    Returns
    -------
    array of shape (n, K)
        The first is `start`, the last is `end`.
    """
    fitted = warp_through(shift.postures, [(0, start), (shift.n_frames - 1, end)])
    ramp = _ease_in(shift.n_frames, fps)[:, None]
    fitted = start + ramp * (fitted - start)
    return end + ramp[::-1] * (fitted - end)


def _ease_in(n_frames: int, fps: float) -> Array:
    """From 0 to 1 with slope 0 at both ends, over the beginning."""
    length = max(1.0, min(EASE * n_frames, LONGEST_EASE * fps))
    u = np.minimum(np.arange(n_frames) / length, 1.0)
    ramp: Array = u * u * (3.0 - 2.0 * u)
    return ramp
