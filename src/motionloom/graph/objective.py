"""What a walk through the graph is scored by: constraints compiled to arrays, and their errors told apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from motionloom.constraints import ConstraintSet, check_joints
from motionloom.errors import InvalidInputError
from motionloom.graph.clips import ClipSet
from motionloom.graph.path import Path
from motionloom.graph.walk import Span, Terms
from motionloom.motion import GroundTransform
from motionloom.rotations import wrap_angle

#: Errors that cost the same: 30 cm, 10 degrees, 10 frames (Arikan & Forsyth 2002, section 4.2.1).
PLACE_SCALE, TURN_SCALE, FRAME_SCALE = 0.3, np.radians(10.0), 10.0


@dataclass(frozen=True)
class ConstraintError:
    """How far a path is from one constraint.

    Parameters
    ----------
    kind : str
        ``"body"`` or ``"joint"``.
    index : int
        Which entry of the constraint set's ``body`` or ``joints``.
    frame : int
        Frame of the path.
    position : float, metres
    facing : float or None, degrees
        Absolute error of the heading; None where none is asked for.
    """

    kind: str
    index: int
    frame: int
    position: float
    facing: float | None = None


@dataclass(frozen=True, eq=False)
class Objective:
    """Constraints compiled for the search.

    Parameters
    ----------
    terms : Terms
    span : Span
        The whole motion, laid down from its first body constraint (from the origin, facing +Z, without one).
    boundaries : tuple of int
        Last frames of the segments that the search may solve one after the other; the last is the motion's.
    poses : tuple of (int, int)
        Hard constraints: (frame of the motion, frame of the clip set that it must show), sorted.
    path_cost : callable, optional
        ``path_cost(path, start)`` is added to the score of a finished motion when motions are ranked.
    """

    terms: Terms
    span: Span
    boundaries: tuple[int, ...]
    poses: tuple[tuple[int, int], ...] = ()
    path_cost: Callable[[Path, GroundTransform], float] | None = None

    @property
    def n_frames(self) -> int:
        """Number of frames of the motion."""
        return self.span.last_frame


def compile_objective(
    clips: ClipSet, constraints: ConstraintSet, *, w_cost: float, shortest_segment: float = 1.0
) -> Objective:
    """Compile constraints to arrays.

    Parameters
    ----------
    clips : ClipSet
    constraints : ConstraintSet
        At the clips' frame rate. The first body constraint is met exactly, because the motion is laid down from it;
        when it leaves the facing open, the body faces the next body constraint there.
    w_cost : float
        Score of one splice at the threshold, beside 1 for 30 cm, 10 degrees or 10 frames.
    shortest_segment : float, seconds
        Constraints closer together than this are solved for at once.

    Raises
    ------
    InvalidInputError
        When the frame rates differ.
    UnknownJointError
        For a joint that the clips' skeleton does not have.
    """
    if abs(constraints.fps / clips.fps - 1) > 1e-4:
        raise InvalidInputError(
            f"the constraints are at {constraints.fps:g} frames per second and the clips at {clips.fps:g}; "
            "make the clip set at the constraints' rate"
        )
    joints = check_joints(constraints, clips.skeleton, clips.roles)
    rows = sorted(set(joints))
    entries = [(constraints.frame_of(b.time), -1, b.position, 0.0, b.facing, 1.0) for b in constraints.body[1:]] + [
        (constraints.frame_of(c.time), rows.index(j), (c.position[0], c.position[2]), c.position[1], None, c.weight)
        for c, j in zip(constraints.joints, joints, strict=True)
    ]
    entries.sort(key=lambda e: (e[0], e[1]))
    terms = Terms(
        frame=np.array([e[0] for e in entries], np.int64),
        joint=np.array([e[1] for e in entries], np.int64),
        at=np.array([complex(e[2][1], e[2][0]) for e in entries], complex),
        height=np.array([e[3] for e in entries], float),
        turn=np.exp(1j * np.radians([e[4] or 0.0 for e in entries])),
        w_place=np.array([e[5] / PLACE_SCALE**2 for e in entries], float),
        w_turn=np.array([0.0 if e[4] is None else e[5] / TURN_SCALE**2 for e in entries], float),
        joint_place=(clips.positions[:, rows, 2] + 1j * clips.positions[:, rows, 0]).T.copy(),
        joint_height=clips.positions[:, rows, 1].T.copy(),
    )
    anchor, place, facing = _anchor(constraints)
    total = constraints.n_frames
    span = Span(0, total, anchor, place, complex(np.exp(1j * facing)), -1, w_cost, 1 / FRAME_SCALE**2)
    ends: list[int] = []
    for frame in sorted({int(f) for f in terms.frame if f > anchor}):
        if frame - (ends[-1] if ends else anchor) >= shortest_segment * clips.fps:
            ends.append(frame)
    if ends and total - 1 - ends[-1] < shortest_segment * clips.fps:
        ends.pop()
    return Objective(terms, span, (*ends, total - 1))


def _anchor(constraints: ConstraintSet) -> tuple[int, complex, float]:
    """Frame, place and facing (radians) from which the motion is laid down."""
    if not constraints.body:
        return 0, 0j, 0.0
    first = constraints.body[0]
    x, z = first.position
    if first.facing is not None:
        facing = float(np.radians(first.facing))
    elif len(constraints.body) > 1:
        next_x, next_z = constraints.body[1].position
        facing = float(np.arctan2(next_x - x, next_z - z))
    else:
        facing = 0.0
    return constraints.frame_of(first.time), complex(z, x), facing


def compute_errors(
    clips: ClipSet, constraints: ConstraintSet, path: Path, start: GroundTransform
) -> tuple[ConstraintError, ...]:
    """Errors of a path at every constraint, body constraints first, each in the constraint set's order.

    Parameters
    ----------
    clips : ClipSet
    constraints : ConstraintSet
    path : Path
        A path of ``constraints.n_frames`` frames.
    start : GroundTransform
        Transform of its first piece.
    """
    body = path.body(clips, start)
    shown, laid = path.frames(clips), path.transforms(clips, start)
    piece_of = np.repeat(np.arange(len(path.pieces)), [p.n_frames for p in path.pieces])
    errors = []
    for i, wish in enumerate(constraints.body):
        frame = constraints.frame_of(wish.time)
        x, z, angle = body[frame]
        miss = float(np.hypot(x - wish.position[0], z - wish.position[1]))
        off = None if wish.facing is None else float(np.degrees(abs(wrap_angle(angle - np.radians(wish.facing)))))
        errors.append(ConstraintError("body", i, frame, miss, off))
    for i, (aim, joint) in enumerate(
        zip(constraints.joints, check_joints(constraints, clips.skeleton, clips.roles), strict=True)
    ):
        frame = constraints.frame_of(aim.time)
        there = laid[piece_of[frame]].apply(clips.positions[shown[frame], joint])
        errors.append(ConstraintError("joint", i, frame, float(np.linalg.norm(there - aim.position))))
    return tuple(errors)
