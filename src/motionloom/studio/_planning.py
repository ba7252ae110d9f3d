"""When spans are, as far as that can be said without clips: at once, while something is dragged.

Whoever makes the motions says it again, with the clips.

Plans and clips as windows are told them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from motionloom.errors import MotionloomError
from motionloom.shot.plan.planning import plan_shot
from motionloom.shot.script.reading import ShotFile
from motionloom.studio._document.checking import Problem
from motionloom.studio._events import Opened
from motionloom.studio._shown import some_of

if TYPE_CHECKING:
    from motionloom.shot.plan.planned import Plan
    from motionloom.shot.script.span_fields import ClipSpan
    from motionloom.shot.stage import Stage


def told_plan(plan: Plan) -> dict[str, Any]:
    """A plan as the page is told it."""
    tracks = {
        who: [
            {
                **some_of(one, "kind", "first", "last"),
                "id": one.name,
                "index": one.where[-1],
                "layer": one in plan.layers[who],
            }
            for one in (*track, *plan.layers[who])
        ]
        for who, track in plan.tracks.items()
    }
    last = max(track[-1].last for track in plan.tracks.values())
    marks = {
        name: mark.time for name, mark in plan.file.shot.marks.items() if mark.time is not None
    }
    meetings = [
        {
            "index": one.where[-1],
            "name": one.meet.name,
            "between": list(one.meet.between),
            "first": one.first,
            "last": one.last,
        }
        for one in plan.meetings
    ]
    told = {"tracks": tracks, "marks": marks, "meetings": meetings}
    return {"fps": plan.fps, "frames": last + 1, **told}


def told_clips(stages: Mapping[str, Stage]) -> Opened:
    """Clips of a cast: their names, how long they are, and their labels."""
    from motionloom.shot.spans.idle import can_wait

    rows = {}
    styles: set[str] = set()
    for stage in stages.values():
        clips = stage.clips.clip_set
        styles |= clips.labels.keys()
        for c, (name, motion) in enumerate(zip(clips.names, clips.motions, strict=True)):
            own = slice(int(clips.starts[c]), int(clips.starts[c]) + motion.n_frames)
            labels = (label for label, mask in clips.labels.items() if mask[own].any())
            rows[name] = (name, motion.duration, tuple(sorted(labels)))
    first = next(iter(stages.values()))
    waits = can_wait(first.clips.clip_set.roles)
    return Opened(tuple(rows.values()), tuple(sorted(styles)), waits=waits)


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
