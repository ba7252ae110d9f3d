"""Before anything is made: what happens when and where, whether it can, and how long it takes."""

from motionloom.shot.plan.planned import (
    ON_GROUND,
    ClipLength,
    Plan,
    PlannedMeeting,
    PlannedSpan,
    place_of,
    plan_shot,
    point_of,
    seed_of,
)

__all__ = [
    "ON_GROUND",
    "ClipLength",
    "Plan",
    "PlannedMeeting",
    "PlannedSpan",
    "place_of",
    "plan_shot",
    "point_of",
    "seed_of",
]
