"""Constraints of one span: times that count from its begin, percentages of it, where it begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    fields: dict[str, Any] = _scaled(_in_seconds(dict(given), duration), file.scale)
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


def _in_seconds(value: Any, duration: float) -> Any:
    """Percentages of the duration in place of times as seconds."""
    if isinstance(value, dict):
        return {
            key: _time(item, duration) if key in _TIMES else _in_seconds(item, duration)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [_in_seconds(item, duration) for item in value]
    return value


def _scaled(value: Any, scale: float, is_length: bool = False) -> Any:
    """Fields of constraints with all lengths in them multiplied."""
    if isinstance(value, dict):
        return {k: _scaled(v, scale, is_length or k in _LENGTHS) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_scaled(item, scale, is_length) for item in value]
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value * scale if is_length and is_number and scale != 1.0 else value


def _time(value: Any, duration: float) -> Any:
    if isinstance(value, list):
        return [_time(item, duration) for item in value]
    if not (isinstance(value, str) and value.endswith("%")):
        return value
    try:
        return float(value[:-1]) / 100.0 * duration
    except ValueError:
        return value


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
    if _is_nowhere_else(at):
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
    if isinstance(fields, Mapping):
        return {
            key: _earlier(item, duration) if key in _TIMES else fields_until(item, duration)
            for key, item in fields.items()
        }
    return [fields_until(item, duration) for item in fields] if isinstance(fields, list) else fields


def _earlier(time: Any, duration: float) -> Any:
    if isinstance(time, list):
        return [_earlier(one, duration) for one in time]
    return min(time, duration) if isinstance(time, (int, float)) else time


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
    x, z = at.apply(event.position or (0.0, 0.0))
    position = None if event.position is None else (float(x), float(z))
    own = {**facts, "joints": joints, "heading": heading, "between": between}
    return Meet(time=event.time, position=position, **own)


def _is_nowhere_else(at: GroundTransform) -> bool:
    return bool(abs(at.x) + abs(at.z) + abs(at.angle) < 1e-12)


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


def _point(at: GroundTransform, point: Any) -> tuple[float, ...]:
    return tuple(float(v) for v in at.apply(point))


def _turned(degrees: float, at: GroundTransform) -> float:
    return float(np.degrees(wrap_angle(np.radians(degrees) + at.angle)))
