"""Simple ways to make somebody wait: noise on every joint by itself, and a clip that repeats."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.motion import Motion

Array = NDArray[np.float64]

#: Octaves of the noise, Hz.
_BANDS = (0.15, 0.3, 0.6, 1.2, 2.4)


def joint_noise(recorded: Motion, n_frames: int, rng: np.random.Generator) -> Motion:
    """Band-limited noise on every joint by itself about the mean posture, after Perlin.

    Each octave has half the size of the one below; all together have the deviation that the
    joint shows in the recording.

    Parameters
    ----------
    recorded : Motion
        Where mean posture and deviations come from.
    n_frames : int
        How long.
    rng : Generator
        Draws the noise.

    Returns
    -------
    Motion
    """
    middle = rot.mean(recorded.rotations)
    turned = rot.to_rotvec(rot.multiply(rot.conjugate(middle), recorded.rotations))
    deviation = turned.std(axis=0)
    noise = _octaves(n_frames, recorded.fps, deviation.shape, rng)
    rotations = rot.multiply(middle, rot.from_rotvec(deviation * noise))
    places = recorded.translations.mean(axis=0) + recorded.translations.std(axis=0) * _octaves(
        n_frames, recorded.fps, recorded.translations.shape[1:], rng
    )
    return replace(recorded, rotations=rotations, translations=places)


def _octaves(n: int, fps: float, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Sums of smooth noise of deviation 1, shape (n, ...)."""
    total = np.zeros((n, *shape))
    times = np.arange(n) / fps
    for k, rate in enumerate(_BANDS):
        knots = rng.standard_normal((int(times[-1] * rate) + 3, *shape))
        at = times * rate
        first = np.floor(at).astype(int)
        u = (at - first).reshape(-1, *(1,) * len(shape))
        ease = u * u * u * (u * (6 * u - 15) + 10)
        total += 0.5**k * (knots[first] + ease * (knots[first + 1] - knots[first]))
    spread: Array = total / np.maximum(total.std(axis=0), 1e-12)
    return spread


def looped_clip(recorded: Motion, n_frames: int, seconds: float = 10.0) -> Motion:
    """The first seconds of a recording again and again, ends blended over half a second.

    Parameters
    ----------
    recorded : Motion
        A recording.
    n_frames : int
        How long.
    seconds : float
        What repeats.

    Returns
    -------
    Motion
    """
    length = min(round(seconds * recorded.fps), recorded.n_frames // 2)
    over = max(1, min(round(0.5 * recorded.fps), length // 2))
    clip = recorded.cut(0, length + over)
    weight = (np.arange(over) + 1.0) / (over + 1.0)
    rotations = clip.rotations[:length].copy()
    places = clip.translations[:length].copy()
    rotations[:over] = rot.slerp(clip.rotations[length:], clip.rotations[:over], weight[:, None])
    shown = clip.translations[length:]
    places[:over] = shown + weight[:, None, None] * (clip.translations[:over] - shown)
    which = np.arange(n_frames) % length
    return replace(recorded, rotations=rot.unroll(rotations[which]), translations=places[which])
