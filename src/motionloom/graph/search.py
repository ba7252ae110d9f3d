"""Search a motion graph for motions that meet constraints: randomized, hierarchical, anytime, resumable.

Seeds are grown from constraint to constraint: a beam of short walks is annealed up to the first boundary, each of the
best is continued to the next, and so on; the best complete walks are then annealed as a whole. Rounds of doubling
effort repeat this with fresh random walks, so the search can be stopped at any time and resumed later.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from time import perf_counter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from motionloom.constraints import ConstraintSet
from motionloom.errors import InvalidInputError, SynthesisError
from motionloom.graph.build import MotionGraph
from motionloom.graph.mutate import Roads, anneal, below, extend
from motionloom.graph.objective import ConstraintError, Objective, compile_objective, compute_errors
from motionloom.graph.path import Path, Piece
from motionloom.graph.walk import LAID, STEP, Ground, Span, lay
from motionloom.motion import GroundTransform
from motionloom.progress import Progress, silent

#: Iterations that stand for one second of budget; an idle laptop core does more, so the clock rarely ends a search.
ITERATIONS_PER_SECOND = 400_000
#: Temperatures of annealing in units of the score: from scratch, for what is good already, and at the end.
HOT, WARM, COLD = 1.0, 0.02, 1e-3
#: Iterations of one anneal in the first round; every round doubles them.
FIRST_EFFORT = 1500
#: Walks of the beam that are annealed as a whole.
POLISHED = 3


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


def search_motion(
    graph: MotionGraph,
    constraints: ConstraintSet,
    options: SearchOptions | None = None,
    *,
    state: SearchState | None = None,
    progress: Progress = silent,
) -> SearchResult:
    """Search for motions that meet constraints.

    Parameters
    ----------
    graph : MotionGraph
    constraints : ConstraintSet
    options : SearchOptions, optional
    state : SearchState, optional
        Go on from here (with the same graph, constraints and options except the budget). It is not changed. The
        budget counts from the beginning of the first search, so a larger one is needed to do more.
    progress : Progress
        Called between the steps of the search; Ctrl-C, or a KeyboardInterrupt that it raises, ends the search with
        the best found so far.

    Raises
    ------
    SynthesisError
        When no walk through the graph has as many frames as are asked for.
    """
    options = options or SearchOptions()
    searcher = _Searcher(graph, compile_objective(graph.clips, constraints, w_cost=options.w_cost), options)
    state = deepcopy(state) if state is not None else SearchState(np.array([_first_state(options.seed)], np.uint64))
    began = perf_counter()
    deadline = np.inf if options.iterations else began + 2 * options.budget
    reason = "iterations"
    try:
        while state.iterations < options.limit:
            searcher.step(state)
            progress("searching", min(state.iterations, options.limit), options.limit)
            if perf_counter() > deadline and state.iterations < options.limit:
                reason = "time"
                break
    except KeyboardInterrupt:
        reason = "interrupted"
    walks = searcher.distinct(state.minima)
    if not walks:
        raise SynthesisError(
            f"no walk through the motion graph has {constraints.n_frames} frames; add clips, raise tau or ask for less"
        )
    found = tuple(searcher.candidate(walk, constraints) for walk in walks)
    return SearchResult(found, state.iterations, perf_counter() - began, reason, state)


def _first_state(seed: int) -> int:
    return int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])


class _Searcher:
    """A graph and an objective in the arrays that the compiled parts take, and the steps of the search."""

    def __init__(self, graph: MotionGraph, objective: Objective, options: SearchOptions) -> None:
        self.graph, self.objective, self.options = graph, objective, options
        self.ground, self.roads = _ground(graph), _roads(graph)
        self.plain = options.method == "descent"
        self.boundaries = objective.boundaries[-1:] if self.plain else objective.boundaries
        self.starts = np.flatnonzero(graph.core)

    # One step is one anneal, a few tens of milliseconds at most in the first rounds.

    def step(self, state: SearchState) -> None:
        """Do the next piece of work and move on."""
        if state.round < 0:  # something to show at once
            self._whole(state, self._random(state, self.objective.span), 2000, HOT)
            state.round = 0
            return
        effort = FIRST_EFFORT << min(state.round, 8)
        if state.segment < len(self.boundaries):
            self._grow(state, effort)
            per_walk = 2 * self.options.beam if state.segment == 0 else 2
            done = state.task >= per_walk * (1 if state.segment == 0 else len(state.beam))
            if done:
                state.beam = sorted(state.grown, key=lambda w: w.score)[: self.options.beam]
                state.grown, state.task = [], 0
                state.segment += 1
                if not state.beam:
                    state.round, state.segment = state.round + 1, 0
            return
        chosen = state.beam[:POLISHED]
        if state.task < len(chosen):
            self._whole(state, chosen[state.task], 6 * effort, WARM)
        else:  # one walk that did not commit itself at every constraint
            self._whole(state, self._random(state, self.objective.span), 6 * effort, HOT)
        state.task += 1
        if state.task >= len(chosen) + (len(self.boundaries) > 1):
            state.round, state.segment, state.task, state.beam = state.round + 1, 0, 0, []

    def _grow(self, state: SearchState, effort: int) -> None:
        """Anneal one walk to the next boundary, from scratch or on top of a walk of the beam."""
        k = state.segment
        last = self.boundaries[k] + 1
        if k == 0:
            span = self.objective.span._replace(last_frame=last)
            walk = self._anneal(state, span, self._random(state, span), effort, HOT)
        else:
            before = state.beam[state.task % len(state.beam)]
            walk = self._continue(state, before, self.boundaries[k - 1], last, effort)
        state.task += 1
        if walk is not None:
            state.grown.append(walk)

    def _continue(self, state: SearchState, before: Walk, frame: int, last: int, effort: int) -> Walk | None:
        """Anneal what follows `before`, a walk that ends in `frame`, up to frame `last`."""
        laid = self._lay(before, self.objective.span._replace(last_frame=frame + 1))[1]
        m = len(before.steps)
        row = laid[m]
        entered = before.start if m == 0 else int(before.steps[-1]["target"])
        played = frame - int(row["frames"])
        here = entered + played
        span = self.objective.span._replace(
            first_frame=frame,
            last_frame=last,
            anchor=frame,
            place=complex(row["turn"] * self.ground.place[here] + row["shift"]),
            turn=complex(row["turn"] * self.ground.turn[here]),
            played=played,
        )
        walk = self._anneal(state, span, self._random(state, span, here), effort, HOT)
        if walk is None:
            return None
        joined = Walk(np.inf, before.start, np.concatenate([before.steps, walk.steps]))
        whole = self.objective.span._replace(last_frame=last)
        score, _, used, short = self._lay(joined, whole)
        return Walk(score, joined.start, joined.steps[:used]) if short == 0 else None

    def _whole(self, state: SearchState, walk: Walk, effort: int, hot: float) -> None:
        """Anneal a walk of the whole motion and keep it as a local minimum."""
        found = self._anneal(state, self.objective.span, walk, effort, hot)
        if found is not None:
            state.minima = sorted([*state.minima, found], key=lambda w: w.score)[:64]

    def _lay(self, walk: Walk, span: Span) -> tuple[float, NDArray, int, int]:
        laid = np.zeros(len(walk.steps) + 1, LAID)
        score, used, short = lay(
            self.ground, self.objective.terms, span, walk.start, walk.steps, len(walk.steps), 0, laid
        )
        return score, laid, used, short

    def _random(self, state: SearchState, span: Span, start: int | None = None) -> Walk:
        """Random walk over a span, from a given or a random start."""
        steps = np.zeros(self._capacity(span), STEP)
        first = int(self.starts[below(state.rng, len(self.starts))]) if start is None else start
        m = extend(self.ground, self.roads, span, state.rng, first, steps, 0, span.first_frame)
        return Walk(np.inf, first, steps[:m])

    def _capacity(self, span: Span) -> int:
        return (span.last_frame - span.first_frame) // self.graph.options.min_piece + 3

    def _anneal(self, state: SearchState, span: Span, walk: Walk, effort: int, hot: float) -> Walk | None:
        """Anneal a walk; None when no complete walk was met."""
        steps = np.zeros(max(self._capacity(span), len(walk.steps) + 2), STEP)
        m = len(walk.steps)
        steps[:m] = walk.steps
        current, best = np.array([walk.start, m]), np.array([walk.start, m])
        best_steps = steps.copy()
        score = anneal(
            self.ground,
            self.roads,
            self.objective.terms,
            span,
            state.rng,
            current,
            steps,
            best,
            best_steps,
            np.inf,
            0.0 if self.plain else hot,
            COLD,
            0,
            effort,
            effort,
            self.plain,
        )
        state.iterations += effort
        return Walk(score, int(best[0]), best_steps[: best[1]].copy()) if np.isfinite(score) else None

    def distinct(self, minima: list[Walk]) -> list[Walk]:
        """Best walks that differ: less than 70 % of their time shows nearly the same frames."""
        kept: list[tuple[Walk, NDArray]] = []
        for walk in minima:
            shown = self.path(walk).frames(self.graph.clips)
            if all(np.mean(np.abs(shown - other) < 10) < 0.7 for _, other in kept):
                kept.append((walk, shown))
            if len(kept) == self.options.alternatives:
                break
        return [walk for walk, _ in kept]

    def path(self, walk: Walk) -> Path:
        """The walk as pieces of clips."""
        clips = self.graph.clips
        entries = [walk.start, *(int(t) for t in walk.steps["target"])]
        exits = [int(s) for s in walk.steps["source"]]
        played = sum(b - a for a, b in zip(entries, exits, strict=False))
        exits.append(entries[-1] + self.objective.n_frames - played)
        pieces = []
        for a, b in zip(entries, exits, strict=True):
            clip = int(clips.clip_of[a])
            first = int(clips.starts[clip])
            pieces.append(Piece(clip, a - first, b - first))
        return Path(tuple(pieces))

    def candidate(self, walk: Walk, constraints: ConstraintSet) -> Candidate:
        """The walk as a path, laid down, with its errors."""
        path = self.path(walk)
        row = self._lay(walk, self.objective.span)[1][0]
        start = GroundTransform(float(np.angle(row["turn"])), float(row["shift"].imag), float(row["shift"].real))
        return Candidate(
            path,
            start,
            float(walk.score),
            tuple(float(c) for c in walk.steps["cost"]),
            compute_errors(self.graph.clips, constraints, path, start),
        )


def _ground(graph: MotionGraph) -> Ground:
    clips = graph.clips
    x, z, facing = clips.body.T
    return Ground(
        place=z + 1j * x,
        turn=np.exp(1j * facing),
        begin=clips.starts[clips.clip_of],
        end=clips.starts[clips.clip_of + 1],
        min_piece=graph.options.min_piece,
    )


def _roads(graph: MotionGraph) -> Roads:
    edges, tree = graph.edges, graph.hierarchy
    leaving = np.argsort(edges.source, kind="stable").astype(np.int32)
    counts = np.bincount(edges.source, minlength=graph.clips.n_frames)
    return Roads(
        ends=np.column_stack([edges.source, edges.target]),
        cost=edges.cost,
        pair_ptr=tree.pair_ptr,
        root_ptr=tree.root_ptr,
        roots=tree.roots,
        children=tree.children,
        medoid=tree.medoid,
        out_ptr=np.concatenate([[0], np.cumsum(counts)]),
        out_edge=leaving,
        bridges=np.flatnonzero(edges.cost > 1).astype(np.int32),
        clip_of=graph.clips.clip_of,
        n_clips=graph.clips.n_clips,
    )
