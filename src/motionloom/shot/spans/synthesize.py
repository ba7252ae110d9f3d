"""What a constraint file asks for."""

from __future__ import annotations

from dataclasses import replace

from motionloom.constraints import BodyConstraint, ConstraintSet
from motionloom.motion import GroundTransform
from motionloom.shot.plan.planned import PlannedSpan
from motionloom.shot.script.reading import fields_of
from motionloom.shot.script.span_fields import SynthesizeSpan
from motionloom.shot.spans.asked import constraints_of, fields_until
from motionloom.shot.stage import Piece, Place, Stage, State


def make(
    stage: Stage, planned: PlannedSpan, state: State | Place, following: PlannedSpan | None
) -> Piece:
    """Make what a file asks for; see `motionloom.shot.tracks.MAKERS`."""
    span = planned.of(SynthesizeSpan)
    place = state.place
    asked = asked_of(stage, planned, None if span.moved else place)
    fitted = stage.fitted(span.generator)
    made = stage.piece(fitted, stage.synthesize(fitted, asked, planned))
    if not span.moved:
        return replace(made, bound=True)
    begins = GroundTransform.of_body(stage.posed(made.motion[:1]).body[0])
    moved = made.motion.transformed(place.transform.compose(begins.inverse()))
    return replace(made, motion=moved, sources=(0.0, 0.0))


def asked_of(stage: Stage, planned: PlannedSpan, place: Place | None) -> ConstraintSet:
    """Constraints of the span, from its file or from the shot.

    Parameters
    ----------
    stage : Stage
        Of the character.
    planned : PlannedSpan
        The span.
    place : Place, optional
        Where it is to begin, unless it says where; None where the whole is moved there.

    Returns
    -------
    ConstraintSet

    Raises
    ------
    FormatError
        When they are not valid.
    """
    span = planned.of(SynthesizeSpan)
    given = span.constraints
    if span.file is not None:
        own = stage.file.constraints(planned.where, span.file)
        duration = (planned.n_frames - 1) / stage.fps
        given = fields_until(fields_of(own, {"duration", "fps"}), duration)
    body: list[BodyConstraint] = []
    if place is not None and not _says_where(given, stage.fps):
        body.append(place.body())
    return constraints_of(stage.file, planned, given, shot_avoid=place is not None, body=body)


def _says_where(given: dict[str, object], fps: float) -> bool:
    """Whether a place is asked for in the first frame, or a way that begins there."""
    rows = given.get("body")
    entries = rows if isinstance(rows, list) else []
    early = (one.get("time") for one in entries if isinstance(one, dict))
    starts = any(isinstance(time, (int, float)) and round(time * fps) == 0 for time in early)
    return starts or bool(given.get("paths")) or bool(given.get("speeds"))
