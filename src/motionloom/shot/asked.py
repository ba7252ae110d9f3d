"""What a shot asks of a character, in the world, as pictures show it."""

from __future__ import annotations

import numpy as np

from motionloom.constraints import BodyConstraint, ConstraintSet
from motionloom.posed_motion import PosedMotion
from motionloom.shot.layers import constraint_of
from motionloom.shot.plan import Plan, PlannedSpan, place_of
from motionloom.shot.script import ReachSpan, WalkSpan
from motionloom.shot.stage import Stage

#: Ends of walks are told where they are farther off in the finished motion, and are problems where
#: they are this far off, metres.
TOLD, FAR = 0.005, 0.1


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


def missed_in_the_end(
    plan: Plan, who: str, posed: PosedMotion
) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Where walks are off their ends in the finished motion, by what was joined or laid over them.

    Parameters
    ----------
    plan : Plan
        What happens when.
    who : str
        The character.
    posed : PosedMotion
        All that they do, finished.

    Returns
    -------
    dict of str to (tuple of str, tuple of str)
        By span, as far as one is off: how far, and the same where that is a problem.
    """
    found: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    for one in plan.tracks[who]:
        asked = _end_of(plan, one)
        if asked is None:
            continue
        off = posed.body[min(one.last, posed.n_frames - 1), :2] - asked.position
        away = float(np.hypot(*off))
        if away > TOLD:
            text = f"body at {asked.time:.2f} s: {1000 * away:.0f} mm off in the finished motion"
            found[one.name] = ((text,), (text,) if away > FAR else ())
    return found


def _end_of(plan: Plan, one: PlannedSpan) -> BodyConstraint | None:
    """Where a walk is to end."""
    span = one.span
    if not isinstance(span, WalkSpan) or span.to is None:
        return None
    position, facing = place_of(plan.file, (*one.where, "to"), span.to, span.facing)
    return BodyConstraint(time=one.last / plan.fps, position=position, facing=facing)
