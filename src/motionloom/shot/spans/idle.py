"""Waiting, alive."""

from __future__ import annotations

from motionloom.idle.generator import IdleGeneratorOptions
from motionloom.idle.stream import IdleStreamOptions
from motionloom.shot.plan import PlannedSpan
from motionloom.shot.script import IdleSpan
from motionloom.shot.spans.asked import constraints_of
from motionloom.shot.stage import Piece, Place, Stage, State
from motionloom.synthesis.generator import find_generator


def make(
    stage: Stage, planned: PlannedSpan, state: State | Place, following: PlannedSpan | None
) -> Piece:
    """Wait where the body is; see `motionloom.shot.making.MAKERS`."""
    span = planned.span
    assert isinstance(span, IdleSpan)
    place = state if isinstance(state, Place) else state.place
    fitted = stage.fitted("idle")
    if span.liveliness != 1.0:
        options = IdleGeneratorOptions(waiting=IdleStreamOptions(liveliness=span.liveliness))
        fitted = find_generator("idle").fit(stage.clips, options, stage.progress)
    asked = constraints_of(stage.file, planned, {}, body=[place.body()])
    return stage.piece(stage.synthesize(fitted, asked, planned), place)
