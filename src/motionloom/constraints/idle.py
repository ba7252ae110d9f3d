"""When nothing but the way is asked of a motion: no limb, no pose, no style."""

from __future__ import annotations

from collections.abc import Sequence

from motionloom.constraints.constraint_set import ConstraintSet
from motionloom.constraints.kinds._kind import Kind
from motionloom.constraints.kinds.avoid import HeightMap
from motionloom.constraints.kinds.table import KINDS

Spans = list[tuple[float, float]]

#: Before and after a limb is asked for it may move to and from there, seconds.
NEAR = 1.0


def held_spans(held: Sequence[object], constraints: ConstraintSet, near: float = 0.0) -> Spans:
    """Times of constraints in seconds, widened; without an end or a begin, to that of the motion.

    Parameters
    ----------
    held : sequence of constraints
        Of any kinds that have times.
    constraints : ConstraintSet
        The set they belong to.
    near : float, seconds
        How much wider each is at both ends.

    Returns
    -------
    list of (float, float), seconds
        In the order of the constraints.
    """
    spans = []
    for c in held:
        time = getattr(c, "time", None)
        end = getattr(c, "end", None)
        if time is not None:
            spans.append((time - near, (time if end is None else end) + near))
            continue
        begin = getattr(c, "begin", None)
        first = 0.0 if begin is None else begin
        last = constraints.duration if end is None else end
        spans.append((first - near, last + near))
    return spans


def deeds_of(constraints: ConstraintSet) -> Spans:
    """Spans in which a limb, a pose, a style or something of the user's own is asked for.

    Parameters
    ----------
    constraints : ConstraintSet
        What is asked for.

    Returns
    -------
    list of (float, float), seconds
        Widened by `NEAR`; kind by kind, so not in the order of time.
    """
    asked = [
        c for kind in _kinds_in(constraints) if kind.asks == "deed" for c in kind.of(constraints)
    ]
    return held_spans(asked, constraints, NEAR)


def _kinds_in(constraints: ConstraintSet) -> list[Kind]:
    """Kinds with lists of their own that a set asks for, in the table's order.

    Parameters
    ----------
    constraints : ConstraintSet
        What is asked for.
    """
    return [k for k in KINDS.values() if k.model is not None and k.is_in(constraints)]


def notes_on_kinds(constraints: ConstraintSet) -> tuple[str, ...]:
    """What is not looked for because a kind does not say what it asks for, one sentence each.

    Parameters
    ----------
    constraints : ConstraintSet
        What is asked for.
    """
    return tuple(
        f"{kind.name}: this kind of constraint does not say what it asks for (Kind.asks), so jumps,"
        " gestures and loops are not looked for"
        for kind in _kinds_in(constraints)
        if kind.asks is None
    )


def spans_aside(constraints: ConstraintSet) -> Spans:
    """Spans in which what is asked for may lead off the direct way.

    Parameters
    ----------
    constraints : ConstraintSet
        What is asked for.

    Returns
    -------
    list of (float, float), seconds
    """
    kinds = _kinds_in(constraints)
    always = any(kind.aside == "always" for kind in kinds)
    whole = [(0.0, constraints.duration)] if always else []
    then = [c for kind in kinds if kind.aside == "then" for c in kind.of(constraints)]
    return whole + held_spans(then, constraints)


def idle_frames(constraints: ConstraintSet) -> list[tuple[int, int]]:
    """Spans of frames (first, stop) in which nothing but the way is asked.

    None where nothing is asked at all, over ground that is not level, and where kinds are asked
    for that do not say what they ask for.

    Parameters
    ----------
    constraints : ConstraintSet
        What is asked for.

    Returns
    -------
    list of (int, int)
        Ascending, apart from each other.
    """
    asked = {kind.asks for kind in _kinds_in(constraints)}
    uneven = constraints.ground or any(isinstance(a, HeightMap) for a in constraints.avoid)
    if uneven or None in asked or not asked & {"way", "deed"}:
        return []
    idle = []
    first = 0
    # Sorted by begin; a span may end within an earlier one, so `first` never goes back.
    for begin, end in sorted(deeds_of(constraints)):
        before = min(constraints.frame_of(max(begin, 0.0)), constraints.n_frames)
        if before > first:
            idle.append((first, before))
        first = max(first, constraints.frame_of(min(end, constraints.duration)) + 1)
    if first < constraints.n_frames:
        idle.append((first, constraints.n_frames))
    return idle
