"""Markers in two verbs: fit a moving skeleton to a trial, and track a known body frame by frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from motionloom.errors import InvalidInputError
from motionloom.fitting import (
    CalibrationOptions,
    FittedTrial,
    MarkerModel,
    MarkerTracker,
    fit_markers,
    load_marker_model,
    read_marker_table,
    save_marker_model,
)
from motionloom.fitting.limbs import match_markers
from motionloom.fitting.tracking import TrackedPose
from motionloom.io.opensim.angles import opensim_angles, write_mot
from motionloom.io.registry import load_markers, save
from motionloom.io.result import Result, model_of
from motionloom.marker_motion import MarkerSequence
from motionloom.motion import Motion
from motionloom.progress import Progress, as_warning, silent, warn_about

__all__ = ["fit", "track"]

Trial = MarkerSequence | str | PathLike[str]


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name[:2] == "__")})


class FittedResult(Result):
    """A trial as a motion, with the body that was found."""

    @property
    def model(self) -> MarkerModel:
        """Skeleton and markers on it, for further trials and for `track`."""
        fitted: FittedTrial = self.details
        return fitted.model


def write_fitted(fitted: FittedTrial, path: Path, **options: Any) -> None:
    """Write a trial as the suffix of a name says: model, joint angles, markers or motion."""
    suffix = path.suffix.lower()
    if suffix == ".npz":
        save_marker_model(fitted.model, path)
    elif suffix == ".mot":
        angles = opensim_angles(fitted.motion, fitted.model.roles, fitted.unknown_joints)
        write_mot(angles, path)
    else:
        is_markers = suffix == ".trc"
        save(fitted.tracked.fitted_markers() if is_markers else fitted.motion, path, **options)


def fit(
    trial: Trial,
    *,
    model: MarkerModel | FittedResult | str | PathLike[str] | None = None,
    static: Trial | None = None,
    markers: str | PathLike[str] | None = None,
    height: float | None = None,
    partial: bool = False,
    progress: Progress = silent,
    **options: Any,
) -> FittedResult:
    """Fit a skeleton to a trial of markers: find the body, and how it moves.

    Parameters
    ----------
    trial : MarkerSequence or path-like
        The trial, ``.c3d`` or ``.trc``; labels say where its markers sit.
    model : MarkerModel, FittedResult or path-like, optional
        A body of the same person with the same markers; found from the trial when not given.
    static : MarkerSequence or path-like, optional
        A trial of the same person standing still, which the body is found from as well.
    markers : path-like, optional
        YAML: what labels stand for, ``LABEL: PLACE``.
    height : float, metres, optional
        The person's height, where it is known.
    partial : bool
        Fit the rest where limbs have no markers; these stay as at rest.
    progress : Progress
        Told of frames.
    **options
        `method` (``"joint"``, ``"rule"`` or ``"functional"``) and `symmetric` (bool: left and right
        are as long as each other).

    Returns
    -------
    FittedResult
        It can be saved as a motion, as ``.mot`` (joint angles for OpenSim), ``.trc`` (fitted
        markers) or ``.npz`` (the model); `details` is the `FittedTrial`.

    Raises
    ------
    FormatError
        When a file cannot be read.
    InvalidInputError
        When the labels are those of no known marker set.
    NotObservedError
        When limbs have no markers, unless `partial` is given.

    Examples
    --------
    >>> result = ml.markers.fit(demo / "markers.trc", model=demo / "body.npz")
    >>> 1000 * result.details.tracked.rms < 10.0  # millimetres from the body
    True
    >>> result.save("walk.bvh")
    """
    if model is not None:
        given = {"static": static, "markers": markers, "height": height, **options}
        refused = [name for name, value in given.items() if value is not None]
        if refused:
            raise InvalidInputError(f"{', '.join(refused)}: a model has it; leave it out")
        known = _model_of(model)
        fitted = fit_markers(read_trial(trial), model=known, partial=partial, progress=progress)
    else:
        labels, body = ({}, None) if markers is None else read_marker_table(Path(markers))
        how = CalibrationOptions(size=height, body=body, table=labels, **options)
        still = None if static is None else read_trial(static)
        fitted = fit_markers(
            read_trial(trial), how, static=still, partial=partial, progress=progress
        )

    def write(motion: Motion, path: Path, **options: Any) -> None:
        write_fitted(fitted, path, **options)

    return FittedResult({fitted.name or "trial": fitted.motion}, fitted, fitted, write=write)


def track(
    model: MarkerModel | FittedResult | str | PathLike[str],
    frames: Trial | Iterable[tuple[ArrayLike, ArrayLike]],
    *,
    fps: float | None = None,
) -> Iterator[TrackedPose]:
    """Track a known body frame by frame, as its markers arrive.

    Parameters
    ----------
    model : MarkerModel, FittedResult or path-like
        The body with markers on it, from `fit`.
    frames : MarkerSequence, path-like, or iterable of (positions, valid)
        A trial, or frames as they arrive: world positions, shape (M, 3) in metres, of the model's
        markers in its order, and which of them are seen, shape (M,).
    fps : float, optional
        Frames per second of frames that arrive; a trial has its own.

    Yields
    ------
    TrackedPose
        For each frame, from its markers and those before.

    Raises
    ------
    FormatError
        When a file cannot be read.
    InvalidInputError
        When the rate of frames that arrive is not given, or shapes are not the model's.

    Examples
    --------
    >>> poses = list(ml.markers.track(demo / "body.npz", demo / "markers.trc"))
    >>> len(poses) == ml.load(demo / "markers.trc").n_frames, poses[-1].started
    (True, True)
    """
    known = _model_of(model)
    if isinstance(frames, (MarkerSequence, str, PathLike)):
        trial = match_markers(known, read_trial(frames))
        frame_time = trial.frame_time
        frames = zip(trial.positions, trial.valid, strict=True)
    elif fps is None or not fps > 0:
        raise InvalidInputError(f"fps: frames that arrive need a rate above 0, got {fps}")
    else:
        frame_time = 1.0 / fps
    tracker = MarkerTracker(known, frame_time)
    return (tracker.update(positions, valid) for positions, valid in frames)


def _model_of(given: Any) -> MarkerModel:
    known = given.model if isinstance(given, FittedResult) else given
    return model_of(known, load_marker_model, MarkerModel)


def read_trial(trial: Trial, **options: Any) -> MarkerSequence:
    """Markers of a file, with what reading it warns of said.

    Parameters
    ----------
    trial : MarkerSequence or path-like
        What is loaded comes back.
    **options
        Of `motionloom.io.load_markers`.
    """
    if isinstance(trial, MarkerSequence):
        return trial
    markers = load_markers(trial, **options)
    warn_about(((fspath(trial), text) for text in markers.source.warnings), as_warning)
    return markers
