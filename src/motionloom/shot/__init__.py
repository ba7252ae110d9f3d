"""One script over all methods: who does what when, each span made by the method that is named."""

from motionloom.shot.checking import check_shot
from motionloom.shot.making import MadeShot, make_shot
from motionloom.shot.meetings import place_meetings
from motionloom.shot.plan import Plan, plan_shot
from motionloom.shot.reading import ShotFile, parse_shot, read_shot
from motionloom.shot.script import Shot
from motionloom.shot.stage import Stage

__all__ = [
    "MadeShot",
    "Plan",
    "Shot",
    "ShotFile",
    "Stage",
    "check_shot",
    "make_shot",
    "parse_shot",
    "place_meetings",
    "plan_shot",
    "read_shot",
]
