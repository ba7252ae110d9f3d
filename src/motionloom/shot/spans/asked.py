"""Constraints of one span: times that count from its begin, percentages of it, where it begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from motionloom.constraints import ConstraintSet
from motionloom.errors import InvalidInputError
from motionloom.shot.plan import PlannedSpan
from motionloom.shot.reading import ShotFile

#: Fields that hold a time, or times.
_TIMES = ("time", "from", "to", "times")


def constraints_of(
    file: ShotFile, planned: PlannedSpan, given: Mapping[str, Any], **more: Sequence[Any]
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
    fields: dict[str, Any] = _in_seconds(dict(given), duration)
    for name, entries in more.items():
        if entries:
            fields[name] = [*entries, *fields.get(name, ())]
    if file.shot.avoid:
        fields["avoid"] = [*file.shot.avoid, *fields.get("avoid", ())]
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


def _time(value: Any, duration: float) -> Any:
    if isinstance(value, list):
        return [_time(item, duration) for item in value]
    if not (isinstance(value, str) and value.endswith("%")):
        return value
    try:
        return float(value[:-1]) / 100.0 * duration
    except ValueError:
        return value
