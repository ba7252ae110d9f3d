"""Small variations as noise of extremes, after Egges, Molet & Magnenat-Thalmann (2004).

Every component goes from one extreme to the next. The time to the next extreme and the change of
value are predicted from the last ones by regression, with residuals drawn from the recording, and
extremes are joined by half waves of the cosine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, sosfiltfilt

from motionloom.errors import InvalidInputError
from motionloom.skeleton import restore_read_only

Array = NDArray[np.float64]

#: Extremes are looked for below this frequency, Hz.
BAND = 3.5
#: Ups and downs by less than this share of the deviation are no extremes.
HYSTERESIS = 0.1
#: Values stay within these quantiles of what was recorded.
RANGE = (0.01, 0.99)
#: Fewest extremes that a regression is made from.
_FEWEST = 8


@dataclass(frozen=True, eq=False)
class ExtremesOf:
    """Noise of extremes of one component.

    Parameters
    ----------
    interval : array of shape (3,)
        Next interval (frames) from 1, the last interval and the size of the last change.
    change : array of shape (3,)
        Next change from 1, the last change and the value.
    residuals : array of shape (n, 2)
        Of both predictions, as they occurred together.
    low, high : float
        Range of the values.
    """

    interval: Array
    change: Array
    residuals: Array
    low: float
    high: float
    __setstate__ = restore_read_only


@dataclass(frozen=True, eq=False)
class ExtremesVariation:
    """Noise of extremes of all components.

    Parameters
    ----------
    components : tuple of ExtremesOf
        One each.
    """

    components: tuple[ExtremesOf, ...]

    def generate(self, n_frames: int, rng: np.random.Generator) -> Array:
        """Variations from some moment on.

        Parameters
        ----------
        n_frames : int
            How many.
        rng : Generator
            Draws residuals.

        Returns
        -------
        array of shape (n_frames, K)
        """
        columns = [_curve(component, n_frames, rng) for component in self.components]
        return np.column_stack(columns)


def fit_extremes(spans: Sequence[Array], fps: float) -> ExtremesVariation:
    """Learn variations from resting spans.

    Parameters
    ----------
    spans : sequence of arrays of shape (n, K)
        Postures about their span's mean.
    fps : float
        Frames per second.

    Returns
    -------
    ExtremesVariation

    Raises
    ------
    InvalidInputError
        When the spans are too short to show enough extremes.
    """
    used = [span for span in spans if len(span) >= 2.0 * fps]
    if not used:
        raise InvalidInputError("nobody rests for 2 s in these recordings")
    slow = [_low_pass(span, fps) for span in used]
    whole = np.concatenate(slow)
    deviation = whole.std(axis=0)
    bounds = np.quantile(whole, RANGE, axis=0)
    parts = []
    for k in range(whole.shape[1]):
        found = [find_extremes(span[:, k], HYSTERESIS * deviation[k]) for span in slow]
        values = [span[frames, k] for span, frames in zip(slow, found, strict=True)]
        parts.append(_regress(found, values, float(bounds[0, k]), float(bounds[1, k])))
    return ExtremesVariation(tuple(parts))


def find_extremes(values: Array, hysteresis: float) -> NDArray[np.int64]:
    """Frames where values turn, by more than `hysteresis`.

    Parameters
    ----------
    values : array of shape (n,)
        A curve.
    hysteresis : float
        Smaller ups and downs are passed over.

    Returns
    -------
    int array
        In the order of time; highs and lows alternate.
    """
    turns: list[int] = []
    high = low = 0
    rising: bool | None = None
    for i, value in enumerate(values):
        high = i if value > values[high] else high
        low = i if value < values[low] else low
        if rising is not False and values[high] - value > hysteresis:
            turns.append(high)
            rising = False
            low = i
        elif rising is not True and value - values[low] > hysteresis:
            turns.append(low)
            rising = True
            high = i
    # The first frame is where the curve begins, not where it turns.
    return np.array([turn for turn in turns if turn > 0], np.int64)


def _regress(
    found: Sequence[NDArray[np.int64]], values: Sequence[Array], low: float, high: float
) -> ExtremesOf:
    rows = []
    for frames, heights in zip(found, values, strict=True):
        gaps = np.diff(frames).astype(float)
        changes = np.diff(heights)
        # Last interval, last change, value reached, next interval, next change.
        rows.append(
            np.column_stack([gaps[:-1], changes[:-1], heights[1:-1], gaps[1:], changes[1:]])
            if len(gaps) > 1
            else np.zeros((0, 5))
        )
    table = np.concatenate(rows)
    if len(table) < _FEWEST:
        raise InvalidInputError(
            "the resting spans show too few ups and downs to learn from; record for longer"
        )
    one = np.ones(len(table))
    for_interval = np.column_stack([one, table[:, 0], np.abs(table[:, 1])])
    for_change = np.column_stack([one, table[:, 1], table[:, 2]])
    interval = np.linalg.lstsq(for_interval, table[:, 3], rcond=None)[0]
    change = np.linalg.lstsq(for_change, table[:, 4], rcond=None)[0]
    residuals = np.column_stack(
        [table[:, 3] - for_interval @ interval, table[:, 4] - for_change @ change]
    )
    return ExtremesOf(interval, change, residuals, low, high)


def _curve(part: ExtremesOf, n_frames: int, rng: np.random.Generator) -> Array:
    """Half waves from extreme to extreme, begun some way into one."""
    frames = [0.0]
    heights = [float(np.clip(0.0, part.low, part.high))]
    gap = float(max(1.0, part.interval[0]))
    change = float(part.high - part.low) / 4.0
    while frames[-1] < n_frames:
        noise = part.residuals[rng.integers(len(part.residuals))]
        next_gap = part.interval @ (1.0, gap, abs(change)) + noise[0]
        next_change = part.change @ (1.0, change, heights[-1]) + noise[1]
        gap = float(max(1.0, next_gap))
        height = float(np.clip(heights[-1] + next_change, part.low, part.high))
        change = height - heights[-1]
        frames.append(frames[-1] + gap)
        heights.append(height)
    at = np.arange(n_frames)
    which = np.searchsorted(frames, at, side="right") - 1
    begin = np.array(frames)[which]
    length = np.diff(frames)[which]
    u = (at - begin) / length
    start = np.array(heights)[which]
    step = np.diff(heights)[which]
    curve: Array = start + step * 0.5 * (1.0 - np.cos(np.pi * u))
    return curve


def _low_pass(values: Array, fps: float) -> Array:
    if fps <= 2.0 * BAND:
        return values
    smooth = butter(2, BAND, fs=fps, output="sos")
    slow: Array = sosfiltfilt(smooth, values, axis=0)
    return slow
