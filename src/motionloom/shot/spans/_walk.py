"""Walking and all else that the motion graph weaves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom import rotations as rot
from motionloom.clips.clip_set import ClipSet
from motionloom.constraints import (
    BodyConstraint,
    ConstraintSet,
    PoseConstraint,
    StillConstraint,
    StyleConstraint,
)
from motionloom.constraints.kinds.speeds import STILL
from motionloom.posed_motion import PosedMotion
from motionloom.shot._handover.stopping import stand_in_the_end
from motionloom.shot.plan.planned import PlannedSpan, place_of
from motionloom.shot.script.span_fields import WalkSpan
from motionloom.shot.spans._asked import constraints_of
from motionloom.shot.stage import Piece, Place, Stage, State, count_faults, state_of
from motionloom.synthesis.driver import Synthesis
from motionloom.synthesis.generator import Fitted
from motionloom.typing import Array, Bools

#: Spans before which a walk comes to a stand.
STANDING = ("idle",)
#: A walk that begins or ends standing stands for so long, seconds.
STAND = 0.3


def make(stage: Stage, planned: PlannedSpan, state: State | Place) -> Piece:
    """Weave a span; see `motionloom.shot.making.MAKERS`."""
    span = planned.of(WalkSpan)
    begin = state.place
    duration = (planned.last - planned.first) / stage.fps
    body = [begin.body()]
    end = None
    if span.to is not None:
        position, facing = place_of(stage.file, (*planned.where, "to"), span.to, span.facing)
        body.append(BodyConstraint(time=duration, position=position, facing=facing))
        end = None if facing is None else Place(position, facing)
    stops = planned.following in STANDING and duration > 2 * STAND
    stands = [(duration - STAND, duration)] * stops
    if isinstance(state, State) and state.stands and duration > 2 * STAND:
        stands.append((0.0, STAND))
    still = [StillConstraint.model_validate({"from": a, "to": b}) for a, b in stands]
    style = styles_of(span, duration)
    asked = constraints_of(
        stage.file, planned, span.constraints, body=body, still=still, style=style
    )
    fitted = stage.fitted("graph")
    made = _go_on(stage, fitted, planned, state, asked)
    piece = stage.piece(fitted, made, end, bound=bool(span.to is not None or span.constraints))
    if stops and not state_of(stage, piece).stands:
        piece = stand_in_the_end(stage, piece)
    return _with_own_stands_as_notes(piece, made, len(still))


def _go_on(
    stage: Stage, fitted: Fitted, planned: PlannedSpan, state: State | Place, asked: ConstraintSet
) -> Synthesis:
    """The motion of a walk; who moves already goes on from there, where that has no more faults."""
    poses = _poses_to_go_on(fitted, state)
    if not poses:
        return stage.synthesize(fitted, asked, planned)
    onward = asked.model_copy(update={"poses": (*poses, *asked.poses)})
    made = stage.synthesize(fitted, onward, planned)
    if not count_faults(made):
        return made
    plain = stage.synthesize(fitted, asked, planned)
    # Where it does not go on from there, the join is bad as a rule.
    return plain if count_faults(plain) + 1 < count_faults(made) else made


def _poses_to_go_on(fitted: Fitted, state: State | Place) -> tuple[PoseConstraint, ...]:
    """The pose to begin with; none for who stands."""
    from motionloom.graph.generator import FittedGraph  # with all that compiles

    if not isinstance(state, State) or state.stands or not isinstance(fitted, FittedGraph):
        return ()
    graph = fitted.graph
    pose = pose_to_go_on(graph.clips, state.tail, graph.core)
    return () if pose is None else (pose,)


def styles_of(span: WalkSpan, duration: float) -> tuple[StyleConstraint, ...]:
    """The style of a walk, over all of its duration in seconds."""
    if span.style is None:
        return ()
    facts = {"from": 0.0, "to": duration, "label": span.style}
    return (StyleConstraint.model_validate(facts),)


def _with_own_stands_as_notes(piece: Piece, made: Synthesis, count: int) -> Piece:
    """A walk need not stand where only the shot, not its author, would have it.

    Parameters
    ----------
    piece : Piece
        Of the walk.
    made : Synthesis
        What it is of.
    count : int
        The shot's own stands; they come before the author's.
    """
    missed = made.report.missed
    own = [one.text for one in missed if one.kind == STILL.item and one.index < count]
    kept = tuple(text for text in piece.problems if text not in own)
    return replace(piece, problems=kept, notes=(*piece.notes, *own))


#: Time between the two poses that are compared, seconds: together they say which way it goes.
APART = 0.2
#: Decimals of what is gone on from: about half a degree.
DECIMALS = 2


def poses_left(tail: PosedMotion) -> Array:
    """Poses that say where a motion goes on from.

    Parameters
    ----------
    tail : PosedMotion
        Its last frames.

    Returns
    -------
    array of shape (2, J, 4)
        Rotations a moment ago, and in the last frame; rounded, so that what goes on from them stays
        as it is when they change by a hair.
    """
    rotations = tail.motion.rotations
    poses: Array = rotations[[max(-len(rotations), -1 - _ago(tail.fps)), -1]]
    return poses.round(DECIMALS) + 0.0  # no negative zeros


def _ago(fps: float) -> int:
    return max(1, round(APART * fps))


def pose_to_go_on(clips: ClipSet, tail: PosedMotion, among: Bools) -> PoseConstraint | None:
    """The frame that is most like the last one of a motion, as a pose to begin with.

    Parameters
    ----------
    clips : ClipSet
        Clips with N frames.
    tail : PosedMotion
        What goes before.
    among : bool array of shape (N,)
        Frames from which the clips go on.

    Returns
    -------
    PoseConstraint or None
        None where no clip is long enough.
    """
    ago = _ago(clips.fps)
    free = set(clips.skeleton.chain(clips.motions[0].root_joint))
    joints = [j for j in range(clips.skeleton.n_joints) if j not in free]
    then, now = poses_left(tail)[:, joints]
    costs = np.full(len(among), np.inf)
    for motion, start in zip(clips.motions, clips.starts, strict=False):
        turned = motion.rotations[:, joints]
        own = np.mean(rot.angle_between(turned[ago:], now) ** 2, axis=1)
        own += np.mean(rot.angle_between(turned[: len(own)], then) ** 2, axis=1)
        costs[start + ago : start + motion.n_frames] = own
    costs[~among] = np.inf
    best = int(np.argmin(costs))
    if not np.isfinite(costs[best]):
        return None
    clip = int(np.searchsorted(clips.starts, best, side="right")) - 1
    first, rate = clips.origins[clip] if clips.origins else (0, clips.fps)
    frame = first + round((best - int(clips.starts[clip])) * rate / clips.fps)
    return PoseConstraint(time=0.0, clip=clips.names[clip], frame=frame)
