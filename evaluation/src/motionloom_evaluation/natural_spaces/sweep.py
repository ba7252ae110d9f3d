"""How many dimensions a pose space needs: accuracy and naturalness over the number of components
(table 4-2, FE10).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.analysis.naturalness import fit_naturalness
from motionloom.ik.problem import IkOptions, make_problem
from motionloom.progress import Progress, silent
from motionloom.spaces.pca import PCA
from motionloom_evaluation.natural_spaces.poses import REACHED
from motionloom_evaluation.natural_spaces.targets import Split, draw_targets
from motionloom_evaluation.pose_solvers.latent import solve_single

#: Lowest log-likelihood of a pose in the floored measure (the thesis').
FLOOR = -750.0
#: The thesis' own row: dimensions, mean log-likelihood, accuracy.
THESIS = {
    1: (-750.0, 0.0),
    7: (-738.9, 0.71),
    14: (-529.3, 0.90),
    21: (-387.8, 0.94),
    28: (-326.3, 0.94),
    35: (-502.5, 0.97),
    42: (-502.3, 0.99),
    49: (-678.8, 1.0),
    55: (-673.3, 0.99),
}


@dataclass(frozen=True)
class SweepRow:
    """One number of dimensions.

    Parameters
    ----------
    dimensions : int
        Components of the whole-body space.
    accuracy : float
        Share of the targets reached.
    gaussian : float
        Mean floored log-likelihood of the poses.
    mixture : float
        Mean score of the poses under the segments' mixtures.
    """

    dimensions: int
    accuracy: float
    gaussian: float
    mixture: float


def sweep_dimensions(
    split: Split,
    dimensions: Sequence[int] = tuple(THESIS),
    *,
    group: str = "both hands",
    count: int = 100,
    seed: int = 0,
    options: IkOptions | None = None,
    progress: Progress = silent,
) -> tuple[SweepRow, ...]:
    """Solve the same targets with the one-space solver at every number of dimensions there is.

    Parameters
    ----------
    split : Split
        Captures that the spaces are learned from, and those that targets are drawn from.
    dimensions : sequence of int
        Components of the whole-body space; numbers above those in which the poses vary are left
        out.
    group : str
        One of `GROUPS`.
    count : int
        Number of targets.
    seed : int
        Of the targets, and of the mixtures that are fitted.
    options : IkOptions, optional
        Of the solver ``"single"``.
    progress : Progress
        Told of every number of dimensions.

    Returns
    -------
    tuple of SweepRow
        Scores are means over all targets, missed ones too.
    """
    model = fit_naturalness(split.held_out, seed=seed)
    drawn = draw_targets(split, group, count, seed)
    rows = []
    most = len(PCA.fit(split.space.poses).components_)
    for i, k in enumerate(dimensions):
        progress("sweeping dimensions", i, len(dimensions))
        if k > most:
            continue
        problems = (make_problem(split.space, t, split.standing, options) for t in drawn.targets)
        results = [solve_single(problem, split.space, k) for problem in problems]
        reached = np.array([r.errors.max() < REACHED for r in results])
        poses = np.array([r.pose for r in results])
        rows.append(
            SweepRow(
                k,
                float(reached.mean()),
                float(np.maximum(model.log_likelihood(poses), FLOOR).mean()),
                float(model.mixture_score(poses).mean()),
            )
        )
    progress("sweeping dimensions", len(dimensions), len(dimensions))
    return tuple(rows)


def format_sweep(rows: Sequence[SweepRow]) -> str:
    """The sweep as text, the thesis' figures in brackets."""
    lines = ["dimensions      accuracy       log-likelihood, floored     mixture"]
    for row in rows:
        likelihood, accuracy = THESIS.get(row.dimensions, (float("nan"), float("nan")))
        lines.append(
            f"{row.dimensions:>10}   {row.accuracy:.2f} ({accuracy:.2f})   {row.gaussian:>10.1f}"
            f" ({likelihood:.1f})   {row.mixture:>10.1f}"
        )
    return "\n".join(lines) + "\n"
