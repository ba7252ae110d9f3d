"""A motion of a motion model, with joints where they are wanted."""

from __future__ import annotations

from dataclasses import replace

from motionloom.constraints.kinds.table import refuse_unhonoured
from motionloom.models.generator import FittedModel, fitted_model
from motionloom.motion import GroundTransform
from motionloom.shot.plan.planned import PlannedSpan
from motionloom.shot.script.span_fields import EditSpan
from motionloom.shot.spans.asked import constraints_of
from motionloom.shot.stage import Piece, Place, Stage, State
from motionloom.spaces.motion_space import load_motion_space
from motionloom.synthesis.measure import check_names


def make(
    stage: Stage, planned: PlannedSpan, state: State | Place, following: PlannedSpan | None
) -> Piece:
    """Show a model's motion; see `motionloom.shot.tracks.MAKERS`."""
    span = planned.of(EditSpan)
    fitted = fitted_of(stage, planned)
    place = state.place
    begins_at = [] if span.constraints.get("body") else [place.body()]
    asked = constraints_of(stage.file, planned, span.constraints, body=begins_at)
    made = stage.piece(fitted, stage.synthesize(fitted, asked, planned))
    if asked.joints or not begins_at:
        return replace(made, bound=True)
    begins = GroundTransform.of_body(stage.posed(made.motion[:1]).body[0])
    moved = made.motion.transformed(place.transform.compose(begins.inverse()))
    return replace(made, motion=moved, sources=(0.0, 0.0))


def check(stage: Stage, planned: PlannedSpan) -> None:
    """Refuse what the model of a span cannot do.

    Raises
    ------
    MotionloomError
        When the model is of another skeleton, its takes are much longer or shorter than the span,
        or it cannot honour a constraint.
    """
    span = planned.of(EditSpan)
    fitted = fitted_of(stage, planned)
    asked = constraints_of(stage.file, planned, span.constraints)
    fitted.check_duration(asked.duration)
    refuse_unhonoured(asked, "a motion model", fitted.honours)
    check_names(asked, fitted.clips.clip_set)


def fitted_of(stage: Stage, planned: PlannedSpan) -> FittedModel:
    """The model of a span.

    Raises
    ------
    FormatError
        When it is of another skeleton than the clips; with the line.
    """
    span = planned.of(EditSpan)
    fitted = fitted_model(load_motion_space(stage.file.beside(span.model)))
    own = stage.clips.clip_set.skeleton
    if not fitted.clips.clip_set.skeleton.has_topology_of(own):
        raise stage.file.fault(
            (*planned.where, "model"), "this model is of another skeleton than the clips"
        )
    return fitted
