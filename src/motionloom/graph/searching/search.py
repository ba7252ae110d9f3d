"""Search a motion graph for motions that meet constraints: randomized, hierarchical, anytime,
resumable.

From walks to motions: paths with their errors, ranked, and only such that differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace

import numpy as np

from motionloom.clips.clip_set import ClipSet
from motionloom.clips.pieces import GraphWalk, Piece
from motionloom.clips.rates import joint_velocities
from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.measures import ConstraintError, Lookup, Shown
from motionloom.constraints.kinds.table import measure_errors
from motionloom.errors import SynthesisError
from motionloom.graph.scoring.terms import Objective, compile_objective
from motionloom.graph.searching._parallel import advance, advance_in_processes
from motionloom.graph.searching.annealing import lay_walk
from motionloom.graph.searching.problem import Problem, make_problem
from motionloom.graph.searching.reach import within_reach
from motionloom.graph.searching.results import Candidate, PoseError, SearchOptions, SearchResult
from motionloom.graph.searching.state import Stream, Walk, new_state
from motionloom.graph.searching.state_file import load_if_there, save_state
from motionloom.graph.transitions.build import MotionGraph
from motionloom.motion import GroundTransform
from motionloom.progress import Progress, silent
from motionloom.synthesis.measure import joint_finder
from motionloom.threads import one_thread
from motionloom.typing import Array, Ints

#: Two motions are the same when more than `SAME_SHARE` of their frames show, at the same time,
#: frames of the clips that are fewer than `SAME_FRAMES` apart.
SAME_SHARE, SAME_FRAMES = 0.7, 10

__all__ = ["Candidate", "SearchOptions", "SearchResult", "find_out_of_reach", "search_motion"]
#: Seconds between writing the state while a search goes on.
SAVE_EVERY = 10.0


@one_thread()
def search_motion(
    graph: MotionGraph,
    constraints: ConstraintSet,
    options: SearchOptions | None = None,
    *,
    state: list[Stream] | None = None,
    progress: Progress = silent,
) -> SearchResult:
    """Search for motions that meet constraints.

    Parameters
    ----------
    graph : MotionGraph
        The graph that is searched.
    constraints : ConstraintSet
        What is asked for, at the frame rate of the clips.
    options : SearchOptions, optional
        How to search, and for how long.
    state : list of Stream, optional
        Go on from here (with the same graph, constraints and options except the budget). It is not
        changed. The budget counts from the beginning of the first search, so a larger one is needed
        to do more. The same holds for a state in ``options.state_file``.
    progress : Progress
        Called between the steps of the search; Ctrl-C, or a KeyboardInterrupt that it raises, ends
        the search with the best found so far.

    Returns
    -------
    SearchResult
        At least one motion, and the state to go on from.

    Raises
    ------
    InvalidInputError
        When the frame rates differ, or a joint, label or cost is not known.
    FormatError
        When the state file belongs to another graph, other constraints or other options.
    SynthesisError
        When no walk through the graph has as many frames as are asked for, or none was found before
        Ctrl-C.
    """
    options = options or SearchOptions()
    objective = _objective_of(graph, constraints, options)
    problem, out_of_reach = within_reach(make_problem(graph, objective))
    if state is None and options.state_file is not None:
        state = load_if_there(options.state_file, problem, options)
    current = deepcopy(state) if state is not None else new_state(options.seed, options.restarts)
    began = written = options.clock.passed()

    def save() -> None:
        nonlocal written
        if options.state_file is not None:
            save_state(options.state_file, current, problem, options)
            written = options.clock.passed()

    def report(stage: str, done: float, total: float) -> None:
        progress(stage, done, total)
        if options.clock.passed() - written > SAVE_EVERY:
            save()

    if options.workers > 1 and len(current) > 1:
        reason = advance_in_processes(problem, options, current, progress, save)
    else:
        reason = advance(problem, options, current, report)
    save()
    walks = [walk for stream in current for walk in stream.minima]
    found = _make_candidates(
        graph.clips, constraints, objective, problem, walks, options.alternatives
    )
    if not found and reason == "interrupted":
        raise SynthesisError(
            "the search was stopped before it had found a motion; let it run a little longer"
        )
    if not found:
        raise SynthesisError(
            f"no walk through the motion graph has {constraints.n_frames} frames; add clips, raise"
            " tau or ask for less"
        )
    seconds = options.clock.passed() - began
    iterations = sum(stream.iterations for stream in current)
    return SearchResult(found, iterations, seconds, reason, current, out_of_reach)


def find_out_of_reach(
    graph: MotionGraph, constraints: ConstraintSet, options: SearchOptions | None = None
) -> tuple[PoseError, ...]:
    """Hard constraints that no walk through the graph meets, without searching.

    Parameters
    ----------
    graph : MotionGraph
        The graph whose walks are meant.
    constraints : ConstraintSet
        What is asked for, at the frame rate of the clips.
    options : SearchOptions, optional
        Makes no difference to what is found.

    Returns
    -------
    tuple of PoseError
        Ordered by time. A pose more than `HORIZON` frames away from the one before counts as never.
    """
    objective = _objective_of(graph, constraints, options or SearchOptions())
    return within_reach(make_problem(graph, objective))[1]


def _objective_of(
    graph: MotionGraph, constraints: ConstraintSet, options: SearchOptions
) -> Objective:
    return compile_objective(
        graph.clips,
        constraints,
        w_cost=options.w_cost,
        connected=graph.core,
        price=options.price,
        toll=graph.toll,
    )


def _make_candidates(
    clips: ClipSet,
    constraints: ConstraintSet,
    objective: Objective,
    problem: Problem,
    walks: Sequence[Walk],
    most: int,
) -> tuple[Candidate, ...]:
    """The best walks that differ, as motions with their errors, best first: any two show the same
    (see `SAME_FRAMES`) in at most `SAME_SHARE` of their frames.
    """
    ranked = sorted((_rank(clips, objective, problem, w) for w in walks), key=lambda c: c.score)
    kept: list[tuple[Candidate, Ints]] = []
    for one in ranked:
        shown = one.path.frames(clips)
        if all(np.mean(np.abs(shown - other) < SAME_FRAMES) <= SAME_SHARE for _, other in kept):
            kept.append((one, shown))
        if len(kept) == most:
            break
    return tuple(
        replace(
            one,
            errors=compute_errors(clips, constraints, one.path, one.start),
            poses=tuple(_pose_error(shown, n, frame) for n, frame in objective.poses),
        )
        for one, shown in kept
    )


def _rank(clips: ClipSet, objective: Objective, problem: Problem, walk: Walk) -> Candidate:
    """A walk as a motion with its score; errors are not measured yet."""
    path = _make_path(clips, walk, objective.n_frames)
    row = lay_walk(problem, walk, problem.span)[1][0]
    start = GroundTransform(
        float(np.angle(row["turn"])), float(row["shift"].imag), float(row["shift"].real)
    )
    extra = objective.path_cost(path, start) if objective.path_cost is not None else 0.0
    costs = tuple(float(c) for c in walk.steps["cost"])
    return Candidate(path, start, float(walk.score) + extra, costs, ())


def _make_path(clips: ClipSet, walk: Walk, n_frames: int) -> GraphWalk:
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
        return laid[piece_of[frame]].apply(clips.positions[shown[frame], joint])

    def velocity(frame: int, joint: int) -> Array:
        turn = replace(laid[piece_of[frame]], x=0.0, z=0.0)
        return turn.apply(joint_velocities(clips, joint)[shown[frame]])

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
