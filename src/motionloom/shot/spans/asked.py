"""Constraints of one span: times that count from its begin, percentages of it, where it begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from motionloom.constraints import ConstraintSet
from motionloom.errors import InvalidInputError
from motionloom.shot.plan import PlannedSpan
from motionloom.shot.script.reading import ShotFile

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
