"""Constraint and scene files as shots: one span for each character, and meetings for events."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from motionloom.constraints import ConstraintSet
from motionloom.constraints.scene import Character, Encounter, Meeting, SceneConstraints
from motionloom.errors import InvalidInputError
from motionloom.shot.script.meet import Meet
from motionloom.shot.script.shot import CastMember, Shot
from motionloom.shot.script.span_fields import SynthesizeSpan

#: Who does what a constraint file asks for, and how the one span of everybody is called.
FIGURE, WHOLE = "figure", "all"
#: Fields that are the shot's.
_OF_THE_SHOT = {"duration", "fps", "clips", "ground"}


def shot_of(asked: ConstraintSet | SceneConstraints) -> Shot:
    """What a constraint or scene file asks for, as a shot.

    Parameters
    ----------
    asked : ConstraintSet or SceneConstraints
        As it was read.

    Returns
    -------
    Shot
        It names no library.

    Raises
    ------
    InvalidInputError
        When characters are to walk on different grounds.
    """
    if isinstance(asked, ConstraintSet):
        characters: dict[str, ConstraintSet] = {FIGURE: asked}
        events: tuple[Meeting, ...] = ()
    else:
        characters = dict(asked.characters)
        events = asked.events
    grounds = [one.ground for one in characters.values()]
    if any(ground != grounds[0] for ground in grounds):
        raise InvalidInputError(
            "characters: all of a shot walk on one ground; give every character the same 'ground'",
            field="ground",
        )
    return Shot(
        fps=asked.fps,
        ground=grounds[0],
        cast={who: CastMember(clips=_clips(one)) for who, one in characters.items()},
        tracks={who: (_span(one),) for who, one in characters.items()},
        meet=tuple(_meet(event) for event in events),
    )


def fields_of(asked: ConstraintSet, without: Set[str]) -> dict[str, Any]:
    """Fields of a constraint set as they would stand in a file.

    Parameters
    ----------
    asked : ConstraintSet
        Any.
    without : set of str
        Fields that are left out.

    Returns
    -------
    dict
        Without what is empty.
    """
    fields = asked.model_dump(mode="json", by_alias=True, exclude=set(without), exclude_none=True)
    return {name: value for name, value in fields.items() if value != []}


def _clips(one: ConstraintSet) -> tuple[str, ...]:
    return one.clips if isinstance(one, Character) else ()


def _span(one: ConstraintSet) -> SynthesizeSpan:
    fields = fields_of(one, _OF_THE_SHOT)
    return SynthesizeSpan.model_validate(
        {"id": WHOLE, "for": one.duration, "constraints": fields or {"body": []}, "moved": False}
    )


def _meet(event: Meeting) -> Meet:
    facts = {name: getattr(event, name) for name in Encounter.model_fields}
    return Meet(time=event.time, position=event.position, **facts)
