"""Small variations as noise with the spectrum of the recorded ones.

Every component is an autoregressive process, fitted by Burg's method, which is stable by
construction. What drives it is drawn from what drove the recorded one: stretches of a few seconds,
the same stretch for all components, so that joints stay together and calm and lively moments
follow each other as they did.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.signal import lfilter, lfiltic

from motionloom.errors import InvalidInputError
from motionloom.skeleton import restore_read_only

Array = NDArray[np.float64]

#: Somebody must rest for so long at least, seconds.
SHORTEST = 1.0
#: Seconds that the next value depends on, and how long the drawn stretches are.
MEMORY = 1.0
STRETCH = 2.0


@dataclass(frozen=True, eq=False)
class NoiseVariation:
    """Autoregressive noise.

    Parameters
    ----------
    filters : array of shape (K, P + 1)
        Prediction-error filter of every component; the first number is 1.
    drive : array of shape (E, K)
        What drove the recorded variations, span after span.
    ends : int array of shape (S,)
        Row behind the last of each span in `drive`.
    stretch : int
        Frames that are drawn in one go.
    """

    filters: Array
    drive: Array
    ends: NDArray[np.int64]
    stretch: int
    __setstate__ = restore_read_only

    @property
    def memory(self) -> int:
        """Frames P that the next value depends on."""
        return int(self.filters.shape[1]) - 1

    def begin(self, rng: np.random.Generator) -> Array:
        """Last P values of variations that have run for a while, shape (P, K).

        Parameters
        ----------
        rng : Generator
            Draws what happened.
        """
        warm = 20 * self.memory
        start = np.zeros((self.memory, self.filters.shape[0]))
        return self.go_on(start, warm, rng)[-self.memory :]

    def go_on(self, before: Array, n_frames: int, rng: np.random.Generator) -> Array:
        """Go on from the last values.

        Parameters
        ----------
        before : array of shape (P, K)
            The last values.
        n_frames : int
            How many follow.
        rng : Generator
            Draws what drives them.

        Returns
        -------
        array of shape (n_frames, K)
        """
        drive = self._draw(n_frames, rng)
        values = np.empty_like(drive)
        for k, taps in enumerate(self.filters):
            memory = lfiltic([1.0], taps, before[::-1, k])
            values[:, k], _ = lfilter([1.0], taps, drive[:, k], zi=memory)
        return values

    def _draw(self, n_frames: int, rng: np.random.Generator) -> Array:
        """Stretches of what drove the recorded variations, each from one span."""
        drawn: list[Array] = []
        missing = n_frames
        while missing > 0:
            first = int(rng.integers(len(self.drive)))
            end = int(self.ends[np.searchsorted(self.ends, first, side="right")])
            piece = self.drive[first : min(first + min(self.stretch, missing), end)]
            drawn.append(piece)
            missing -= len(piece)
        return np.concatenate(drawn) if drawn else np.zeros((0, self.drive.shape[1]))


def fit_noise(spans: Sequence[Array], fps: float) -> NoiseVariation:
    """Learn variations from resting spans.

    Parameters
    ----------
    spans : sequence of arrays of shape (n, K)
        Postures about their span's mean.
    fps : float
        Frames per second.

    Returns
    -------
    NoiseVariation

    Raises
    ------
    InvalidInputError
        When no span is long enough.
    """
    longest = max((len(span) for span in spans), default=0)
    if longest < SHORTEST * fps:
        raise InvalidInputError(
            f"nobody rests for {SHORTEST:g} s in these recordings; small variations are learned"
            " from people who stand still"
        )
    # A third of what is there is needed to begin with.
    memory = max(2, min(round(MEMORY * fps), longest // 3))
    used = [span for span in spans if len(span) > 2 * memory]
    count = used[0].shape[1]
    filters = np.array([burg([span[:, k] for span in used], memory) for k in range(count)])
    drives = [
        np.column_stack([lfilter(filters[k], [1.0], span[:, k]) for k in range(count)])[memory:]
        for span in used
    ]
    ends = np.cumsum([len(drive) for drive in drives])
    return NoiseVariation(filters, np.concatenate(drives), ends, round(STRETCH * fps))


def burg(spans: Sequence[Array], order: int) -> Array:
    """Prediction-error filter of an autoregressive process, by Burg's method over several spans.

    Each step adds the reflection that leaves least forward and backward error; it is at most 1, so
    the process is stable.

    Parameters
    ----------
    spans : sequence of arrays of shape (n,)
        Values about their mean.
    order : int
        Number of values that the next one depends on.

    Returns
    -------
    array of shape (order + 1,)
        The first number is 1.
    """
    taps = np.ones(1)
    forward = [np.asarray(span, float) for span in spans]
    backward = list(forward)
    for _ in range(order):
        ahead = [f[1:] for f in forward]
        behind = [b[:-1] for b in backward]
        both = zip(ahead, behind, strict=True)
        common = sum(float(f @ b) for f, b in both)
        power = sum(float(f @ f) for f in ahead) + sum(float(b @ b) for b in behind)
        reflection = -2.0 * common / power if power > 0 else 0.0
        longer = np.append(taps, 0.0)
        taps = longer + reflection * longer[::-1]
        forward = [f + reflection * b for f, b in zip(ahead, behind, strict=True)]
        backward = [b + reflection * f for f, b in zip(ahead, behind, strict=True)]
    return taps
