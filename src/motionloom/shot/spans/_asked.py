"""Constraints of one span: times that count from its begin, percentages of it, where it begins."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from motionloom import rotations as rot
from motionloom.constraints import ConstraintSet
from motionloom.constraints.scene import Encounter, Meeting
from motionloom.errors import InvalidInputError
from motionloom.motion import GroundTransform
from motionloom.rotations import wrap_angle
from motionloom.shot.plan.planned import PlannedSpan
from motionloom.shot.script.reading import ShotFile
from motionloom.shot.script.shot import Meet

#: Fields that hold a time, or times.
_TIMES = ("time", "from", "to", "times")
#: Fields that hold lengths.
_LENGTHS = (
    *("position", "points", "shift", "velocity", "look_at", "offset"),
    *("center", "radius", "size", "bottom", "top", "origin", "cell", "heights"),
)
#: Methods that are told of the shot's obstacles; a gait's way leads around them.
AROUND = ("walk", "synthesize")


def constraints_of(
    file: ShotFile,
    planned: PlannedSpan,
    given: Mapping[str, Any],
    *,
    shot_avoid: bool = True,
    **more: Sequence[Any],
) -> ConstraintSet:
    """Constraints of a span.

    Parameters
    ----------
    file : ShotFile
        For its rate, obstacles, and lines.
    planned : PlannedSpan
        How long it lasts.
    given : mapping
        Fields of a constraint file, as the shot has them.
    shot_avoid : bool
        Whether the shot's obstacles are kept out of.
    **more : sequence
        Further entries of fields, by their names; they come first.

    Returns
    -------
    ConstraintSet

    Raises
    ------
    FormatError
        When they are not valid.
    """
    fps = file.shot.fps
    duration = (planned.last - planned.first) / fps
    where = (*planned.where, "constraints")
    for field in ("duration", "fps"):
        if field in given:
            raise file.fault((*where, field), "follows from the shot; leave it out")
    if given.get("ground"):
        raise file.fault(
            (*where, "ground"), "all of a shot walk on one ground; put it into the shot's 'ground'"
        )
    timed = _changed(given, _TIMES, lambda time: _seconds(time, duration))
    fields: dict[str, Any] = dict(_scaled(timed, file.scale))
    for name, entries in more.items():
        if entries:
            fields[name] = [*entries, *fields.get(name, ())]
    if shot_avoid and file.shot.avoid and planned.kind in AROUND:
        avoid = [one.model_dump(by_alias=True) for one in file.shot.avoid]
        fields["avoid"] = [*_scaled(avoid, file.scale), *fields.get("avoid", ())]
    try:
        return ConstraintSet(duration=duration, fps=fps, **fields)
    except InvalidInputError as error:
        raise file.fault(where, str(error)) from None


def _changed(
    value: Any, names: Sequence[str], change: Callable[[Any], Any], is_named: bool = False
) -> Any:
    """Fields of constraints; what lies in those of some names is changed."""
    if isinstance(value, Mapping):
        return {k: _changed(v, names, change, is_named or k in names) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_changed(item, names, change, is_named) for item in value]
    return change(value) if is_named else value


def _scaled(value: Any, scale: float) -> Any:
    """Fields of constraints with all lengths in them multiplied."""

    def longer(length: Any) -> Any:
        is_number = isinstance(length, (int, float)) and not isinstance(length, bool)
        return length * scale if is_number else length

    return value if scale == 1.0 else _changed(value, _LENGTHS, longer)


def _seconds(time: Any, duration: float) -> Any:
    """A time, or a percentage of the duration, as seconds."""
    if not (isinstance(time, str) and time.endswith("%")):
        return time
    try:
        return float(time[:-1]) / 100.0 * duration
    except ValueError:
        return time


#: Fields of a constraint that hold a place, a direction with a length, and an angle about the
#: vertical.
_PLACES = ("position", "look_at", "center", "origin")
_VECTORS = ("velocity", "shift")
_ANGLES = ("facing", "angle")
#: Places and angles that an obstacle has where it does not say.
_USUAL: Mapping[str, Mapping[str, Any]] = {
    "box": {"angle": 0.0},
    "heightmap": {"origin": (0.0, 0.0)},
}
#: A turn that is smaller, degrees, is none.
_TURN = 1e-6


def placed_fields(fields: Mapping[str, Any], at: GroundTransform) -> dict[str, Any]:
    """Fields of a constraint file with all their places put elsewhere.

    Parameters
    ----------
    fields : mapping
        As they stand in a file.
    at : GroundTransform
        Where the file's origin is put, and where its +Z leads.

    Returns
    -------
    dict

    Raises
    ------
    InvalidInputError
        When a height map would be turned.
    """
    if abs(at.x) + abs(at.z) + abs(at.angle) < 1e-12:
        return dict(fields)
    return {
        name: [_placed(one, at) for one in value] if isinstance(value, list) else value
        for name, value in fields.items()
    }


def fields_until(fields: Any, duration: float) -> Any:
    """Fields of a constraint file none of whose times is behind the end.

    Begins and ends of spans are rounded to frames, so that a span may be a frame shorter than its
    file.

    Parameters
    ----------
    fields : object
        As they stand in a file.
    duration : float, seconds
        Of the span.

    Returns
    -------
    object
    """

    def earlier(time: Any) -> Any:
        return min(time, duration) if isinstance(time, (int, float)) else time

    return _changed(fields, _TIMES, earlier)


def placed_meet(event: Meeting, between: tuple[str, str], at: GroundTransform) -> Meet:
    """An event of a scene as a meeting of a shot.

    Parameters
    ----------
    event : Meeting
        Of the scene.
    between : tuple of (str, str)
        Who plays the two.
    at : GroundTransform
        Where the scene's origin is put.

    Returns
    -------
    Meet
        Its time is that of the scene.
    """
    facts = {name: getattr(event, name) for name in Encounter.model_fields}
    joints = tuple(
        one.model_copy(update=_placed({"position": one.position}, at)) for one in event.joints
    )
    heading = None if event.heading is None else _turned(event.heading, at)
    position = None if event.position is None else _point(at, event.position)
    own = {**facts, "joints": joints, "heading": heading, "between": between}
    return Meet(time=event.time, position=position, **own)


def _placed(entry: Any, at: GroundTransform) -> Any:
    """One constraint."""
    if not isinstance(entry, dict):
        return entry
    if entry.get("shape") == "heightmap" and abs(_turned(0.0, at)) > _TURN:
        raise InvalidInputError(
            f"a height map cannot be turned, here by {_turned(0.0, at):.0f} degrees; leave it out,"
            " or put the file where its +Z is that of the shot"
        )
    turn = GroundTransform(at.angle)
    entry = {**_USUAL.get(str(entry.get("shape")), {}), **entry}
    found = dict(entry)
    found |= {name: _point(at, entry[name]) for name in _PLACES if entry.get(name)}
    found |= {name: _point(turn, entry[name]) for name in _VECTORS if entry.get(name)}
    found |= {name: _turned(entry[name], at) for name in _ANGLES if entry.get(name) is not None}
    if entry.get("points"):
        found["points"] = [_point(at, point) for point in entry["points"]]
    if entry.get("orientation"):
        found["orientation"] = rot.multiply(at.quaternion, np.array(entry["orientation"])).tolist()
    return found


def _point(at: GroundTransform, point: Any) -> Any:
    return tuple(float(v) for v in at.apply(point))


def _turned(degrees: float, at: GroundTransform) -> float:
    return float(np.degrees(wrap_angle(np.radians(degrees) + at.angle)))
