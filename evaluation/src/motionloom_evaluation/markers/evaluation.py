"""Markers to skeletons, measured: what ``motionloom evaluate markers`` does."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.fitting import calibrate
from motionloom.fitting.limbs import match_markers
from motionloom.io import load_markers
from motionloom.kinematics import forward_kinematics
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.reports import fields_of, plain
from motionloom.roles import find_roles
from motionloom_evaluation.markers.damage import DamageResult, evaluate_damage
from motionloom_evaluation.markers.dog import is_dog, make_dog
from motionloom_evaluation.markers.dog_errors import DogRow, evaluate_dog, format_dogs
from motionloom_evaluation.markers.trials import (
    TrialRow,
    evaluate_trials,
    format_trials,
)
from motionloom_evaluation.markers.truth import (
    TruthRow,
    evaluate_truth,
    format_truth,
    make_subjects,
)


@dataclass(frozen=True)
class MarkerEvaluationOptions:
    """How much is measured.

    Parameters
    ----------
    subjects : int
        Subjects of known truth; none when 0.
    damage : int
        Trials that are damaged and solved again, the first of those that can be fitted.
    seed : int
        Of all draws.
    """

    subjects: int = 20
    damage: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        if not (0 <= self.subjects <= 1000 and self.damage >= 0):
            raise InvalidInputError("subjects lie between 0 and 1000, damaged trials not below 0")


@dataclass(frozen=True, eq=False)
class MarkerEvaluation:
    """All results.

    Parameters
    ----------
    truth : tuple of TruthRow
        Subjects of known truth, by every method.
    trials : tuple of TrialRow
        Real trials.
    dogs : tuple of DogRow
        Clips of dogs.
    damage : mapping of str to tuple of DamageResult
        By trial.
    """

    truth: tuple[TruthRow, ...]
    trials: tuple[TrialRow, ...]
    dogs: tuple[DogRow, ...]
    damage: dict[str, tuple[DamageResult, ...]]

    def to_text(self) -> str:
        """All tables."""
        parts = []
        if self.truth:
            parts.append(format_truth(self.truth))
        if self.trials:
            parts.append(format_trials(self.trials))
        if self.dogs:
            parts.append(format_dogs(self.dogs))
        if self.damage:
            parts.append(_format_damage(self.damage))
        return "\n\n".join(parts) + "\n"

    def to_json(self) -> str:
        """All figures."""
        trials = [fields_of(row, "flexion") for row in self.trials]
        return json.dumps(plain({**fields_of(self), "trials": trials}), indent=1) + "\n"


def evaluate_markers(
    trials: Sequence[str],
    motions: Sequence[Motion] = (),
    options: MarkerEvaluationOptions | None = None,
    progress: Progress = silent,
) -> MarkerEvaluation:
    """Measure markers to skeletons.

    Parameters
    ----------
    trials : sequence of str
        Marker files.
    motions : sequence of Motion
        Of people, for subjects of known truth; of dogs, which get markers.
    options : MarkerEvaluationOptions, optional
        How much is measured.
    progress : Progress
        Told of what is being done.

    Returns
    -------
    MarkerEvaluation
    """
    options = options or MarkerEvaluationOptions()
    people = [motion for motion in motions if not is_dog(motion) and _is_whole(motion)]
    subjects = make_subjects(people, options.subjects, options.seed) if options.subjects else []
    truth = evaluate_truth(subjects, progress)
    rows = evaluate_trials(trials, progress)
    rng = np.random.default_rng(options.seed)
    dogs = []
    for i, motion in enumerate(found := [motion for motion in motions if is_dog(motion)]):
        progress("dogs", i, len(found))
        dogs.append(evaluate_dog(make_dog(motion, rng)))
    damage: dict[str, tuple[DamageResult, ...]] = {}
    for row in [row for row in rows if not row.refused][: options.damage]:
        progress("damaged trials", len(damage), options.damage)
        markers = load_markers(row.path)
        model = calibrate(markers).model
        damage[row.name] = evaluate_damage(model, match_markers(model, markers), seed=options.seed)
    return MarkerEvaluation(truth, rows, tuple(dogs), damage)


def _is_whole(motion: Motion) -> bool:
    """Whether a person's motion has the joints that markers are put about, and moves."""
    roles = find_roles(motion.skeleton)
    wanted = {"hips", "chest", "neck", "head"}
    wanted |= {
        f"{side}_{part}"
        for side in ("left", "right")
        for part in ("shoulder", "elbow", "hand", "hip", "knee", "foot")
    }
    if roles.kind != "human" or not wanted <= roles.joints.keys() or motion.n_frames < 2:
        return False
    return bool(np.ptp(forward_kinematics(motion).positions, axis=0).max() > 0.05)


def _format_damage(damage: dict[str, tuple[DamageResult, ...]]) -> str:
    lines = [
        "Damage, distance of told joints from the undamaged solve, cm",
        f"{'':<24}{'damage':<22}{'way':<10}{'mean':>7}{'worst':>7}{'found':>9}",
    ]
    for name, results in damage.items():
        for r in results:
            found = f"{r.found} of {r.harms}" if r.harms else "-"
            lines.append(
                f"{name[:23]:<24}{r.kind[:21]:<22}{r.way:<10}{r.mean:7.2f}{r.worst:7.2f}{found:>9}"
            )
    return "\n".join(lines)
