"""What a pose is asked for and what a solver answers: the one interface of all solvers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.ik import rig as rigs
from motionloom.ik._body import Body, held_body
from motionloom.ik.prioritized import LayerOutcome
from motionloom.jacobian_kernels import Rig, Stance, make_stance, run
from motionloom.spaces.pose_space import PoseSpace
from motionloom.typing import Array, Bools, Ints

_KINDS = {
    "position": rigs.POSITION,
    "orientation": rigs.ORIENTATION,
    "gaze": rigs.GAZE,
    "facing": rigs.FACING,
    "balance": rigs.BALANCE,
}
_ROWS = {"position": 3, "orientation": 3, "gaze": 2, "facing": 1}
#: Captured poses among which the nearest to the targets are sought for restarts.
SEEDS = 400
#: Metres that a radian counts beside a metre.
LEVER = 0.25


def joint_origin() -> Array:
    """The point of a joint that is where the joint is.

    Examples
    --------
    >>> joint_origin()
    array([0., 0., 0.])
    """
    return np.zeros(3)


@dataclass(frozen=True, eq=False)
class Target:
    """What one joint shall do: in root coordinates (the joint that carries the body at the origin,
    unturned) where the root is held, else in coordinates of the floor.

    Parameters
    ----------
    joint : int
        Index in the skeleton.
    kind : {"position", "orientation", "gaze", "facing", "balance"}
        What is asked of it: to be at a place, turned a certain way, or looking at a point; to face
        somewhere; or, whatever the joint, that the centre of mass is above, or at, a place.
    value : array of shape (3,) or (4,)
        A place, metres; a world rotation (w, x, y, z); the point looked at, metres; or the
        direction that shall be to the left.
    local : array of shape (3,)
        For a position the point of the joint that shall be there, metres in the joint's frame; for
        a gaze the axis that looks; for a facing the axis to the left; for a balance which of x, y
        and z are asked of the centre of mass (not 0), x and z when none is.
    weight : float
        Counts where not all targets of a priority can be met.
    priority : int
        1 is met first; others as far as that allows. 0 is what a body stands on: it goes with the
        first that there is. Means nothing for a wish.
    wish : float, metres
        Standard deviation of a wish, which is weighed against how likely a pose is and need not be
        met; 0 for what must be.
    """

    joint: int
    kind: Literal["position", "orientation", "gaze", "facing", "balance"]
    value: Array
    local: Array = field(default_factory=joint_origin)
    weight: float = 1.0
    priority: int = 1
    wish: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in _KINDS:
            raise InvalidInputError(
                f"a target's kind must be one of {', '.join(_KINDS)}, got {self.kind!r}"
            )
        value = np.array(self.value, float)
        local = np.array(self.local, float)
        turned = self.kind == "orientation"
        if value.shape != (4 if turned else 3,) or not np.isfinite(value).all():
            raise InvalidInputError(
                f"a target of kind {self.kind} cannot have the value {self.value}"
            )
        if self.kind in ("gaze", "facing"):
            length = float(np.linalg.norm(local))
            if length < 1e-9:
                raise InvalidInputError(
                    f"a {self.kind} needs an axis of the joint, such as (0, 0, 1)"
                )
            local = local / length
        if self.kind == "balance" and not local.any():
            local = np.array([1.0, 0.0, 1.0])
        object.__setattr__(self, "value", rot.normalize(value) if turned else value)
        object.__setattr__(self, "local", local)
        if not self.weight > 0:
            raise InvalidInputError(f"a target's weight must be above 0, got {self.weight}")
        if not (self.wish >= 0 and self.priority >= 0):
            raise InvalidInputError(
                "a target's wish must be 0 or above and its priority 0 or above, got"
                f" {self.wish} and {self.priority}"
            )

    @property
    def rows(self) -> int:
        """How many numbers it asks for."""
        return int(np.count_nonzero(self.local)) if self.kind == "balance" else _ROWS[self.kind]


@dataclass(frozen=True)
class IkOptions:
    """How poses are solved for.

    Parameters
    ----------
    tolerance : float, metres
        A position is reached within this; a direction within as many metres at the lever of 0.25 m.
    iterations : int
        Most iterations, those of restarts included; where targets are out of reach, some more in
        which the pose settles.
    restarts : int
        Most beginnings from captured poses when the start leads nowhere.
    step : float, metres
        Most that a target is asked to come nearer in one iteration.
    """

    tolerance: float = 0.001
    iterations: int = 250
    restarts: int = 6
    step: float = 0.2

    def __post_init__(self) -> None:
        if min(self.tolerance, self.step) <= 0 or self.iterations < 1 or self.restarts < 0:
            raise InvalidInputError("tolerance and step must be above 0, iterations at least 1")


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
class Seeds:
    """Captured poses (S, P) that solvers may begin again from, and which capture each is from."""

    poses: Array
    trial: Ints


@dataclass(frozen=True, eq=False)
class PoseProblem:
    """A body, targets and a start: what a solver gets.

    What captured poses are like is no part of it: solvers that want to know learn it from a pose
    space.

    Parameters
    ----------
    body : Body
        Kinematics, effective limits and floor.
    targets : tuple of Target
        At least one.
    start : array of shape (P,), radians or metres
        Where the solver begins.
    options : IkOptions
        Tolerance, iterations, restarts, step and damping.
    seeds : Seeds, optional
        Captured poses to begin again from.
    fixed : bool array of shape (P,), optional
        Numbers that keep their value of the start.
    """

    body: Body
    targets: tuple[Target, ...]
    start: Array
    options: IkOptions
    seeds: Seeds | None = None
    fixed: Bools | None = None

    @property
    def rig(self) -> Rig:
        """Compiled kinematics."""
        return self.body.rig

    @cached_property
    def aims(self) -> rigs.Aims:
        """Targets as arrays."""
        return make_aims(self.targets, self.body.mass)

    @cached_property
    def floor(self) -> rigs.Floor:
        """Points that stay above the floor; what is asked to be lower may be that low."""
        floor, rows = self.body.floor, self.body.floor_rows
        lowered = [
            (rows[t.joint], float(t.value[1]))
            for t in self.targets
            if t.kind == "position"
            and t.joint in rows
            and t.value[1] < floor.clearance[rows[t.joint]]
            and not (t.wish or np.any(t.local))
        ]
        if not lowered:
            return floor
        clearance = floor.clearance.copy()
        for m, height in lowered:
            clearance[m] = min(clearance[m], height)
        return floor._replace(clearance=clearance)

    @property
    def layered(self) -> bool:
        """Whether targets that must be met have several priorities."""
        return len({t.priority for t in self.targets if not t.wish and t.priority}) > 1

    def evaluate(self, pose: Array) -> tuple[Array, Array]:
        """Residual (R,), metres, and its Jacobian (R, P) at a pose."""
        rows = int(self.aims.rows[-1])
        residual = np.zeros(rows)
        jacobian = np.zeros((rows, len(pose)))
        rigs.run_and_measure(self.rig, self.aims, self._stance, pose, residual, jacobian)
        return residual, jacobian

    def heights(self, pose: Array, near: float) -> tuple[Array, Array]:
        """Heights (M,) over the floor, metres, of all points nearer to it than `near`, and their
        slopes (M, P).
        """
        gap = np.empty(len(self.floor.joint))
        rows = np.empty((len(gap), len(pose)))
        run(self.rig, pose, self._stance)
        count, _ = rigs.measure_floor(self.rig, self.floor, self._stance, near, gap, rows)
        return gap[:count], rows[:count]

    @cached_property
    def _stance(self) -> Stance:
        return make_stance(self.rig)

    def errors(self, pose: Array) -> Array:
        """Distance (metres) or angle (radians) that each target is missed by, shape (K,)."""
        return self._in_units(self.lengths(self.evaluate(pose)[0]))

    def lengths(self, residual: Array) -> Array:
        """Length of each target's part of a stacked residual, metres, shape (K,)."""
        return np.sqrt(np.add.reduceat(residual**2, self.aims.rows[:-1]))

    def _in_units(self, lengths: Array) -> Array:
        kind = self.aims.kind
        return np.where((kind == rigs.POSITION) | (kind == rigs.BALANCE), lengths, lengths / LEVER)

    def clamp(self, pose: Array) -> Array:
        """The pose within the effective limits; numbers that are fixed as in the start."""
        if self.fixed is not None:
            pose = np.where(self.fixed, self.start, pose)
        return self.body.clamp(pose)

    def worst(self, residual: Array) -> float:
        """Largest error of a target that must be met, metres."""
        return float(np.where(self.aims.soft > 0, 0.0, self.lengths(residual)).max())

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
        worst = lengths[self.aims.soft == 0].max(initial=0.0)
        reached = bool(worst <= self.options.tolerance)
        return IkResult(pose, self._in_units(lengths), reached, iterations, stopped)


