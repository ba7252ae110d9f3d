"""Problems of physics for `toys`: they run the compiled functions of dynamics and of the ground."""

from __future__ import annotations

import numpy as np

from motionloom.physics.correct.solve import BandedSystem, make_spline


def sums_of_rows(folder):
    """Of rows that have some of three curves, over a spline of six control points."""
    spline = make_spline(7, 30.0, 12.0)
    system = BandedSystem(spline, 3)
    random = np.random.default_rng(2)
    frames = np.array([0, 1, 1, 4, 6])
    rows = random.normal(size=(2, 5, 3)) * [1.0, 0.0, 1.0]
    system.add(frames, rows, random.normal(size=5))
    return system.gradient, system.solve(1.0)


TOYS = (sums_of_rows,)
