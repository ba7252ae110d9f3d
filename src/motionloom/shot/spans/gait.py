"""Walking or running at any speed, along a way."""

from __future__ import annotations

import numpy as np

from motionloom.constraints import PathConstraint
from motionloom.constraints.path_curve import apart, spline_through
from motionloom.constraints.values import Ground
from motionloom.gait.generator import FittedGait, GaitGeneratorOptions
from motionloom.gait.make import Walker
from motionloom.shot.plan.planned import PlannedSpan, place_of
from motionloom.shot.plan.ways import way_around
from motionloom.shot.script.span_fields import GaitSpan
from motionloom.shot.spans.asked import constraints_of
from motionloom.shot.stage import Piece, Place, Stage, State
from motionloom.synthesis.generator import Fitted
from motionloom.typing import Array

#: Spans before which a gait comes to a stand.
STANDING = ("idle", "between")
#: How hard a gait speeds up and slows down, metres per second squared.
RAMP = 1.2
#: The way is told in steps of this length, metres.
STEP = 0.25
#: Speed of a gait straight ahead that says none, metres per second.
USUAL = 1.3
#: Nobody goes faster, metres per second.
FASTEST = 12.0
#: Speeds are added up over so many times.
FINE = 400


def make(
    stage: Stage, planned: PlannedSpan, state: State | Place, following: PlannedSpan | None
) -> Piece:
    """Go a way; see `motionloom.shot.tracks.MAKERS`."""
    span = planned.of(GaitSpan)
    begin = state.place
    duration = (planned.last - planned.first) / stage.fps
    points = np.array([begin.position, *_places(stage, planned, span)])
    way = way_around(stage.file.shot.avoid, points, stage.file.scale)
    stops = following is not None and following.kind in STANDING
    usual = USUAL * stage.file.scale
    speed = None if span.speed is None else span.speed * stage.file.scale
    first = state.pace
    if not span.path:
        ahead = np.array(begin.transform.ahead)
        way = np.array([way[0], way[0] + (speed or usual) * duration * ahead])
    else:
        way = _smooth(way, np.array(begin.transform.ahead))
    length = float(np.linalg.norm(np.diff(way, axis=0), axis=1).sum())
    times = np.linspace(0.0, duration, FINE)
    gone = _distances(times, first, speed or (None if span.path else usual), stops, length)
    marks = np.linspace(0.0, gone[-1], max(round(gone[-1] / STEP), 2) + 1)
    path = PathConstraint(
        points=tuple((float(x), float(z)) for x, z in _along(way, marks)),
        times=tuple(float(t) for t in _when(times, gone, marks)),
        curve="polyline",
        face_along=True,
    )
    asked = constraints_of(stage.file, planned, {}, paths=[path])
    fitted = _fitted(stage, span)
    made = stage.synthesize(fitted, asked, planned)
    return stage.piece(fitted, made, bound=bool(span.path))


def check(stage: Stage, planned: PlannedSpan) -> None:
    """Refuse places that there are not, a model that does not fit the clips, and a person or style
    that was not captured.

    Raises
    ------
    MotionloomError
        When it cannot be made.
    """
    span = planned.of(GaitSpan)
    _places(stage, planned, span)
    if span.model is not None or span.person is not None or span.style is not None:
        fitted = _fitted(stage, span)
        assert isinstance(fitted, FittedGait)
        fitted.space.check_style(span.style)
        fitted.space.body(span.person)


def _places(stage: Stage, planned: PlannedSpan, span: GaitSpan) -> list[Ground]:
    """Places that the way leads through."""
    return [
        place_of(stage.file, (*planned.where, "path", i), place)[0]
        for i, place in enumerate(span.path)
    ]


def _fitted(stage: Stage, span: GaitSpan) -> Fitted:
    """The gait that is asked for."""
    if span.model is None and span.person is None and span.style is None:
        return stage.fitted("gait")
    model = None if span.model is None else stage.file.beside(span.model)
    options = GaitGeneratorOptions(model, Walker(person=span.person, style=span.style))
    return stage.fitted("gait", options)


def _distances(
    times: Array, first: float | None, speed: float | None, stops: bool, length: float
) -> Array:
    """Metres gone at every time: from the first speed to the asked one, and to a stand."""

    def gone_at(top: float) -> Array:
        begin = top if first is None else first
        speeds = begin + np.clip(top - begin, -RAMP * times, RAMP * times)
        if stops:
            speeds = np.minimum(speeds, RAMP * (times[-1] - times))
        steps = 0.5 * (speeds[1:] + speeds[:-1]) * np.diff(times)
        return np.concatenate([[0.0], np.cumsum(steps)])

    if speed is not None:
        return gone_at(speed)
    # The top speed at which the way is just gone in the time there is.
    low, high = 0.0, 2.0 * FASTEST
    for _ in range(50):
        middle = 0.5 * (low + high)
        is_short = gone_at(middle)[-1] < length
        low = middle if is_short else low
        high = high if is_short else middle
    gone = gone_at(high)
    return gone * (length / max(float(gone[-1]), 1e-9))


def _when(times: Array, gone: Array, marks: Array) -> Array:
    """When distances are gone; where the body stands, when it begins to go on."""
    moves = np.concatenate([[True], np.diff(gone) > 1e-9])
    when: Array = np.interp(marks, gone[moves], times[moves])
    when[0], when[-1] = times[0], times[-1]
    return when


def _smooth(way: Array, ahead: Array) -> Array:
    """A smooth way through places, that begins in the direction in which the body faces."""
    places = way[apart(way)]
    if len(places) < 2:
        return way
    first = places[1] - places[0]
    faces = float(ahead @ first) > 0.3 * float(np.linalg.norm(first))
    directions = np.full(len(places), np.nan)
    if faces:
        directions[0] = np.arctan2(*ahead)
    curve = spline_through(places, directions)
    smooth: Array = curve.at(np.linspace(0.0, curve.length, FINE)).ground
    return smooth


def _along(way: Array, gone: Array) -> Array:
    """Points at distances along a polyline; straight on behind its end."""
    sides = np.diff(way, axis=0)
    lengths = np.linalg.norm(sides, axis=1)
    marks = np.concatenate([[0.0], np.cumsum(lengths)])
    inside = np.stack([np.interp(gone, marks, way[:, k]) for k in range(2)], axis=1)
    ahead = sides[-1] / max(float(lengths[-1]), 1e-9)
    beyond = np.maximum(gone - marks[-1], 0.0)
    points: Array = inside + beyond[:, None] * ahead
    return points
