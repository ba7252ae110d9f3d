"""The ground's force goes from foot to foot gently, and its sum stays."""

import numpy as np
import pytest

from motionloom.performer import make_performer, perform, plan_steps, walking_steps
from motionloom.physics.body import make_body
from motionloom.physics.ground import analyse_balance, share_forces
from motionloom.posed_motion import pose_motion


@pytest.fixture(scope="module")
def shared():
    performer = make_performer()
    plan = plan_steps(performer, walking_steps(performer, 1.2, 3))
    posed = pose_motion(perform(performer, plan).motion)
    balance = analyse_balance(posed, make_body(posed, 1.75, 70.0))
    return balance, share_forces(balance)


def test_shares_of_the_feet_do_not_jump(shared):
    balance, found = shared
    up = found.foot_forces[..., 1]
    total = up.sum(axis=1)
    carried = total > 0.2 * balance.weight
    share = up[carried] / total[carried, None]
    near = np.diff(np.flatnonzero(carried)) == 1
    rates = balance.fps * np.abs(np.diff(share, axis=0)).max(axis=1)[near]
    # All of it in an eighth of a second.
    assert np.quantile(rates, 0.99) < 8.0


def test_their_sum_is_what_the_body_needs(shared):
    balance, found = shared
    held = balance.contacts.support
    off = np.linalg.norm(found.missing[held, :3], axis=-1) / balance.weight
    assert np.quantile(off, 0.95) < 0.02
    np.testing.assert_allclose(found.forces.sum(axis=1), found.foot_forces.sum(axis=1))
