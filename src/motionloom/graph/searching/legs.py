"""One leg of a motion: generations of half walks from both ends, bred from the best that were
joined before.

Every generation has fresh half walks and such that branch off the pieces of the best walks so far,
at either end, and all of them are tried with all others. The cells of the hash shrink as the walks
get better.

Joined half walks as whole walks, scored in full; compiled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from motionloom.compiling import kernel
from motionloom.graph.scoring.walk import LAID, STEP, cost_of_showing, lay
from motionloom.graph.searching.adjacency import draws, randoms, take
from motionloom.graph.searching.annealing import capacity, lay_walk, make_steps
from motionloom.graph.searching.meet import (
    JOIN,
    NODE,
    ROOM,
    Grid,
    Guide,
    Halves,
    graft,
    grow_ahead,
    grow_behind,
    join,
    join_anywhere,
    make_sight,
)
from motionloom.graph.searching.problem import Leg, Problem
from motionloom.graph.searching.reach import joint_cost, outlook_of
from motionloom.graph.searching.state import Walk
from motionloom.typing import Ints


@kernel
def _trace(ahead, behind, pair, edges):  # pragma: no cover - compiled
    """Write the edges of a joined walk; return (how many, root of the half ahead, root of the half
    behind).
    """
    n = 0
    a = pair.ahead
    while ahead[a].parent >= 0:
        edges[n] = ahead[a].edge
        n = n + 1
        a = ahead[a].parent
    for k in range(n // 2):
        edges[k], edges[n - 1 - k] = edges[n - 1 - k], edges[k]
    edges[n] = pair.edge
    n = n + 1
    b = pair.behind
    while behind[b].parent >= 0:
        edges[n] = behind[b].edge
        n = n + 1
        b = behind[b].parent
    return n, a, b


@kernel
def _score_joined(ground, adjacency, terms, span, halves, joins, beam):  # pragma: no cover
    """Score joined walks, and write them down.

    The beam has the starts (B,), lengths (B,) and steps (B, M) of the walks that are gone on from,
    none and one row of steps without any.

    Returns
    -------
    scores : float array of shape (K,)
        As `lay` gives them; infinite for a walk that is not complete.
    edges : int64 array of shape (K, 2 M)
        Edges of each walk after the beam.
    found : int64 array of shape (K, 4)
        How many these are, 0 for a walk that is not complete; the roots of both halves; the first
        frame of the walk.
    """
    ahead, behind, _, _ = halves
    starts, lengths, steps = beam
    room = steps.shape[1]
    scores = np.full(len(joins), np.inf)
    edges = np.zeros((len(joins), 2 * room), np.int64)
    found = np.zeros((len(joins), 4), np.int64)
    whole = steps[0].copy()
    laid = np.zeros(room + 1, LAID)
    for k in range(len(joins)):
        n, a, b = _trace(ahead, behind, joins[k], edges[k])
        before = lengths[a] if len(starts) > 0 else 0
        start = starts[a] if len(starts) > 0 else ahead[a].frame
        found[k, 1] = a
        found[k, 2] = b
        found[k, 3] = start
        if before + n > room:
            continue
        for p in range(before):
            whole[p] = steps[a, p]
        for p in range(n):
            take(adjacency, edges[k, p], whole[before + p])
        score, used, short = lay(ground, terms, span, start, whole, before + n, np.int64(0), laid)
        if short == 0 and used == before + n:
            scores[k] = score
            found[k, 0] = n
    return scores, edges, found


#: Generations at most, and how many may pass without a better walk.
GENERATIONS, PATIENCE = 12, 3
#: Walks that the next generation branches off; times at which halves may meet.
ELITES, TIMES = 16, 5
#: Of these walks so many at most may end in frames of one row of this length.
ALIKE, SAME_END = 4, 8
#: The same where only a frame is asked for at the end, not a place.
FREE_TIMES = 60
#: One in so many half walks begins at a fresh root.
FRESH = 8
#: Frames after a start whose cost is looked at, and of how many starts the cheapest is taken.
START, OFFERED = 15, 4
#: Pairs looked at that take as long as one mutation of a walk.
PAIRS_PER_ITERATION = 32


@dataclass(frozen=True, eq=False)
class _Bred:
    """A walk to the end of the leg: the walk of the beam that it goes on from, its edges after
    that, its last frame.
    """

    score: float
    start: int
    root: int
    edges: Ints
    end: int

    @property
    def key(self) -> tuple[int, ...]:
        return (self.root, self.start, *self.edges.tolist())


@dataclass(eq=False)
class LegSearch:
    """Search of one leg.

    Parameters
    ----------
    problem : Problem
        The graph and what is asked for.
    leg : Leg
        The stretch of the motion to fill, and its goal.
    beam : list of Walk
        Walks that end where the leg begins; none for the first leg.
    rng : uint64 array of shape (1,)
        State of the random numbers; it is advanced.
    size : int
        Half walks of one direction in a generation.
    known : Walk, optional
        A walk of the whole motion to begin with; where it comes to the leg it is one of the beam.
    """

    problem: Problem
    leg: Leg
    beam: list[Walk]
    rng: NDArray[np.uint64]
    size: int
    known: Walk | None = None
    iterations: int = 0
    blind: int = 0
    best: list[_Bred] = field(default_factory=list)
    ends: Ints = field(init=False)
    likely: Ints = field(init=False)
    guide: Guide = field(init=False)

    def __post_init__(self) -> None:
        self.ends, self.likely, self.guide = outlook_of(self.problem, self.leg)
        if self.known is not None:
            self.best = self._breed_from(self.known)

    def _breed_from(self, walk: Walk) -> list[_Bred]:
        """The part of a known walk that lies in the leg; none where a piece of it ends with the leg
        before.
        """
        adjacency = self.problem.adjacency
        leg = self.leg
        here = cut_walk(self.problem, walk, leg.last)
        if here is None:
            return []
        row = lay_walk(self.problem, here, self.problem.until(leg.last))[1][len(here.steps)]
        end = _last_entry(here) + leg.last - int(row["frames"])
        root = 0
        count = 0
        if self.beam:
            before = cut_walk(self.problem, walk, leg.first)
            if before is None:
                return []
            root = len(self.beam) - 1
            count = len(before.steps)
            if not _same(self.beam[root], before) or not _leaves_after(
                self.problem, before, here, leg.first
            ):
                return []
        nodes = here.steps["node"][count:].astype(np.int64)
        n = len(adjacency.cost)
        edges = np.where(nodes < n, nodes, adjacency.medoid[np.maximum(nodes - n, 0)])
        return [_Bred(here.score, here.start, root, edges, end)]

    def run(self) -> list[tuple[Walk, int]]:
        """Breed until nothing improves; walks with the walk of the beam each is on."""
        idle = 0
        score = np.inf
        for _ in range(GENERATIONS):
            self._generation()
            now = self.best[0].score if self.best else np.inf
            # Less than 2 % better is no progress: annealing does that sooner.
            idle = 0 if now < 0.98 * score else idle + 1
            score = min(now, score)
            if idle == PATIENCE:
                break
        return [(self._walk(b), b.root) for b in self.best]

    def _walk(self, bred: _Bred) -> Walk:
        steps = make_steps(self.problem, bred.edges)
        if self.beam:
            steps = np.concatenate([self.beam[bred.root].steps, steps])
        return Walk(bred.score, bred.start, steps)

    def _generation(self) -> None:
        problem = self.problem
        graph = problem.ground, problem.adjacency
        fares = problem.span.w_cost, problem.terms.sums
        ahead = np.zeros(self.size + 64, NODE)
        behind = np.zeros(self.size + 64, NODE)
        n0 = self._roots_ahead(ahead)
        n1 = self._roots_behind(behind)
        r0, r1 = n0, n1
        for i, b in enumerate(self.best):
            # The roots of the best walks stand behind the fresh ones, in the same order.
            root = b.root if self.beam else n0 - len(self.best) + i
            r0 = graft(*graph, ahead, r0, root, b.edges, True, fares)
            root = n1 - len(self.best) + i
            r1 = graft(*graph, behind, r1, root, b.edges, False, fares)
        n0 = grow_ahead(*graph, self.rng, ahead, r0, self.leg.last, self.guide, fares)
        n1 = grow_behind(*graph, self.rng, behind, r1, self.leg.first, fares)
        times = self._times(TIMES if self.leg.placed else FREE_TIMES)
        halves = ahead[:n0], behind[:n1], times, fares
        joins = np.zeros(ROOM, JOIN)
        sight = make_sight(n0)
        if self.leg.placed:
            found, looked = join(*graph, halves, self.leg.goal, self._grid(), sight, joins)
        else:
            found, looked = join_anywhere(*graph, halves, sight, joins)
        self.iterations += n0 + n1 + looked // PAIRS_PER_ITERATION + found
        self._select(halves, joins[:found])

    def _roots_ahead(self, nodes: NDArray[np.void]) -> int:
        """Where half walks forwards begin: the walks of the beam, or starts, those of the best
        walks last.
        """
        ground = self.problem.ground
        span = self.problem.span
        sums = self.problem.terms.sums
        nodes["parent"] = nodes["edge"] = -1
        if self.beam:
            for row, walk in zip(nodes, self.beam, strict=False):
                laid = lay_walk(self.problem, walk, self.problem.until(self.leg.first))[1][
                    len(walk.steps)
                ]
                row["turn"] = laid["turn"]
                row["shift"] = laid["shift"]
                row["time"] = laid["frames"]
                row["frame"] = walk.steps[-1]["target"] if len(walk.steps) else walk.start
                # The piece goes on past the leg's first frame: what was found for the leg before
                # stays.
                row["least"] = max(ground.min_piece, self.leg.first - laid["frames"] + 1)
                # Half walks begin where the piece does: what of it is in the score already is not
                # charged twice.
                played = int(self.leg.first + 1 - laid["frames"])
                paid = cost_of_showing(sums, int(laid["frames"]), int(row["frame"]), played)
                row["cost"] = walk.score - paid
            return len(self.beam)
        pinned = self.problem.pins[self.problem.pins[:, 0] == span.first_frame, 1]
        fresh = pinned if len(pinned) else self._draw_starts()
        starts = np.array([*fresh, *(b.start for b in self.best)], np.int64)
        rows = nodes[: len(starts)]
        # Conjugates undo: each start is turned from where it was captured to where the motion
        # begins.
        rows["turn"] = span.turn * ground.turn[starts].conj()
        rows["shift"] = span.place - rows["turn"] * ground.place[starts]
        rows["frame"] = starts
        rows["time"] = span.first_frame
        rows["least"] = ground.min_piece
        return len(starts)

    def _draw_starts(self) -> Ints:
        """Random starts; where showing frames has a cost, of every few the one that costs least."""
        sums = self.problem.terms.sums
        first = self.problem.span.first_frame
        spans = np.flatnonzero((sums.begin <= first) & (first < sums.end))
        if len(spans) == 0:
            return self._draw(self.problem.starts)
        drawn = np.array([self._draw(self.problem.starts) for _ in range(OFFERED)])
        stop = np.minimum(drawn + START, self.problem.ground.end[drawn])
        before = sums.before[spans]
        cost = (before[:, stop] - before[:, drawn]).sum(axis=0) / (stop - drawn)
        return drawn[np.argmin(cost, axis=0), np.arange(drawn.shape[1])]

    def _roots_behind(self, nodes: NDArray[np.void]) -> int:
        """Where half walks backwards begin: last frames of the leg, the best walks' last."""
        ground = self.problem.ground
        leg = self.leg
        goal = self.leg.goal
        fresh = np.array([leg.frame]) if leg.frame >= 0 else self._draw(self.ends)
        if leg.frame < 0 and len(self.likely):
            half = len(fresh) // 2
            fresh[:half] = self._draw(self.likely)[:half]
        # A last frame too near the begin of its clip leaves no room for a whole piece before it.
        fresh = fresh[fresh - ground.begin[fresh] >= ground.min_piece - 1]
        ends = np.array([*fresh, *(b.end for b in self.best)], np.int64)
        shown = ends - leg.lag
        turn = goal.turn * ground.turn[shown].conj()
        if leg.placed and goal.w_turn == 0:
            # Any facing will do, so every root tries another one.
            turn = np.exp(2j * np.pi * randoms(self.rng, len(ends)))
        at = ground.place if leg.joint < 0 else self.problem.terms.joint_place[leg.joint]
        rows = nodes[: len(ends)]
        rows["turn"] = turn
        rows["shift"] = goal.place - turn * at[shown]
        # Backwards a piece is left in the frame after the last one that it shows.
        rows["frame"] = ends + 1
        rows["time"] = leg.last + 1
        rows["least"] = ground.min_piece
        rows["cost"] = joint_cost(self.problem, leg, shown, turn, rows["shift"])
        rows["parent"] = rows["edge"] = -1
        return len(ends)

    def _draw(self, frames: Ints) -> Ints:
        n = max(self.size // FRESH, 8) if len(frames) else 0
        return frames[draws(self.rng, len(frames), n)]

    def _times(self, most: int) -> Ints:
        """Frames at which halves may meet, one drawn from each of equal parts of the leg, in random
        order.
        """
        first = self.leg.first + 1
        last = self.leg.last
        at = first + (np.arange(most) + randoms(self.rng, 1)) / most * (last - first)
        # In short legs parts fall together.
        times = np.unique(at.astype(np.int64))
        return times[np.argsort(randoms(self.rng, len(times)))]

    def _grid(self) -> Grid:
        """Cells as large as the walks so far miss their goal; while there are none, larger every
        time.
        """
        # Scores are squares of errors in units of 30 cm and 10 degrees, so their root is a
        # distance.
        miss = 6.0 * 4.0**self.blind
        if self.best:
            miss = float(np.sqrt(self.best[len(self.best) // 2].score))
        self.blind += not self.best
        angle = min(max(0.35 * miss, 0.09), 2.0)
        # Two cells at least, or a cell would be its own neighbour and show its pairs twice.
        return max(0.3 * miss, 0.1), max(int(2 * np.pi / angle), 2)

    def _select(self, halves: Halves, joins: NDArray[np.void]) -> None:
        """Score joined walks in full and keep the best of them and of those before."""
        problem = self.problem
        span = self.problem.until(self.leg.last)
        beam = _pack(self.beam, capacity(problem, span))
        scores, edges, found = _score_joined(
            problem.ground, problem.adjacency, problem.terms, span, halves, joins, beam
        )
        bred = list(self.best)
        known = {b.key for b in self.best}
        ends = halves[1]["frame"][found[:, 2]] - 1
        # Stable, so that equal scores come in the same order on every machine.
        for k in np.argsort(scores, kind="stable"):
            n, a, _, start = found[k].tolist()
            new = _Bred(float(scores[k]), start, a if self.beam else 0, edges[k, :n], int(ends[k]))
            if n and new.key not in known:
                known.add(new.key)
                bred.append(new)
        # Where joints are asked for too, few ends allow what comes next: then they must differ.
        alike = ALIKE if np.any(problem.terms.joint >= 0) else ELITES
        self.best = _differing(sorted(bred, key=lambda b: b.score), alike)


def cut_walk(problem: Problem, walk: Walk, last: int) -> Walk | None:
    """A walk up to frame `last`; None where it cannot end there.

    It cannot where its last piece would be too short and the one before has no more frames.

    Parameters
    ----------
    problem : Problem
        The graph and the terms.
    walk : Walk
        A walk that goes on at least as far.
    last : int
        Frame of the motion.

    Returns
    -------
    Walk or None
        Scored over the frames up to and with `last`.
    """
    score, _, used, short = lay_walk(problem, walk, problem.until(last))
    return Walk(score, walk.start, walk.steps[:used]) if short == 0 else None


def _last_entry(walk: Walk) -> int:
    return int(walk.steps[-1]["target"]) if len(walk.steps) else walk.start


def _same(a: Walk, b: Walk) -> bool:
    return a.start == b.start and len(a.steps) == len(b.steps) and bool((a.steps == b.steps).all())


def _leaves_after(problem: Problem, before: Walk, walk: Walk, frame: int) -> bool:
    """Whether the last piece of `before`, with which `walk` begins, is left after a frame of the
    motion.
    """
    count = len(before.steps)
    if len(walk.steps) == count:
        return True
    row = lay_walk(problem, before, problem.until(frame))[1][count]
    return bool(int(row["frames"]) + int(walk.steps[count]["source"]) - _last_entry(before) > frame)


def _differing(bred: Sequence[_Bred], alike: int) -> list[_Bred]:
    """The best walks, of which no more than `alike` end in much the same frame."""
    kept: list[_Bred] = []
    ends: Counter[int] = Counter()
    for b in bred:
        ends[b.end // SAME_END] += 1
        if ends[b.end // SAME_END] <= alike:
            kept.append(b)
        if len(kept) == ELITES:
            break
    return kept


def _pack(beam: list[Walk], room: int) -> tuple[Ints, Ints, NDArray[np.void]]:
    """Walks as compiled code takes them."""
    starts = np.array([w.start for w in beam], np.int64)
    lengths = np.array([len(w.steps) for w in beam], np.int64)
    steps = np.zeros((max(len(beam), 1), room), STEP)
    for row, walk in zip(steps, beam, strict=False):
        row[: len(walk.steps)] = walk.steps
    return starts, lengths, steps
