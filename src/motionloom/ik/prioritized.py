"""Strict layers of tasks, served from the top down: where a layer ends, and why it is not met.

Each step is one of `motionloom.ik.layer_steps`, in which a lower layer moves only where the layers
above it leave the body free. No step is kept that makes an upper layer worse than it was when its
turn was over.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from motionloom.errors import InvalidInputError
from motionloom.ik.layer_steps import LayeredProblem, LayerSteps, Stand
from motionloom.typing import Array, Bools

#: Steps of the upper layers alone that make good what a step of a lower one did to them.
MENDS = 2
#: Steps shorter than this are given up, in the units of the coordinates.
SHORTEST = 1e-4
#: Steps without a gain of this share after which a layer is as far as it gets.
PATIENCE, GAIN = 4, 1e-3
#: A layer is done when it is met within this share of the tolerance.
DONE = 0.25
#: Each step towards the preferred unknowns is this much of the one before.
FADE = 0.8
#: Longest step of any coordinate, and most of a task's residual that one step makes good, metres.
LONGEST, CAP = 0.6, 0.25
#: Most steps that are spent on finding out why a layer is not met.
WHY = 25

MET, REACH, LIMITS, CONFLICT = "met", "out of reach", "at joint limits", "conflicts with layer {}"
FLOOR = "the floor is in the way"
UNFINISHED = "no iterations left"


@dataclass(frozen=True)
class LayerOptions:
    """How layers are solved.

    Parameters
    ----------
    tolerance : float, metres
        A task is met within this, and no lower layer worsens a higher one by more.
    iterations : int
        Most steps that a layer is given.
    """

    tolerance: float = 0.001
    iterations: int = 60

    def __post_init__(self) -> None:
        if self.tolerance <= 0 or self.iterations < 1:
            raise InvalidInputError("tolerance must be above 0, iterations at least 1")


@dataclass(frozen=True)
class LayerOutcome:
    """How one layer came out.

    Parameters
    ----------
    layer : int
        As its tasks name it.
    residual : float, metres
        What its worst task is missed by; angles count a lever.
    reason : str
        ``"met"``, or why not: ``"out of reach"``, ``"at joint limits"``, ``"conflicts with layer
        1"``, or ``"no iterations left"`` for the uppermost.
    """

    layer: int
    residual: float
    reason: str

    @property
    def met(self) -> bool:
        """Whether every task of it is met."""
        return self.reason == MET


@dataclass(frozen=True, eq=False)
class LayeredResult:
    """What strict layers came to.

    Parameters
    ----------
    unknowns : array of shape (A,)
        The solution.
    coordinates : array of shape (D,)
        Those of it, within the limits.
    lengths : array of shape (K,), metres
        What each task is missed by.
    layers : tuple of LayerOutcome
        The uppermost first.
    iterations : int
        Steps taken, without those that only tell the reasons.
    """

    unknowns: Array
    coordinates: Array
    lengths: Array
    layers: tuple[LayerOutcome, ...]
    iterations: int


@dataclass(frozen=True, eq=False)
class _Turn:
    """The turn of one layer, or of the preferred unknowns where `level` is None.

    `above` are the levels that must not be made worse, `allowed` (K,) how long each task's residual
    may be, and `depth` how deep anything may be in the floor, metres. The first `served` levels are
    those of the start.
    """

    problem: LayeredProblem
    options: LayerOptions
    level: int | None
    above: tuple[int, ...]
    allowed: Array
    depth: float
    served: int = 0

    @cached_property
    def kept(self) -> Bools:
        """Which tasks must not be made worse."""
        return np.isin(self.problem.level_of, self.above)

    @cached_property
    def held(self) -> Array:
        """Length that each task's residual is held at, shape (K,): those that the start has
        served as far as it could are not traded for each other.
        """
        far = (self.problem.level_of < self.served) & (self.allowed > self.options.tolerance)
        return np.where(far, self.allowed - 0.5 * self.options.tolerance, 0.0)

    @cached_property
    def own(self) -> Bools:
        """Which tasks the turn is about."""
        return self.problem.level_of == (-1 if self.level is None else self.level)

    @cached_property
    def _steps(self) -> LayerSteps:
        levels = self.above if self.level is None else (*self.above, self.level)
        return LayerSteps(self.problem, levels, self.held, CAP)

    @cached_property
    def _mends(self) -> LayerSteps:
        return LayerSteps(self.problem, self.above, self.held, CAP)

    def excess(self, stand: Stand) -> float:
        """How far upper layers or the floor are beyond what is allowed, metres; at most 0 where
        they are not.
        """
        over = (stand.lengths - self.allowed)[self.kept]
        return max(float(over.max(initial=-np.inf)), stand.depth - self.depth)

    def merit(self, stand: Stand) -> float:
        """What the turn makes smaller."""
        if self.level is None:
            assert self.problem.prefer is not None
            return float(np.linalg.norm(self.problem.prefer - stand.unknowns))
        return float(np.linalg.norm((stand.lengths * self.problem.weight)[self.own]))

    def done(self, stand: Stand) -> bool:
        """Whether nothing is left to do."""
        if self.excess(stand) > 0.0:
            return False
        if self.level is None:
            return self.merit(stand) < SHORTEST
        return bool(stand.lengths[self.own].max() <= DONE * self.options.tolerance)

    def step(self, now: Stand, radius: float, count: int) -> Array:
        """The next step (A,), at most `radius` in any coordinate."""
        prefer = None
        if self.level is None:
            assert self.problem.prefer is not None
            prefer = FADE**count * (self.problem.prefer - now.unknowns)
        return self._steps.step(now, radius, prefer)

    def mend(self, now: Stand) -> Array:
        """A step (A,) of the upper layers alone."""
        return self._mends.step(now, LONGEST)


def solve_layers(
    problem: LayeredProblem,
    start: ArrayLike,
    options: LayerOptions | None = None,
    *,
    served: int = 0,
) -> LayeredResult:
    """Serve the layers from the top down, each as far as those above it leave it free.

    What a layer comes to does not depend on the layers below: adding or moving one of them worsens
    no task above it by more than the tolerance.

    Parameters
    ----------
    problem : LayeredProblem
        Tasks, limits and unknowns.
    start : array of shape (A,)
        Unknowns to begin with.
    options : LayerOptions, optional
        The defaults when not given.
    served : int
        How many of the uppermost layers the start has served already: no task of theirs becomes
        worse.

    Returns
    -------
    LayeredResult
        With the residual and the reason of every layer.

    Raises
    ------
    InvalidInputError
        When the start has another size.
    """
    options = options or LayerOptions()
    begin = np.array(start, float)
    if begin.shape != (problem.map.size,):
        raise InvalidInputError(f"a start has {problem.map.size} unknowns, got shape {begin.shape}")
    if problem.map.matrix is None and problem.lower is not None:
        offset = problem.map.offset
        begin = np.clip(offset + begin, problem.lower, problem.upper) - offset
    stand = problem.at(begin)
    allowed = np.full(len(problem.layers), np.inf)
    used = 0
    levels = range(len(problem.levels))
    depth = _allowed_depth(stand, options)
    for level in levels:
        if level >= served:
            turn = _Turn(problem, options, level, tuple(range(level)), allowed, depth, served)
            stand, count = _take(turn, stand, options.iterations)
            used += count
        # What a lower layer happened to gain for an upper one is kept, too.
        upper = problem.level_of <= level
        allowed = np.where(upper, np.minimum(allowed, _allowance(stand, options)), allowed)
    if problem.prefer is not None:
        turn = _Turn(problem, options, None, tuple(levels), allowed, depth, served)
        stand, count = _take(turn, stand, options.iterations)
        used += count
    lengths = np.empty_like(stand.lengths)
    lengths[problem.order] = stand.lengths
    outcomes = tuple(_outcome(problem, options, stand, level) for level in levels)
    return LayeredResult(stand.unknowns, stand.coordinates, lengths, outcomes, used)


def _allowance(stand: Stand, options: LayerOptions) -> Array:
    """How long residuals may be from now on: as they are and half of the tolerance, or all of it
    where they are met.
    """
    far = stand.lengths > options.tolerance
    return np.where(far, stand.lengths + 0.5 * options.tolerance, options.tolerance)


def _allowed_depth(stand: Stand, options: LayerOptions) -> float:
    """How deep in the floor anything may be from now on, metres: what steps of finite length need,
    or no deeper than it is.
    """
    return max(stand.depth, 0.5 * options.tolerance)


def _take(turn: _Turn, now: Stand, most: int) -> tuple[Stand, int]:
    """Where a turn ends, and the number of steps; upper layers are as allowed all the way."""
    radius = LONGEST
    since = used = tried = 0
    merit = turn.merit(now)
    while used < most and since <= PATIENCE and not turn.done(now):
        then = turn.problem.at(now.unknowns + turn.step(now, radius, tried))
        then, mends = _mend(turn, then)
        used += 1 + mends
        reached = turn.merit(then)
        if turn.excess(then) > 0.0 or reached >= merit:
            longest = float(np.abs(then.coordinates - now.coordinates).max())
            # By what the step came to, not by what it was allowed: limits may have cut it short.
            radius = 0.25 * min(radius, longest)
            if radius < SHORTEST:
                break
            continue
        tried += 1
        since = 0 if reached < (1.0 - GAIN) * merit else since + 1
        now, merit = then, reached
        radius = min(2.0 * radius, LONGEST)
    return now, used


def _mend(turn: _Turn, stand: Stand) -> tuple[Stand, int]:
    """Bring upper layers back to what is allowed, by as few steps as that takes."""
    for count in range(MENDS):
        if turn.excess(stand) <= 0.0:
            return stand, count
        stand = turn.problem.at(stand.unknowns + turn.mend(stand))
    return stand, MENDS


def _outcome(
    problem: LayeredProblem, options: LayerOptions, stand: Stand, level: int
) -> LayerOutcome:
    residual = float(stand.lengths[problem.level_of == level].max())
    met = residual <= options.tolerance
    reason = MET if met else _reason(problem, options, stand, level)
    return LayerOutcome(problem.levels[level], residual, reason)


def _reason(problem: LayeredProblem, options: LayerOptions, stand: Stand, level: int) -> str:
    """Why a layer is not met: tried alone, then without limits, then below ever more layers."""
    first = 0
    if problem.given is not None and problem.given.any():
        first = 1  # what is given is a layer above all others
        layers = np.where(problem.given, problem.levels[0] - 1, problem.layers)
        problem = replace(problem, layers=layers, given=None)
        stand = problem.at(stand.unknowns)
        level += 1
    given = tuple(range(first))
    if not _alone(problem, options, stand, level, given):
        free = _without_joint_limits(problem)
        if _alone(free, options, stand, level, given):
            return LIMITS
        through = replace(problem, floor=None)
        return FLOOR if problem.floor and _alone(through, options, stand, level, given) else REACH
    if level == first:
        return UNFINISHED
    for other in range(first, level - 1):
        if not _alone(problem, options, stand, level, tuple(range(other + 1))):
            return CONFLICT.format(problem.levels[other])
    return CONFLICT.format(problem.levels[level - 1])


def _without_joint_limits(problem: LayeredProblem) -> LayeredProblem:
    if problem.lower is None or problem.upper is None or problem.joints is None:
        return replace(problem, lower=None, upper=None)
    lower = np.where(problem.joints, -np.inf, problem.lower)
    return replace(problem, lower=lower, upper=np.where(problem.joints, np.inf, problem.upper))


def _alone(
    problem: LayeredProblem, options: LayerOptions, stand: Stand, level: int, above: tuple[int, ...]
) -> bool:
    """Whether a layer is met below some of the others only."""
    allowed = _allowance(stand, options)
    depth = np.inf if problem.floor is None else _allowed_depth(stand, options)
    turn = _Turn(problem, options, level, above, allowed, depth)
    # From where the solution stands: a layer that cannot be met from there alone is not held up by
    # the others. Without a floor, what was measured of it counts no more.
    stand = problem.at(stand.unknowns)
    found, _ = _take(turn, stand, WHY)
    return bool(found.lengths[turn.own].max() <= options.tolerance)
