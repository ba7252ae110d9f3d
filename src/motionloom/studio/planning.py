"""When spans are, as far as that can be said without clips: at once, while something is dragged.

Whoever makes the motions says it again, with the clips.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from motionloom.errors import MotionloomError
from motionloom.shot.plan.planning import plan_shot
from motionloom.shot.script.reading import ShotFile
from motionloom.studio.document.checking import Problem
from motionloom.studio.solver.told import told_plan

if TYPE_CHECKING:
    from motionloom.shot.script.span_fields import ClipSpan


class _UnknownLengthError(Exception):
    """How long a clip lasts is not known yet."""


def plan_early(
    file: ShotFile, seconds: Mapping[str, float]
) -> tuple[dict[str, Any] | None, tuple[Problem, ...]]:
    """Plan a shot.

    Parameters
    ----------
    file : ShotFile
        The shot.
    seconds : mapping of str to float
        How long clips last, as far as that is known.

    Returns
    -------
    plan : dict or None
        As windows are told it; None where it cannot be said yet, or at all.
    problems : tuple of Problem
        Why it cannot be said at all.
    """

    def length(who: str, span: ClipSpan) -> float:
        if span.last is not None and span.clip not in seconds:
            return span.last - span.first
        if span.clip not in seconds:
            raise _UnknownLengthError
        last = min(seconds[span.clip], span.last or seconds[span.clip])
        return max(last - span.first, 1.0 / file.shot.fps)

    try:
        return told_plan(plan_shot(file, length)), ()
    except _UnknownLengthError:
        return None, ()
    except MotionloomError as error:
        return None, Problem.all_of(error, file.document)
