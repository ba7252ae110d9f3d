"""Whether measures of naturalness rank poses: captured above slightly above very noisy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import binomtest

from motionloom.analysis.judge import fit_judge
from motionloom.progress import Progress, silent
from motionloom.spaces.pose_space import PoseSpace

#: Noise on every angle, in standard deviations of the captured angles.
NOISES = (0.0, 0.3, 1.0)
MEASURES = ("gaussian", "mixture")


@dataclass(frozen=True)
class OrderTest:
    """Mean scores over captures by measure and noise.

    Parameters
    ----------
    captures : int
        Number of captures that were scored.
    means : dict of str to tuple of float
        By measure, for each noise.
    ordered : dict of str to int
        By measure: captures whose mean scores are in the right order.
    p : dict of str to float
        Of that many in the right order by chance, which is one in six.
    """

    captures: int
    means: dict[str, tuple[float, ...]]
    ordered: dict[str, int]
    p: dict[str, float]


def check_order(space: PoseSpace, *, seed: int = 0, progress: Progress = silent) -> OrderTest:
    """Score every capture, and the same with noise, by models that have not seen it.

    Parameters
    ----------
    space : PoseSpace
        The captures; ``space.trial`` says which poses are of one.
    seed : int
        Of the noise, and of the models that are fitted.
    progress : Progress
        Told of the models that are fitted.

    Returns
    -------
    OrderTest
        Mean scores at each of `NOISES`, and in how many captures they fall as the noise grows.
    """
    judge = fit_judge(space, seed=seed, progress=progress)
    rng = np.random.default_rng(seed)
    deviation = space.poses.std(axis=0)
    rows = []
    for trial in np.unique(space.trial):
        poses = space.poses[space.trial == trial]
        noise = rng.standard_normal(poses.shape) * deviation
        scores = [judge.score(poses + amount * noise, int(trial)) for amount in NOISES]
        rows.append([[float(getattr(s, m).mean()) for s in scores] for m in MEASURES])
    table = np.array(rows)
    right = (np.diff(table, axis=-1) < 0).all(axis=-1).sum(axis=0)
    return OrderTest(
        len(table),
        {m: tuple(float(v) for v in table[:, k].mean(axis=0)) for k, m in enumerate(MEASURES)},
        {m: int(right[k]) for k, m in enumerate(MEASURES)},
        {
            m: float(binomtest(int(right[k]), len(table), 1 / 6, "greater").pvalue)
            for k, m in enumerate(MEASURES)
        },
    )


def format_order(test: OrderTest) -> str:
    """The result as text."""
    heads: Sequence[str] = ["captured", *(f"+ {n:g} sd" for n in NOISES[1:])]
    lines = [
        "mean score over captures, own capture left out",
        f"{'':<12}" + "".join(f"{h:>12}" for h in heads),
    ]
    for m in MEASURES:
        lines.append(
            f"{m:<12}"
            + "".join(f"{v:>12.0f}" for v in test.means[m])
            + f"   in order: {test.ordered[m]} of {test.captures} captures (chance p ="
            f" {test.p[m]:.0e})"
        )
    return "\n".join(lines) + "\n"
