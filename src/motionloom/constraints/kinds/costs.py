"""Costs that a user wrote in Python and registered by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from motionloom.constraints.kinds.kind import Kind, entries
from motionloom.constraints.kinds.measures import Adherence
from motionloom.constraints.kinds.shown import Lookup, Shown
from motionloom.constraints.times import Span
from motionloom.constraints.values import Name, Number, Time, Weight

if TYPE_CHECKING:
    from motionloom.constraints.constraint_set import ConstraintSet


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

    name: Name = Field(
        description="the name of a registered cost", json_schema_extra={"example": "hands_low"}
    )
    parameters: dict[str, bool | Number | str] = Field(
        default_factory=dict,
        description="names and values",
        json_schema_extra={"example": "{height: 1.0}"},
    )
    begin: Time | None = Field(default=None, alias="from")
    end: Time | None = Field(default=None, alias="to")
    weight: Weight = 1.0


def _label(c: CostConstraint, _: ConstraintSet) -> str:
    return f"cost {c.name}"


def _check(c: CostConstraint, _: ConstraintSet, lookup: Lookup) -> object:
    return lookup.cost(c)


def _adherence(c: CostConstraint, index: int, shown: Shown) -> Adherence:
    """The cost itself; nothing is too much."""
    return Adherence("cost", index, _label(c, shown.constraints), shown.lookup.cost(c)(shown))


COSTS = Kind(
    name="costs",
    item="cost",
    model=CostConstraint,
    field=entries("a list of costs", "[{name: hands_low, weight: 0.5}]"),
    label=_label,
    check=_check,
    adherence=_adherence,
    in_words=lambda a: f"{a.value:.4g}",
    asks="deed",
    aside="always",
    retimed=True,
)
