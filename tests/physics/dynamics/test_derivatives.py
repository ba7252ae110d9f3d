"""Derivatives of inverse dynamics against finite differences."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.physics.dynamics import differentiate_dynamics, inverse_dynamics
from weighed_bodies import performer_body, random_state

STEP = 1e-6


def _moved(state, active, kind, direction, step):
    """The state moved along one direction."""
    change = np.zeros(3)
    change[direction % 3] = step
    if direction < 3:
        name = ("places", "velocities", "accelerations")[kind]
        return replace(state, **{name: getattr(state, name) + change})
    link = active[direction // 3 - 1]
    if kind == 0:
        turns = state.turns.copy()
        turns[:, link] = rot.multiply(turns[:, link], rot.from_rotvec(change))
        return replace(state, turns=turns)
    name = ("spins", "spin_rates")[kind - 1]
    values = getattr(state, name).copy()
    values[:, link] += change
    return replace(state, **{name: values})


@pytest.mark.parametrize("kind", [0, 1, 2])
def test_derivatives_are_those_of_finite_differences(kind):
    body = performer_body()
    active = [0, 2, 5, 9, 17]
    state = random_state(body, 2)
    found = differentiate_dynamics(body, state, active)
    for direction in range(3 + 3 * len(active)):
        above = inverse_dynamics(body, _moved(state, active, kind, direction, STEP))
        under = inverse_dynamics(body, _moved(state, active, kind, direction, -STEP))
        torques = (above.torques - under.torques) / (2 * STEP)
        wrench = (above.wrench - under.wrench) / (2 * STEP)
        np.testing.assert_allclose(found.torques[:, kind, direction], torques, atol=1e-5)
        np.testing.assert_allclose(found.wrench[:, kind, direction], wrench, atol=1e-5)
