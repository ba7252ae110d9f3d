"""A trial of markers made into a motion: calibration where there is no model yet, then tracking."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.fitting.calibration.calibrate import CalibrationOptions, calibrate
from motionloom.fitting.calibration.result import Calibration
from motionloom.fitting.limbs import (
    UnobservedLimb,
    check_limbs,
    limb_joints,
    seen_markers,
    unobserved_limbs,
)
from motionloom.fitting.marker_model import MarkerModel
from motionloom.fitting.matching import match_markers
from motionloom.fitting.misplaced import misplaced_in_words, misplaced_markers
from motionloom.fitting.tracking import TrackedMotion, track
from motionloom.marker_motion import MarkerSequence
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.threads import one_thread

#: Events of one kind that a report for people lists.
_LISTED = 20
#: Share of the frames that tell a limb's segment below which its motion is mostly a guess.
_MOSTLY = 0.5


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

    @cached_property
    def unobserved(self) -> tuple[UnobservedLimb, ...]:
        """Limbs, or parts of them, that no marker tells: they stay as at rest."""
        return unobserved_limbs(self.model, seen_markers(self.model, self.markers))

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
        far = misplaced_markers(self.model.labels, away, np.isfinite(away))
        yield from misplaced_in_words({k: off for k, off in far.items() if k not in named})
        yield from self._guessed_segments()

    def _guessed_segments(self) -> Iterator[str]:
        """Segments of limbs that have markers, but are told by these in few frames."""
        observed = self.tracked.observed
        frames = max(int(observed.any(axis=1).sum()), 1)
        for joint in sorted(limb_joints(self.model) - self.unknown_joints):
            share = observed[:, joint].sum() / frames
            if share < _MOSTLY:
                yield (
                    f"{self.model.skeleton.names[joint]} is told by markers in {100 * share:.0f} %"
                    " of the frames only; the rest is a guess"
                )

    def to_text(self) -> str:
        """For people."""
        worst = sorted(self._marker_rms().items(), key=lambda item: -item[1])[:3]
        lines = [
            f"{self.name}: {self.motion.n_frames} frames, markers {100 * self.tracked.rms:.2f} cm"
            " (rms) from the body",
            "worst      " + ", ".join(f"{label} {100 * rms:.1f} cm" for label, rms in worst),
        ]
        lines += [
            f"unobserved {limb.in_words()}: too few markers; it stays as at rest"
            for limb in self.unobserved
        ]
        still = self._never_told()
        if still:
            lines.append(f"at rest    {', '.join(still)}: no marker tells their rotations")
        if self.calibration is not None:
            lines.append(self.calibration.to_text().rstrip("\n"))
        for kind in ("segment", "swap", "jump", "gap"):
            events = [e for e in self.tracked.events if e.kind == kind]
            lines += [f"{kind:<10} {event.in_words()}" for event in events[:_LISTED]]
            if len(events) > _LISTED:
                lines.append(f"{kind:<10} and {len(events) - _LISTED} more")
        lines += [f"problem    {problem}" for problem in self._own_problems()]
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
            "observed": self._observed_shares(),
            "unobserved": [asdict(limb) for limb in self.unobserved],
            "problems": list(self.problems),
            "events": [asdict(event) for event in self.tracked.events],
        }
        return json.dumps(data, indent=1) + "\n"

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
        check_limbs(model, markers)
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
