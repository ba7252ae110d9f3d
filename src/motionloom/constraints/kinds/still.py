"""When the person stands still."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from pydantic import Field

from motionloom.constraints.kinds.kind import Kind, entries
from motionloom.constraints.kinds.measures import Adherence
from motionloom.constraints.kinds.shown import Shown
from motionloom.constraints.times import Span
from motionloom.constraints.values import Time, Weight

if TYPE_CHECKING:
    from motionloom.constraints.constraint_set import ConstraintSet

#: Hips and feet of somebody who stands still move by no more than this on average, metres per
#: second.
STANDING = 0.15


class StillConstraint(Span):
    """A span of time in which the person stands still, as quietly as anybody in the clips does.

    Parameters
    ----------
    begin : float, seconds
        ``from`` in a file.
    end : float, seconds, optional
        ``to`` in a file; the end of the motion when not given.
    weight : float
        Importance beside other constraints; 1 when not given.
    """

    begin: Time = Field(alias="from")
    end: Time | None = Field(default=None, alias="to")
    weight: Weight = 1.0


def _end(c: StillConstraint, constraints: ConstraintSet) -> float:
    return constraints.duration if c.end is None else c.end


def _label(c: StillConstraint, constraints: ConstraintSet) -> str:
    return f"still from {c.begin:g} to {_end(c, constraints):g} s"


def _adherence(c: StillConstraint, index: int, shown: Shown) -> Adherence:
    """How fast hips or feet move on average, metres per second, and how far they go, metres."""
    asked = shown.constraints
    assert shown.standing is not None
    frames = slice(asked.frame_of(c.begin), asked.frame_of(_end(c, asked)) + 1)
    steps = np.linalg.norm(np.diff(shown.standing[frames][..., [0, 2]], axis=0), axis=-1)
    way = float(steps.sum(axis=0).max())
    speed = way / len(steps) * asked.fps if len(steps) else 0.0
    return Adherence("still", index, _label(c, asked), speed, way)


def _in_words(a: Adherence) -> str:
    return f"hips or feet move at {a.value:.2f} m/s on average, {a.more:.2f} m in all"


def _departure(a: Adherence) -> str:
    if (a.value or 0.0) <= STANDING:
        return ""
    return f"is not kept: the hips or feet move at {a.value:.2f} m/s on average"


STILL = Kind(
    name="still",
    item="still",
    model=StillConstraint,
    field=entries("a list of spans", "[{from: 6.0, to: 8.0}]"),
    label=_label,
    adherence=_adherence,
    in_words=_in_words,
    departure=_departure,
    asks="way",
    retimed=True,
)
