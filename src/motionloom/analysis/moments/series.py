"""What is said of every moment of a motion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.typing import Array

#: From here on a moment is less natural than all but one of a hundred captured ones.
LIMIT = 1.0


@dataclass(frozen=True)
class OddStretch:
    """Frames that follow each other and are odd for one reason.

    Parameters
    ----------
    first, last : int
        Frames, both included.
    frame : int
        The oddest of them.
    value : float
        How odd it is; see `OddSeries`.
    words : str
        What is odd there.
    """

    first: int
    last: int
    frame: int
    value: float
    words: str


@dataclass(frozen=True, eq=False)
class OddSeries:
    """How odd a motion is, frame by frame.

    Parameters
    ----------
    values : array of shape (T,)
        0 is usual among captures and `LIMIT` what 99 of 100 captured moments stay below, each
        judged by captures of other takes.
    stretches : tuple of OddStretch
        All that is odder than the limit, in the order of time.
    worst : OddStretch
        The oddest moment, even where it is within the limit.
    """

    values: Array
    stretches: tuple[OddStretch, ...]
    worst: OddStretch

    @property
    def share(self) -> float:
        """Share of the frames that are beyond the limit."""
        return float(np.mean(self.values > LIMIT))
