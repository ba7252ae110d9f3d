"""What a pose is asked for and what a solver answers: the one interface of all solvers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.ik.prioritized import LayerOutcome
from motionloom.ik.rig import (
    GAZE,
    ORIENTATION,
    POSITION,
    Aims,
    Rig,
    make_rig,
    make_stance,
    measure,
    run,
)
from motionloom.spaces.pose_space import PoseSpace

Array = NDArray[np.float64]

_KINDS = {"position": POSITION, "orientation": ORIENTATION, "gaze": GAZE}
_ROWS = {"position": 3, "orientation": 3, "gaze": 2}
#: Metres that a radian counts beside a metre.
LEVER = 0.25


@dataclass(frozen=True, eq=False)
class Target:
    """What one joint shall do, in root coordinates (the joint that carries the body at the origin,
    unturned).

    Parameters
    ----------
    joint : int
        Index in the skeleton.
    kind : {"position", "orientation", "gaze"}
        What is asked of it: to be at a place, turned a certain way, or looking at a point.
    value : array of shape (3,) or (4,)
        A place, metres; a world rotation (w, x, y, z); or the point looked at, metres.
    local : array of shape (3,)
        For a position the point of the joint that shall be there, metres in the joint's frame; for
        a gaze the axis that looks.
    weight : float
        Counts where not all targets of a priority can be met.
    priority : int
        1 is met first; others as far as that allows.
    """

    joint: int
    kind: Literal["position", "orientation", "gaze"]
    value: Array
    local: Array = (0.0, 0.0, 0.0)  # type: ignore[assignment]
    weight: float = 1.0
    priority: int = 1

    def __post_init__(self) -> None:
        if self.kind not in _KINDS:
            raise InvalidInputError(
                f"a target's kind must be one of {', '.join(_KINDS)}, got {self.kind!r}"
            )
        value = np.array(self.value, float)
        local = np.array(self.local, float)
        if (
            value.shape != ((4,) if self.kind == "orientation" else (3,))
            or not np.isfinite(value).all()
        ):
            raise InvalidInputError(
                f"a target of kind {self.kind} cannot have the value {self.value}"
            )
        if self.kind == "gaze":
            length = float(np.linalg.norm(local))
            if length < 1e-9:
                raise InvalidInputError(
                    "a gaze needs the axis of the joint that looks, such as (0, 0, 1)"
                )
            local = local / length
        object.__setattr__(
            self, "value", rot.normalize(value) if self.kind == "orientation" else value
        )
        object.__setattr__(self, "local", local)
        if not self.weight > 0:
            raise InvalidInputError(f"a target's weight must be above 0, got {self.weight}")


@dataclass(frozen=True)
class IkOptions:
    """How poses are solved for.

    Parameters
    ----------
    tolerance : float, metres
        A position is reached within this; a direction within as many metres at the lever of 0.25 m.
    iterations : int
        Most iterations, those of restarts included.
    restarts : int
        Most beginnings from captured poses when the start leads nowhere.
    step : float, metres
        Most that a target is asked to come nearer in one iteration.
    damping : float
        Of baselines: in joint space beside ``J^t J`` (m^2 / rad^2).
    """

    tolerance: float = 0.001
    iterations: int = 250
    restarts: int = 6
    step: float = 0.2
    damping: float = 5e-3

    def __post_init__(self) -> None:
        if (
            min(self.tolerance, self.step, self.damping) <= 0
            or self.iterations < 1
            or self.restarts < 0
        ):
            raise InvalidInputError(
                "tolerance, step and damping must be above 0, iterations at least 1"
            )


@dataclass(frozen=True, eq=False)
class IkResult:
    """A pose and how well it does.

    Parameters
    ----------
    pose : array of shape (P,), radians
        Within the effective limits.
    errors : array of shape (K,)
        Distance (metres) or angle (radians) that each target is missed by.
    reached : bool
        Whether all are met within the tolerance.
    iterations : int
        Taken in all attempts together.
    stopped : {"reached", "iterations", "stalled"}
        All targets met, no iterations left, or no gain any more.
    layers : tuple of LayerOutcome
        How each priority came out, where there are several.
    """

    pose: Array
    errors: Array
    reached: bool
    iterations: int
    stopped: str
    layers: tuple[LayerOutcome, ...] = ()


@dataclass(frozen=True, eq=False)
class PoseProblem:
    """A pose space, targets and a start: what a solver gets.

    Parameters
    ----------
    space : PoseSpace
        Skeleton, captured poses and effective limits.
    targets : tuple of Target
        At least one.
    start : array of shape (P,), radians
        Where the solver begins.
    options : IkOptions
        Tolerance, iterations, restarts, step and damping.
    """

    space: PoseSpace
    targets: tuple[Target, ...]
    start: Array
    options: IkOptions

    @cached_property
    def rig(self) -> Rig:
        """Compiled kinematics."""
        return make_rig(self.space.coordinates)

    @cached_property
    def aims(self) -> Aims:
        """Targets as arrays."""
        return make_aims(self.targets)

    @property
    def layered(self) -> bool:
        """Whether targets have several priorities."""
        return len({t.priority for t in self.targets}) > 1

    def evaluate(self, pose: Array) -> tuple[Array, Array]:
        """Residual (R,), metres, and its Jacobian (R, P) at a pose."""
        rows = int(self.aims.rows[-1])
        residual = np.zeros(rows)
        jacobian = np.zeros((rows, len(pose)))
        stance = make_stance(self.rig)
        run(self.rig, pose, stance)
        measure(self.rig, self.aims, stance, residual, jacobian)
        return residual, jacobian

    def errors(self, pose: Array) -> Array:
        """Distance (metres) or angle (radians) that each target is missed by, shape (K,)."""
        return self.split(self.evaluate(pose)[0])

    def lengths(self, residual: Array) -> Array:
        """Length of each target's part of a stacked residual, metres, shape (K,)."""
        return _lengths(residual, self.aims)

    def split(self, residual: Array) -> Array:
        """Errors of the targets (metres or radians) from a stacked residual, shape (K,)."""
        return _errors(self.lengths(residual), self.aims)

    def pull(self, residual: Array) -> Array:
        """Residual with no target's part longer than the options' step, metres."""
        return capped(residual, self.aims, self.options.step)

    def row_weights(self) -> Array:
        """Weight of every row of the residual, shape (R,)."""
        return np.repeat(self.aims.weight, np.diff(self.aims.rows))

    def clamp(self, pose: Array) -> Array:
        """The pose within the effective limits."""
        return np.clip(pose, self.space.lower, self.space.upper)

    def result(self, pose: Array, iterations: int, stopped: str) -> IkResult:
        """Answer with a pose, brought within the effective limits and measured there.

        Parameters
        ----------
        pose : array of shape (P,), radians
            What the solver came to.
        iterations : int
            How many it took.
        stopped : {"reached", "iterations", "stalled"}
            Why it stopped.

        Returns
        -------
        IkResult
            `reached` is measured anew, whatever `stopped` says.
        """
        pose = self.clamp(pose)
        lengths = self.lengths(self.evaluate(pose)[0])
        reached = bool(lengths.max() <= self.options.tolerance)
        return IkResult(pose, _errors(lengths, self.aims), reached, iterations, stopped)

    def begin_at(self, pose: Array) -> PoseProblem:
        """The same problem from another start; compiled parts are shared."""
        other = replace(self, start=pose)
        other.__dict__.update(rig=self.rig, aims=self.aims)
        return other


