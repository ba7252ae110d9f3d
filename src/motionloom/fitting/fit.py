"""A trial of markers made into a motion: calibration where there is no model yet, then tracking."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.fitting.calibration.calibrate import CalibrationOptions, calibrate
from motionloom.fitting.calibration.result import Calibration
from motionloom.fitting.marker_model import MarkerModel
from motionloom.fitting.matching import match_markers
from motionloom.fitting.tracking import TrackedMotion, track
from motionloom.markers import MarkerSequence
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.threads import one_thread

#: Events of one kind that a report for people lists.
_LISTED = 20


@dataclass(frozen=True, eq=False)
class FittedTrial:
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
    calibration: Calibration | None = None

    @property
    def model(self) -> MarkerModel:
        """Skeleton and markers on it."""
        return self.tracked.model

    @property
    def motion(self) -> Motion:
        """What the skeleton does."""
        return self.tracked.motion

    def to_text(self) -> str:
        """For people."""
        worst = sorted(self._marker_rms().items(), key=lambda item: -item[1])[:3]
        lines = [
            f"{self.name}: {self.motion.n_frames} frames, markers {100 * self.tracked.rms:.2f} cm"
            " (rms) from the body",
            "worst      " + ", ".join(f"{label} {100 * rms:.1f} cm" for label, rms in worst),
        ]
        if self.calibration is not None:
            lines.append(self.calibration.to_text().rstrip("\n"))
        for kind in ("segment", "swap", "jump", "gap"):
            events = [e for e in self.tracked.events if e.kind == kind]
            lines += [f"{kind:<10} {event.in_words()}" for event in events[:_LISTED]]
            if len(events) > _LISTED:
                lines.append(f"{kind:<10} and {len(events) - _LISTED} more")
        return "\n".join(lines) + "\n"

    def to_json(self) -> str:
        """All of it."""
        data: dict[str, Any] = {
            "trial": self.name,
            "frames": self.motion.n_frames,
            "fps": self.motion.fps,
            "rms": self.tracked.rms,
            "marker_rms": self._marker_rms(),
            "calibration": None if self.calibration is None else self.calibration.to_dict(),
            "events": [asdict(event) for event in self.tracked.events],
        }
        return json.dumps(data, indent=1) + "\n"

    def _marker_rms(self) -> dict[str, float]:
        own = self.tracked.marker_rms()
        return {
            label: float(rms)
            for label, rms in zip(self.model.labels, own, strict=True)
            if rms == rms  # a marker that was never trusted has none
        }


@one_thread()
def fit_markers(
    markers: MarkerSequence,
    options: CalibrationOptions | None = None,
    *,
    static: MarkerSequence | None = None,
    model: MarkerModel | None = None,
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
    progress : Progress
        Told of frames.

    Returns
    -------
    FittedTrial

    Raises
    ------
    InvalidInputError
        When labels say too little, too little is seen, or a static trial is given with a model.
    """
    if model is not None and static is not None:
        raise InvalidInputError("a static trial makes a model; give that or a model, not both")
    calibration = None
    if model is None:
        calibration = calibrate(markers, options, static=static)
        model = calibration.model
    own = match_markers(model, markers)
    tracked = hold_ends(track(model, own, progress=progress))
    return FittedTrial(markers.name, tracked, own, calibration)


def hold_ends(tracked: TrackedMotion) -> TrackedMotion:
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
    for joint in range(motion.skeleton.n_joints):
        told = np.flatnonzero(tracked.observed[:, joint])
        if not len(told) or len(told) == motion.n_frames:
            continue
        held = np.clip(frames, told[0], told[-1])
        rotations[:, joint] = rotations[held, joint]
        if joint in motion.translated:
            slot = motion.translated.index(joint)
            translations[:, slot] = translations[held, slot]
    return replace(tracked, motion=replace(motion, rotations=rotations, translations=translations))
