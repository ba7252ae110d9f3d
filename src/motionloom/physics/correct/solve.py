"""Gauss-Newton over displacement splines, coarse to fine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.kinematics import WorldPose
from motionloom.physics.correct.loads import Loads, LoadSlopes, loads_of, slopes_of
from motionloom.physics.correct.options import CorrectionOptions
from motionloom.physics.correct.problem import Problem
from motionloom.physics.correct.splines import BandedSystem, Spline, make_spline
from motionloom.physics.correct.terms import (
    FINE_PIN,
    PIN,
    Rows,
    cost_of,
    foot_rows,
    load_rows,
    point_slopes,
    prior_weights,
    range_rows,
    torque_rows,
)
from motionloom.typing import Array

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
    loads: Loads | None
    cost: float


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
        self.weights = prior_weights(self.problem)
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
        return self._refine(spline, base, self.options.rounds[level])

    def _refine(self, spline: Spline, base: Array, rounds: int) -> Array:
        """Curves with what a spline adds to them."""
        self.base = base
        here = self._at(spline, np.zeros((spline.n_controls, self.problem.n_curves)))
        for _ in range(rounds):
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
        loads = loads_of(problem, curves, points) if self.loaded else None
        cost = cost_of(self._rows(world, points, None, loads, None))
        for order in (0, 2, 3):
            squares = np.square(spline.values(controls, order)).sum(axis=0)
            cost += float(squares @ self.weights[order])
        return _Point(controls, curves, world, points, loads, cost)

    def _rows(
        self,
        world: WorldPose,
        points: Array,
        point_slope: Array | None,
        loads: Loads | None,
        slopes: LoadSlopes | None,
    ) -> list[Rows]:
        problem = self.problem
        if point_slope is None:
            point_slope = np.zeros((*points.shape, 1)) + np.zeros((1, 1, 1, problem.n_curves))
        pin = PIN if self.loaded or not self.fine else FINE_PIN
        rows = [*foot_rows(problem, points, point_slope, pin), *range_rows(problem, world)]
        if loads is not None:
            rows += load_rows(problem, loads, slopes, self.options)
            if self.with_torques:
                frames = problem.frames
                rows += torque_rows(
                    problem,
                    loads,
                    slopes,
                    world.positions[frames],
                    world.rotations[frames],
                )
        return rows

    def _step(self, spline: Spline, here: _Point) -> Array:
        problem = self.problem
        slope = point_slopes(problem, here.world, here.points)
        slopes = None
        if here.loads is not None:
            wanted = None
            if not self.with_torques:
                wanted = np.zeros(len(problem.frames), bool)
                for rows in load_rows(problem, here.loads, None, self.options):
                    wanted |= np.isin(problem.frames, rows.frames)
            slopes = slopes_of(problem, here.loads, self.with_torques, wanted)
        system = BandedSystem(spline, problem.n_curves)
        for rows in self._rows(here.world, here.points, slope, here.loads, slopes):
            system.add(rows.frames, rows.jacobians, rows.residuals)
        system.add_prior(self.weights, here.controls)
        return system.solve(RIDGE, spline.held_ends(*self.held))

    def _best(self, spline: Spline, here: _Point, step: Array) -> _Point:
        """The point after a step, halved while it makes things worse."""
        size = 1.0
        for _ in range(HALVINGS + 1):
            after = self._at(spline, here.controls + size * step)
            if after.cost < here.cost:
                return after
            size *= 0.5
        return here
