"""Times of several characters that a picture of them must show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from motionloom.scene.report import EventOutcome, PairOverlap
    from motionloom.view.page import Happening
    from motionloom.view.scene_sheet import Moment


def happenings_of(events: Iterable[EventOutcome]) -> list[Happening]:
    """What a page marks of meetings: their names, those of the two and when.

    Parameters
    ----------
    events : iterable of EventOutcome
        Meetings.

    Returns
    -------
    list of Happening
    """
    from motionloom.view.page import Happening

    return [
        Happening(one.label, one.time, (float(one.spot.x), float(one.spot.z))) for one in events
    ]


def moments_of(events: Iterable[EventOutcome], overlaps: Iterable[PairOverlap]) -> list[Moment]:
    """When two are deepest in each other, or nearest, and what happens between them.

    Parameters
    ----------
    events : iterable of EventOutcome
        Meetings.
    overlaps : iterable of PairOverlap
        Of every two characters.

    Returns
    -------
    list of Moment
        Those of overlaps first, the deepest of them at the front.
    """
    from motionloom.view.scene_sheet import Moment

    near = sorted((one for one in overlaps if any(one.bones)), key=lambda one: -one.depth)
    deepest = [
        Moment(one.time, one.between, f"deepest, {one.depth:.0f} mm" if one.depth else "nearest")
        for one in near
    ]
    return [*deepest, *(Moment(one.time, one.between, one.name) for one in events)]
