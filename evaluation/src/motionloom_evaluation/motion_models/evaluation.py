"""All tables about motion models on given takes: ``motionloom evaluate motion-models``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.reports import Report, Reported, Section, fields_of, table_of
from motionloom.spaces.motion_space import MotionSpaceOptions
from motionloom_evaluation.motion_models.convergence import (
    GLOBAL,
    ConvergenceRow,
    ExtrapolationRow,
    compare_configurations,
    convergence_table,
    extrapolate,
    extrapolation_table,
    local_and_global,
)
from motionloom_evaluation.motion_models.held_out import (
    HeldOut,
    blocks_out,
    evaluate_held_out,
    held_out_table,
    left_out,
    low_to_high,
)
from motionloom_evaluation.motion_models.per_frame import (
    BesideRow,
    compare_per_frame,
)
from motionloom_evaluation.motion_models.slopes import (
    FLAT,
    KEPT,
    SlopeStudy,
    slopes_section,
    study_slopes,
)
from motionloom_evaluation.motion_models.study import Action, Study, styles_of
from motionloom_evaluation.motion_models.swings import swing_takes

Array = NDArray[np.float64]

#: Slope of the publication's second and third configuration, degrees.
_SLOPE = 5.0


@dataclass(frozen=True)
class ModelEvaluationOptions:
    """What is measured.

    Parameters
    ----------
    action : Action
        What the takes show, and what hits.
    styles : tuple of str
        Parts of clips' names that tell styles, of which local models are made.
    left_out : int
        Most takes that are left out one by one.
    beside : int
        Takes at which both methods' time and smoothness are measured.
    swings : int
        Swings of the built-in performer for the slopes; none where 0.
    seed : int
        Of whatever is drawn at random.
    """

    action: Action = field(default_factory=Action)
    styles: tuple[str, ...] = ()
    left_out: int = 40
    beside: int = 6
    swings: int = 16
    seed: int = 0

    def __post_init__(self) -> None:
        if self.left_out < 1 or self.beside < 1 or (self.swings and self.swings < 8):
            raise InvalidInputError(
                "an evaluation leaves at least 1 take out, and needs 8 swings or none"
            )


@dataclass(frozen=True, eq=False)
class MotionModels(Reported):
    """All results.

    Parameters
    ----------
    options : ModelEvaluationOptions
        What was asked for.
    study : Study
        The takes.
    energy : mapping of str to array
        Share of the variance that so many eigen-motions keep, by model.
    convergence : tuple of ConvergenceRow
        Three configurations, local and global, PCA and PPCA.
    extrapolation : tuple of ExtrapolationRow
        A hit point far beyond the takes.
    held_out : tuple of HeldOut
        Takes left out, blocks left out, low to high.
    beside : tuple of BesideRow
        The model beside the per-frame editor.
    slopes : SlopeStudy, optional
        The performer's swings on slopes.
    slope_convergence : tuple of ConvergenceRow
        The three configurations for those, at 5 degrees.
    """

    options: ModelEvaluationOptions
    study: Study
    energy: dict[str, Array]
    convergence: tuple[ConvergenceRow, ...]
    extrapolation: tuple[ExtrapolationRow, ...]
    held_out: tuple[HeldOut, ...]
    beside: tuple[BesideRow, ...]
    slopes: SlopeStudy | None
    slope_convergence: tuple[ConvergenceRow, ...]

    def as_report(self) -> Report:
        """All tables."""
        study = self.study
        n, d = study.normalised.rows.shape[1:]
        spread = 100 * study.hit_points.std(axis=0)
        return self.compose(
            "Motion models",
            f"{study.size} takes of {n} frames with {d} numbers a pose; key postures"
            f" {', '.join(study.keys.names)}",
            f"hit points at {study.hit_key!r} spread by {spread[0]:.1f}, {spread[1]:.1f} and"
            f" {spread[2]:.1f} cm",
            *(_energy_line(name, energy) for name, energy in self.energy.items()),
            convergence_table(self.convergence),
            extrapolation_table(self.extrapolation),
            *(held_out_table(result) for result in self.held_out),
            table_of(
                "Beside the per-frame editor: hit points of takes left out, from the nearest take",
                self.beside,
            ),
            *self._slope_items(),
            data=self._data(),
        )

    def _slope_items(self) -> tuple[Section, ...]:
        if self.slopes is None:
            return ()
        title = "Swings of the built-in performer, at a slope of 5 degrees"
        items = (convergence_table(self.slope_convergence), slopes_section(self.slopes))
        return (Section(title, items),)

    def _data(self) -> dict[str, Any]:
        return {
            "options": self.options,
            "takes": [take.name for take in self.study.takes],
            "keys": self.study.keys.names,
            "energy": self.energy,
            "convergence": self.convergence,
            "extrapolation": [fields_of(r, "elbow") for r in self.extrapolation],
            "held_out": [fields_of(h, "distances") for h in self.held_out],
            "beside": self.beside,
            "slopes": [] if self.slopes is None else self.slopes.rows,
            "slope_convergence": self.slope_convergence,
        }


def evaluate_motion_models(
    takes: Sequence[Motion],
    options: ModelEvaluationOptions | None = None,
    progress: Progress = silent,
) -> MotionModels:
    """Measure motion models on takes of one action, beside other methods.

    Parameters
    ----------
    takes : sequence of Motion
        Of one skeleton; recordings of several strokes where the options say so.
    options : ModelEvaluationOptions, optional
        What is measured.
    progress : Progress
        Told of every stage.

    Returns
    -------
    MotionModels
        All tables.

    Raises
    ------
    InvalidInputError
        When fewer than eight takes show the key postures.
    """
    options = options or ModelEvaluationOptions()
    styles = styles_of([take.name for take in takes], options.styles)
    study = Study.of(takes, options.action, styles)
    models = local_and_global(study)
    splits = {
        "take left out": left_out(study, options.left_out, options.seed),
        "blocks of the recording left out": blocks_out(study),
        "lowest 60 % of the hits, tested on the others": low_to_high(study),
    }
    held_out = tuple(
        evaluate_held_out(study, name, split, progress=progress) for name, split in splits.items()
    )
    beside = compare_per_frame(study, options.beside, options.seed, progress)
    slopes, of_slopes = _study_swings(options, progress)
    return MotionModels(
        options=options,
        study=study,
        energy={name: _energy(space.spectrum) for name, space in models["PCA"].items()},
        convergence=compare_configurations(study, models),
        extrapolation=extrapolate(study, models),
        held_out=held_out,
        beside=beside,
        slopes=slopes,
        slope_convergence=of_slopes,
    )


def _study_swings(
    options: ModelEvaluationOptions, progress: Progress
) -> tuple[SlopeStudy | None, tuple[ConvergenceRow, ...]]:
    if not options.swings:
        return None, ()
    flat = Study.of_swings(swing_takes(options.swings, options.seed))
    kept = MotionSpaceOptions(components=min(KEPT, options.swings - 1))
    slopes = study_slopes(flat, options=kept, progress=progress)
    models = local_and_global(slopes.study, kept)
    rows = compare_configurations(slopes.study, models, _SLOPE, common=FLAT)
    return slopes, rows


def _energy(spectrum: Array) -> Array:
    share: Array = np.cumsum(spectrum) / spectrum.sum()
    return share


def _energy_line(name: str, energy: Array) -> str:
    counts = [int(np.searchsorted(energy, share - 1e-12)) + 1 for share in (0.9, 0.95, 0.99)]
    label = "all takes" if name == GLOBAL else name
    return (
        f"{label}: {counts[0]}, {counts[1]} and {counts[2]} of {len(energy)} eigen-motions keep 90,"
        " 95 and 99 % of the variance"
    )
