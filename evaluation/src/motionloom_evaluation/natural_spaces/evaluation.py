"""All tables about poses on given captures: what ``motionloom evaluate natural-spaces`` does."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.ik.solve import solver_names
from motionloom.motion import Motion
from motionloom.processes import undisturbed, worker_pool
from motionloom.progress import Progress, silent
from motionloom.reports import fields_of, plain
from motionloom.spaces.pose_space import fit_pose_space
from motionloom_evaluation.natural_spaces.kinds import KindRow, compare_kinds, format_kinds
from motionloom_evaluation.natural_spaces.order import OrderTest, check_order, format_order
from motionloom_evaluation.natural_spaces.poses import (
    PoseEvaluation,
    evaluate_poses,
    format_evaluation,
)
from motionloom_evaluation.natural_spaces.reachable import METHODS as REACH_METHODS
from motionloom_evaluation.natural_spaces.reachable import (
    ReachTable,
    evaluate_reachable,
    format_reachable,
)
from motionloom_evaluation.natural_spaces.sampling import (
    SamplingTest,
    evaluate_sampling,
    format_sampling,
)
from motionloom_evaluation.natural_spaces.sweep import THESIS as SWEEP_THESIS
from motionloom_evaluation.natural_spaces.sweep import SweepRow, format_sweep, sweep_dimensions
from motionloom_evaluation.natural_spaces.targets import Split, split_captures


@dataclass(frozen=True)
class EvaluationOptions:
    """How much is measured.

    Parameters
    ----------
    targets : int
        For each of the five groups.
    splits : int
        Splits of the captures, with the seeds `seed`, `seed` + 1 ...
    seed : int
        Of the first split, and of all that is drawn at random.
    methods : tuple of str
        Solvers that are compared.
    random_places, samples : int
        Random places for the right hand, and poses of each sampler.
    dimensions : tuple of int
        Of the sweep.
    workers : int
        Processes that share the splits.
    """

    targets: int = 100
    splits: int = 2
    seed: int = 0
    methods: tuple[str, ...] = field(default_factory=solver_names)
    random_places: int = 1000
    samples: int = 1000
    dimensions: tuple[int, ...] = tuple(SWEEP_THESIS)
    workers: int = 1

    def __post_init__(self) -> None:
        if self.targets < 3 or self.splits < 1 or self.workers < 1:
            raise InvalidInputError(
                "an evaluation needs at least 3 targets a group, 1 split and 1 worker"
            )
        if self.methods[:1] != ("natural",):
            raise InvalidInputError("the methods that are compared must begin with 'natural'")

    @classmethod
    def quick(cls, seed: int = 0) -> EvaluationOptions:
        """A few targets, one split and two methods: to see that it runs."""
        return cls(
            targets=4,
            splits=1,
            seed=seed,
            methods=("natural", "jacobian"),
            random_places=30,
            samples=60,
            dimensions=(7, 14),
        )


@dataclass(frozen=True, eq=False)
class NaturalSpaces:
    """All results.

    Parameters
    ----------
    options : EvaluationOptions
        What was asked for.
    splits : tuple of PoseEvaluation
        One for each split.
    kinds : tuple of KindRow
        These and what follows are of the first split.
    reachable : ReachTable
        Random places for the right hand.
    sampling : SamplingTest
        Samples of the pose space beside captured poses.
    sweep : tuple of SweepRow
        One whole-body space, over its number of dimensions.
    order : OrderTest
        Of all captures.
    """

    options: EvaluationOptions
    splits: tuple[PoseEvaluation, ...]
    kinds: tuple[KindRow, ...]
    reachable: ReachTable
    sampling: SamplingTest
    sweep: tuple[SweepRow, ...]
    order: OrderTest

    def to_text(self) -> str:
        """All tables."""
        parts = [
            f"Split {self.options.seed + i}, {self.options.targets} targets a"
            f" group\n\n{format_evaluation(s)}"
            for i, s in enumerate(self.splits)
        ]
        parts += [
            format_kinds(self.kinds),
            format_reachable(self.reachable),
            format_sampling(self.sampling),
            f"one whole-body space, both hands (thesis in brackets)\n{format_sweep(self.sweep)}",
            format_order(self.order),
        ]
        return "\n".join(parts)

    def to_json(self) -> str:
        """All figures, without the poses."""
        data = {**fields_of(self), "splits": [_plain(s) for s in self.splits]}
        return json.dumps(plain(data), indent=1) + "\n"


def evaluate_natural_spaces(
    motions: Sequence[Motion], options: EvaluationOptions | None = None, progress: Progress = silent
) -> NaturalSpaces:
    """Measure everything on captures of one skeleton.

    Parameters
    ----------
    motions : sequence of Motion
        The captures; a quarter of them is held out in each split.
    options : EvaluationOptions, optional
        How much is measured.
    progress : Progress
        Told of every stage; splits that other processes work on report nothing.

    Returns
    -------
    NaturalSpaces
        All tables.

    Raises
    ------
    InvalidInputError
        When there are fewer than four captures, or they have different joints.
    """
    options = options or EvaluationOptions()
    seeds = range(options.seed, options.seed + options.splits)
    split = split_captures(motions, options.seed)
    if options.workers > 1 and options.splits > 1:
        with worker_pool(min(options.workers, options.splits)) as pool:
            with undisturbed():
                waiting = [pool.submit(_evaluate_split, motions, seed, options) for seed in seeds]
            rest = _first_split(motions, split, options, progress)
            splits = tuple(w.result() for w in waiting)
    else:
        splits = tuple(_evaluate_split(motions, seed, options, progress) for seed in seeds)
        rest = _first_split(motions, split, options, progress)
    order = check_order(fit_pose_space(motions), seed=options.seed, progress=progress)
    return NaturalSpaces(options, splits, *rest, order)


def _evaluate_split(
    motions: Sequence[Motion], seed: int, options: EvaluationOptions, progress: Progress = silent
) -> PoseEvaluation:
    split = split_captures(motions, seed)
    return evaluate_poses(
        split, count=options.targets, seed=seed, methods=options.methods, progress=progress
    )


def _first_split(
    motions: Sequence[Motion], split: Split, options: EvaluationOptions, progress: Progress
) -> tuple[tuple[KindRow, ...], ReachTable, SamplingTest, tuple[SweepRow, ...]]:
    seed = options.seed
    euler = split_captures(motions, seed, kind="euler")
    kinds = compare_kinds(euler, motions, seed, count=options.targets, seed=seed, progress=progress)
    # A lookup table takes seconds to make, so that a short method list is one without it.
    methods = [m for m in REACH_METHODS if m in options.methods]
    reachable = evaluate_reachable(
        split, count=options.random_places, methods=methods, seed=seed, progress=progress
    )
    sampling = evaluate_sampling(split, options.samples, seed)
    sweep = sweep_dimensions(
        split, options.dimensions, count=options.targets, seed=seed, progress=progress
    )
    return kinds, reachable, sampling, sweep


def _plain(result: PoseEvaluation) -> dict[str, Any]:
    scores = [
        {
            "method": s.method,
            "group": s.group,
            "start": s.start,
            "accuracy": s.accuracy,
            "gaussian": float(np.nanmean(s.gaussian)) if s.reached.any() else None,
            "mixture": float(np.nanmean(s.mixture)) if s.reached.any() else None,
            "milliseconds": s.milliseconds,
            "excess": s.excess,
        }
        for s in result.scores
    ]
    return {
        "held_out": result.split.names,
        "captured": result.captured,
        "scores": scores,
        "comparisons": [asdict(c) for c in result.comparisons],
    }
