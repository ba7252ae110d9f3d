"""Where a search stands, in memory and in a file, so that it can be gone on with later."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

#: Walks of the whole motion that a stream remembers.
MINIMA = 64


@dataclass(frozen=True, eq=False)
class Walk:
    """A walk through the graph: start frame and rows of `STEP`."""

    score: float
    start: int
    steps: NDArray[np.void]


@dataclass(eq=False)
class Stream:
    """One search with its own random numbers; the streams of a search know nothing of each other.

    Parameters
    ----------
    rng : uint64 array of shape (1,)
    round, segment, task : int
        What is to be done next; what they count depends on the method.
    iterations : int
        Mutations tried and half walks grown.
    beam : list of Walk
        Walks that are worked on.
    minima : list of Walk
        Walks of the whole motion that were found, best first.
    failures : int
        Rounds that met no walk from a hard constraint to the next.
    stuck : int
        Last frame of the leg where that was.
    extra : int
        Budgets spent beyond the first because no motion had been met.
    given_up : list of int
        Frames of the motion whose hard constraints were given up.
    """

    rng: NDArray[np.uint64]
    round: int = -1
    segment: int = 0
    task: int = 0
    iterations: int = 0
    beam: list[Walk] = field(default_factory=list)
    minima: list[Walk] = field(default_factory=list)
    failures: int = 0
    stuck: int = 0
    extra: int = 0
    given_up: list[int] = field(default_factory=list)


def keep_minimum(stream: Stream, walk: Walk) -> None:
    """Remember a walk of the whole motion if it is one of the best."""
    stream.minima = sorted([*stream.minima, walk], key=lambda w: w.score)[:MINIMA]


@dataclass(eq=False)
class SearchState:
    """Where a search stands: one stream for every seed."""

    streams: list[Stream]

    @property
    def iterations(self) -> int:
        """Those of all streams."""
        return sum(s.iterations for s in self.streams)


def new_state(seed: int, streams: int) -> SearchState:
    """Streams that do not depend on how many of them there are."""
    return SearchState(
        [
            Stream(
                np.random.SeedSequence(seed, spawn_key=(k,))
                .generate_state(1, np.uint64)
                .astype(np.uint64)
            )
            for k in range(streams)
        ]
    )
