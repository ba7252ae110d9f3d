"""What a walk through the graph is scored by: constraints compiled to arrays, and their errors told
apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from motionloom.clips.clip_set import ClipSet
from motionloom.clips.nearest import nearest_frame, own_pose
from motionloom.clips.pieces import GraphWalk
from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.measures import ConstraintError
from motionloom.constraints.kinds.paths import follow
from motionloom.constraints.kinds.shown import Lookup, Shown
from motionloom.constraints.kinds.table import measure_errors
from motionloom.errors import InvalidInputError
from motionloom.graph.scoring.terms import (
    FRAME_SCALE,
    FREE,
    Price,
    compile_terms,
    joint_velocities,
    path_milestones,
)
from motionloom.graph.scoring.walk import Span, Terms
from motionloom.motion import GroundTransform
from motionloom.synthesis.costs import find_cost, path_cost
from motionloom.synthesis.measure import joint_finder


@dataclass(frozen=True, eq=False)
class Objective:
    """Constraints compiled for the search.

    Parameters
    ----------
    terms : Terms
        What is asked for, as arrays.
    span : Span
        The whole motion, laid down from its first body constraint; without one from where the first
        path begins, and without any from the origin, facing +Z.
    boundaries : tuple of int
        Last frames of the segments that the search may solve one after the other; the last is the
        motion's.
    poses : tuple of (int, int)
        Hard constraints: (frame of the motion, frame of the clip set that it must show), sorted.
    path_cost : callable, optional
        ``path_cost(path, start)`` is added to the score of a finished motion when motions are
        ranked.
    """

    terms: Terms
    span: Span
    boundaries: tuple[int, ...]
    poses: tuple[tuple[int, int], ...] = ()
    path_cost: Callable[[GraphWalk, GroundTransform], float] | None = None

    @property
    def n_frames(self) -> int:
        """Number of frames of the motion."""
        return self.span.last_frame


def compile_objective(
    clips: ClipSet,
    constraints: ConstraintSet,
    *,
    w_cost: float,
    shortest_segment: float = 1.0,
    connected: NDArray[np.bool_] | None = None,
    price: Price = FREE,
) -> Objective:
    """Compile constraints to arrays.

    Parameters
    ----------
    clips : ClipSet
        The clips that walks go through.
    constraints : ConstraintSet
        At the clips' frame rate. The first body constraint is met exactly, because the motion is
        laid down from it; when it leaves the facing open, the body faces the next body constraint
        there.
    w_cost : float
        Score of one transition at the threshold, beside 1 for 30 cm, 10 degrees or 10 frames.
    shortest_segment : float, seconds
        Constraints closer together than this are solved for at once.
    connected : bool array of shape (N,), optional
        Frames that stand for key poses; all when not given.
    price : Price
        Of travelling between body constraints.

    Returns
    -------
    Objective
        Errors count as in Arikan & Forsyth 2002, section 4.2.1.

    Raises
    ------
    InvalidInputError
        When the frame rates differ, or a label or cost does not exist.
    UnknownJointError
        For a joint that the clips' skeleton does not have.
    """
    if abs(constraints.fps / clips.fps - 1) > 1e-4:
        raise InvalidInputError(
            f"the constraints are at {constraints.fps:g} frames per second and the clips at"
            f" {clips.fps:g}; make the clip set at the constraints' rate"
        )
    terms = compile_terms(clips, constraints, price)
    anchor, stand = _anchor(constraints)
    place, turn = stand.as_complex
    total = constraints.n_frames
    span = Span(0, total, anchor, complex(place), complex(turn), -1, w_cost, 1 / FRAME_SCALE**2)
    ends = _boundaries(constraints, anchor, shortest_segment * clips.fps)
    poses = dict(_key_frames(clips, constraints, connected))
    # Where both are asked for, the clip's own frame counts.
    poses |= {
        constraints.frame_of(p.time): clips.frame_of_file(p.clip, p.frame)
        for p in constraints.poses
    }
    return Objective(
        terms, span, ends, tuple(sorted(poses.items())), _path_cost(clips, constraints)
    )


def _key_frames(
    clips: ClipSet, constraints: ConstraintSet, connected: NDArray[np.bool_] | None
) -> Iterator[tuple[int, int]]:
    """Frames of the motion with key poses, and the frames of the clips that are most like these."""
    for key in constraints.key_poses:
        frame = constraints.frame_of(key.time)
        yield frame, nearest_frame(clips, own_pose(clips, key), connected)


def _boundaries(constraints: ConstraintSet, anchor: int, apart: float) -> tuple[int, ...]:
    """Frames at which the body or a joint is asked for, then milestones of paths; no two nearer
    than `apart`.
    """
    last = constraints.n_frames - 1
    ends = [anchor]
    asked = sorted(constraints.frames_of(c)[0] for c in (*constraints.body, *constraints.joints))
    for frame in (
        *asked,
        *(f for path in constraints.paths for f in path_milestones(path, constraints)),
    ):
        if frame > anchor and last - frame >= apart and all(abs(frame - e) >= apart for e in ends):
            ends.append(frame)
    return (*sorted(ends[1:]), last)


def _path_cost(
    clips: ClipSet, constraints: ConstraintSet
) -> Callable[[GraphWalk, GroundTransform], float] | None:
    """The user's costs of whole paths, added up; None where there are none."""
    wishes = [(find_cost(c.name), c) for c in constraints.costs]
    wishes = [(cost, c) for cost, c in wishes if cost.kind == "path"]
    if not wishes:
        return None

    def total(path: GraphWalk, start: GroundTransform) -> float:
        frames = path.frames(clips)
        body = path.body(clips, start)
        return sum(
            c.weight * path_cost(cost, c.parameters, clips, frames, body) for cost, c in wishes
        )

    return total


def _anchor(constraints: ConstraintSet) -> tuple[int, GroundTransform]:
    """Frame from which the motion is laid down, and where the body then stands and faces."""
    if not constraints.body and constraints.paths:
        frames, way = min((follow(p, constraints) for p in constraints.paths), key=_begin)
        x, z = way.ground[0]
        return int(frames[0]), GroundTransform(float(way.angle[0]), float(x), float(z))
    if not constraints.body:
        return 0, GroundTransform()
    first = constraints.body[0]
    x, z = first.position
    ahead = 0.0
    if len(constraints.body) > 1:
        next_x, next_z = constraints.body[1].position
        ahead = float(np.arctan2(next_x - x, next_z - z))
    return constraints.frame_of(first.time), first.stand(ahead)


def _begin(way: tuple[NDArray[np.int64], GroundTransform]) -> int:
    return int(way[0][0])


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

    def place(frame: int, joint: int) -> NDArray[np.float64]:
        point: NDArray[np.float64] = laid[piece_of[frame]].apply(
            clips.positions[shown[frame], joint]
        )
        return point

    def velocity(frame: int, joint: int) -> NDArray[np.float64]:
        turn = replace(laid[piece_of[frame]], x=0.0, z=0.0)
        turned: NDArray[np.float64] = turn.apply(joint_velocities(clips, joint)[shown[frame]])
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
