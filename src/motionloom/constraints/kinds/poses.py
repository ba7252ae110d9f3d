"""Frames of clips that are shown, exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np
from pydantic import Field

from motionloom import rotations as rot
from motionloom.constraints.kinds.kind import Kind, entries
from motionloom.constraints.kinds.marks import Point
from motionloom.constraints.kinds.measures import Adherence
from motionloom.constraints.kinds.shown import FoundPose, Lookup, Shown
from motionloom.constraints.values import Model, Name, Time

if TYPE_CHECKING:
    from motionloom.constraints.constraint_set import ConstraintSet


class PoseConstraint(Model):
    """A frame of a clip that is shown at a time, exactly.

    Parameters
    ----------
    time : float, seconds
        From the begin of the motion.
    clip : str
        Name of the clip: its file's name without the suffix.
    frame : int
        Counted from 0 in the clip's file, at the file's own rate.
    """

    time: Time
    clip: Name = Field(description="the name of a clip", json_schema_extra={"example": "walk_3"})
    frame: Annotated[int, Field(strict=True, ge=0, le=100_000_000)] = Field(
        description="a frame of the clip, counted from 0", json_schema_extra={"example": 40}
    )


def _label(c: PoseConstraint, _: ConstraintSet) -> str:
    return f"pose at {c.time:g} s ({c.clip}, frame {c.frame})"


def _check(c: PoseConstraint, _: ConstraintSet, lookup: Lookup) -> FoundPose:
    return lookup.clip_pose(c.clip, c.frame)


def _adherence(c: PoseConstraint, index: int, shown: Shown) -> Adherence:
    """Frames late, and the largest rotation of a joint from the pose in degrees; None where that
    frame of the clip is never shown.

    Joints above the one that carries the body, and its own heading, are free.
    """
    assert shown.rotations is not None  # only finished motions are measured for poses
    frame = shown.constraints.frame_of(c.time)
    wanted, called, joints, rotations = shown.lookup.clip_pose(c.clip, c.frame)
    late: float | None = 0.0
    if shown.source_frames is not None:
        when = np.flatnonzero(shown.source_frames == wanted)
        late = float(when[np.argmin(np.abs(when - frame))] - frame) if len(when) else None
    turned = rot.angle_between(shown.rotations[frame, joints], rotations)
    what = f"pose {called}, asked for at {frame / shown.constraints.fps:.2f} s"
    return Adherence("pose", index, what, late, float(np.degrees(turned.max())))


def _in_words(a: Adherence) -> str:
    return f"shown {a.value:g} frames late, joints turned up to {a.more:.3f} deg from it"


def _departure(a: Adherence) -> str:
    if a.value is None:
        return "is never shown"
    when = "late" if a.value > 0 else "early"
    return f"is shown {abs(a.value):.0f} frames too {when}" if a.value else ""


def _marks(c: PoseConstraint, _: ConstraintSet) -> tuple[Point, ...]:
    return (Point(c.time, text=f"frame {c.frame} of {c.clip}"),)


POSES = Kind(
    name="poses",
    item="pose",
    model=PoseConstraint,
    field=entries("a list of poses", "[{time: 5.0, clip: walk_3, frame: 40}]"),
    advice="leave it out; what a single pose has of captured ones is its start",
    hint="start",
    alone=lambda c: "poses",
    label=_label,
    check=_check,
    adherence=_adherence,
    in_words=_in_words,
    departure=_departure,
    marks=_marks,
    asks="deed",
    aside="then",
    retimed=True,
)
