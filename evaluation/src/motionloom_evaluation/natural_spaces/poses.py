"""Accuracy and naturalness of every pose solver on the same random targets (the thesis' tables 4-3
to 4-8).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from motionloom.analysis.naturalness import NaturalnessModel, fit_naturalness
from motionloom.ik.problem import IkOptions
from motionloom.ik.solve import PoseSolver, solver_names
from motionloom.progress import Progress, silent
from motionloom_evaluation.natural_spaces.statistics import (
    PairedTest,
    bootstrap_mean,
    compare_paired,
    holm,
)
from motionloom_evaluation.natural_spaces.targets import GROUPS, Split, TargetSet, draw_targets

Array = NDArray[np.float64]

#: A target is reached within this, metres.
REACHED = 0.01
#: The method that the others are compared with.
DEFAULT = "natural"
#: Accuracy in the thesis (table 4-3), by method and group.
THESIS_ACCURACY = {
    "jacobian": (0.32, 0.37, 0.68, 0.79, 0.61),
    "single": (0.95, 0.96, 0.96, 0.63, 0.91),
    "single-plus": (0.91, 0.98, 0.28, 0.82, 0.14),
    "multiple": (0.98, 1.00, 0.69, 1.00, 0.65),
}


@dataclass(frozen=True, eq=False)
class MethodScores:
    """One method on one set of targets.

    Parameters
    ----------
    method, group, start : str
        Name of the solver, one of `GROUPS`, and ``"standing"`` or ``"zero"``.
    reached : bool array of shape (N,)
        Whether all errors of a problem are below `REACHED`.
    gaussian, mixture : array of shape (N,)
        Log-likelihoods of the poses; not a number where the targets were missed.
    poses : array of shape (N, P), radians
        What the solver answered.
    excess : float, radians
        Largest violation of the effective limits.
    milliseconds : float
        Median of a solve.
    """

    method: str
    group: str
    start: str
    reached: NDArray[np.bool_]
    gaussian: Array
    mixture: Array
    poses: Array
    excess: float
    milliseconds: float

    @property
    def accuracy(self) -> float:
        """Share of the targets that were reached."""
        return float(self.reached.mean())


@dataclass(frozen=True)
class Comparison:
    """The default against one other method, by one measure."""

    other: str
    group: str
    start: str
    measure: str
    test: PairedTest
    corrected: float = 1.0


@dataclass(frozen=True, eq=False)
class PoseEvaluation:
    """All methods on all targets of one split.

    Parameters
    ----------
    split : Split
        Captures that were learned from, and those held out.
    targets : dict of str to TargetSet
        By group.
    scores : tuple of MethodScores
        One for each method, group and start.
    captured : dict of str to (float, float)
        Mean of both measures over the captured poses that the targets are from.
    comparisons : tuple of Comparison
        Corrected together by Holm's method.
    """

    split: Split
    targets: dict[str, TargetSet]
    scores: tuple[MethodScores, ...]
    captured: dict[str, tuple[float, float]]
    comparisons: tuple[Comparison, ...]

    def of(self, method: str, group: str, start: str) -> MethodScores:
        """Scores of one method.

        Parameters
        ----------
        method : str
            Name of the solver.
        group : str
            One of `GROUPS`.
        start : str
            Pose it began at: ``"standing"`` or ``"zero"``.

        Returns
        -------
        MethodScores
            The one entry of `scores` for these three.
        """
        return next(
            s for s in self.scores if (s.method, s.group, s.start) == (method, group, start)
        )


def evaluate_poses(
    split: Split,
    *,
    count: int = 100,
    seed: int = 0,
    methods: Sequence[str] | None = None,
    options: IkOptions | None = None,
    progress: Progress = silent,
) -> PoseEvaluation:
    """Solve `count` random targets of every group by every method, from standing and zero poses.

    Naturalness is measured by models of the held-out captures, which no solver has seen.

    Parameters
    ----------
    split : Split
        Captures that the solvers learn from, and those that targets are drawn from.
    count : int
        Targets for each group.
    seed : int
        Of the targets, and of the mixtures that are fitted.
    methods : sequence of str, optional
        Names of solvers; all when not given.
    options : IkOptions, optional
        The same for all solvers.
    progress : Progress
        Told of every method on every group from every start.

    Returns
    -------
    PoseEvaluation
        Scores of all methods, and the default compared with each of the others.
    """
    model = fit_naturalness(split.held_out, seed=seed)
    targets = {group: draw_targets(split, group, count, seed) for group in GROUPS}
    starts = {"standing": split.standing, "zero": np.zeros(split.space.coordinates.size)}
    scores: list[MethodScores] = []
    methods = solver_names() if methods is None else methods
    total = len(methods) * len(targets) * len(starts)
    for method in methods:
        solver = PoseSolver(split.space, method, options)
        for group, drawn in targets.items():
            for start, pose in starts.items():
                progress("solving for poses", len(scores), total)
                scores.append(_score(solver, model, group, start, drawn, pose))
    progress("solving for poses", total, total)
    captured = {
        g: (float(model.log_likelihood(t.poses).mean()), float(model.mixture_score(t.poses).mean()))
        for g, t in targets.items()
    }
    return PoseEvaluation(split, targets, tuple(scores), captured, _compare(scores, targets))


def _score(
    solver: PoseSolver,
    model: NaturalnessModel,
    group: str,
    start: str,
    drawn: TargetSet,
    pose: Array,
) -> MethodScores:
    solver.solve(drawn.targets[0], pose)  # what has to be learned or compiled first
    results = []
    times = []
    for targets in drawn.targets:
        began = perf_counter()
        results.append(solver.solve(targets, pose))
        times.append(perf_counter() - began)
    reached = np.array([r.errors.max() < REACHED for r in results])
    poses = np.array([r.pose for r in results])
    return MethodScores(
        method=solver.method,
        group=group,
        start=start,
        reached=reached,
        gaussian=np.where(reached, model.log_likelihood(poses), np.nan),
        mixture=np.where(reached, model.mixture_score(poses), np.nan),
        poses=poses,
        excess=float(solver.space.excess(poses).max()),
        milliseconds=1e3 * float(np.median(times)),
    )


def _compare(
    scores: Sequence[MethodScores], targets: dict[str, TargetSet]
) -> tuple[Comparison, ...]:
    """The default against every other method in every group, from every start, by both measures."""
    found = []
    defaults = {(s.group, s.start): s for s in scores if s.method == DEFAULT}
    for other in scores:
        ours = defaults.get((other.group, other.start))
        if ours is None or other.method == DEFAULT:
            continue
        for measure in ("gaussian", "mixture"):
            test = compare_paired(
                getattr(ours, measure), getattr(other, measure), targets[other.group].trial
            )
            found.append(Comparison(other.method, other.group, other.start, measure, test))
    corrected = holm([c.test.p for c in found])
    return tuple(
        Comparison(
            other=c.other,
            group=c.group,
            start=c.start,
            measure=c.measure,
            test=c.test,
            corrected=float(p),
        )
        for c, p in zip(found, corrected, strict=True)
    )


def format_evaluation(result: PoseEvaluation) -> str:
    """Tables as text: accuracy beside the thesis', naturalness by both measures, paired tests."""
    methods = list(dict.fromkeys(s.method for s in result.scores))
    starts = list(dict.fromkeys(s.start for s in result.scores))
    head = "".join(f"{g:>16}" for g in GROUPS)
    lines = [f"held out: {', '.join(result.split.names)}", ""]
    for start in starts:
        lines += [
            f"accuracy from the {start} pose (thesis in brackets)",
            f"{'':<18}{head}{'ms':>8}{'limits deg':>12}",
        ]
        for m in methods:
            rows = [result.of(m, g, start) for g in GROUPS]
            thesis = THESIS_ACCURACY.get(m)
            cells = [
                f"{r.accuracy:.2f}" + (f" ({thesis[i]:.2f})" if thesis else "")
                for i, r in enumerate(rows)
            ]
            worst = np.degrees(max(r.excess for r in rows))
            lines.append(
                f"{m:<18}"
                + "".join(f"{c:>16}" for c in cells)
                + f"{max(r.milliseconds for r in rows):>8.2f}{worst:>12.4f}"
            )
        for measure, k in (("gaussian", 0), ("mixture", 1)):
            lines += [
                "",
                f"naturalness, {measure}, from the {start} pose (reached targets)",
                f"{'':<18}{head}",
            ]
            lines.append(
                f"{'captured':<18}" + "".join(f"{result.captured[g][k]:>16.0f}" for g in GROUPS)
            )
            for m in methods:
                cells = [
                    "{:.0f} +- {:.0f}".format(
                        *bootstrap_mean(getattr(result.of(m, g, start), measure))
                    )
                    for g in GROUPS
                ]
                lines.append(f"{m:<18}" + "".join(f"{c:>16}" for c in cells))
        lines.append("")
    lines += [
        "default above the other by (mean of pairs, 95 % over captures, Holm-corrected p)",
        f"{'':<34}{head}",
    ]
    for start in starts:
        for m in methods:
            for measure in ("gaussian", "mixture"):
                own = {
                    c.group: c
                    for c in result.comparisons
                    if (c.other, c.start, c.measure) == (m, start, measure)
                }
                if own:
                    cells = [
                        f"{own[g].test.difference:+.0f} p={own[g].corrected:.0e}" for g in GROUPS
                    ]
                    lines.append(
                        f"{start:<10}{m:<16}{measure:<9}" + "".join(f"{c:>16}" for c in cells)
                    )
    return "\n".join(lines) + "\n"
