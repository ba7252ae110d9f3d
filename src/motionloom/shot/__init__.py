"""One script over all methods: who does what when, each span made by the method that is named.

Names are loaded when they are first used: reading a shot needs no method.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from motionloom.verbs import show_verbs

if TYPE_CHECKING:
    from motionloom.shot._natural import with_naturalness
    from motionloom.shot.making import MadeShot, make_shot
    from motionloom.shot.plan._checking import check_shot
    from motionloom.shot.plan._meetings import place_meetings
    from motionloom.shot.plan.planned import Plan
    from motionloom.shot.plan.planning import plan_shot
    from motionloom.shot.script.reading import ShotFile, parse_shot, read_shot
    from motionloom.shot.script.shot import Shot
    from motionloom.shot.stage import Stage

_HOMES = {
    "MadeShot": "making",
    "Plan": "plan.planned",
    "Shot": "script.shot",
    "ShotFile": "script.reading",
    "Stage": "stage",
    "check_shot": "plan._checking",
    "make_shot": "making",
    "parse_shot": "script.reading",
    "place_meetings": "plan._meetings",
    "plan_shot": "plan.planning",
    "read_shot": "script.reading",
    "with_naturalness": "_natural",
}

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
    "with_naturalness",
]


show_verbs(__name__, {name: f"{__name__}.{home}" for name, home in _HOMES.items()})
