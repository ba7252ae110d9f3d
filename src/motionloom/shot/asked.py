"""What a shot asks of a character, in the world, as pictures show it."""

from __future__ import annotations

from motionloom.constraints import BodyConstraint, ConstraintSet
from motionloom.shot.layers import constraint_of
from motionloom.shot.plan import Plan, PlannedSpan, place_of
from motionloom.shot.script import ReachSpan, WalkSpan
from motionloom.shot.stage import Stage


def asked_by(plan: Plan, who: str, stage: Stage) -> ConstraintSet:
    """Places where walks end, points that are reached, obstacles and ground.

    Parameters
    ----------
    plan : Plan
        What happens when.
    who : str
        The character.
    stage : Stage
        Theirs.

    Returns
    -------
    ConstraintSet
        In the time of the shot.
    """
    shot = plan.file.shot
    body = [_end_of(plan, one) for one in plan.tracks[who]]
    reaches = [one for one in plan.layers[who] if isinstance(one.span, ReachSpan)]
    return ConstraintSet(
        duration=plan.duration,
        fps=plan.fps,
        body=tuple(one for one in body if one is not None),
        joints=tuple(constraint_of(stage, one) for one in reaches),
        avoid=shot.avoid,
        ground=shot.ground,
    )


def _end_of(plan: Plan, one: PlannedSpan) -> BodyConstraint | None:
    """Where a walk is to end."""
    span = one.span
    if not isinstance(span, WalkSpan) or span.to is None:
        return None
    position, facing = place_of(plan.file, (*one.where, "to"), span.to, span.facing)
    return BodyConstraint(time=one.last / plan.fps, position=position, facing=facing)
