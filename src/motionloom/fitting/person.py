"""Several trials of one person: one skeleton for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.fitting.calibration.calibrate import CalibrationOptions, calibrate
from motionloom.fitting.fit import FittedTrial, fit_markers
from motionloom.fitting.marker_sets.recognise import recognise
from motionloom.fitting.matching import own_label
from motionloom.marker_motion import MarkerSequence
from motionloom.progress import Progress, silent

#: Share of the markers of the smaller trial that the other has, too, where both are of one person.
_SHARED = 0.9
#: Distances of markers on one segment differ by less than this (metres, 90th percentile) between
#: trials of one session: at most 0.9 cm in 18 pairs of trials of 7 persons; of two persons under
#: the same markers 2.3 cm at least, in 28 pairs.
_ONE_PERSON = 0.015


@dataclass(frozen=True, eq=False)
class _Shape:
    """Markers of a trial, and distances (metres) of those on one segment, by their labels."""

    labels: frozenset[str]
    apart: dict[tuple[str, str], float]


def group_by_person(
    trials: Sequence[MarkerSequence], options: CalibrationOptions | None = None
) -> tuple[tuple[int, ...], ...]:
    """Trials whose markers are alike: the same labels, as far apart on each segment.

    Parameters
    ----------
    trials : sequence of MarkerSequence
        Any number.
    options : CalibrationOptions, optional
        Its table and kind of body say what labels stand for.

    Returns
    -------
    tuple of tuple of int
        Indices of the trials of each person, in their order.

    Raises
    ------
    InvalidInputError
        When the labels of a trial say too little.
    """
    shapes = [_shape_of(trial, options or CalibrationOptions()) for trial in trials]
    groups: list[list[int]] = []
    for i, shape in enumerate(shapes):
        own = next((g for g in groups if all(_alike(shapes[j], shape) for j in g)), None)
        if own is None:
            groups.append([i])
        else:
            own.append(i)
    return tuple(map(tuple, groups))


def _shape_of(trial: MarkerSequence, options: CalibrationOptions) -> _Shape:
    found = recognise(trial.labels, options.table, options.body)
    places = {i: place for i, place in found.places.items() if trial.valid[:, i].any()}
    apart = {}
    for (i, one), (j, other) in combinations(places.items(), 2):
        both = trial.valid[:, i] & trial.valid[:, j]
        if one.joint == other.joint and both.any():
            pair = sorted((own_label(trial.labels[i]), own_label(trial.labels[j])))
            away = trial.positions[both, i] - trial.positions[both, j]
            apart[pair[0], pair[1]] = float(np.median(np.linalg.norm(away, axis=-1)))
    return _Shape(frozenset(own_label(trial.labels[i]) for i in places), apart)


def _alike(one: _Shape, other: _Shape) -> bool:
    shared = one.labels & other.labels
    if len(shared) < _SHARED * min(len(one.labels), len(other.labels)):
        return False
    pairs = one.apart.keys() & other.apart.keys()
    differ = [abs(one.apart[pair] - other.apart[pair]) for pair in pairs]
    return bool(differ) and float(np.quantile(differ, 0.9)) < _ONE_PERSON


def fit_person(
    trials: Sequence[MarkerSequence],
    options: CalibrationOptions | None = None,
    *,
    static: MarkerSequence | None = None,
    partial: bool = False,
    progress: Progress = silent,
) -> tuple[FittedTrial, ...]:
    """Make motions of one skeleton out of several trials of one person.

    Parameters
    ----------
    trials : sequence of MarkerSequence
        Of one person with the same markers.
    options, static, partial, progress
        As of `fit_markers`.

    Returns
    -------
    tuple of FittedTrial
        One for each trial, all of the same model.

    Raises
    ------
    InvalidInputError, NotObservedError
        As of `fit_markers`.
    """
    if not trials:
        raise InvalidInputError("a body is found from at least one trial, got none")
    if len(trials) == 1:
        return (fit_markers(trials[0], options, static=static, partial=partial, progress=progress),)
    found = calibrate(trials, options, static=static)
    fits = (
        fit_markers(trial, model=found.model, partial=partial, progress=progress)
        for trial in trials
    )
    return tuple(replace(fitted, calibration=found) for fitted in fits)
