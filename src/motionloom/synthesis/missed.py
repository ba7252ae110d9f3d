"""Constraints that a motion does not meet, by how much, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.measures import Adherence, ConstraintError
from motionloom.constraints.kinds.table import departure_of, label_of
from motionloom.synthesis.generator import Reason

#: Said of what is missed on ground that is not level, where the generator knows no reason.
_ON_GROUND = (
    "feet stand where its ground lets them, on stairs in steps as short as treads, so that the body"
    " stays behind; ask for a way that ends further on, or for more time"
)

Explain = Callable[
    [ConstraintSet, Sequence[ConstraintError], Sequence[Adherence]], Sequence[Reason]
]


@dataclass(frozen=True)
class Missed:
    """A constraint that a motion does not meet.

    Parameters
    ----------
    kind : str
        `Kind.item` of the constraint, such as ``"body"`` or ``"still"``.
    index : int
        Which of its kind in the constraint set.
    text : str
        What is missed by how much, and the likeliest reason.
    """

    kind: str
    index: int
    text: str


def find_missed(
    constraints: ConstraintSet,
    errors: Sequence[ConstraintError],
    adherence: Sequence[Adherence],
    explain: Explain,
) -> tuple[Missed, ...]:
    """Say which constraints a motion does not meet, by how much, and why.

    Parameters
    ----------
    constraints : ConstraintSet
        What was asked for.
    errors : sequence of ConstraintError
        Of the finished motion.
    adherence : sequence of Adherence
        How it keeps to poses, obstacles, paths, styles and costs.
    explain : callable
        As `Fitted.explain`; called only when something is missed.

    Returns
    -------
    tuple of Missed
        One for each constraint that is missed by more than 5 cm, 3 degrees or 0.5 m/s,
        each pose that is not shown in time, each obstacle the body is in, each path it leaves and
        each style it mostly lacks.
    """
    missed = [e for e in errors if e.amount()]
    left = [a for a in adherence if departure_of(a)]
    if not missed and not left:
        return ()
    reasons = {(r.kind, r.index): r.text for r in explain(constraints, missed, left)}
    texts = [
        (e.kind, e.index, f"{label_of(constraints, e.kind, e.index)} is missed by {e.amount()}")
        for e in missed
    ]
    texts += [(a.kind, a.index, f"{a.what} {departure_of(a)}") for a in left]
    unknown = _ON_GROUND if constraints.ground else ""
    return tuple(
        Missed(kind, index, _with_reason(text, reasons.get((kind, index), unknown)))
        for kind, index, text in texts
    )


def _with_reason(text: str, reason: str) -> str:
    return f"{text}: {reason}" if reason else text
