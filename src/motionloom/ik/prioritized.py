"""Strict layers of tasks: a lower layer moves only where the layers above it leave the body free.

The unknowns are any linear map away from the coordinates that tasks and limits speak of: the
coordinates themselves, weights of a pose space's components, or of a motion model's eigen-poses.
Each step projects every layer into the null space of those above it; a coordinate that would pass
its limit is held there and the layer solved again. Layers are solved from the top down, and no step
is kept that makes an upper layer worse than it was when its turn was over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motionloom.errors import InvalidInputError
from motionloom.ik.layer_kernels import Bounds, Layers, layered_step
from motionloom.spaces.linear_map import LinearMap

Array = NDArray[np.float64]

#: From coordinates (D,) to a residual (R,), metres, and its Jacobian (R, D): ``jacobian @ step`` is
#: how much of the residual a step makes good.
Measure = Callable[[Array], tuple[Array, Array]]

#: Steps of the upper layers alone that make good what a step of a lower one did to them.
MENDS = 2
#: Steps shorter than this are given up, in the units of the coordinates.
SHORTEST = 1e-4
#: Steps without a gain of this share after which a layer is as far as it gets.
PATIENCE, GAIN = 4, 1e-3
#: A layer is done when it is met within this share of the tolerance.
DONE = 0.25
#: What is farther by less than this than it is held at, metres, stays.
ROUNDING = 1e-9
#: Each step towards the preferred unknowns is this much of the one before.
FADE = 0.8
#: Most steps that are spent on finding out why a layer is not met.
WHY = 25

MET, REACH, LIMITS, CONFLICT = "met", "out of reach", "at joint limits", "conflicts with layer {}"
FLOOR = "the floor is in the way"
UNFINISHED = "no iterations left"


def gaussian_map(offset: ArrayLike, spread: ArrayLike) -> LinearMap:
    """Unknowns that are independent standard deviations of a Gaussian.

    The shortest step in them is the likeliest one, and their zero the mean.

    Parameters
    ----------
    offset : array of shape (D,)
        Mean of the coordinates, or another pose that steps are told from.
    spread : array of shape (D, D)
        Covariance, positive definite.

    Returns
    -------
    LinearMap
        With D unknowns.
    """
    # With x = mean + L u, the length of u is the Mahalanobis distance of x: moving little in u is
    # staying likely.
    matrix = np.ascontiguousarray(np.linalg.cholesky(np.asarray(spread, float)))
    return LinearMap(np.asarray(offset, float), matrix)


def project_step(
    residual: ArrayLike,
    jacobian: ArrayLike,
    layers: ArrayLike,
    *,
    matrix: ArrayLike | None = None,
    low: ArrayLike | None = None,
    high: ArrayLike | None = None,
    longest: float = np.inf,
    prefer: ArrayLike | None = None,
) -> Array:
    """One step of rows in strict layers.

    Parameters
    ----------
    residual : array of shape (R,)
        What each row lacks.
    jacobian : array of shape (R, A)
        ``jacobian @ step`` is how much of that a step makes good, to first order.
    layers : int array of shape (R,)
        Layer of each row; the smallest number is served first.
    matrix : array of shape (D, A), optional
        How the coordinates that have limits change with the unknowns; the unknowns themselves when
        not given.
    low, high : array of shape (D,), optional
        What the coordinates may change by, ``low <= 0 <= high``; without end when not given.
    longest : float
        Most that any of them changes.
    prefer : array of shape (A,), optional
        The step that is wanted in what all layers leave open.

    Returns
    -------
    array of shape (A,)
        Each layer's part changes nothing of the rows above it; a coordinate at its limit is held,
        and the layer solved again without it. Poorly conditioned layers are damped.

    Raises
    ------
    InvalidInputError
        When the shapes do not fit together.
    """
    rows, level = np.ascontiguousarray(residual, float), np.asarray(layers)
    own = np.ascontiguousarray(jacobian, float)
    if own.ndim != 2 or not rows.shape == level.shape == own.shape[:1] != (0,):
        raise InvalidInputError(
            "a step needs as many residuals and layers as its Jacobian has rows, at least one, got"
            f" {rows.shape}, {level.shape} and {own.shape}"
        )
    deeper = level[1:] - level[:-1]
    if deeper.size and deeper.min() < 0:
        order = np.argsort(level, kind="stable")
        rows, own, level = rows[order], own[order], level[order]
        deeper = level[1:] - level[:-1]
    ends = np.array([0, *(np.flatnonzero(deeper) + 1), len(level)], np.int64)
    size = own.shape[1]
    change = np.zeros((0, size)) if matrix is None else np.ascontiguousarray(matrix, float)
    moved = size if matrix is None else len(change)
    bounds = Bounds(
        change,
        matrix is None,
        np.full(moved, -np.inf) if low is None else np.minimum(low, 0.0),
        np.full(moved, np.inf) if high is None else np.maximum(high, 0.0),
        float(longest),
    )
    wanted = np.zeros(size) if prefer is None else np.array(prefer, float)
    if not (bounds.low.shape == bounds.high.shape == (moved,) and change.shape[1:] == (size,)):
        raise InvalidInputError(
            f"limits of a step must have shape ({moved},), got {bounds.low.shape} and"
            f" {bounds.high.shape}; its matrix must have {size} columns"
        )
    if wanted.shape != (size,):
        raise InvalidInputError(f"a preferred step must have shape ({size},), got {wanted.shape}")
    step: Array = layered_step(Layers(own, rows, ends, wanted), bounds)
    return step


@dataclass(frozen=True)
class LayerOptions:
    """How layers are solved.

    Parameters
    ----------
    tolerance : float, metres
        A task is met within this, and no lower layer worsens a higher one by more.
    iterations : int
        Most steps that a layer is given.
    longest : float
        Most that a coordinate changes in one step, metres or radians.
    cap : float, metres
        Most of a task's residual that one step is asked to make good.
    """

    tolerance: float = 0.001
    iterations: int = 60
    longest: float = 0.6
    cap: float = 0.25

    def __post_init__(self) -> None:
        if min(self.tolerance, self.longest, self.cap) <= 0 or self.iterations < 1:
            raise InvalidInputError(
                "tolerance, longest and cap must be above 0, iterations at least 1"
            )


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
class LayeredProblem:
    """Tasks in layers, and what may move for them.

    Parameters
    ----------
    measure : callable
        From coordinates (D,) to the residual (R,) and its Jacobian (R, D).
    rows : int array of shape (K + 1,)
        First row of each task, and R.
    layers : int array of shape (K,)
        Layer of each task; the smallest number is served first.
    map : LinearMap
        From unknowns to coordinates.
    lower, upper : array of shape (D,), optional
        Limits of the coordinates.
    weights : array of shape (K,), optional
        Importance of each task within its layer.
    prefer : array of shape (A,), optional
        Unknowns that are drawn to in the end, as far as all layers leave them open.
    joints : bool array of shape (D,), optional
        Which limits are those of joints, and not of where the body may be; all when not given. Only
        the reasons depend on it.
    given : bool array of shape (K,), optional
        Tasks of the uppermost layer that reasons take for granted, such as planted feet.
    floor : callable, optional
        From coordinates (D,) to heights (M,), metres, that stay above zero in all layers, and their
        slopes (M, D); how many, and of what, may differ from pose to pose.

    Raises
    ------
    InvalidInputError
        When these do not fit together.
    """

    measure: Measure
    rows: NDArray[np.int64]
    layers: NDArray[np.int64]
    map: LinearMap
    lower: Array | None = None
    upper: Array | None = None
    weights: Array | None = None
    prefer: Array | None = None
    joints: NDArray[np.bool_] | None = None
    given: NDArray[np.bool_] | None = None
    floor: Measure | None = None

    def __post_init__(self) -> None:
        size = self.map.offset.shape
        fits = len(self.rows) == len(self.layers) + 1 > 1
        fits &= all(b is None or np.shape(b) == size for b in (self.lower, self.upper, self.joints))
        fits &= self.given is None or np.shape(self.given) == np.shape(self.layers)
        fits &= self.weights is None or np.shape(self.weights) == np.shape(self.layers)
        fits &= self.prefer is None or np.shape(self.prefer) == (self.map.size,)
        if not fits:
            raise InvalidInputError(
                "a layered problem needs at least one task, a layer, a weight and whether it is"
                f" given for each, limits of shape {size} and preferred unknowns of shape"
                f" ({self.map.size},)"
            )

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """The layers that there are, the uppermost first."""
        return tuple(int(x) for x in np.unique(self.layers))

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """Tasks, those of upper layers first, shape (K,)."""
        return np.argsort(self.layers, kind="stable")

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Number of rows of each task in that order, shape (K,)."""
        return np.diff(self.rows)[self.order]

    @cached_property
    def task_ends(self) -> NDArray[np.int64]:
        """First row of each task in that order, and R, shape (K + 1,)."""
        return np.concatenate([[0], np.cumsum(self.sizes)])

    @cached_property
    def level_of(self) -> NDArray[np.intp]:
        """Place among the levels of each task in that order, shape (K,)."""
        return np.searchsorted(self.levels, self.layers[self.order])

    @cached_property
    def row_order(self) -> NDArray[np.intp]:
        """Rows in the order of the tasks, shape (R,)."""
        spans = [np.arange(self.rows[k], self.rows[k + 1]) for k in self.order]
        return np.concatenate(spans)

    @cached_property
    def _ordered(self) -> bool:
        return bool((np.diff(self.layers) >= 0).all())

    @cached_property
    def row_level(self) -> NDArray[np.intp]:
        """Place among the levels of each row in that order, shape (R,)."""
        return np.repeat(self.level_of, self.sizes)

    @cached_property
    def row_weight(self) -> Array:
        """Factor of each row in that order, at most 1 in its layer, shape (R,)."""
        if self.weights is None:
            return np.ones(int(self.rows[-1]))
        # Weights are of squares, rows are not squared yet.
        own = np.sqrt(np.asarray(self.weights, float)[self.order])
        for level in range(len(self.levels)):
            inside = self.level_of == level
            own[inside] /= own[inside].max()
        return np.repeat(own, self.sizes)

    @cached_property
    def weighted(self) -> bool:
        """Whether any row counts less than another of its layer."""
        return bool((self.row_weight != 1.0).any())

    def at(self, unknowns: Array) -> Stand:
        """Where unknowns (A,) lead, measured."""
        coordinates = self.map.to_coordinates(unknowns)
        if self.map.matrix is None and self.lower is not None:
            np.clip(coordinates, self.lower, self.upper, out=coordinates)  # rounding only
        residual, jacobian = self.measure(coordinates)
        jacobian = self.map.pull_back(jacobian)
        if not self._ordered:
            residual, jacobian = residual[self.row_order], jacobian[self.row_order]
        lengths = np.sqrt(np.add.reduceat(residual**2, self.task_ends[:-1]))
        if self.floor is None:
            return Stand(unknowns, coordinates, residual, jacobian, lengths)
        height, slopes = self.floor(coordinates)
        slopes = self.map.pull_back(slopes)
        return Stand(unknowns, coordinates, residual, jacobian, lengths, height, slopes)


