"""When nothing but the way is asked of a motion: no limb, no pose, no style."""

from __future__ import annotations

from collections.abc import Sequence

from motionloom.constraints.constraint_set import ConstraintSet
from motionloom.constraints.kinds.avoid import HeightMap
from motionloom.constraints.kinds.table import KINDS

Spans = list[tuple[float, float]]

#: Before and after a limb is asked for it may move to and from there, seconds.
NEAR = 1.0
#: Kinds that say where the body is to go, and those that say what it does there. Whoever asks for
#: another kind may want anything.
WAYS = frozenset({"body", "paths", "avoid", "still"})
DEEDS = ("joints", "poses", "key_poses", "style", "costs")


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
    asked = [c for name in DEEDS for c in getattr(constraints, name)]
    return held_spans(asked, constraints, NEAR)


def idle_frames(constraints: ConstraintSet) -> list[tuple[int, int]]:
    """Spans of frames (first, stop) in which nothing but the way is asked.

    None where nothing is asked at all, over ground that is not level, and where kinds are asked
    for of which it is not known what they want.

    Parameters
    ----------
    constraints : ConstraintSet
        What is asked for.

    Returns
    -------
    list of (int, int)
        Ascending, apart from each other.
    """
    asked = {k.name for k in KINDS.values() if k.model is not None and k.is_in(constraints)}
    uneven = any(isinstance(a, HeightMap) for a in constraints.avoid)
    if uneven or not asked or not asked <= WAYS | set(DEEDS):
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
