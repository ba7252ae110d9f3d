"""Strikes and offs beside what marker files say, regular strikes of straight gait, false cycles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from motionloom.gait.cycles.find import FoundGait, find_gait
from motionloom.marker_motion import MarkerSequence
from motionloom_evaluation.gait.marker_tracks import tracks_of_markers

Array = NDArray[np.float64]

#: What marker files call strikes and offs.
_LABELS = {"strike": ("foot strike",), "off": ("foot off",)}
#: An event is met by one within this time, seconds; else it is missed.
_NEAR = 0.2
#: Events so near to the ends of a clip need not be found: the peak would lie outside.
_ENDS = 0.05
#: Of regular strikes no step takes longer or shorter than the median by more than this factor.
_REGULAR = 1.6


@dataclass(frozen=True)
class EventCheck:
    """Events of one marker file.

    Parameters
    ----------
    name : str
        Of the file.
    kind : str
        ``"strike"`` or ``"off"``.
    told : int
        Events in the file away from its ends.
    errors : tuple of float, seconds
        Time found less time told, of those that were found.
    extra : int
        Found between told ones without being told.
    """

    name: str
    kind: str
    told: int
    errors: tuple[float, ...]
    extra: int


def check_events(markers: MarkerSequence) -> list[EventCheck]:
    """Compare found events with those of a file.

    Parameters
    ----------
    markers : MarkerSequence
        With events of a left and right context.

    Returns
    -------
    list of EventCheck
        Strikes, then offs; empty for a file without events.
    """
    if not markers.events:
        return []
    found = find_gait(tracks_of_markers(markers))
    return [_check(markers, found, kind) for kind in _LABELS]


def _check(markers: MarkerSequence, found: FoundGait, kind: str) -> EventCheck:
    errors: list[float] = []
    told_count = 0
    extra = 0
    end = (markers.n_frames - 1) * markers.frame_time
    for foot in ("left", "right"):
        told = _told(markers, kind, foot)
        times = found.of(kind, foot)
        inside = told[(told >= _ENDS) & (told <= end - _ENDS)]
        told_count += len(inside)
        for time in inside:
            away = times - time
            if len(away) and np.abs(away).min() <= _NEAR:
                errors.append(float(away[np.argmin(np.abs(away))]))
        if len(told):
            between = times[(times > told.min() - _NEAR) & (times < told.max() + _NEAR)]
            extra += sum(bool(np.abs(told - t).min() > _NEAR) for t in between)
    return EventCheck(markers.name, kind, told_count, tuple(errors), extra)


def _told(markers: MarkerSequence, kind: str, foot: str) -> Array:
    return np.array(
        [
            e.time
            for e in markers.events
            if e.label.lower() in _LABELS[kind] and e.context.lower() == foot
        ]
    )


@dataclass(frozen=True)
class StrikeCheck:
    """Whether the strikes of a clip alternate and come regularly.

    Parameters
    ----------
    name : str
        Of the clip.
    strikes, strides : int
        Found.
    doubled, missed : int
        Strikes of one foot after the other without the other's between them, too near for a
        cycle; steps that take far longer than the others.
    """

    name: str
    strikes: int
    strides: int
    doubled: int
    missed: int


def check_strikes(name: str, found: FoundGait) -> StrikeCheck:
    """Look at the order and times of strikes.

    Parameters
    ----------
    name : str
        Of the clip.
    found : FoundGait
        What was found in it.

    Returns
    -------
    StrikeCheck
    """
    strikes = [e for e in found.events if e.kind == "strike"]
    times = np.array([e.time for e in strikes])
    steps = np.diff(times)
    usual = float(np.median(steps)) if len(steps) else 0.0
    same = np.array([a.foot == b.foot for a, b in pairwise(strikes)])
    long = steps > _REGULAR * usual
    doubled = int((same & ~long).sum()) if len(same) else 0
    return StrikeCheck(name, len(strikes), len(found.strides), doubled, int(long.sum()))


def false_cycles(found: Sequence[tuple[str, FoundGait]]) -> dict[str, int]:
    """Cycles in clips that hold none, by name; clips without any are left out."""
    return {name: len(gait.strides) for name, gait in found if gait.strides}
