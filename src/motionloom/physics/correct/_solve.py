"""Uniform cubic B-splines over frames, and systems whose unknowns are their control points.

Gauss-Newton over displacement splines, coarse to fine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product

import numpy as np
import scipy
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from motionloom.kinematics import WorldPose
from motionloom.physics.correct import _terms as terms
from motionloom.physics.correct._problem import Problem
from motionloom.physics.correct.options import CorrectionOptions
from motionloom.typing import Array, Bools, Ints

#: Added to the diagonal at control points that must not move.
STIFF = 1e15

#: A step that makes the cost larger is halved so often.
HALVINGS = 3
#: Steps that gain less than this share of the cost end a rate.
GAIN = 1e-3
#: Finest curves that forces are corrected with, control points per second.
LOAD_RATE = 12.0
#: Added to the diagonal.
RIDGE = 1e-6


@dataclass(frozen=True, eq=False)
class _Point:
    """Where a solution is, with the terms' values."""

    controls: Array
    curves: Array
    world: WorldPose
    points: Array
    loads: terms.Loads | None
    cost: float = 0.0


@dataclass(eq=False)
class Solver:
    """Solves one problem.

    Parameters
    ----------
    problem : Problem
        What is corrected.
    options : CorrectionOptions
        How.
    held : (bool, bool)
        Whether the displacement grows from nothing at the first frame, and is gone at the last.
    """

    problem: Problem
    options: CorrectionOptions
    held: tuple[bool, bool] = (False, False)

    def __post_init__(self) -> None:
        self.weights = terms.prior_weights(self.problem)
        options = self.options
        self.with_torques = options.objective == "torque"
        self.with_loads = options.balance or options.flight or self.with_torques

    def refine(self, level: int, base: Array) -> Array:
        """Displacement curves (T, D) at one of the rates, from those of the rate before.

        Forces are corrected with coarse curves only: what finer ones add is small and quick, and
        its accelerations would be those of the captures' noise.
        """
        rate = self.options.rates[level]
        spline = make_spline(self.problem.n_frames, self.problem.posed.fps, rate)
        self.fine = level == len(self.options.rates) - 1
        self.loaded = self.with_loads and rate <= LOAD_RATE
        self.base = base
        here = self._at(spline, np.zeros((spline.n_controls, self.problem.n_curves)))
        for _ in range(self.options.rounds[level]):
            step = self._step(spline, here)
            after = self._best(spline, here, step)
            gained = here.cost - after.cost
            here = after
            if gained <= GAIN * here.cost:
                break
        return here.curves

    def _at(self, spline: Spline, controls: Array) -> _Point:
        problem = self.problem
        curves = self.base + spline.values(controls)
        world = problem.world(*problem.poses(curves))
        points = problem.points(world)
        loads = terms.loads_of(problem, curves, points) if self.loaded else None
        here = _Point(controls, curves, world, points, loads)
        rows = self._rows(here, np.zeros((*points.shape, 0)), terms.no_slopes(problem))
        cost = sum(float(np.sum(own.residuals**2)) for own in rows)
        for order, weights in enumerate(self.weights):
            cost += float(np.square(spline.values(controls, order)).sum(axis=0) @ weights)
        return replace(here, cost=cost)

    def _rows(self, here: _Point, feet: Array, slopes: terms.LoadSlopes) -> Iterator[terms.Rows]:
        problem = self.problem
        pin = terms.PIN if self.loaded or not self.fine else terms.FINE_PIN
        yield from terms.foot_rows(problem, here.points, feet, pin)
        yield from terms.range_rows(problem, here.world)
        if here.loads is None:
            return
        yield from terms.load_rows(problem, here.loads, slopes, self.options)
        if self.with_torques:
            places, turns = here.world.positions, here.world.rotations
            frames = problem.frames
            yield from terms.torque_rows(problem, here.loads, slopes, places[frames], turns[frames])

    def _step(self, spline: Spline, here: _Point) -> Array:
        problem = self.problem
        slopes = terms.no_slopes(problem)
        if here.loads is not None:
            rows = terms.load_rows(problem, here.loads, slopes, self.options)
            used = np.concatenate([[], *(own.frames for own in rows)])
            wanted = None if self.with_torques else np.isin(problem.frames, used)
            slopes = terms.slopes_of(problem, here.loads, wanted)
        system = BandedSystem(spline, problem.n_curves)
        for own in self._rows(here, terms.point_slopes(problem, here.world, here.points), slopes):
            system.add(own.frames, own.jacobians, own.residuals)
        system.add_prior(self.weights, here.controls)
        return system.solve(RIDGE, spline.held_ends(*self.held))

    def _best(self, spline: Spline, here: _Point, step: Array) -> _Point:
        """The point after a step, halved while it makes things worse."""
        for halvings in range(HALVINGS + 1):
            after = self._at(spline, here.controls + 0.5**halvings * step)
            if after.cost < here.cost:
                return after
        return here


