"""What came of a pose: how near every target is, how natural it is, and whether the limits are
kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.analysis.naturalness import NaturalnessModel
from motionloom.ik.prioritized import LayerOutcome
from motionloom.ik.problem import LEVER, IkResult, Target
from motionloom.ik.solve import PoseSolver
from motionloom.reports import Column, Report, Reported, Table
from motionloom.spaces.pose_space import PoseSpace
from motionloom.typing import Array

#: Captured poses, spread evenly, that a pose is compared with.
COMPARED = 2000
#: Why a solver stopped, in words.
_ENDED = {
    "reached": "all reached",
    "iterations": "no iterations left",
    "stalled": "no gain any more",
}


@dataclass(frozen=True)
class TargetOutcome:
    """How one target was met.

    Parameters
    ----------
    target : str
        Joint and kind.
    error : float
        Metres for a position, radians otherwise.
    reached : bool
        Whether it is within the tolerance.
    reason : str
        Why its priority was not met, where there are several.
    """

    target: str
    error: float
    reached: bool
    reason: str = ""


@dataclass(frozen=True)
class Score:
    """Log-likelihood by one measure, and the share of the captured poses that are less natural
    (percent).
    """

    score: float
    percentile: float


@dataclass(frozen=True)
class PoseReport(Reported):
    """How a pose came out.

    Parameters
    ----------
    method, start : str
        Name of the solver, and what it started from.
    targets : tuple of TargetOutcome
        In the order given.
    iterations : int
        Taken in all attempts together.
    stopped : str
        As in `IkResult`.
    gaussian : Score
        Naturalness by the Gaussian of the space.
    mixture : Score or None
        None where no mixtures were fitted.
    beyond_limits : float, radians
        Largest violation of an effective limit.
    at_limits : tuple of str
        Numbers of the pose that are at one of their limits.
    milliseconds : float
        Time of solving, without learning and compiling.
    layers : tuple of LayerOutcome
        How each priority came out, where there are several.
    above_floor : float or None, metres
        How high the lowest point is above what it may be; None where the root was held.
    off_balance : float or None, metres
        How far the centre of mass is outside the feet that stand, below 0 inside; None where there
        are none.
    """

    method: str
    start: str
    targets: tuple[TargetOutcome, ...]
    iterations: int
    stopped: str
    gaussian: Score
    mixture: Score | None
    beyond_limits: float
    at_limits: tuple[str, ...]
    milliseconds: float
    layers: tuple[LayerOutcome, ...] = ()
    above_floor: float | None = None
    off_balance: float | None = None

    @property
    def problems(self) -> tuple[str, ...]:
        """A sentence for each target that was not reached."""
        return tuple(
            f"{o.target} misses by {_shown(o)}{o.reason and ': '}{o.reason}"
            for o in self.targets
            if not o.reached
        )

    def as_report(self) -> Report:
        """Targets, naturalness, limits and footing."""
        columns = [Column("", name) for name in ("target", "missed by", "")]
        targets = [
            (o.target, _shown(o), "reached" if o.reached else "not reached") for o in self.targets
        ]
        layers = [f"priority {layer.layer}: {layer.reason}" for layer in self.layers]
        return Report(
            f"Pose by {self.method}, from {self.start}",
            [
                Table("Targets", columns, targets),
                *layers,
                f"{self.iterations} iterations, {self.milliseconds:.2f} ms; stopped:"
                f" {_ENDED[self.stopped]}",
                _natural("Gaussian", self.gaussian),
                _natural("mixture", self.mixture),
                self._limits(),
                *self._standing(),
            ],
            data=self,
            problems=self.problems,
        )

    def _limits(self) -> str:
        broken = f"broken by {np.degrees(self.beyond_limits):.2f} degrees"
        kept = "kept" if self.beyond_limits < 1e-9 else broken
        at = f"; at a limit: {', '.join(self.at_limits)}" if self.at_limits else ""
        return f"effective limits {kept}{at}"

    def _standing(self) -> list[str]:
        lines = []
        if self.above_floor is not None:
            depth = -100 * self.above_floor
            lines.append("floor kept" if depth < 0.1 else f"{depth:.1f} cm deep in the floor")
        if self.off_balance is not None:
            far = f"{100 * abs(self.off_balance):.0f} cm"
            side = "inside" if self.off_balance <= 0 else "outside"
            lines.append(f"centre of mass {far} {side} the feet that stand")
        return lines


def _natural(name: str, score: Score | None) -> str:
    said = "was not fitted"
    if score is not None:
        said = f"{score.score:.0f}, above {score.percentile:.0f} % of the captured poses"
    return f"naturalness, {name}: {said}"


def _shown(outcome: TargetOutcome) -> str:
    if outcome.target.endswith(("position", "balance")):
        return f"{1000 * outcome.error:.2f} mm"
    return f"{np.degrees(outcome.error):.2f} deg"


def report_pose(
    solver: PoseSolver,
    result: IkResult,
    targets: Sequence[Target],
    asked: int,
    footing: tuple[float | None, float | None],
    start: str,
    milliseconds: float,
    model: NaturalnessModel,
) -> PoseReport:
    """Judge a pose: errors, limits, and how natural it is among all captured poses of the space.

    Parameters
    ----------
    solver : PoseSolver
        What solved, with its space, method and options.
    result : IkResult
        What it came to.
    targets : sequence of Target
        All targets of the solver, those asked for first.
    asked : int
        How many were asked for.
    footing : (float, float), metres
        How high the lowest point is above what it may be, and how far the centre of mass is outside
        of what the body stands on; None where nothing is known.
    start : str
        Where it began.
    milliseconds : float
        How long solving took.
    model : NaturalnessModel
        Of the same space.

    Returns
    -------
    PoseReport
        At a limit counts what is within 1e-6 rad of it and free to move by more than 1e-3 rad.
    """
    space = solver.space
    tolerance = solver.options.tolerance
    pose = result.pose[: space.coordinates.size]
    names = space.coordinates.skeleton.names
    lengths = [
        e if t.kind in ("position", "balance") else e * LEVER
        for e, t in zip(result.errors, targets, strict=True)
    ]
    reasons = {o.layer: o.reason for o in result.layers if not o.met}
    if result.layers:  # with the first priority goes what the body stands on
        reasons[0] = reasons.get(result.layers[0].layer, "")
    outcomes = tuple(
        TargetOutcome(
            "centre of mass position" if t.kind == "balance" else f"{names[t.joint]} {t.kind}",
            float(e),
            bool(length <= tolerance),
            reasons.get(t.priority, ""),
        )
        for k, (t, e, length) in enumerate(zip(targets, result.errors, lengths, strict=True))
        if k < asked or (t.wish == 0 and length > tolerance)
    )
    near = np.minimum(pose - space.lower, space.upper - pose) < 1e-6
    movable = near & (space.upper - space.lower > 1e-3)
    at_limits = tuple(space.coordinates.names[p] for p in np.flatnonzero(movable))
    limits = float(space.excess(pose).max()), at_limits
    told = result.iterations, result.stopped, *_scores(space, model, pose), *limits
    return PoseReport(solver.method, start, outcomes, *told, milliseconds, result.layers, *footing)


def _scores(space: PoseSpace, model: NaturalnessModel, pose: Array) -> tuple[Score, Score | None]:
    chosen = np.linspace(0, len(space.poses) - 1, min(COMPARED, len(space.poses))).astype(int)
    rows = np.concatenate([pose[None], space.poses[chosen]])

    def score(values: Array) -> Score:
        return Score(float(values[0]), 100.0 * float((values[1:] < values[0]).mean()))

    return score(model.log_likelihood(rows)), (
        score(model.mixture_score(rows)) if model.mixtures else None
    )
