"""Small variations as noise with the spectrum of the recorded ones.

Every component is an autoregressive process, fitted by Burg's method, which is stable by
construction. What drives it is drawn from what drove the recorded one: stretches of a few seconds,
the same stretch for all components, so that joints stay together. Each begins about as lively as
the last one ended, so that calm and lively moments last as they did, and half of them are turned
upside down, so that none comes back soon.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from scipy.signal import lfilter

from motionloom.declared import NUMBER, Range, Shape
from motionloom.errors import InvalidInputError
from motionloom.skeleton import restore_read_only
from motionloom.typing import Array, Ints

#: Of the generator that draws; as in `kernels.autoregression`.
MODULUS = 2147483647
#: Somebody must rest for so long at least, seconds.
SHORTEST = 1.0
#: Seconds that the next value depends on, and how long the drawn stretches are.
MEMORY = 1.0
STRETCH = 4.0


@dataclass(frozen=True, eq=False)
class NoiseState:
    """What variations go on from.

    Parameters
    ----------
    past : array of shape (P, K)
        The last values, the oldest first.
    drawn : int array of shape (4,)
        Row of the drive that comes next, rows left of its stretch, its sign, and the last number
        drawn.
    """

    past: Array
    drawn: Ints
    __setstate__ = restore_read_only


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

    filters: Annotated[Array, Shape("K", "p"), NUMBER]
    drive: Annotated[Array, Shape("e", "K"), NUMBER]
    ends: Annotated[Ints, Shape("s"), Range(1)]
    stretch: Annotated[int, Range(1, 1_000_000)]
    __setstate__ = restore_read_only

    @property
    def memory(self) -> int:
        """Frames P that the next value depends on."""
        return int(self.filters.shape[1]) - 1

    @cached_property
    def numbers(self) -> tuple[Any, ...]:
        """As compiled code takes them; see `kernels.autoregression.vary`."""
        lively = self._liveliness()
        order = np.argsort(lively, kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        begins = np.concatenate([[0], self.ends[:-1]])
        which = np.searchsorted(self.ends, np.arange(len(order)), side="right")
        spans = np.column_stack([begins[which], self.ends[which]])
        # Copies, so that compiled code sees one kind of array, whoever the arrays belong to.
        return (
            np.array(self.filters.T, order="C"),
            np.array(self.drive),
            order,
            rank,
            spans,
            (self.stretch),
        )

    def _liveliness(self) -> Array:
        """How strong the drive is about each of its rows, as a logarithm, shape (E,)."""
        usual = np.maximum(self.drive.std(axis=0), 1e-12)
        strength = np.log(np.maximum(np.mean((self.drive / usual) ** 2, axis=1), 1e-12))
        parts = np.split(strength, self.ends[:-1])
        return np.concatenate([_smooth(part, self.memory) for part in parts])

    def begin(self, rng: np.random.Generator) -> NoiseState:
        """Variations that have run for a while.

        Parameters
        ----------
        rng : Generator
            Draws what happened.

        Returns
        -------
        NoiseState
        """
        start = np.zeros((self.memory, self.filters.shape[0]))
        first = int(rng.integers(len(self.drive)))
        drawn = np.array([first, 0, 1, int(rng.integers(1, MODULUS))])
        return self.go_on(NoiseState(start, drawn), 20 * self.memory)[1]

    def go_on(self, before: NoiseState, n_frames: int) -> tuple[Array, NoiseState]:
        """Go on from the last values.

        Parameters
        ----------
        before : NoiseState
            From `begin` or the last call.
        n_frames : int
            How many follow.

        Returns
        -------
        values : array of shape (n_frames, K)
        after : NoiseState
        """
        from motionloom.idle.kernels.autoregression import OLDEST, run_on

        past = before.past.copy()
        drawn = np.append(before.drawn, 0)
        values = np.empty((n_frames, self.filters.shape[0]))
        run_on(self.numbers, past, drawn, values)
        return values, NoiseState(np.roll(past, -drawn[OLDEST], axis=0), drawn[:OLDEST])


def _smooth(values: Array, width: int) -> Array:
    """Mean over a window, of what there is near the ends."""
    window = np.ones(min(width, len(values)))
    return np.convolve(values, window, "same") / np.convolve(np.ones(len(values)), window, "same")


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
