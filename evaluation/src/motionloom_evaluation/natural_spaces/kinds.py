"""Euler angles against exponential maps on the same targets: left as future work by the thesis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.analysis.naturalness import fit_naturalness
from motionloom.ik.solve import PoseSolver
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom_evaluation.natural_spaces.poses import REACHED
from motionloom_evaluation.natural_spaces.statistics import PairedTest, compare_paired, holm
from motionloom_evaluation.natural_spaces.targets import GROUPS, Split, draw_targets, split_captures

#: Methods that are compared; those that search for long would show nothing else.
METHODS = ("natural", "single", "jacobian")


@dataclass(frozen=True)
class KindRow:
    """One method on one group from the standing pose.

    Parameters
    ----------
    method, group : str
        Name of the solver, and one of `GROUPS`.
    accuracy : tuple of (float, float)
        Share of the targets reached with Euler angles, and with exponential maps.
    gaussian, mixture : PairedTest
        Euler angles less exponential maps, over targets that both reached; `p` corrected over all
        rows.
    """

    method: str
    group: str
    accuracy: tuple[float, float]
    gaussian: PairedTest
    mixture: PairedTest
    corrected: tuple[float, float] = (1.0, 1.0)


def compare_kinds(
    split: Split,
    motions: Sequence[Motion],
    split_seed: int,
    *,
    methods: Sequence[str] = METHODS,
    count: int = 100,
    seed: int = 0,
    progress: Progress = silent,
) -> tuple[KindRow, ...]:
    """Solve for a split's targets in both coordinates; the same models score them, in Euler angles.

    Parameters
    ----------
    split : Split
        In Euler angles.
    motions : sequence of Motion
        What it was made of.
    split_seed : int
        Seed of the split.
    methods : sequence of str
        Names of solvers.
    count, seed : int
        Targets a group, and the seed they are drawn with.
    progress : Progress
        Told of every method on every group.

    Returns
    -------
    tuple of KindRow
        One for each method and group; p-values corrected over all rows by Holm's method.
    """
    other = split_captures(motions, split_seed, kind="exponential")
    model = fit_naturalness(split.held_out, seed=seed)
    rows: list[KindRow] = []
    for method in methods:
        solvers = [(s, PoseSolver(s.space, method)) for s in (split, other)]
        for group in GROUPS:
            progress("comparing coordinates", len(rows), len(methods) * len(GROUPS))
            drawn = draw_targets(split, group, count, seed)
            reached = []
            gaussian = []
            mixture = []
            for own, solver in solvers:
                results = [solver.solve(t, own.standing) for t in drawn.targets]
                poses = np.array([r.pose for r in results])
                if own is other:
                    poses = split.space.coordinates.from_motion(
                        other.space.coordinates.to_motion(poses)
                    )
                hit = np.array([r.errors.max() < REACHED for r in results])
                reached.append(float(hit.mean()))
                gaussian.append(np.where(hit, model.log_likelihood(poses), np.nan))
                mixture.append(np.where(hit, model.mixture_score(poses), np.nan))
            tests = [compare_paired(s[0], s[1], drawn.trial) for s in (gaussian, mixture)]
            rows.append(KindRow(method, group, (reached[0], reached[1]), tests[0], tests[1]))
    progress("comparing coordinates", len(rows), len(rows))
    p = holm([t.p for r in rows for t in (r.gaussian, r.mixture)]).reshape(-1, 2)
    return tuple(
        KindRow(
            method=r.method,
            group=r.group,
            accuracy=r.accuracy,
            gaussian=r.gaussian,
            mixture=r.mixture,
            corrected=(float(a), float(b)),
        )
        for r, (a, b) in zip(rows, p, strict=True)
    )


def format_kinds(rows: Sequence[KindRow]) -> str:
    """The comparison as text."""
    lines = [
        (
            "Euler angles against exponential maps, from the standing pose (difference: Euler less"
            " exponential)"
        ),
        f"{'method':<12}{'group':<16}{'accuracy':>14}{'gaussian':>22}{'mixture':>22}",
    ]
    for r in rows:
        cells = [
            f"{t.difference:+.1f} p={p:.0e}"
            for t, p in zip((r.gaussian, r.mixture), r.corrected, strict=True)
        ]
        accuracy = f"{r.accuracy[0]:.2f} / {r.accuracy[1]:.2f}"
        lines.append(f"{r.method:<12}{r.group:<16}{accuracy:>14}{cells[0]:>22}{cells[1]:>22}")
    return "\n".join(lines) + "\n"
