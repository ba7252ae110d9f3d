"""Ways along the ground that the body follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, Self

import numpy as np
import scipy
from numpy.typing import NDArray
from pydantic import Field, model_validator

from motionloom.constraints.kinds.kind import Kind, entries
from motionloom.constraints.kinds.marks import Line
from motionloom.constraints.kinds.measures import Adherence
from motionloom.constraints.kinds.shown import Shown
from motionloom.constraints.kinds.speeds import schedule
from motionloom.constraints.times import Span
from motionloom.constraints.values import Ground, Time, Weight, field_error
from motionloom.motion import GroundTransform

if TYPE_CHECKING:
    from motionloom.constraints.constraint_set import ConstraintSet

Array = NDArray[np.float64]

#: A path is kept to up to this mean distance, metres.
ASIDE = 0.3
#: Points closer together in time than this count as one, seconds.
_AT_ONCE = 1e-9
#: Slower than this a way has no direction of its own, metres per second.
_STILL = 1e-6


def _shown(times: tuple[float, ...]) -> str:
    """All times; of many the two that do not ascend."""
    if len(times) <= 10:
        return str(list(times))
    k = next(k for k in range(1, len(times)) if times[k] <= times[k - 1])
    return f"{times[k]} after {times[k - 1]}"


class PathConstraint(Span):
    """A way along the ground that the body follows.

    Parameters
    ----------
    points : tuple of (float, float), metres
        x and z, in order.
    times : tuple of float, seconds, optional
        When the body is at each point. Without them the body goes at an even pace between `begin`
        and `end`.
    begin, end : float, seconds, optional
        ``from`` and ``to`` in a file; the whole motion without them.
    curve : {"polyline", "spline"}
        Straight from point to point, or a smooth curve through them.
    face_along : bool
        Whether the body faces along the way.
    weight : float
        1 counts a second at 30 cm from the way as much as a body constraint missed by 30 cm.
    """

    points: Annotated[tuple[Ground, ...], Field(fail_fast=True)] = Field(
        min_length=2,
        description="two or more points [x, z] in metres",
        json_schema_extra={"example": [[0.0, 0.0], [1.0, 2.0]]},
    )
    times: Annotated[tuple[Time, ...], Field(fail_fast=True)] | None = Field(
        default=None,
        description="one ascending time for every point",
        json_schema_extra={"example": [0.0, 3.0]},
    )
    begin: Time | None = Field(default=None, alias="from")
    end: Time | None = Field(default=None, alias="to")
    curve: Literal["polyline", "spline"] = Field(
        default="polyline",
        description="polyline or spline",
        json_schema_extra={"example": "spline"},
    )
    face_along: bool = Field(
        default=False, description="true or false", json_schema_extra={"example": True}
    )
    weight: Weight = 1.0

    @model_validator(mode="after")
    def _check_times(self) -> Self:
        if self.times is None:
            return self
        if self.begin is not None or self.end is not None:
            raise field_error(
                ("times",), "a path has either times or 'from' and 'to'; remove one of the two"
            )
        if len(self.times) != len(self.points):
            raise field_error(
                ("times",),
                f"expected one time for each of the {len(self.points)} points, got"
                f" {len(self.times)}",
            )
        if any(b <= a for a, b in zip(self.times, self.times[1:], strict=False)):
            raise field_error(("times",), f"expected ascending times, got {_shown(self.times)}")
        return self


def follow(
    path: PathConstraint, constraints: ConstraintSet
) -> tuple[NDArray[np.int64], GroundTransform]:
    """Where the body is to be in every frame of a path constraint.

    Parameters
    ----------
    path : PathConstraint
        Points on the ground, and the times at which the body is there.
    constraints : ConstraintSet
        The set it belongs to, for duration and frame rate.

    Returns
    -------
    frames : int array of shape (T,)
        Of the motion.
    way : GroundTransform
        Where the body stands and faces in each, arrays of shape (T,): along the way; while it
        pauses, as before the pause.
    """
    points = np.array(path.points, float)
    times = even_times(path, points, constraints.duration)
    keep = np.concatenate([[True], np.diff(times) > _AT_ONCE])
    times = times[keep]
    points = points[keep]
    frames, now = _moments(path, constraints, times, points)
    if path.curve == "spline" and len(times) > 2:
        curve = scipy.interpolate.CubicSpline(times, points)
        places = curve(now)
        velocity = curve(now, 1)
    else:
        places = np.column_stack([np.interp(now, times, points[:, k]) for k in (0, 1)])
        leg = np.clip(np.searchsorted(times, now, side="right") - 1, 0, len(times) - 2)
        velocity = (np.diff(points, axis=0) / np.diff(times)[:, None])[leg]
    return frames, GroundTransform(_headings(velocity), places[:, 0], places[:, 1])


def _moments(
    path: PathConstraint, constraints: ConstraintSet, times: Array, points: Array
) -> tuple[NDArray[np.int64], Array]:
    """Frames of a path, and for each of them the time at which, at an even pace, the body would be
    where it is to be: speeds that are asked for change that.
    """
    stop = float(times[-1])
    paced = None
    if constraints.speeds and path.times is None:
        length = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
        begin = float(times[0])
        paced = schedule(length, begin, stop, constraints.speeds, path.end is not None)
        stop = float(paced[0][-1])
    frames = np.arange(constraints.frame_of(float(times[0])), constraints.frame_of(stop) + 1)
    now = frames / constraints.fps
    if paced is not None:
        share = np.interp(now, *paced) / max(paced[1][-1], _AT_ONCE)
        now = times[0] + share * (times[-1] - times[0])
    return frames, np.clip(now, times[0], times[-1])


def even_times(path: PathConstraint, points: Array, duration: float) -> Array:
    """When the body is at each point: as given, else at an even pace.

    Parameters
    ----------
    path : PathConstraint
        With or without times.
    points : array of shape (K, 2), metres
        Its points.
    duration : float, seconds
        Of the motion.

    Returns
    -------
    array of shape (K,), seconds
    """
    if path.times is not None:
        return np.array(path.times)
    begin = 0.0 if path.begin is None else path.begin
    end = duration if path.end is None else path.end
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    share = along / along[-1] if along[-1] > 0 else np.linspace(0, 1, len(points))
    return begin + (end - begin) * share


def _headings(velocity: Array) -> Array:
    """Directions of velocities (T, 2), radians; where there is none, the last one before, else the
    first after.
    """
    moves = np.hypot(velocity[:, 0], velocity[:, 1]) > _STILL
    if not moves.any():
        return np.zeros(len(velocity))
    last = np.maximum.accumulate(np.where(moves, np.arange(len(velocity)), -1))
    last[last < 0] = np.flatnonzero(moves)[0]
    heading: Array = np.arctan2(velocity[last, 0], velocity[last, 1])
    return heading


def _label(path: PathConstraint, _: ConstraintSet) -> str:
    return f"path of {len(path.points)} points"


def _adherence(path: PathConstraint, index: int, shown: Shown) -> Adherence:
    """The mean and the largest distance of the body from the way, metres."""
    frames, way = follow(path, shown.constraints)
    away = np.linalg.norm(shown.body[frames, :2] - way.ground, axis=1)
    what = _label(path, shown.constraints)
    return Adherence("path", index, what, float(away.mean()), float(away.max()))


def _in_words(a: Adherence) -> str:
    return f"{100 * (a.value or 0.0):.1f} cm away on average, {100 * a.more:.1f} cm at most"


def _departure(a: Adherence) -> str:
    return f"is missed by {a.value:.2f} m on average" if (a.value or 0.0) > ASIDE else ""


def _marks(path: PathConstraint, constraints: ConstraintSet) -> tuple[Line, ...]:
    return (Line(follow(path, constraints)[1].ground, path.points),)


PATHS = Kind(
    name="paths",
    item="path",
    model=PathConstraint,
    field=entries("a list of paths", "[{points: [[0, 0], [1, 2], [3, 2]], from: 0.0, to: 5.0}]"),
    label=_label,
    adherence=_adherence,
    in_words=_in_words,
    departure=_departure,
    marks=_marks,
    asks="way",
    aside="then",
    retimed=True,
)
