"""Before anything is made: what happens when and where, whether it can, and how long it takes."""

from motionloom.shot.plan.event_times import ClipLength
from motionloom.shot.plan.marks import place_of, point_of
from motionloom.shot.plan.planned import ON_GROUND, Plan, PlannedMeeting, PlannedSpan, seed_of
from motionloom.shot.plan.planning import plan_shot

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