def _lengths(residual: Array, aims: Aims) -> Array:
    return np.sqrt(np.add.reduceat(residual**2, aims.rows[:-1]))


def _errors(lengths: Array, aims: Aims) -> Array:
    """Metres or radians from the lengths of the targets' parts of a residual, all in metres."""
    return np.where(aims.kind == POSITION, lengths, lengths / LEVER)


def capped(residual: Array, aims: Aims, most: float) -> Array:
    """Shorten each target's part of a residual to a greatest length.

    Parameters
    ----------
    residual : array of shape (R,), metres
        Of all targets, stacked.
    aims : Aims
        Tells which rows are whose.
    most : float, metres
        Greatest length of one target's part.

    Returns
    -------
    array of shape (R,), metres
    """
    share = np.minimum(1.0, most / np.maximum(_lengths(residual, aims), 1e-12))
    cut: Array = residual * np.repeat(share, np.diff(aims.rows))
    return cut


def make_aims(targets: Sequence[Target]) -> Aims:
    """Targets as arrays for compiled code.

    Raises
    ------
    InvalidInputError
        When there is no target.
    """
    if not targets:
        raise InvalidInputError("a pose needs at least one target")
    value = np.zeros((len(targets), 3, 3))
    for k, target in enumerate(targets):
        if target.kind == "orientation":
            value[k] = rot.to_matrix(target.value)
        else:
            value[k, 0] = target.value
    return Aims(
        joint=np.array([t.joint for t in targets], np.int64),
        kind=np.array([_KINDS[t.kind] for t in targets], np.int64),
        value=value,
        local=np.array([t.local for t in targets], float),
        weight=np.array([t.weight for t in targets], float),
        rows=np.cumsum([0, *(_ROWS[t.kind] for t in targets)]),
        lever=LEVER,
    )


def make_problem(
    space: PoseSpace,
    targets: Sequence[Target],
    start: ArrayLike | None = None,
    options: IkOptions | None = None,
) -> PoseProblem:
    """Put a problem together, checked.

    Parameters
    ----------
    space : PoseSpace
        Skeleton, captured poses and effective limits.
    targets : sequence of Target
        What joints shall do, in root coordinates.
    start : array of shape (P,), radians, optional
        Where the solver begins; the mean captured pose when not given.
    options : IkOptions, optional
        The defaults when not given.

    Returns
    -------
    PoseProblem
        That there is a target at all is checked only when its `aims` are first used.

    Raises
    ------
    InvalidInputError
        For a joint that the skeleton does not have, or a start of another size or that is not
        finite.
    """
    n = space.coordinates.skeleton.n_joints
    for target in targets:
        if not 0 <= target.joint < n:
            raise InvalidInputError(f"the skeleton has joints 0 to {n - 1}, not {target.joint}")
    begin = space.mean if start is None else np.array(start, float)
    if begin.shape != (space.coordinates.size,) or not np.isfinite(begin).all():
        raise InvalidInputError(
            f"a start pose has {space.coordinates.size} numbers, got shape {begin.shape}"
        )
    return PoseProblem(space, tuple(targets), begin, options or IkOptions())
