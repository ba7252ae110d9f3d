"""Shares of joints in the centre of mass."""

import numpy as np
import pytest

from motionloom.body_masses import SEGMENTS, joint_shares
from motionloom.errors import InvalidInputError
from motionloom.kinematics import center_of_mass
from motionloom.performer import make_performer
from motionloom.roles import Roles, find_roles

BODY = make_performer().skeleton
ROLES = find_roles(BODY)


def test_the_table_is_of_one_whole_body():
    assert sum(row[0] for row in SEGMENTS) == pytest.approx(1.0, abs=2e-3)


def test_shares_add_up_and_give_the_centre_of_mass():
    shares = joint_shares(ROLES, BODY.n_joints)
    places = np.random.default_rng(0).normal(size=(4, BODY.n_joints, 3))
    assert shares.sum() == pytest.approx(1.0)
    assert (shares >= 0).all()
    np.testing.assert_allclose(
        center_of_mass(places, ROLES), np.einsum("j,tjx->tx", shares, places), atol=1e-12
    )
    shift = np.array([1.0, 2.0, 3.0])
    # A body carried elsewhere takes its centre of mass along.
    np.testing.assert_allclose(
        center_of_mass(places + shift, ROLES),
        center_of_mass(places, ROLES) + shift,
        atol=1e-12,
    )


def test_a_body_without_arms_has_none():
    joints = {r: j for r, j in ROLES.joints.items() if "elbow" not in r}
    with pytest.raises(InvalidInputError, match="left_elbow"):
        joint_shares(Roles(joints), BODY.n_joints)
