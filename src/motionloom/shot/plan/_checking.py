"""Names in a shot looked up before any work: marks, joints, clips, models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from motionloom.constraints import ConstraintSet, check_joints
from motionloom.constraints.joints import find_joints
from motionloom.constraints.kinds.table import refuse_unhonoured
from motionloom.errors import InvalidInputError, SynthesisError
from motionloom.roles import Roles
from motionloom.shot.layers import constraint_of
from motionloom.shot.plan.planned import Plan, PlannedSpan, place_of
from motionloom.shot.script.span_fields import (
    GAZE,
    EditSpan,
    GaitSpan,
    IdleSpan,
    ReachSpan,
    SynthesizeSpan,
    WalkSpan,
)
from motionloom.shot.spans import _between as between
from motionloom.shot.spans import _gait as gait
from motionloom.shot.spans import idle
from motionloom.shot.spans._asked import constraints_of
from motionloom.shot.spans._walk import styles_of
from motionloom.shot.spans.given import asked_of, check_edit, part_of
from motionloom.shot.stage import Place, Stage
from motionloom.skeleton import Skeleton
from motionloom.synthesis.generator import find_generator
from motionloom.synthesis.measure import check_names
from motionloom.threads import one_thread


@one_thread()
def check_shot(plan: Plan, stages: Mapping[str, Stage]) -> None:
    """Refuse a shot that names what there is not, or has spans that cannot be made.

    What a method refuses before it searches is refused here: all commands begin with this.

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
                _check_model(stages[who], planned)
                if planned.kind in _CHECKS:
                    _CHECKS[planned.kind](stages[who], planned)
            except (InvalidInputError, SynthesisError) as error:
                if getattr(error, "path", None) is not None:
                    raise
                raise plan.file.fault(planned.where, f"{planned.name}: {error}") from None
        _check_apart(stages[who], plan.layers[who])


def _check_apart(stage: Stage, layers: Sequence[PlannedSpan]) -> None:
    """Refuse reaches that bring one joint to two points at the same time."""
    reaches = [one for one in layers if isinstance(one.span, ReachSpan)]
    for before, after in combinations(reaches, 2):
        if _joint_of(stage, before) != _joint_of(stage, after):
            continue
        start = max(before.first, after.first)
        if start <= min(before.last, after.last):
            raise stage.file.fault(
                after.where,
                f"{after.name} and {before.name} bring one joint to a point at"
                f" {start / stage.fps:.2f} s; expected one of them to begin after the other"
                " ends",
            )


def _joint_of(stage: Stage, reach: PlannedSpan) -> tuple[bool, int]:
    """What a reach moves: whether it is the gaze, and the joint."""
    (joint,) = find_joints([constraint_of(stage, reach).joint], *_last_body(stage))
    return reach.of(ReachSpan).joint == GAZE, joint


def _last_body(stage: Stage) -> tuple[Skeleton, Roles]:
    """Skeleton and roles of the body that there is in the end; it does the reaches."""
    last = stage.clips.clip_set if stage.body is None else stage.body.target
    return last.skeleton, last.roles


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


def _check_walk(stage: Stage, planned: PlannedSpan) -> None:
    span = planned.of(WalkSpan)
    if span.to is not None:
        place_of(stage.file, (*planned.where, "to"), span.to)
    style = styles_of(span, (planned.last - planned.first) / stage.fps)
    asked = constraints_of(stage.file, planned, span.constraints, style=style)
    refuse_unhonoured(asked, "a walk", find_generator("graph").honours)
    check_names(asked, stage.clips.clip_set)


def _check_synthesize(stage: Stage, planned: PlannedSpan) -> None:
    span = planned.of(SynthesizeSpan)
    asked = asked_of(stage, planned, None if span.moved else Place((0.0, 0.0), 0.0))
    refuse_unhonoured(asked, span.generator, find_generator(span.generator).honours)
    check_names(asked, stage.clips.clip_set)


def _check_reach(stage: Stage, planned: PlannedSpan) -> None:
    own = constraint_of(stage, planned)
    asked = ConstraintSet(duration=3600.0, fps=stage.fps, joints=(own,))
    check_joints(asked, *_last_body(stage))


#: By method: refuses a span that cannot be made.
_CHECKS: Mapping[str, Callable[[Stage, PlannedSpan], object]] = {
    "walk": _check_walk,
    "synthesize": _check_synthesize,
    "gait": gait.check,
    "idle": idle.check,
    "between": between.check,
    "clip": part_of,
    "edit": check_edit,
    "reach": _check_reach,
}
