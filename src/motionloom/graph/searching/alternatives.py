"""From walks to motions: paths with their errors, ranked, and only such that differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.clips.clip_set import ClipSet
from motionloom.clips.pieces import GraphWalk, Piece
from motionloom.clips.rates import joint_velocities
from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.measures import ConstraintError
from motionloom.constraints.kinds.shown import Lookup, Shown
from motionloom.constraints.kinds.table import measure_errors
from motionloom.graph.scoring.terms import Objective
from motionloom.graph.searching.annealing import lay_walk
from motionloom.graph.searching.problem import Problem
from motionloom.graph.searching.results import Candidate, PoseError
from motionloom.graph.searching.state import Walk
from motionloom.motion import GroundTransform
from motionloom.synthesis.measure import joint_finder
from motionloom.typing import Array, Ints

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
    """Best walks that differ, as motions with their errors, best first.

    Parameters
    ----------
    clips : ClipSet
        The clips that the walks go through.
    constraints : ConstraintSet
        What was asked for.
    objective : Objective
        The same, compiled; its cost of whole paths counts here.
    problem : Problem
        The graph, for laying walks down.
    walks : sequence of Walk
        Complete walks of the whole motion with their scores.
    most : int
        Candidates at most.

    Returns
    -------
    tuple of Candidate
        Any two show the same (see `SAME_FRAMES`) in at most `SAME_SHARE` of their frames.
    """
    ranked = sorted((_rank(clips, objective, problem, w) for w in walks), key=lambda r: r.score)
    kept: list[tuple[_Ranked, Ints]] = []
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
    """The walk as pieces of clips.

    Parameters
    ----------
    clips : ClipSet
        The clips that the walk goes through.
    walk : Walk
        Without edges beyond the end of the motion.
    n_frames : int
        Frames of the motion; they say where the last piece ends.

    Returns
    -------
    GraphWalk
        One piece more than the walk has edges; frames are counted within the clips.
    """
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


def compute_errors(
    clips: ClipSet, constraints: ConstraintSet, path: GraphWalk, start: GroundTransform
) -> tuple[ConstraintError, ...]:
    """Errors of a path at every constraint.

    Body constraints come first, each kind in the constraint set's order.

    Parameters
    ----------
    clips : ClipSet
        The clips that the path is through.
    constraints : ConstraintSet
        What was asked for.
    path : GraphWalk
        A path of ``constraints.n_frames`` frames.
    start : GroundTransform
        Transform of its first piece.

    Returns
    -------
    tuple of ConstraintError
        Of the pieces as laid down, before seams are joined.
    """
    shown = path.frames(clips)
    laid = path.transforms(clips, start)
    piece_of = np.repeat(np.arange(len(path.pieces)), [p.n_frames for p in path.pieces])

    def place(frame: int, joint: int) -> Array:
        point: Array = laid[piece_of[frame]].apply(clips.positions[shown[frame], joint])
        return point

    def velocity(frame: int, joint: int) -> Array:
        turn = replace(laid[piece_of[frame]], x=0.0, z=0.0)
        turned: Array = turn.apply(joint_velocities(clips, joint)[shown[frame]])
        return turned

    return measure_errors(
        Shown(
            constraints=constraints,
            lookup=Lookup(joint_finder(clips.skeleton, clips.roles)),
            body=path.body(clips, start),
            place=place,
            velocity=velocity,
        )
    )


def _pose_error(shown: Ints, n: int, frame: int) -> PoseError:
    """How far in time a motion is from showing `frame` in its frame n."""
    when = np.flatnonzero(shown == frame)
    off = None if len(when) == 0 else int(when[np.argmin(np.abs(when - n))] - n)
    return PoseError(n, int(frame), off)