@dataclass(frozen=True, eq=False)
class Spline:
    """Values of the four basis functions that act in each frame (Rogers & Adams 1990).

    Parameters
    ----------
    first : int array of shape (T,)
        First of the four control points that act in each frame.
    basis : array of shape (4, T, 4)
        Values, first, second and third derivatives (per second) of their basis functions.
    n_controls : int
        Number of control points K.
    """

    first: Ints
    basis: Array
    n_controls: int

    def values(self, controls: Array, order: int = 0) -> Array:
        """Curves (T, D) of control points (K, D), or their derivatives of an order."""
        near = controls[self.first[:, None] + np.arange(4)]
        return np.asarray(np.einsum("tk,tkd->td", self.basis[order], near), float)

    def held_ends(self, start: bool, stop: bool) -> Bools:
        """Control points (K,) that are zero where curves begin or end gently, from nothing.

        Three at an end: value, velocity and acceleration there.
        """
        fixed = np.zeros(self.n_controls, bool)
        fixed[:3] = start
        fixed[-3:] |= stop
        return fixed


def make_spline(n_frames: int, fps: float, rate: float) -> Spline:
    """A spline over a motion.

    Parameters
    ----------
    n_frames : int
        T.
    fps : float
        Frames per second.
    rate : float
        Control points per second, no more than frames.

    Returns
    -------
    Spline
    """
    span = max(n_frames - 1, 1)
    intervals = max(1, round(span / fps * min(rate, fps)))
    place = np.arange(n_frames) * (intervals / span)
    first = np.minimum(place.astype(int), intervals - 1)
    curve = scipy.interpolate.BSpline(np.arange(-3, intervals + 4), np.eye(intervals + 3), 3)
    near = first[:, None] + np.arange(4)
    speed = fps * intervals / span
    basis = [speed**k * np.take_along_axis(curve(place, k), near, axis=1) for k in range(4)]
    return Spline(first, np.array(basis), intervals + 3)


class BandedSystem:
    """Normal equations of rows over frames, block-banded over control points.

    Parameters
    ----------
    spline : Spline
        Which control points act in which frames.
    n_curves : int
        Number of curves D; unknowns are K times D, control point by control point.
    """

    def __init__(self, spline: Spline, n_curves: int) -> None:
        self.spline = spline
        self.n_curves = n_curves
        # Rows of the lower half, column by column, with room for the shift that makes bands.
        self._wide = np.zeros((spline.n_controls, n_curves, 5 * n_curves))
        self.gradient = np.zeros((spline.n_controls, n_curves))

    def add(self, frames: NDArray[np.intp], jacobians: Sequence[Array], residuals: Array) -> None:
        """Add squared rows.

        Parameters
        ----------
        frames : int array of shape (N,)
            Frame of each row, ascending.
        jacobians : sequence of arrays of shape (N, D)
            Derivatives of the rows by the curves, by their first and by their second derivatives;
            as many as are not zero.
        residuals : array of shape (N,)
            Values of the rows, weighted as the derivatives are.
        """
        if not len(frames):
            return
        spline = self.spline
        used = np.flatnonzero(np.any([part.any(axis=0) for part in jacobians], axis=0))
        rows = np.zeros((len(frames), 4, len(used)))
        for order, jacobian in enumerate(jacobians):
            rows += spline.basis[order][frames][:, :, None] * jacobian[:, None, used]
        flat = rows.reshape(len(frames), -1)
        first = spline.first[frames]
        edges = [0, *(np.flatnonzero(np.diff(first)) + 1), len(frames)]
        runs = [slice(*ends) for ends in pairwise(edges)]
        shape = (4, len(used))
        grams = np.stack([(flat[run].T @ flat[run]).reshape(*shape, *shape) for run in runs])
        slopes = np.stack([(flat[run].T @ residuals[run]).reshape(shape) for run in runs])
        for a in range(4):
            at = first[edges[:-1]] + a
            self.gradient[np.ix_(at, used)] += slopes[:, a]
            for b in range(a, 4):
                self._wide[np.ix_(at, used, (b - a) * self.n_curves + used)] += grams[:, a, :, b]

    def add_prior(self, weights: Array, controls: Array) -> None:
        """Add squares of all curves and of their derivatives.

        Parameters
        ----------
        weights : array of shape (4, D)
            Of the squares in every frame, by order of derivative and curve.
        controls : array of shape (K, D)
            Where the curves are.
        """
        spline = self.spline
        own = np.arange(self.n_curves)
        intervals = spline.n_controls - 3
        for basis, row in zip(spline.basis, weights, strict=False):
            squares = np.zeros((intervals, 4, 4))
            np.add.at(squares, spline.first, basis[:, :, None] * basis[:, None, :])
            for a, b in product(range(4), repeat=2):
                near = squares[:, a, b, None] * row
                self.gradient[a : a + intervals] += near * controls[b : b + intervals]
                if b >= a:
                    self._wide[a : a + intervals, own, (b - a) * self.n_curves + own] += near

    def solve(self, ridge: float, fixed: Bools | None = None) -> Array:
        """The step (K, D) that makes the sum of squares least, without that of fixed points."""
        n = self.n_curves
        k = self.spline.n_controls
        size = self._wide.itemsize
        strides = (5 * n * n * size, (5 * n + 1) * size, size)
        bands = as_strided(self._wide, (k, n, 4 * n), strides).reshape(k * n, 4 * n).T
        held = np.zeros(k, bool) if fixed is None else fixed
        bands[0] += ridge + STIFF * np.repeat(held, n)
        pull = -np.where(held[:, None], 0.0, self.gradient).ravel()
        step = scipy.linalg.solveh_banded(
            bands, pull, lower=True, overwrite_ab=True, check_finite=False
        )
        return np.where(held[:, None], 0.0, step.reshape(k, n))
