"""The lookup on random targets of the right hand, of which only some can be reached (the thesis'
table of its CPG).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom.analysis.naturalness import fit_naturalness
from motionloom.ik.problem import Target
from motionloom.ik.rig import make_rig
from motionloom.ik.solve import PoseSolver
from motionloom.jacobian_kernels import make_stance, run
from motionloom.progress import Progress, silent
from motionloom_evaluation.natural_spaces.poses import REACHED
from motionloom_evaluation.natural_spaces.targets import Split

Array = NDArray[np.float64]

METHODS = ("natural", "jacobian", "single", "lookup-jacobian", "lookup-ccd")
#: Accuracy over reachable targets in the thesis.
THESIS = {"lookup-ccd": 0.81, "lookup-jacobian": 0.90, "jacobian": 0.67}


@dataclass(frozen=True)
class ReachRow:
    """One method.

    Parameters
    ----------
    method : str
        Name of the solver.
    reached : int
        Targets that it reached.
    share : float
        Of the reachable targets.
    gaussian, mixture : float
        Mean over the targets that all methods reached.
    """

    method: str
    reached: int
    share: float
    gaussian: float
    mixture: float


@dataclass(frozen=True)
class ReachTable:
    """All methods.

    Parameters
    ----------
    targets, reachable, common : int
        Targets in all, those that any method reached, those that all reached.
    rows : tuple of ReachRow
        One for each method.
    """

    targets: int
    reachable: int
    common: int
    rows: tuple[ReachRow, ...]


def evaluate_reachable(
    split: Split,
    *,
    count: int = 1000,
    methods: Sequence[str] = METHODS,
    seed: int = 0,
    progress: Progress = silent,
) -> ReachTable:
    """Solve for places drawn evenly from the box that held-out right hands are in.

    Parameters
    ----------
    split : Split
        Captures that the solvers learn from, and those held out.
    count : int
        Places that are drawn. Each side of the box runs from the 0.5th to the 99.5th percentile.
    methods : sequence of str
        Names of solvers; a place counts as reachable when one of these reaches it.
    seed : int
        Of the places, and of the mixtures that are fitted.
    progress : Progress
        Told of every method.

    Returns
    -------
    ReachTable
        A row for each method, in their order.
    """
    model = fit_naturalness(split.held_out, seed=seed)
    joint = split.space.roles.joints["right_hand"]
    low, high = np.quantile(_places(split, joint), [0.005, 0.995], axis=0)
    places = np.random.default_rng(seed).uniform(low, high, (count, 3))
    reached = []
    poses = []
    for i, method in enumerate(methods):
        progress("solving for random places", i, len(methods))
        solver = PoseSolver(split.space, method)
        results = [solver.solve([Target(joint, "position", p)], split.standing) for p in places]
        reached.append([r.errors.max() < REACHED for r in results])
        poses.append([r.pose for r in results])
    progress("solving for random places", len(methods), len(methods))
    hit = np.array(reached)
    reachable = hit.any(axis=0)
    common = hit.all(axis=0)
    rows = []
    for k, method in enumerate(methods):
        own = np.array(poses[k])[common]
        scores = [
            float(f(own).mean()) if len(own) else float("nan")
            for f in (model.log_likelihood, model.mixture_score)
        ]
        share = float(hit[k, reachable].mean()) if reachable.any() else float("nan")
        rows.append(ReachRow(method, int(hit[k].sum()), share, *scores))
    return ReachTable(count, int(reachable.sum()), int(common.sum()), tuple(rows))


def _places(split: Split, joint: int) -> Array:
    """Where a joint is in every held-out pose, root coordinates, shape (N, 3)."""
    rig = make_rig(split.space.coordinates)
    stance = make_stance(rig)
    places = []
    for pose in split.held_out.poses:
        run(rig, pose, stance)
        places.append(stance.place[joint].copy())
    return np.array(places)


def format_reachable(table: ReachTable) -> str:
    """The table as text."""
    lines = [
        (
            f"{table.targets} random places for the right hand, {table.reachable} reached by some"
            f" method, {table.common} by all; accuracy over the former (thesis in brackets),"
            " naturalness over the latter"
        ),
        f"{'':<18}{'reached':>9}{'accuracy':>16}{'gaussian':>10}{'mixture':>10}",
    ]
    for r in table.rows:
        thesis = f" ({THESIS[r.method]:.2f})" if r.method in THESIS else ""
        lines.append(
            f"{r.method:<18}{r.reached:>9}{f'{r.share:.3f}{thesis}':>16}{r.gaussian:>10.0f}{r.mixture:>10.0f}"
        )
    return "\n".join(lines) + "\n"
