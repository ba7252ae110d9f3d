"""From walks to motions: paths with their errors, ranked, and only such that differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom.clips.clip_set import ClipSet
from motionloom.clips.pieces import GraphWalk, Piece
from motionloom.constraints import ConstraintSet
from motionloom.graph.scoring.objective import Objective, compute_errors
from motionloom.graph.searching.annealing import lay_walk
from motionloom.graph.searching.problem import Problem
from motionloom.graph.searching.results import Candidate, PoseError
from motionloom.graph.searching.state import Walk
from motionloom.motion import GroundTransform

#: Two motions are the same when more than `SAME_SHARE` of their frames show, at the same time,
#: frames of the clips that are fewer than `SAME_FRAMES` apart.
SAME_SHARE, SAME_FRAMES = 0.7, 10


@dataclass(frozen=True, eq=False)
class _Ranked:
    walk: Walk
    path: GraphWalk
    start: GroundTransform
    score: float


def make_candidates(
    clips: ClipSet,
    constraints: ConstraintSet,
    objective: Objective,
    problem: Problem,
    walks: Sequence[Walk],
    most: int,
) -> tuple[Candidate, ...]:
    """Best walks that differ, as motions with their errors, best first."""
    ranked = sorted((_rank(clips, objective, problem, w) for w in walks), key=lambda r: r.score)
    kept: list[tuple[_Ranked, NDArray[np.int64]]] = []
    for one in ranked:
        shown = one.path.frames(clips)
        if all(np.mean(np.abs(shown - other) < SAME_FRAMES) <= SAME_SHARE for _, other in kept):
            kept.append((one, shown))
        if len(kept) == most:
            break
    return tuple(
        Candidate(
            one.path,
            one.start,
            one.score,
            tuple(float(c) for c in one.walk.steps["cost"]),
            compute_errors(clips, constraints, one.path, one.start),
            tuple(_pose_error(shown, n, frame) for n, frame in objective.poses),
        )
        for one, shown in kept
    )


def _rank(clips: ClipSet, objective: Objective, problem: Problem, walk: Walk) -> _Ranked:
    path = make_path(clips, walk, objective.n_frames)
    row = lay_walk(problem, walk, problem.span)[1][0]
    start = GroundTransform(
        float(np.angle(row["turn"])), float(row["shift"].imag), float(row["shift"].real)
    )
    extra = objective.path_cost(path, start) if objective.path_cost is not None else 0.0
    return _Ranked(walk, path, start, float(walk.score) + extra)


def make_path(clips: ClipSet, walk: Walk, n_frames: int) -> GraphWalk:
    """The walk as pieces of clips."""
    entries = [walk.start, *(int(t) for t in walk.steps["target"])]
    exits = [int(s) for s in walk.steps["source"]]
    played = sum(b - a for a, b in zip(entries, exits, strict=False))
    exits.append(entries[-1] + n_frames - played)
    pieces = []
    for a, b in zip(entries, exits, strict=True):
        clip = int(clips.clip_of[a])
        first = int(clips.starts[clip])
        pieces.append(Piece(clip, a - first, b - first))
    return GraphWalk(tuple(pieces))


def _pose_error(shown: NDArray[np.int64], n: int, frame: int) -> PoseError:
    """How far in time a motion is from showing `frame` in its frame n."""
    when = np.flatnonzero(shown == frame)
    off = None if len(when) == 0 else int(when[np.argmin(np.abs(when - n))] - n)
    return PoseError(n, int(frame), off)
