"""Spans that show what is given: a clip, a motion of a model, what a constraint file asks for."""

from __future__ import annotations

from dataclasses import replace

from motionloom.analysis.contacts import FootContacts
from motionloom.constraints import BodyConstraint, ConstraintSet
from motionloom.constraints.kinds.table import refuse_unhonoured
from motionloom.errors import UnknownNameError
from motionloom.io.field_path import Path as FieldPath
from motionloom.models.generator import FittedModel, fitted_model
from motionloom.motion import GroundTransform
from motionloom.shot.plan.planned import PlannedSpan
from motionloom.shot.script.reading import fields_of
from motionloom.shot.script.span_fields import ClipSpan, EditSpan, SynthesizeSpan
from motionloom.shot.spans._asked import constraints_of, fields_until
from motionloom.shot.stage import Piece, Place, Stage, State
from motionloom.spaces.motion_space import load_motion_space
from motionloom.synthesis.measure import check_names


def make_clip(
    stage: Stage, planned: PlannedSpan, state: State | Place, following: PlannedSpan | None
) -> Piece:
    """Show a clip from where the body is; see `motionloom.shot._tracks.MAKERS`."""
    clip, first, stop = part_of(stage, planned)
    clips = stage.clips.clip_set
    motion = clips.motions[clip][first:stop]
    own = GroundTransform.of_body(clips.body[int(clips.starts[clip]) + first])
    motion = motion.transformed(state.place.transform.compose(own.inverse()))
    captured = stage.clips.contacts[clip]
    contacts = FootContacts(captured.soles, captured.down[first:stop], captured.ground)
    return Piece(motion=motion, contacts=contacts)


def part_of(stage: Stage, planned: PlannedSpan) -> tuple[int, int, int]:
    """The clip of a span, its first frame there and the one behind its last.

    Raises
    ------
    FormatError
        When there is no such clip, or it is shorter than the span; with the line.
    """
    span = planned.of(ClipSpan)
    first, stop = frames_of_clip(stage, span)
    clips = stage.clips.clip_set
    clip = clips.names.index(span.clip)
    if stop - first == planned.n_frames - 1:
        # Its ends were rounded apart: what is beside it in the clip fills the frame.
        last = clips.motions[clip].n_frames
        stop, first = (stop + 1, first) if stop < last else (stop, max(first - 1, 0))
    stop = min(stop, first + planned.n_frames)
    if stop - first < planned.n_frames:
        raise stage.file.fault(
            planned.where,
            f"{planned.name} is to last {planned.n_frames / stage.fps:.2f} s, and its part of the"
            f" clip lasts {(stop - first) / stage.fps:.2f} s; end it sooner",
        )
    return clip, first, stop


def _where(stage: Stage, span: ClipSpan) -> FieldPath | None:
    """Path of a span in the file; None for one that is not as the file has it."""
    for who, track in stage.file.shot.tracks.items():
        for i, one in enumerate(track):
            if one is span:
                return ("tracks", who, i)
    return None


def frames_of_clip(stage: Stage, span: ClipSpan) -> tuple[int, int]:
    """First frame of a clip's part, and the one behind its last, in the clip.

    Raises
    ------
    FormatError
        When there is no such clip, with the line.
    """
    clips = stage.clips.clip_set
    try:
        start = clips.frame_of_file(span.clip, _first_of_file(stage, span.clip))
    except UnknownNameError as error:
        where = _where(stage, span)
        if where is None:
            raise
        raise stage.file.fault((*where, "clip"), str(error)) from None
    clip = int(clips.clip_of[start])
    n = clips.motions[clip].n_frames
    first = min(round(span.first * stage.fps), n - 2)
    last = n - 1 if span.last is None else min(round(span.last * stage.fps), n - 1)
    return first, max(last, first + 1) + 1


def _first_of_file(stage: Stage, name: str) -> int:
    """Frame of a clip's file that its first frame shows."""
    clips = stage.clips.clip_set
    if name not in clips.names or not clips.origins:
        return 0
    return clips.origins[clips.names.index(name)][0]


def make_synthesize(
    stage: Stage, planned: PlannedSpan, state: State | Place, following: PlannedSpan | None
) -> Piece:
    """Make what a file asks for; see `motionloom.shot._tracks.MAKERS`."""
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


def make_edit(
    stage: Stage, planned: PlannedSpan, state: State | Place, following: PlannedSpan | None
) -> Piece:
    """Show a model's motion; see `motionloom.shot._tracks.MAKERS`."""
    span = planned.of(EditSpan)
    fitted = _fitted_of(stage, planned)
    place = state.place
    begins_at = [] if span.constraints.get("body") else [place.body()]
    asked = constraints_of(stage.file, planned, span.constraints, body=begins_at)
    made = stage.piece(fitted, stage.synthesize(fitted, asked, planned))
    if asked.joints or not begins_at:
        return replace(made, bound=True)
    begins = GroundTransform.of_body(stage.posed(made.motion[:1]).body[0])
    moved = made.motion.transformed(place.transform.compose(begins.inverse()))
    return replace(made, motion=moved, sources=(0.0, 0.0))


def check_edit(stage: Stage, planned: PlannedSpan) -> None:
    """Refuse what the model of a span cannot do.

    Raises
    ------
    MotionloomError
        When the model is of another skeleton, its takes are much longer or shorter than the span,
        or it cannot honour a constraint.
    """
    span = planned.of(EditSpan)
    fitted = _fitted_of(stage, planned)
    asked = constraints_of(stage.file, planned, span.constraints)
    fitted.check_duration(asked.duration)
    refuse_unhonoured(asked, "a motion model", fitted.honours)
    check_names(asked, fitted.clips.clip_set)


def _fitted_of(stage: Stage, planned: PlannedSpan) -> FittedModel:
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
