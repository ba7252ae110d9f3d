"""How fast the body goes along its path over spans of time, and when it stands still."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from pydantic import Field

from motionloom.constraints.kinds._kind import Kind, entries
from motionloom.constraints.kinds.marks import Point
from motionloom.constraints.kinds.measures import Adherence, Shown
from motionloom.constraints.values import Number, Span, Time, Weight, expects
from motionloom.errors import InvalidInputError
from motionloom.typing import Array

if TYPE_CHECKING:
    from motionloom.constraints.constraint_set import ConstraintSet

#: A speed is kept to up to this, metres per second, or this share of it, whichever is more.
NEAR, NEAR_SHARE = 0.05, 0.05
#: Before and behind a span the speed changes over this time, seconds.
RAMP = 1.0
#: Speeds over the whole of a path may ask for so much more or less than its length, as a share.
SAME_LENGTH = 0.05
#: A schedule is told at times this far apart, seconds.
FINE = 0.05


class SpeedConstraint(Span):
    """How fast the body goes along a path without times of its own.

    Parameters
    ----------
    begin, end : float, seconds
        ``from`` and ``to`` in a file.
    speed : float, metres per second
        Between them; before and behind it changes within a second to what the path needs.
    """

    begin: Time = Field(alias="from")
    end: Time = Field(alias="to")
    speed: Number = expects("metres per second above 0, at most 15", 1.2, gt=0, le=15)


def schedule(
    length: float, begin: float, end: float, speeds: Sequence[SpeedConstraint], ends: bool
) -> tuple[Array, Array]:
    """When a path is how far gone: at the speeds asked for, else at one even pace.

    Parameters
    ----------
    length : float, metres
        Of the path.
    begin, end : float, seconds
        When the path begins, and when it ends at the latest.
    speeds : sequence of SpeedConstraint
        In any order; those at other times are passed over.
    ends : bool
        Whether the path has to end at `end`; else one whose speeds say so throughout ends as soon
        as they reach its end.

    Returns
    -------
    times : array of shape (K,), seconds
        Ascending.
    along : array of shape (K,), metres
        From 0 to `length`, never descending.

    Raises
    ------
    InvalidInputError
        When the speeds ask for more or less than the path.
    """
    own = sorted((c for c in speeds if c.end > begin and c.begin < end), key=lambda c: c.begin)
    times = np.linspace(begin, end, max(2, int(np.ceil((end - begin) / FINE)) + 1))
    if not own:
        return times, length * (times - begin) / (end - begin)
    asked, share = _asked(times, own)
    told = _integral(asked * share, times)
    free = _integral(1.0 - share, times)
    left = length - told[-1]
    if free[-1] > 0.02 * (end - begin) and left > 0:
        along: Array = told + left * free / free[-1]
        return times, along
    if free[-1] <= 0.02 * (end - begin):
        if abs(left) <= SAME_LENGTH * length:
            return times, told * length / told[-1]
        if left < 0 and not ends:
            stop = float(np.interp(length, told, times))
            inside = times < stop
            return np.append(times[inside], stop), np.append(told[inside], length)
    raise InvalidInputError(
        f"speeds: they ask for {told[-1]:.1f} m of the path from {begin:g} to {end:.4g} s, and it"
        f" is {length:.1f} m long; change the path, its times or the speeds",
        field="speeds",
    )


def _asked(times: Array, speeds: Sequence[SpeedConstraint]) -> tuple[Array, Array]:
    """Speed asked for at times, and how much it counts there beside the even pace."""
    edges = np.array([(c.begin, c.end) for c in speeds])
    inside = (times[:, None] >= edges[:, 0]) & (times[:, None] < edges[:, 1])
    away = np.maximum(edges[:, 0] - times[:, None], times[:, None] - edges[:, 1])
    away = np.where(inside, 0.0, np.maximum(away, 0.0))
    nearest = np.where(inside.any(axis=1), inside.argmax(axis=1), away.argmin(axis=1))
    values = np.array([c.speed for c in speeds])
    between = np.interp(times, edges.ravel(), np.repeat(values, 2))
    asked = np.where(inside.any(axis=1), values[nearest], between)
    return asked, np.clip(1.0 - away.min(axis=1) / RAMP, 0.0, 1.0)


def _integral(values: Array, times: Array) -> Array:
    steps = 0.5 * (values[1:] + values[:-1]) * np.diff(times)
    return np.concatenate([[0.0], np.cumsum(steps)])


def _adherence(c: SpeedConstraint, index: int, shown: Shown) -> Adherence:
    """The speed of the hips over the span, and how far it is from what was asked, m/s."""
    asked = shown.constraints
    body = shown.body[asked.frame_of(c.begin) : asked.frame_of(c.end) + 1]
    ahead = np.column_stack([np.sin(body[:, 2]), np.cos(body[:, 2])])
    # What hips sway from side to side is no speed.
    steps = np.sum(np.diff(body[:, :2], axis=0) * 0.5 * (ahead[1:] + ahead[:-1]), axis=1)
    made = float(abs(steps.mean()) * asked.fps) if len(steps) else 0.0
    return SPEEDS.measured(c, index, shown, made, made - c.speed)


def _share(a: Adherence) -> float:
    made = a.value or 0.0
    return a.more / (made - a.more)


def _departure(a: Adherence) -> str:
    if abs(a.more) <= NEAR or abs(_share(a)) <= NEAR_SHARE:
        return ""
    return f"is missed by {abs(a.more):.2f} m/s: {a.value:.2f} m/s were made"


SPEEDS = Kind(
    name="speeds",
    item="path speed",
    model=SpeedConstraint,
    field=entries("a list of speeds", "[{from: 2.0, to: 4.0, speed: 1.2}]"),
    advice="leave it out, or give the path times that say as much",
    hint=None,
    label=lambda c, _: f"speed of {c.speed:g} m/s from {c.begin:g} to {c.end:g} s",
    adherence=_adherence,
    in_words=lambda a: f"{a.value:.2f} m/s on average ({100 * _share(a):+.1f} %)",
    departure=_departure,
    marks=lambda c, _: (Point(c.begin, end=c.end, text=f"{c.speed:g} m/s"),),
    asks="way",
)


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


def _still_adherence(c: StillConstraint, index: int, shown: Shown) -> Adherence:
    """How fast hips or feet move on average, metres per second, and how far they go, metres."""
    asked = shown.constraints
    assert shown.standing is not None
    frames = slice(asked.frame_of(c.begin), asked.frame_of(_end(c, asked)) + 1)
    steps = np.linalg.norm(np.diff(shown.standing[frames][..., [0, 2]], axis=0), axis=-1)
    way = float(steps.sum(axis=0).max())
    speed = way / len(steps) * asked.fps if len(steps) else 0.0
    return STILL.measured(c, index, shown, speed, way)


def _still_departure(a: Adherence) -> str:
    if (a.value or 0.0) <= STANDING:
        return ""
    return f"is not kept: the hips or feet move at {a.value:.2f} m/s on average"


STILL = Kind(
    name="still",
    item="still",
    model=StillConstraint,
    field=entries("a list of spans", "[{from: 6.0, to: 8.0}]"),
    label=lambda c, asked: f"still from {c.begin:g} to {_end(c, asked):g} s",
    adherence=_still_adherence,
    in_words=lambda a: f"hips or feet move at {a.value:.2f} m/s on average, {a.more:.2f} m in all",
    departure=_still_departure,
    asks="way",
    retimed=True,
)
