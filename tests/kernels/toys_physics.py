"""Problems of physics for `toys`: they run the compiled functions of dynamics and of the ground."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from motionloom.physics.correct.solve import BandedSystem, make_spline
from motionloom.physics.dynamics import differentiate_dynamics, inverse_dynamics
from weighed_bodies import performer_body, random_state


def loads_of_a_body(folder):
    """All that a body must do in three frames of anything."""
    body = performer_body()
    return _arrays(inverse_dynamics(body, random_state(body, 3)))


def loads_that_change(folder):
    """Along moves of the first link and turns of three others, with and without gravity."""
    body = performer_body()
    state = random_state(body, 2, seed=1)
    found = [
        differentiate_dynamics(body, state, active=[0, 2, 9], gravity=gravity)
        for gravity in (9.8, 0.0)
    ]
    return [array for one in found for array in _arrays(one)]


def sums_of_rows(folder):
    """Of rows that have some of three curves, over a spline of six control points."""
    spline = make_spline(7, 30.0, 12.0)
    system = BandedSystem(spline, 3)
    random = np.random.default_rng(2)
    frames = np.array([0, 1, 1, 4, 6])
    rows = random.normal(size=(2, 5, 3)) * [1.0, 0.0, 1.0]
    system.add(frames, rows, random.normal(size=5))
    return system.gradient, system.solve(1.0)


def _arrays(record) -> list[np.ndarray]:
    return [getattr(record, field.name) for field in fields(record)]


TOYS = (loads_of_a_body, loads_that_change, sums_of_rows)
