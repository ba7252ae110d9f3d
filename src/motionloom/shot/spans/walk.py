"""Walking and all else that the motion graph weaves."""

from __future__ import annotations

from dataclasses import replace

from motionloom.constraints import (
    BodyConstraint,
    ConstraintSet,
    PoseConstraint,
    StillConstraint,
    StyleConstraint,
)
from motionloom.constraints.kinds.speeds import STILL
from motionloom.shot.handover.onward import pose_to_go_on
from motionloom.shot.handover.stopping import stand_in_the_end
from motionloom.shot.plan import PlannedSpan, place_of
from motionloom.shot.script import WalkSpan
from motionloom.shot.spans.asked import constraints_of
from motionloom.shot.stage import Piece, Place, Stage, State, count_faults, state_of
from motionloom.synthesis.driver import Synthesis
from motionloom.synthesis.generator import Fitted

#: Spans before which a walk comes to a stand.
STANDING = ("idle",)
#: A walk that begins or ends standing stands for so long, seconds.
STAND = 0.3


def make(
    stage: Stage, planned: PlannedSpan, state: State | Place, following: PlannedSpan | None
) -> Piece:
    """Weave a span; see `motionloom.shot.tracks.MAKERS`."""
    span = planned.span
    assert isinstance(span, WalkSpan)
    begin = state.place
    duration = (planned.last - planned.first) / stage.fps
    body = [begin.body()]
    end = None
    if span.to is not None:
        position, facing = place_of(stage.file, (*planned.where, "to"), span.to, span.facing)
        body.append(BodyConstraint(time=duration, position=position, facing=facing))
        end = None if facing is None else Place(position, facing)
    stops = following is not None and following.kind in STANDING and duration > 2 * STAND
    still = (
        [StillConstraint.model_validate({"from": duration - STAND, "to": duration})]
        if stops
        else []
    )
    if isinstance(state, State) and state.stands and duration > 2 * STAND:
        still.append(StillConstraint.model_validate({"from": 0.0, "to": STAND}))
    style = styles_of(span, duration)
    asked = constraints_of(
        stage.file,
        planned,
        span.constraints,
        body=body,
        still=still,
        style=style,
    )
    made = _go_on(stage, planned, state, asked)
    piece = stage.piece(made, end, bound=bool(span.to is not None or span.constraints))
    if stops and not state_of(stage, piece).stands:
        piece = stand_in_the_end(stage, piece)
    return _with_own_stands_as_notes(piece, made, len(still))


def _go_on(
    stage: Stage, planned: PlannedSpan, state: State | Place, asked: ConstraintSet
) -> Synthesis:
    """The motion of a walk; who moves already goes on from there, where that has no more faults."""
    fitted = stage.fitted("graph")
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
