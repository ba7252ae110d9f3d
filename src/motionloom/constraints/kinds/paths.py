"""Ways along the ground that the body follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from motionloom.constraints.kinds._kind import Kind, entries
from motionloom.constraints.kinds.marks import Line
from motionloom.constraints.kinds.measures import Adherence, Shown
from motionloom.constraints.kinds.speeds import schedule
from motionloom.constraints.path_curve import PathCurve, path_curve
from motionloom.constraints.values import Ground, Span, Time, Weight, expects, field_error
from motionloom.motion import GroundTransform
from motionloom.typing import Array, Ints

if TYPE_CHECKING:
    from motionloom.constraints.constraint_set import ConstraintSet


#: A path is kept to up to these distances, mean and largest, metres: farther aside it shows.
ASIDE, FARTHEST = 0.10, 0.25
#: Less than this is no length, metres.
_NOWHERE = 1e-9


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

    points: Annotated[tuple[Ground, ...], Field(fail_fast=True)] = expects(
        "two or more points [x, z] in metres", [[0.0, 0.0], [1.0, 2.0]], min_length=2
    )
    times: Annotated[tuple[Time, ...], Field(fail_fast=True)] | None = expects(
        "one ascending time for every point", [0.0, 3.0], None
    )
    begin: Time | None = Field(default=None, alias="from")
    end: Time | None = Field(default=None, alias="to")
    curve: Literal["polyline", "spline"] = expects("polyline or spline", "spline", "polyline")
    face_along: bool = expects("true or false", True, False)
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


def follow(path: PathConstraint, constraints: ConstraintSet) -> tuple[Ints, GroundTransform]:
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

    Examples
    --------
    >>> from motionloom.constraints.constraint_set import ConstraintSet
    >>> path = PathConstraint(points=[(0.0, 0.0), (0.0, 2.0)])
    >>> frames, stands = follow(path, ConstraintSet(duration=2.0, paths=[path]))
    >>> len(frames), stands.ground[-1]
    (61, array([0., 2.]))
    """
    curve = curve_of(path)
    times = even_times(path, constraints.duration)
    frames, gone = _lengths(path, constraints, times, curve)
    way = curve.at(gone)
    return frames, GroundTransform(_kept_heading(way.angle, gone), way.x, way.z)


def curve_of(path: PathConstraint) -> PathCurve:
    """The curve of a path: asked for, followed, drawn and measured.

    Parameters
    ----------
    path : PathConstraint
        Its points and its kind of curve.

    Returns
    -------
    PathCurve

    Examples
    --------
    >>> path = PathConstraint(points=[(0.0, 0.0), (0.0, 4.0)])
    >>> curve_of(path).length
    4.0
    """
    return path_curve(path.points, path.curve)


def _lengths(
    path: PathConstraint, constraints: ConstraintSet, times: Array, curve: PathCurve
) -> tuple[Ints, Array]:
    """Frames of a path, and the length that is gone in each of them: at the speeds that are asked
    for, else at an even pace from point to point.
    """
    when, gone = times, curve.marks
    if constraints.speeds and path.times is None:
        begin, stop = float(times[0]), float(times[-1])
        when, gone = schedule(curve.length, begin, stop, constraints.speeds, path.end is not None)
    frames = np.arange(constraints.frame_of(float(when[0])), constraints.frame_of(when[-1]) + 1)
    return frames, np.interp(frames / constraints.fps, when, gone)


def even_times(path: PathConstraint, duration: float) -> Array:
    """When the body is at each point: as given, else at an even pace.

    Parameters
    ----------
    path : PathConstraint
        With or without times.
    duration : float, seconds
        Of the motion.

    Returns
    -------
    array of shape (K,), seconds

    Examples
    --------
    >>> path = PathConstraint(points=[(0.0, 0.0), (0.0, 1.0), (0.0, 4.0)])
    >>> even_times(path, 8.0)  # seconds
    array([0., 2., 8.])
    """
    if path.times is not None:
        return np.array(path.times)
    begin = 0.0 if path.begin is None else path.begin
    end = duration if path.end is None else path.end
    curve = curve_of(path)
    even = np.linspace(0.0, 1.0, len(curve.marks))
    share = curve.marks / curve.length if curve.length > 0 else even
    return begin + (end - begin) * share


def _kept_heading(headings: Array, gone: Array) -> Array:
    """Directions; during a pause the one before it."""
    moves = np.concatenate([np.diff(gone) > _NOWHERE, [True]])
    if moves.all():
        return headings
    moves[-1] = gone[-1] - gone[-2] > _NOWHERE
    last = np.maximum.accumulate(np.where(moves, np.arange(len(gone)), -1))
    return headings[np.where(last < 0, int(moves.argmax()), last)]


def _adherence(path: PathConstraint, index: int, shown: Shown) -> Adherence:
    """The mean and the largest distance of the body from the way, metres."""
    frames, way = follow(path, shown.constraints)
    away = np.linalg.norm(shown.body[frames, :2] - way.ground, axis=1)
    return PATHS.measured(path, index, shown, float(away.mean()), float(away.max()))


def _in_words(a: Adherence) -> str:
    return f"{100 * (a.value or 0.0):.1f} cm away on average, {100 * a.more:.1f} cm at most"


def _departure(a: Adherence) -> str:
    mean = a.value or 0.0
    if mean > ASIDE:
        return f"is missed by {mean:.2f} m on average"
    return f"is missed by {a.more:.2f} m at most" if a.more > FARTHEST else ""


PATHS = Kind(
    name="paths",
    item="path",
    model=PathConstraint,
    field=entries("a list of paths", "[{points: [[0, 0], [1, 2], [3, 2]], from: 0.0, to: 5.0}]"),
    label=lambda path, _: f"path of {len(path.points)} points",
    adherence=_adherence,
    in_words=_in_words,
    departure=_departure,
    marks=lambda path, asked: (Line(follow(path, asked)[1].ground, path.points),),
    asks="way",
    aside="then",
    retimed=True,
)
