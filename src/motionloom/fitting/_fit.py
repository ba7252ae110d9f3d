"""A trial of markers made into a motion: calibration where there is no model yet, then tracking.

Several trials of one person: one skeleton for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.fitting import limbs
from motionloom.fitting.calibration import _result as results
from motionloom.fitting.calibration.calibrate import CalibrationOptions, calibrate
from motionloom.fitting.marker_model import MarkerModel
from motionloom.fitting.marker_sets.recognise import recognise
from motionloom.fitting.tracking import TrackedMotion, track
from motionloom.marker_motion import MarkerSequence
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.reports import Report, Reported, Row, Section
from motionloom.threads import one_thread

#: Events of one kind that a report for people lists.
_LISTED = 20
#: Share of the frames that tell a limb's segment below which its motion is mostly a guess.
_MOSTLY = 0.5

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
            pair = sorted((limbs.own_label(trial.labels[i]), limbs.own_label(trial.labels[j])))
            away = trial.positions[both, i] - trial.positions[both, j]
            apart[pair[0], pair[1]] = float(np.median(np.linalg.norm(away, axis=-1)))
    return _Shape(frozenset(limbs.own_label(trial.labels[i]) for i in places), apart)


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


@dataclass(frozen=True, eq=False)
class FittedTrial(Reported):
    """A trial as a motion, and how it was found.

    Parameters
    ----------
    name : str
        Of the trial.
    tracked : TrackedMotion
        The motion, what markers tell of it, and what happened to them.
    markers : MarkerSequence
        The trial's markers under the model's labels, in its order.
    calibration : Calibration or None
        None where a model was given.
    """

    name: str
    tracked: TrackedMotion
    markers: MarkerSequence
    calibration: results.Calibration | None = None

    @property
    def model(self) -> MarkerModel:
        """Skeleton and markers on it."""
        return self.tracked.model

    @property
    def motion(self) -> Motion:
        """What the skeleton does."""
        return self.tracked.motion

    @cached_property
    def unobserved(self) -> tuple[limbs.UnobservedLimb, ...]:
        """Limbs, or parts of them, that no marker tells: they stay as at rest."""
        return limbs.unobserved_limbs(self.model, limbs.seen_markers(self.model, self.markers))

    @property
    def unknown_joints(self) -> frozenset[int]:
        """Joints of the segments that are not observed."""
        return frozenset(joint for limb in self.unobserved for joint in limb.joints)

    @cached_property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with the fit, a sentence each."""
        own = tuple(self._own_problems())
        return own if self.calibration is None else (*self.calibration.problems, *own)

    def _own_problems(self) -> Iterator[str]:
        named = {} if self.calibration is None else self.calibration.misplaced
        away = np.linalg.norm(self.tracked.residuals, axis=-1)
        far = results.misplaced_markers(self.model.labels, away, np.isfinite(away))
        yield from results.misplaced_in_words({k: off for k, off in far.items() if k not in named})
        yield from self._guessed_segments()

    def _guessed_segments(self) -> Iterator[str]:
        """Segments of limbs that have markers, but are told by these in few frames."""
        observed = self.tracked.observed
        frames = max(int(observed.any(axis=1).sum()), 1)
        for joint in sorted(limbs.limb_joints(self.model) - self.unknown_joints):
            share = observed[:, joint].sum() / frames
            if share < _MOSTLY:
                yield (
                    f"{self.model.skeleton.names[joint]} is told by markers in {100 * share:.0f} %"
                    " of the frames only; the rest is a guess"
                )

    def as_report(self) -> Report:
        """How far markers lie from the body, what is not observed, and what happened to markers."""
        marker_rms = self._marker_rms()
        worst = sorted(marker_rms, key=lambda label: -marker_rms[label])[:3]
        calibration = () if self.calibration is None else (self.calibration.as_report(),)
        rest = "too few markers; it stays as at rest"
        return Report(
            f"{self.name}: {self.motion.n_frames} frames",
            [
                Row("rms", "markers from the body, rms", self.tracked.rms, "cm", factor=100),
                Row("", "worst", {k: marker_rms[k] for k in worst}, "cm", ".1f", 100),
                *(Row("", "unobserved", f"{limb.in_words()}: {rest}") for limb in self.unobserved),
                Row("", "at rest, as no marker tells their rotations", self._never_told()),
                *(Section("Calibration", one.items, "calibration") for one in calibration),
                Section("Events", self._events()),
            ],
            data={
                "trial": self.name,
                "frames": self.motion.n_frames,
                "fps": self.motion.fps,
                "marker_rms": marker_rms,
                "calibration": self.calibration,
                "observed": self._observed_shares(),
                "unobserved": self.unobserved,
                "events": self.tracked.events,
            },
            problems=self.problems,
            notes=() if self.calibration is None else self.calibration.notes,
        )

    def _events(self) -> list[Row]:
        rows = []
        for kind in ("segment", "swap", "jump", "gap"):
            said = [event.in_words() for event in self.tracked.events if event.kind == kind]
            more = [f"and {len(said) - _LISTED} more"] if len(said) > _LISTED else []
            rows += [Row("", kind, words) for words in (*said[:_LISTED], *more)]
        return rows

    def _never_told(self) -> list[str]:
        """Joints besides those of unobserved limbs that no marker ever tells."""
        never = np.flatnonzero(~self.tracked.observed.any(axis=0))
        names = self.model.skeleton.names
        return [names[joint] for joint in never if joint not in self.unknown_joints]

    def _observed_shares(self) -> dict[str, float]:
        """Share of the frames in which markers tell a joint, by joint."""
        shares = self.tracked.observed.mean(axis=0)
        return dict(zip(self.model.skeleton.names, map(float, shares), strict=True))

    def _marker_rms(self) -> dict[str, float]:
        own = zip(self.model.labels, self.tracked.marker_rms().tolist(), strict=True)
        return {label: rms for label, rms in own if rms == rms}  # none where it was never trusted


