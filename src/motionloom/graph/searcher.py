"""The steps of a search: grow walks from constraint to constraint, anneal the best as a whole, begin again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from motionloom.constraints import ConstraintSet
from motionloom.graph.build import MotionGraph
from motionloom.graph.mutate import Roads, anneal, below, extend
from motionloom.graph.objective import Objective, compute_errors
from motionloom.graph.path import Path, Piece
from motionloom.graph.results import Candidate, SearchOptions, SearchState, Walk
from motionloom.graph.walk import LAID, STEP, Ground, Span, lay
from motionloom.motion import GroundTransform

#: Temperatures of annealing in units of the score: from scratch, for what is good already, and at the end.
HOT, WARM, COLD = 1.0, 0.02, 1e-3
#: Iterations of one anneal in the first round; every round has `GROWTH` times more.
FIRST_EFFORT, GROWTH = 1000, 4
#: Walks of the beam that are annealed as a whole.
POLISHED = 3


class Searcher:
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
        effort = FIRST_EFFORT * GROWTH ** min(state.round, 4)
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
