"""How the motion is to look, by labels of the clips."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from pydantic import Field

from motionloom.constraints.kinds.kind import Kind, entries
from motionloom.constraints.kinds.marks import Point
from motionloom.constraints.kinds.measures import Adherence
from motionloom.constraints.kinds.shown import Lookup, Shown
from motionloom.constraints.times import Span
from motionloom.constraints.values import Name, Time, Weight

if TYPE_CHECKING:
    from motionloom.constraints.constraint_set import ConstraintSet

#: A style is kept to from this share of its time on.
SHARE = 0.5


class StyleConstraint(Span):
    """How the motion is to look over a span of time.

    Parameters
    ----------
    begin, end : float, seconds
        ``from`` and ``to`` in a file.
    label : str
        As the labels file gives it to clips or parts of clips.
    weight : float
        Importance beside other constraints; 1 when not given.
    """

    begin: Time = Field(alias="from")
    end: Time = Field(alias="to")
    label: Name = Field(
        description="a label of the labels file", json_schema_extra={"example": "elderly"}
    )
    weight: Weight = 1.0


def _label(c: StyleConstraint, _: ConstraintSet) -> str:
    return f"style {c.label} from {c.begin:g} to {c.end:g} s"


def _check(c: StyleConstraint, _: ConstraintSet, lookup: Lookup) -> object:
    return lookup.label(c.label)


def _adherence(c: StyleConstraint, index: int, shown: Shown) -> Adherence:
    """The share of its time in which frames with the label are shown, or have the style."""
    asked = shown.constraints
    frames = slice(asked.frame_of(c.begin), asked.frame_of(c.end) + 1)
    if shown.styles is not None:
        share = float(np.mean(shown.styles[c.label][frames])) if c.label in shown.styles else 0.0
    else:
        assert shown.source_frames is not None  # whoever has neither does not honour styles
        share = float(shown.lookup.label(c.label)[shown.source_frames[frames]].mean())
    return Adherence("style", index, _label(c, asked), share)


def _in_words(a: Adherence) -> str:
    return f"{100 * (a.value or 0.0):.0f} % of the time"


def _departure(a: Adherence) -> str:
    share = a.value or 0.0
    return f"is shown for {100 * share:.0f} % of that time only" if share < SHARE else ""


def _marks(c: StyleConstraint, _: ConstraintSet) -> tuple[Point, ...]:
    return (Point(c.begin, end=c.end, text=c.label),)


STYLE = Kind(
    name="style",
    item="style",
    model=StyleConstraint,
    field=entries("a list of styles", "[{from: 2.0, to: 6.0, label: elderly}]"),
    label=_label,
    check=_check,
    adherence=_adherence,
    in_words=_in_words,
    departure=_departure,
    marks=_marks,
    asks="deed",
    retimed=True,
)
