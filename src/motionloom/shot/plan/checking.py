"""Names in a shot looked up before any work: marks, joints, clips, models."""

from __future__ import annotations

from collections.abc import Mapping

from motionloom.constraints import ConstraintSet, check_joints
from motionloom.constraints.kinds.table import refuse_unhonoured
from motionloom.errors import InvalidInputError
from motionloom.idle.store import load_idle
from motionloom.shot.layers import constraint_of
from motionloom.shot.plan.marks import place_of
from motionloom.shot.plan.planned import Plan, PlannedSpan
from motionloom.shot.script.span_fields import (
    BetweenSpan,
    ClipSpan,
    EditSpan,
    GaitSpan,
    IdleSpan,
    ReachSpan,
    SynthesizeSpan,
    WalkSpan,
)
from motionloom.shot.spans import between, clip, edit, gait
from motionloom.shot.spans.asked import constraints_of
from motionloom.shot.spans.synthesize import asked_of
from motionloom.shot.spans.walk import styles_of
from motionloom.shot.stage import Place, Stage
from motionloom.synthesis.generator import find_generator
from motionloom.synthesis.measure import check_names


def check_shot(plan: Plan, stages: Mapping[str, Stage]) -> None:
    """Refuse a shot that names what there is not.

    Parameters
    ----------
    plan : Plan
        What happens when.
    stages : mapping of str to Stage
        By character: their clips know joints and labels.

    Raises
    ------
    FormatError
        With the line; the nearest names are listed.
    """
    for who, track in plan.tracks.items():
        for planned in (*track, *plan.layers[who]):
            try:
                _check(stages[who], planned)
            except InvalidInputError as error:
                if getattr(error, "path", None) is not None:
                    raise
                raise plan.file.fault(planned.where, f"{planned.name}: {error}") from None


def _check(stage: Stage, planned: PlannedSpan) -> None:
    span = planned.span
    file = stage.file
    if isinstance(span, WalkSpan):
        if span.to is not None:
            place_of(file, (*planned.where, "to"), span.to)
        style = styles_of(span, (planned.last - planned.first) / stage.fps)
        asked = constraints_of(file, planned, span.constraints, style=style)
        refuse_unhonoured(asked, "a walk", find_generator("graph").honours)
        check_names(asked, stage.clips.clip_set)
    elif isinstance(span, SynthesizeSpan):
        asked = asked_of(stage, planned, None if span.moved else Place((0.0, 0.0), 0.0))
        refuse_unhonoured(asked, span.generator, find_generator(span.generator).honours)
        check_names(asked, stage.clips.clip_set)
    elif isinstance(span, GaitSpan):
        for i, place in enumerate(span.path):
            place_of(file, (*planned.where, "path", i), place)
    elif isinstance(span, ClipSpan):
        clip.part_of(stage, planned)
    elif isinstance(span, BetweenSpan):
        between.check(stage, planned)
    elif isinstance(span, ReachSpan):
        own = constraint_of(stage, planned)
        asked = ConstraintSet(duration=3600.0, fps=stage.fps, joints=(own,))
        # Hands and eyes are brought to a point by the body that there is in the end.
        last = stage.clips.clip_set if stage.body is None else stage.body.target
        check_joints(asked, last.skeleton, last.roles)
    _check_model(stage, planned)
    if isinstance(span, EditSpan):
        edit.fitted_of(stage, planned)
        constraints_of(file, planned, span.constraints)
    elif isinstance(span, GaitSpan) and span.model is not None:
        gait.check_model(stage, span)
    elif isinstance(span, IdleSpan) and span.model is not None:
        load_idle(file.beside(span.model))


def _check_model(stage: Stage, planned: PlannedSpan) -> None:
    span = planned.span
    if not isinstance(span, (GaitSpan, IdleSpan, EditSpan)) or span.model is None:
        return
    model = stage.file.beside(span.model)
    if not model.is_file():
        raise stage.file.fault(
            (*planned.where, "model"),
            f"{model}: no such file; names are relative to the shot file's folder",
        )
