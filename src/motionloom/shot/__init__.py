"""One script over all methods: who does what when, each span made by the method that is named.

Names are loaded when they are first used: reading a shot needs no method.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from motionloom.verbs import show_verbs

if TYPE_CHECKING:
    from motionloom.shot._natural import with_naturalness as with_naturalness
    from motionloom.shot.making import MadeShot as MadeShot
    from motionloom.shot.making import make_shot as make_shot
    from motionloom.shot.plan._meetings import place_meetings as place_meetings
    from motionloom.shot.plan.checking import check_shot as check_shot
    from motionloom.shot.plan.planned import Plan as Plan
    from motionloom.shot.plan.planning import plan_shot as plan_shot
    from motionloom.shot.script.reading import ShotFile as ShotFile
    from motionloom.shot.script.reading import parse_shot as parse_shot
    from motionloom.shot.script.reading import read_shot as read_shot
    from motionloom.shot.script.shot import Shot as Shot
    from motionloom.shot.stage import Stage as Stage

_HOMES = {
    "MadeShot": "making",
    "Plan": "plan.planned",
    "Shot": "script.shot",
    "ShotFile": "script.reading",
    "Stage": "stage",
    "check_shot": "plan.checking",
    "make_shot": "making",
    "parse_shot": "script.reading",
    "place_meetings": "plan._meetings",
    "plan_shot": "plan.planning",
    "read_shot": "script.reading",
    "with_naturalness": "_natural",
}

__all__ = [*_HOMES]


show_verbs(__name__, {name: f"{__name__}.{home}" for name, home in _HOMES.items()})
