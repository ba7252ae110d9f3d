"""How the motion is to look: by labels of the clips, and by costs that a user wrote in Python."""

from __future__ import annotations

import numpy as np
from pydantic import Field

from motionloom.constraints.kinds._kind import Kind, entries
from motionloom.constraints.kinds.marks import Point
from motionloom.constraints.kinds.measures import Adherence, Shown
from motionloom.constraints.values import Name, Number, Span, Time, Weight, expects

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
    label: Name = expects("a label of the labels file", "elderly")
    weight: Weight = 1.0


def _adherence(c: StyleConstraint, index: int, shown: Shown) -> Adherence:
    """The share of its time in which frames with the label are shown, or have the style."""
    asked = shown.constraints
    frames = slice(asked.frame_of(c.begin), asked.frame_of(c.end) + 1)
    if shown.styles is not None:
        share = float(np.mean(shown.styles[c.label][frames])) if c.label in shown.styles else 0.0
    else:
        assert shown.source_frames is not None  # whoever has neither does not honour styles
        share = float(shown.lookup.label(c.label)[shown.source_frames[frames]].mean())
    return STYLE.measured(c, index, shown, share)


def _departure(a: Adherence) -> str:
    share = a.value or 0.0
    return f"is shown for {100 * share:.0f} % of that time only" if share < SHARE else ""


STYLE = Kind(
    name="style",
    item="style",
    model=StyleConstraint,
    field=entries("a list of styles", "[{from: 2.0, to: 6.0, label: elderly}]"),
    label=lambda c, _: f"style {c.label} from {c.begin:g} to {c.end:g} s",
    check=lambda c, _, lookup: lookup.label(c.label),
    adherence=_adherence,
    in_words=lambda a: f"{100 * (a.value or 0.0):.0f} % of the time",
    departure=_departure,
    marks=lambda c, _: (Point(c.begin, end=c.end, text=c.label),),
    asks="deed",
    retimed=True,
)


class CostConstraint(Span):
    """A cost that a user wrote in Python and registered by name.

    Parameters
    ----------
    name : str
        Under which the cost is registered.
    parameters : dict of str to number, text or truth
        Given to the function by name.
    begin, end : float, seconds, optional
        ``from`` and ``to`` in a file; the whole motion without them.
    weight : float
        Factor of the cost; 1 when not given.
    """

    name: Name = expects("the name of a registered cost", "hands_low")
    parameters: dict[str, bool | Number | str] = expects(
        "names and values", "{height: 1.0}", default_factory=dict
    )
    begin: Time | None = Field(default=None, alias="from")
    end: Time | None = Field(default=None, alias="to")
    weight: Weight = 1.0


def _cost_itself(c: CostConstraint, index: int, shown: Shown) -> Adherence:
    """Nothing is too much."""
    return COSTS.measured(c, index, shown, shown.lookup.cost(c)(shown))


COSTS = Kind(
    name="costs",
    item="cost",
    model=CostConstraint,
    field=entries("a list of costs", "[{name: hands_low, weight: 0.5}]"),
    label=lambda c, _: f"cost {c.name}",
    check=lambda c, _, lookup: lookup.cost(c),
    adherence=_cost_itself,
    in_words=lambda a: f"{a.value:.4g}",
    asks="deed",
    aside="always",
    retimed=True,
)
