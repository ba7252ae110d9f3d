"""Random tasks in layers, and the two usual updates that do not keep layers apart, to compare with.

Tasks of several priorities are often weighted, or corrected layer by layer with the Jacobian as it
is in place of the projected one (as Carvalho, Boulic and Thalmann 2007 print it), limits clamped
after each step. Both let a lower layer disturb those above it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from motionloom.ik.layer_steps import LayeredProblem, Stand
from motionloom.ik.prioritized import CAP, LONGEST, LayerOptions, solve_layers
from motionloom.ik.tasks import Body, Kind, Task
from motionloom.jacobians import compute_world_axes
from motionloom.spaces.linear_map import LinearMap

Array = NDArray[np.float64]

#: A layer counts this much less than the next above where layers are only weighted.
LEVEL_WEIGHT = 0.01
#: Damping beside ``J J^t`` (square metres per square radian) of the updates that are compared with.
DAMPING = 1e-3

#: From a problem and a start to the length of each task's residual (K,), metres.
Method = Callable[[LayeredProblem, Array, LayerOptions], Array]


@dataclass(frozen=True, eq=False)
class Trial:
    """A start and tasks in layers for one rig.

    Parameters
    ----------
    body : Body
        The rig.
    start, lower, upper : array of shape (D,)
        Coordinates to begin with, and their limits.
    tasks : tuple of Task
        Upper layers first.
    moved : Task
        What the last task becomes when it is moved.
    """

    body: Body
    start: Array
    lower: Array
    upper: Array
    tasks: tuple[Task, ...]
    moved: Task

    def problem(self, tasks: Sequence[Task]) -> LayeredProblem:
        """Some tasks as a problem of all coordinates."""
        asked = self.body.asked(tasks)
        return LayeredProblem(
            measure=asked.measure,
            rows=asked.rows,
            layers=asked.layers,
            map=LinearMap(self.start),
            lower=self.lower,
            upper=self.upper,
            weights=asked.weights,
        )

    def harm(self, method: Method, options: LayerOptions) -> float:
        """How much worse any upper task becomes when the lowest layer is added, or then moved.

        Parameters
        ----------
        method : callable
            Solves; what it comes to without the lowest layer is what it is judged by.
        options : LayerOptions
            Passed on.

        Returns
        -------
        float, metres
            At most 0 where none does.
        """
        lowest = max(t.layer for t in self.tasks)
        above = [t for t in self.tasks if t.layer < lowest]
        begin = np.zeros(len(self.start))
        alone = method(self.problem(above), begin, options)
        worst = -np.inf
        for last in (self.tasks[-1], self.moved):
            both = method(self.problem([*self.tasks[:-1], last]), begin, options)
            worst = max(worst, float((both[: len(above)] - alone).max()))
        return worst


def draw_trial(
    body: Body, poses: Array, limits: tuple[Array, Array], rng: np.random.Generator
) -> Trial:
    """Draw a start, and two to four tasks in two to three layers of which half are out of reach.

    Parameters
    ----------
    body : Body
        With masses.
    poses : array of shape (N, D)
        Captured coordinates that starts and places are taken from.
    limits : tuple of two arrays of shape (D,)
        Lower and upper limits of turns; those that move joints are kept near the start.
    rng : Generator
        Random stream.

    Returns
    -------
    Trial
        The last task is alone in the lowest layer.
    """
    turns = body.coordinates.rotational
    start, shown = poses[rng.integers(len(poses), size=2)]
    lower = np.where(turns, limits[0], start - 0.1)
    upper = np.where(turns, limits[1], start + 0.1)
    start = np.clip(start, lower, upper)
    shown = np.where(turns, shown, start + rng.uniform(-0.05, 0.05, len(start)))
    axes = compute_world_axes(body.coordinates, np.stack([start, shown]))
    places = axes.positions[1]
    parents = np.asarray(body.coordinates.skeleton.parents)
    tips = np.flatnonzero(~np.isin(np.arange(len(parents)), parents))
    chosen = rng.choice(tips, min(len(tips), int(rng.integers(2, 5))), replace=False)
    layers = sorted(int(x) for x in rng.integers(1, 3, len(chosen) - 1))
    tasks = []
    for joint, layer in zip(chosen, [*layers, 3], strict=True):
        kind = _draw(rng, ["position", "position", "orientation", "gaze", "mass"])
        away = rng.normal(size=3) * (0.4 if rng.random() < 0.5 else 0.0)
        if kind == "orientation":
            turn = rng.normal(size=4)
            tasks.append(Task("orientation", turn, int(joint), layer=layer))
        else:
            at = places.mean(axis=0) + away if kind == "mass" else places[joint] + away
            at = at + (rng.normal(size=3) * 2.0 if kind == "gaze" else 0.0)
            tasks.append(Task(kind, at, int(joint), layer=layer))
    last = tasks[-1]
    change = rng.normal(size=len(np.asarray(last.value))) * 0.5
    moved = replace(last, value=np.asarray(last.value) + change)
    return Trial(body=body, start=start, lower=lower, upper=upper, tasks=tuple(tasks), moved=moved)


def _draw(rng: np.random.Generator, kinds: list[Kind]) -> Kind:
    return kinds[int(rng.integers(len(kinds)))]


def follow_layers(problem: LayeredProblem, start: Array, options: LayerOptions) -> Array:
    """Strict layers."""
    return solve_layers(problem, start, options).lengths


def follow_unprojected(problem: LayeredProblem, start: Array, options: LayerOptions) -> Array:
    """Layers are corrected one after the other with their Jacobians as they are."""

    def step(stand: Stand, pull: Array) -> Array:
        total = np.zeros(len(start))
        for level in range(len(problem.levels)):
            rows = problem.row_level == level
            own = stand.jacobian[rows]
            total += _damped(own, pull[rows] - own @ total)
        return total

    return _follow(problem, start, options, step)


def follow_weighted(problem: LayeredProblem, start: Array, options: LayerOptions) -> Array:
    """All layers at once by weighted least squares."""
    weight = np.sqrt(LEVEL_WEIGHT) ** problem.row_level

    def step(stand: Stand, pull: Array) -> Array:
        return _damped(stand.jacobian * weight[:, None], pull * weight)

    return _follow(problem, start, options, step)


def _damped(jacobian: Array, pull: Array) -> Array:
    system = jacobian @ jacobian.T + DAMPING * np.eye(len(jacobian))
    step: Array = jacobian.T @ np.linalg.solve(system, pull)
    return step


def _follow(
    problem: LayeredProblem,
    start: Array,
    options: LayerOptions,
    step: Callable[[Stand, Array], Array],
) -> Array:
    """Step and clamp; lengths where the weighted miss was smallest."""
    offset = problem.map.offset
    unknowns = start.copy()
    best = (np.inf, np.empty(0))
    importance = np.sqrt(LEVEL_WEIGHT) ** problem.level_of
    for _ in range(options.iterations):
        stand = problem.at(unknowns)
        miss = float((stand.lengths * importance).max())
        if miss < best[0]:
            best = (miss, stand.lengths)
        if stand.lengths.max() <= options.tolerance:
            break
        share = np.minimum(1.0, CAP / np.maximum(stand.lengths, 1e-12))
        change = step(stand, stand.residual * np.repeat(share, problem.sizes))
        change *= min(1.0, LONGEST / max(float(np.abs(change).max()), 1e-12))
        unknowns = np.clip(offset + unknowns + change, problem.lower, problem.upper) - offset
    lengths = np.empty_like(best[1])
    lengths[problem.order] = best[1]
    return lengths
