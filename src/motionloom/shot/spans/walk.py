"""Walking and all else that the motion graph weaves."""

from __future__ import annotations

from dataclasses import replace

from motionloom.constraints import BodyConstraint, StillConstraint, StyleConstraint
from motionloom.constraints.kinds.still import STILL
from motionloom.shot.handover.stopping import stand_in_the_end
from motionloom.shot.plan import PlannedSpan, place_of
from motionloom.shot.script import WalkSpan
from motionloom.shot.spans.asked import constraints_of
from motionloom.shot.stage import Piece, Place, Stage, State, state_of
from motionloom.synthesis.driver import Synthesis

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
    made = stage.synthesize(stage.fitted("graph"), asked, planned)
    piece = stage.piece(made, end, bound=bool(span.to is not None or span.constraints))
    if stops and not state_of(stage, piece).stands:
        piece = stand_in_the_end(stage, piece)
    return _with_own_stands_as_notes(piece, made, len(still))


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