@one_thread()
def fit_markers(
    markers: MarkerSequence,
    options: CalibrationOptions | None = None,
    *,
    static: MarkerSequence | None = None,
    model: MarkerModel | None = None,
    partial: bool = False,
    progress: Progress = silent,
) -> FittedTrial:
    """Make a motion out of markers.

    Parameters
    ----------
    markers : MarkerSequence
        The trial; labels say where its markers sit.
    options : CalibrationOptions, optional
        How a model is found.
    static : MarkerSequence, optional
        A trial of the same person standing still, which the model is found from as well.
    model : MarkerModel, optional
        A model of the same person with the same markers; none is found then.
    partial : bool, optional
        Fit the rest of a body with limbs that no marker tells; these stay as at rest.
    progress : Progress
        Told of frames.

    Returns
    -------
    FittedTrial

    Raises
    ------
    InvalidInputError
        When labels say too little, too little is seen, or a static trial is given with a model.
    NotObservedError
        When no marker tells a limb, unless `partial`.
    """
    if model is not None and static is not None:
        raise InvalidInputError("a static trial makes a model; give that or a model, not both")
    calibration = None
    if model is None:
        calibration = calibrate(markers, options, static=static)
        model = calibration.model
    if not partial:
        limbs.check_limbs(model, markers)
    own = limbs.match_markers(model, markers)
    tracked = _hold_ends(track(model, own, progress=progress))
    return FittedTrial(markers.name, tracked, own, calibration)


def _hold_ends(tracked: TrackedMotion) -> TrackedMotion:
    """Before a joint is first told by markers, and after it is last told, it stays as it is then.

    Parameters
    ----------
    tracked : TrackedMotion
        Which frames tell a joint stands in `observed`.

    Returns
    -------
    TrackedMotion
        With as many frames; joints that are never told stay as they were.
    """
    motion = tracked.motion
    frames = np.arange(motion.n_frames)
    rotations = motion.rotations.copy()
    translations = motion.translations.copy()
    for joint in np.flatnonzero(tracked.observed.any(axis=0)).tolist():
        told = np.flatnonzero(tracked.observed[:, joint])
        held = np.clip(frames, told[0], told[-1])
        rotations[:, joint] = rotations[held, joint]
        if joint in motion.translated:
            slot = motion.translated.index(joint)
            translations[:, slot] = translations[held, slot]
    return replace(tracked, motion=replace(motion, rotations=rotations, translations=translations))