def make_aims(
    targets: Sequence[Target], mass: Array | None = None, centres: Array | None = None
) -> rigs.Aims:
    """Targets as arrays for compiled code.

    Parameters
    ----------
    targets : sequence of Target
        At least one.
    mass : array of shape (J,), optional
        Shares of the joints in the centre of mass, for targets of kind ``"balance"``.
    centres : array of shape (J, 3), optional
        Where the mass of each joint is in its frame; at the joint when not given.

    Returns
    -------
    Aims

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
    mass = np.zeros(1) if mass is None else mass
    return rigs.Aims(
        joint=np.array([t.joint for t in targets], np.int64),
        kind=np.array([_KINDS[t.kind] for t in targets], np.int64),
        value=value,
        local=np.array([t.local for t in targets], float),
        weight=np.array([t.weight for t in targets], float),
        rows=np.cumsum([0, *(t.rows for t in targets)]),
        lever=LEVER,
        soft=np.array([t.wish**2 for t in targets], float),
        mass=mass,
        centre=np.zeros((len(mass), 3)) if centres is None else centres,
    )


def find_seeds(space: PoseSpace, free: bool = False) -> Seeds:
    """At most `SEEDS` captured poses, spread evenly, to begin again from.

    Parameters
    ----------
    space : PoseSpace
        The captured poses.
    free : bool
        Whether the numbers of a free root come after those of the pose.
    """
    chosen = np.linspace(0, len(space.poses) - 1, min(SEEDS, len(space.poses))).astype(int)
    parts = [space.poses[chosen], *([space.footing.root[chosen]] if free else [])]
    return Seeds(np.concatenate(parts, axis=1), space.trial[chosen])


def make_problem(
    space: PoseSpace | Body,
    targets: Sequence[Target],
    start: ArrayLike | None = None,
    options: IkOptions | None = None,
    *,
    seeds: Seeds | None = None,
    fixed: Bools | None = None,
) -> PoseProblem:
    """Put a problem together, checked.

    Parameters
    ----------
    space : PoseSpace or Body
        A pose space gives a body with its root held, and captured poses to begin again from.
    targets : sequence of Target
        What joints shall do.
    start : array of shape (P,), radians or metres, optional
        Where the solver begins; the mean captured pose, or the zero pose of a mere body, when not
        given.
    options : IkOptions, optional
        The defaults when not given.
    seeds : Seeds, optional
        Captured poses to begin again from.
    fixed : bool array of shape (P,), optional
        Numbers that keep their value of the start.

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
    if isinstance(space, PoseSpace):
        seeds = seeds or find_seeds(space)
        start = space.mean if start is None else start
        body = held_body(space)
    else:
        body = space
    n = body.coordinates.skeleton.n_joints
    for target in targets:
        if not 0 <= target.joint < n:
            raise InvalidInputError(f"the skeleton has joints 0 to {n - 1}, not {target.joint}")
    begin = body.clamp(np.zeros(body.size)) if start is None else np.array(start, float)
    if begin.shape != (body.size,) or not np.isfinite(begin).all():
        raise InvalidInputError(f"a start pose has {body.size} numbers, got shape {begin.shape}")
    return PoseProblem(body, tuple(targets), begin, options or IkOptions(), seeds, fixed)