@dataclass(frozen=True, eq=False)
class Stand:
    """A solution on its way: its unknowns (A,), coordinates (D,), residual (R,), Jacobian in the
    unknowns (R, A), and length of each task's part of the residual (K,); tasks of upper layers come
    first. Then heights (M,) over the floor, and their slopes in the unknowns (M, A).
    """

    unknowns: Array
    coordinates: Array
    residual: Array
    jacobian: Array
    lengths: Array
    height: Array = field(default_factory=lambda: np.zeros(0))
    slopes: Array = field(default_factory=lambda: np.zeros((0, 0)))

    @property
    def depth(self) -> float:
        """How deep the lowest point is in the floor, metres; 0 where none is."""
        return -float(self.height.min(initial=0.0))


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
    def kept(self) -> NDArray[np.bool_]:
        """Which tasks must not be made worse."""
        kept: NDArray[np.bool_] = np.isin(self.problem.level_of, self.above)
        return kept

    @cached_property
    def held(self) -> Array:
        """Length that each task's residual is held at, shape (K,): those that the start has
        served as far as it could are not traded for each other.
        """
        far = (self.problem.level_of < self.served) & (self.allowed > self.options.tolerance)
        return np.where(far, self.allowed - 0.5 * self.options.tolerance, 0.0)

    @cached_property
    def own(self) -> NDArray[np.bool_]:
        """Which tasks the turn is about."""
        own: NDArray[np.bool_] = self.problem.level_of == (-1 if self.level is None else self.level)
        return own

    @cached_property
    def chosen(self) -> NDArray[np.intp]:
        """Rows that a step is made of."""
        levels = self.above if self.level is None else (*self.above, self.level)
        return np.flatnonzero(np.isin(self.problem.row_level, levels))

    @cached_property
    def ends(self) -> NDArray[np.int64]:
        """First of the chosen rows of each layer, and their number."""
        levels = self.problem.row_level[self.chosen]
        counts = [np.count_nonzero(levels == x) for x in np.unique(levels)]
        return np.cumsum([0, *counts]).astype(np.int64)

    @cached_property
    def own_rows(self) -> NDArray[np.bool_]:
        """Which rows the turn is about."""
        own: NDArray[np.bool_] = self.problem.row_level == (
            -1 if self.level is None else self.level
        )
        return own

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
        part = (stand.residual * self.problem.row_weight)[self.own_rows]
        return float(np.sqrt(part @ part))

    def done(self, stand: Stand) -> bool:
        """Whether nothing is left to do."""
        if self.excess(stand) > 0.0:
            return False
        if self.level is None:
            return self.merit(stand) < SHORTEST
        return bool(stand.lengths[self.own].max() <= DONE * self.options.tolerance)

    def step(self, now: Stand, radius: float, count: int) -> Array:
        """The next step (A,), at most `radius` in any coordinate."""
        problem = self.problem
        prefer = np.zeros(problem.map.size)
        if self.level is None:
            assert problem.prefer is not None
            prefer = FADE**count * (problem.prefer - now.unknowns)
        return self._step(now, len(self.ends), prefer, radius)

    def mend(self, now: Stand) -> Array:
        """A step (A,) of the upper layers alone."""
        prefer = np.zeros(self.problem.map.size)
        return self._step(now, len(self.above) + 1, prefer, self.options.longest)

    def _step(self, now: Stand, ends: int, prefer: Array, radius: float) -> Array:
        problem = self.problem
        rows = self.chosen[: self.ends[ends - 1]]
        pull, jacobian = now.residual, now.jacobian
        wanted = np.minimum(now.lengths - self.held, self.options.cap)
        if (wanted < now.lengths).any():
            # A far target would ask for a step beyond where its Jacobian means anything.
            share = np.where(wanted > ROUNDING, wanted, 0.0) / np.maximum(now.lengths, 1e-12)
            pull = pull * np.repeat(share, problem.sizes)
        if problem.weighted:
            pull = pull * problem.row_weight
            jacobian = jacobian * problem.row_weight[:, None]
        if len(rows) < len(pull):
            pull, jacobian = pull[rows], jacobian[rows]
        starts = self.ends[:ends]
        inside = np.flatnonzero(now.height < 0.0)
        if len(inside):  # what is in the floor rises before anything else
            pull = np.concatenate([-now.height[inside], pull])
            jacobian = np.concatenate([now.slopes[inside], jacobian])
            starts = np.concatenate([[0], starts + len(inside)])
        layers = Layers(jacobian, pull, starts, prefer)
        step: Array = layered_step(layers, _bounds(problem, now, radius))
        return step


