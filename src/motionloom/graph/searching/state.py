"""Where a search stands, in memory and in a file, so that it can be gone on with later."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from motionloom.declared import MOST, Count, Range, Shape
from motionloom.graph.scoring.walk import STEP

#: Walks of the whole motion that a stream remembers.
MINIMA = 64


@dataclass(frozen=True, eq=False)
class Walk:
    """A walk through the graph: start frame and rows of `STEP`."""

    score: float
    start: Count
    steps: Annotated[NDArray[np.void], Shape("k"), STEP]


@dataclass(eq=False)
class Stream:
    """One search with its own random numbers; the streams of a search know nothing of each other.

    Parameters
    ----------
    rng : uint64 array of shape (1,)
        State of its random numbers.
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

    rng: Annotated[NDArray[np.uint64], Shape(1)]
    round: Annotated[int, Range(-1, MOST)] = -1
    segment: Count = 0
    task: Count = 0
    iterations: Count = 0
    beam: list[Walk] = field(default_factory=list)
    minima: list[Walk] = field(default_factory=list)
    failures: Count = 0
    stuck: Count = 0
    extra: Count = 0
    given_up: list[Count] = field(default_factory=list)


def keep_minimum(stream: Stream, walk: Walk) -> None:
    """Remember a walk of the whole motion if it is one of the best.

    Parameters
    ----------
    stream : Stream
        Its minima stay sorted, at most `MINIMA` of them.
    walk : Walk
        A complete walk with its score.
    """
    stream.minima = sorted([*stream.minima, walk], key=lambda w: w.score)[:MINIMA]


def new_state(seed: int, streams: int) -> list[Stream]:
    """Streams that do not depend on how many of them there are.

    Parameters
    ----------
    seed : int
        Seed of the search, from 0.
    streams : int
        Number of streams.

    Returns
    -------
    list of Stream
        Stream k has the random numbers of (`seed`, k).
    """
    sequences = (np.random.SeedSequence(seed, spawn_key=(k,)) for k in range(streams))
    return [Stream(own.generate_state(1, np.uint64).astype(np.uint64)) for own in sequences]
