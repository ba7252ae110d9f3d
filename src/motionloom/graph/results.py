"""What a search is asked for, where it stands and what it found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import InvalidInputError
from motionloom.graph.objective import ConstraintError
from motionloom.graph.path import Path
from motionloom.motion import GroundTransform

#: Iterations that stand for one second of budget; an idle laptop core does more, so the clock rarely ends a search.
ITERATIONS_PER_SECOND = 400_000


@dataclass(frozen=True)
class SearchOptions:
    """How to search.

    Parameters
    ----------
    seed : int
        The same seed, graph, constraints and options give the same result.
    budget : float, seconds
        Counted as ``budget * ITERATIONS_PER_SECOND`` iterations, so that the result does not depend on the machine.
        The clock ends a search only after twice this time, and the result then says so.
    iterations : int, optional
        Iterations instead of those that follow from `budget`; the clock then does not count at all.
    alternatives : int
        Most motions returned.
    method : {"anneal", "descent"}
        ``"descent"`` takes only improvements by the two mutations of the paper, from random walks of the whole motion.
    beam : int
        Walks kept at every constraint.
    w_cost : float
        Score of one splice at the threshold, beside 1 for 30 cm, 10 degrees or 10 frames.
    """

    seed: int = 0
    budget: float = 5.0
    iterations: int | None = None
    alternatives: int = 5
    method: Literal["anneal", "descent"] = "anneal"
    beam: int = 8
    w_cost: float = 0.01

    def __post_init__(self) -> None:
        if not (np.isfinite(self.budget) and self.budget > 0):
            raise InvalidInputError(f"budget must be a positive number of seconds, got {self.budget}")
        if self.iterations is not None and self.iterations < 1:
            raise InvalidInputError(f"iterations must be at least 1, got {self.iterations}")
        if self.alternatives < 1 or self.beam < 1:
            raise InvalidInputError("alternatives and beam must be at least 1")
        if self.method not in ("anneal", "descent"):
            raise InvalidInputError(f"method must be 'anneal' or 'descent', got {self.method!r}")
        if not (np.isfinite(self.w_cost) and self.w_cost >= 0):
            raise InvalidInputError(f"w_cost must be a number from 0, got {self.w_cost}")

    @property
    def limit(self) -> int:
        """Iterations after which the search ends."""
        return self.iterations or max(int(self.budget * ITERATIONS_PER_SECOND), 1)


@dataclass(frozen=True)
class Candidate:
    """One motion that was found.

    Parameters
    ----------
    path : Path
        Exactly as many frames as were asked for.
    start : GroundTransform
        Transform of its first piece.
    score : float
        Weighted squared errors plus edge costs; smaller is better.
    edge_costs : tuple of float
        Relative cost of every seam: 1 is at the threshold.
    errors : tuple of ConstraintError
        Errors at the constraints before anything is spread.
    """

    path: Path
    start: GroundTransform
    score: float
    edge_costs: tuple[float, ...]
    errors: tuple[ConstraintError, ...]


@dataclass(frozen=True, eq=False)
class Walk:
    """A walk through the graph: start frame and rows of `STEP`."""

    score: float
    start: int
    steps: NDArray


@dataclass(eq=False)
class SearchState:
    """Where a search stands; it can be pickled and given back to `search_motion` to go on.

    `beam` holds walks up to boundary `segment` - 1, `grown` those found so far up to boundary `segment`, `task` counts
    the anneals of this segment. In the last phase (``segment == number of boundaries``) whole walks are annealed.
    """

    rng: NDArray[np.uint64]
    round: int = -1
    segment: int = 0
    task: int = 0
    iterations: int = 0
    beam: list[Walk] = field(default_factory=list)
    grown: list[Walk] = field(default_factory=list)
    minima: list[Walk] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class SearchResult:
    """What a search found.

    Parameters
    ----------
    alternatives : tuple of Candidate
        Distinct motions, best first.
    iterations : int
        Mutations tried, those before a resume included.
    seconds : float
        Time of this call.
    stopped_because : {"iterations", "time", "interrupted", "cancelled"}
        Only after ``"iterations"`` the same seed gives the same result on any machine.
    state : SearchState
        To resume from.
    """

    alternatives: tuple[Candidate, ...]
    iterations: int
    seconds: float
    stopped_because: str
    state: SearchState

    @property
    def best(self) -> Candidate:
        """The best motion."""
        return self.alternatives[0]

    @property
    def reproducible(self) -> bool:
        """Whether the same seed gives this result again."""
        return self.stopped_because == "iterations"