def _bounds(problem: LayeredProblem, now: Stand, longest: float) -> Bounds:
    """Limits of the coordinates, and the floor as limits of heights."""
    coordinates = now.coordinates
    matrix = problem.map.matrix
    none = np.full(len(coordinates), np.inf)
    low = -none if problem.lower is None else np.minimum(problem.lower - coordinates, 0.0)
    high = none if problem.upper is None else np.maximum(problem.upper - coordinates, 0.0)
    if len(now.height):
        own = np.eye(len(coordinates)) if matrix is None else matrix
        matrix = np.concatenate([own, now.slopes])
        low = np.concatenate([low, -np.maximum(now.height, 0.0)])
        high = np.concatenate([high, np.full(len(now.height), np.inf)])
    same = matrix is None
    return Bounds(np.zeros((0, 0)) if matrix is None else matrix, same, low, high, longest)


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
    radius = turn.options.longest
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
        radius = min(2.0 * radius, turn.options.longest)
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
    own = problem.level_of == level
    residual = float(stand.lengths[own].max())
    reason = MET
    if residual > options.tolerance:
        reason = _reason(problem, options, stand, level)
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
    problem: LayeredProblem,
    options: LayerOptions,
    stand: Stand,
    level: int,
    above: tuple[int, ...],
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
