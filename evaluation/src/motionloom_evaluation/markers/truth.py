"""Methods of calibration side by side on subjects of known truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.fitting import Calibration, CalibrationOptions, fit_markers
from motionloom.fitting.calibration.calibrate import METHODS
from motionloom.kinematics import forward_kinematics
from motionloom.motion import Motion
from motionloom.performer import performer_clips
from motionloom.progress import Progress, silent
from motionloom_evaluation.markers.known_truth import (
    CENTRES,
    LEGS,
    Subject,
    lengths_between,
    make_subject,
)

#: Statures of subjects, metres.
STATURES = (1.5, 2.0)
#: Frames per second, and frames, that a subject's motion is brought down to.
_FPS = 60.0
_LONGEST = 600
#: Mean distance from the centre of a normal cloud in space, in standard deviations of an axis.
_MEAN_OF_CLOUD = 1.596


@dataclass(frozen=True)
class TruthRow:
    """One subject, one method.

    Parameters
    ----------
    subject : str
        Its motion's name.
    stature : float, metres
        Of the subject.
    method : str
        Of calibration.
    joints : mapping of str to float, metres
        Mean distance of each joint's centre from the truth.
    lengths : mapping of str to float
        Error of each length, as a share of it.
    rms : float, metres
        Of the markers about the body.
    said : float, metres
        Mean distance that the calibration's confidence foretells; NaN for methods without one.
    """

    subject: str
    stature: float
    method: str
    joints: dict[str, float]
    lengths: dict[str, float]
    rms: float
    said: float

    @property
    def mean(self) -> float:
        """Of all joints, metres."""
        return float(np.mean(list(self.joints.values())))

    @property
    def legs(self) -> float:
        """Of hips, knees and ankles, metres."""
        return float(np.mean([self.joints[role] for role in LEGS]))

    @property
    def length(self) -> float:
        """Mean error of the lengths, as a share of them."""
        return float(np.mean(np.abs(list(self.lengths.values()))))


def make_subjects(motions: Sequence[Motion], count: int, seed: int) -> list[Subject]:
    """Subjects of random stature.

    Parameters
    ----------
    motions : sequence of Motion
        Of people; every second subject moves as one of them, where there are any, the others as
        the built-in performer.
    count : int
        Number of subjects.
    seed : int
        Of all draws.

    Returns
    -------
    list of Subject
    """
    rng = np.random.default_rng(seed)
    performed = [clip.motion for clip in performer_clips(seed=seed)]
    picked = [performed[i] for i in rng.permutation(len(performed))]
    given = [motions[i] for i in rng.permutation(len(motions))]
    found = []
    for i in range(count):
        source = given if given and i % 2 == 0 else picked
        motion = source[(i // 2 if given else i) % len(source)]
        step = max(1, round(motion.fps / _FPS))
        found.append(make_subject(motion[::step][:_LONGEST], float(rng.uniform(*STATURES)), rng))
    return found


def evaluate_truth(
    subjects: Sequence[Subject], progress: Progress = silent
) -> tuple[TruthRow, ...]:
    """Fit every subject by every method.

    Parameters
    ----------
    subjects : sequence of Subject
        With known joint centres.
    progress : Progress
        Told of subjects.

    Returns
    -------
    tuple of TruthRow
        Joint centres are those of the fitted motion, over all its frames.
    """
    rows = []
    for i, subject in enumerate(subjects):
        progress("subjects", i, len(subjects))
        rows += [_row(subject, method) for method in METHODS]
    progress("subjects", len(subjects), len(subjects))
    return tuple(rows)


def _row(subject: Subject, method: str) -> TruthRow:
    fitted = fit_markers(subject.markers, CalibrationOptions(method=method))
    pose = forward_kinematics(fitted.motion)
    roles = fitted.model.roles.joints
    own = {role: pose.positions[:, roles[role]] for role in CENTRES}
    joints = {
        role: float(np.linalg.norm(own[role] - subject.centres[role], axis=-1).mean())
        for role in CENTRES
    }
    found = lengths_between(own)
    lengths = {name: found[name] / true - 1 for name, true in subject.lengths.items()}
    calibration = fitted.calibration
    said = float("nan") if calibration is None else _foretold(calibration)
    return TruthRow(
        subject=subject.name,
        stature=subject.stature,
        method=method,
        joints=joints,
        lengths=lengths,
        rms=fitted.tracked.rms,
        said=said,
    )


def _foretold(calibration: Calibration) -> float:
    """Mean distance of the compared joints from the truth, by the calibration's own account."""
    names = calibration.model.skeleton.names
    roles = calibration.model.roles.joints
    told = [calibration.confidence.get(names[roles[role]]) for role in CENTRES]
    known = [sd for sd in told if sd is not None]
    return _MEAN_OF_CLOUD * float(np.mean(known)) if known else float("nan")


def format_truth(rows: Sequence[TruthRow]) -> str:
    """A table of methods, and one of subjects."""
    lines = [
        "Known truth: mean distance of joint centres from the truth, cm",
        f"{'method':<12}{'all':>7}{'legs':>7}{'worst':>7}{'foretold':>10}{'lengths %':>11}"
        f"{'worst %':>9}{'rms':>7}",
    ]
    for method in METHODS:
        own = [row for row in rows if row.method == method]
        longest = max(abs(v) for row in own for v in row.lengths.values())
        lines.append(
            f"{method:<12}{100 * np.mean([r.mean for r in own]):7.2f}"
            f"{100 * np.mean([r.legs for r in own]):7.2f}{100 * max(r.mean for r in own):7.2f}"
            f"{100 * np.mean([r.said for r in own]):10.2f}"
            f"{100 * np.mean([r.length for r in own]):11.2f}{100 * longest:9.2f}"
            f"{100 * np.mean([r.rms for r in own]):7.2f}"
        )
    lines.append(f"{'by joint':<16}" + "".join(f"{method:>12}" for method in METHODS))
    for role in CENTRES:
        cells = [np.mean([r.joints[role] for r in rows if r.method == m]) for m in METHODS]
        lines.append(f"  {role:<14}" + "".join(f"{100 * cell:12.2f}" for cell in cells))
    lines.append(f"{'lengths %':<16}" + "".join(f"{method:>12}" for method in METHODS))
    for name in rows[0].lengths:
        cells = [np.mean([abs(r.lengths[name]) for r in rows if r.method == m]) for m in METHODS]
        lines.append(f"  {name:<14}" + "".join(f"{100 * cell:12.2f}" for cell in cells))
    return "\n".join(lines)
