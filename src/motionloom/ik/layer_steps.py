"""One step of tasks in strict layers, projected: a lower layer moves only where the layers above it
leave the body free.

The unknowns are any linear map away from the coordinates that tasks and limits speak of: the
coordinates themselves, weights of a pose space's components, or of a motion model's eigen-poses.
Each step projects every layer into the null space of those above it; a coordinate that would pass
its limit is held there and the layer solved again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import InvalidInputError
from motionloom.ik.layer_kernels import Bounds, Layers, layered_step
from motionloom.spaces.linear_map import LinearMap
from motionloom.typing import Array, Bools, Ints

#: From coordinates (D,) to a residual (R,), metres, and its Jacobian (R, D): ``jacobian @ step`` is
#: how much of the residual a step makes good.
Measure = Callable[[Array], tuple[Array, Array]]

#: What is farther by less than this than it is held at, metres, stays.
ROUNDING = 1e-9


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
    rows: Ints
    layers: Ints
    map: LinearMap
    lower: Array | None = None
    upper: Array | None = None
    weights: Array | None = None
    prefer: Array | None = None
    joints: Bools | None = None
    given: Bools | None = None
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
    def sizes(self) -> Ints:
        """Number of rows of each task in that order, shape (K,)."""
        return np.diff(self.rows)[self.order]

    @cached_property
    def task_ends(self) -> Ints:
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
    def row_level(self) -> NDArray[np.intp]:
        """Place among the levels of each row in that order, shape (R,)."""
        return np.repeat(self.level_of, self.sizes)

    @cached_property
    def weight(self) -> Array:
        """Factor of each task in that order, at most 1 in its layer, shape (K,)."""
        if self.weights is None:
            return np.ones(len(self.layers))
        # Weights are of squares, rows are not squared yet.
        own: Array = np.sqrt(np.asarray(self.weights, float)[self.order])
        for level in range(len(self.levels)):
            inside = self.level_of == level
            own[inside] /= own[inside].max()
        return own

    @cached_property
    def row_weight(self) -> Array:
        """The same of each row, shape (R,)."""
        return np.repeat(self.weight, self.sizes)

    def at(self, unknowns: Array) -> Stand:
        """Where unknowns (A,) lead, measured."""
        coordinates = self.map.to_coordinates(unknowns)
        if self.map.matrix is None and self.lower is not None:
            np.clip(coordinates, self.lower, self.upper, out=coordinates)  # rounding only
        residual, jacobian = self.measure(coordinates)
        residual = residual[self.row_order]
        jacobian = self.map.pull_back(jacobian[self.row_order])
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
class LayerSteps:
    """Steps for some layers of a problem.

    Parameters
    ----------
    problem : LayeredProblem
        Tasks, limits and unknowns.
    levels : tuple of int
        Places of those layers among the problem's levels, the uppermost first.
    held : array of shape (K,), metres
        Length that each task's residual is brought to, tasks of upper layers first; zero to meet
        it.
    cap : float, metres
        Most of a task's residual that one step is asked to make good.
    """

    problem: LayeredProblem
    levels: tuple[int, ...]
    held: Array
    cap: float

    @cached_property
    def chosen(self) -> NDArray[np.intp]:
        """Rows that a step is made of."""
        return np.flatnonzero(np.isin(self.problem.row_level, self.levels))

    @cached_property
    def starts(self) -> Ints:
        """First of the chosen rows of each layer, and their number."""
        levels = self.problem.row_level[self.chosen]
        counts = [np.count_nonzero(levels == x) for x in np.unique(levels)]
        return np.cumsum([0, *counts]).astype(np.int64)

    def step(self, now: Stand, longest: float, prefer: Array | None = None) -> Array:
        """The next step (A,).

        Parameters
        ----------
        now : Stand
            Where it begins.
        longest : float
            Most that any coordinate changes.
        prefer : array of shape (A,), optional
            The step that is wanted in what all these layers leave open.

        Returns
        -------
        array of shape (A,)
            Within limits and floor, to first order; what is in the floor rises before anything
            else.
        """
        problem = self.problem
        pull, jacobian = now.residual, now.jacobian
        wanted = np.minimum(now.lengths - self.held, self.cap)
        # A far target would ask for a step beyond where its Jacobian means anything.
        share = np.where(wanted > ROUNDING, wanted, 0.0) / np.maximum(now.lengths, 1e-12)
        pull = pull * np.repeat(share, problem.sizes)
        weight = problem.row_weight[self.chosen]
        pull = pull[self.chosen] * weight
        jacobian = jacobian[self.chosen] * weight[:, None]
        starts = self.starts
        inside = np.flatnonzero(now.height < 0.0)
        if len(inside):
            pull = np.concatenate([-now.height[inside], pull])
            jacobian = np.concatenate([now.slopes[inside], jacobian])
            starts = np.concatenate([[0], starts + len(inside)])
        open_step = np.zeros(problem.map.size) if prefer is None else prefer
        layers = Layers(jacobian, pull, starts, open_step)
        return layered_step(layers, _bounds(problem, now, longest))


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
