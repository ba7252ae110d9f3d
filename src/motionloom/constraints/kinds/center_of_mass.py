"""Where the centre of mass is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from motionloom.constraints.kinds.kind import Kind, entries
from motionloom.constraints.kinds.marks import Point as PointMark
from motionloom.constraints.kinds.tools import Eased
from motionloom.constraints.values import Point, Priority, Weight

if TYPE_CHECKING:
    from motionloom.constraints.constraint_set import ConstraintSet


class CenterOfMassConstraint(Eased):
    """Where the centre of mass of the body is at a time or over a span.

    Parameters
    ----------
    time : float, seconds
        From the begin of the motion.
    end : float, seconds, optional
        ``to`` in a file: until then it stays there.
    position : tuple of (float, float, float), metres
        x, y, z in the world, y up.
    axes : {"xz", "y", "xyz"}
        What of it is asked for: above which place, how high, or both.
    ease_in, ease_out : float, seconds, optional
        Time before and after in which an edited clip goes over into the constraint and back.
    priority : int
        1 is met first.
    weight : float
        Importance beside other constraints of the same priority.
    """

    position: Point = Field(
        description="three numbers [x, y, z] in metres, y up, within 1000 m",
        json_schema_extra={"example": [0.0, 0.9, 0.1]},
    )
    axes: Literal["xz", "y", "xyz"] = Field(
        default="xz", description="'xz', 'y' or 'xyz'", json_schema_extra={"example": "xz"}
    )
    priority: Priority = 1
    weight: Weight = 1.0


def _label(c: CenterOfMassConstraint, _: ConstraintSet) -> str:
    return f"centre of mass at {c.time:g} s"


def _marks(c: CenterOfMassConstraint, _: ConstraintSet) -> tuple[PointMark, ...]:
    return (PointMark(c.time, at=c.position, text="centre of mass"),)


CENTER_OF_MASS = Kind(
    name="center_of_mass",
    item="center_of_mass",
    model=CenterOfMassConstraint,
    field=entries(
        "a list of constraints of the centre of mass", "[{time: 1.5, position: [0.0, 0.9, 0.1]}]"
    ),
    advice="it is for poses and edited clips; leave it out",
    hint="edit clip",
    alone=lambda c: "the centre of mass",
    label=_label,
    marks=_marks,
    asks="deed",
)
