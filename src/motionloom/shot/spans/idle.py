"""Waiting, alive."""

from __future__ import annotations

from motionloom.idle.generator import FittedIdle, IdleGeneratorOptions
from motionloom.idle.store import load_idle
from motionloom.idle.stream import IdleStreamOptions
from motionloom.shot.plan import PlannedSpan
from motionloom.shot.script import IdleSpan
from motionloom.shot.spans.asked import constraints_of
from motionloom.shot.stage import Piece, Place, Stage, State
from motionloom.synthesis.generator import Fitted


def make(
    stage: Stage, planned: PlannedSpan, state: State | Place, following: PlannedSpan | None
) -> Piece:
    """Wait where the body is; see `motionloom.shot.making.MAKERS`."""
    span = planned.span
    assert isinstance(span, IdleSpan)
    place = state if isinstance(state, Place) else state.place
    fitted: Fitted
    waiting = IdleStreamOptions(liveliness=span.liveliness)
    if span.model is None:
        fitted = stage.fitted("idle", IdleGeneratorOptions(waiting=waiting))
    else:
        model = load_idle(stage.file.beside(span.model))
        if not model.space.coordinates.skeleton.has_topology_of(stage.clips.clip_set.skeleton):
            raise stage.file.fault(
                (*planned.where, "model"), "this model is of another skeleton than the clips"
            )
        fitted = FittedIdle(stage.clips, model, (), waiting)
    asked = constraints_of(stage.file, planned, {}, body=[place.body()])
    return stage.piece(stage.synthesize(fitted, asked, planned), place)
