"""Plans and clips as windows are told them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from motionloom.studio.events import Opened

if TYPE_CHECKING:
    from motionloom.shot.plan.planned import Plan
    from motionloom.shot.stage import Stage


def told_plan(plan: Plan) -> dict[str, Any]:
    """A plan as the page is told it."""
    tracks = {
        who: [
            {
                "id": one.name,
                "kind": one.kind,
                "index": one.where[-1],
                "first": one.first,
                "last": one.last,
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
    return {
        "fps": plan.fps,
        "frames": last + 1,
        "tracks": tracks,
        "marks": marks,
        "meetings": meetings,
    }


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
