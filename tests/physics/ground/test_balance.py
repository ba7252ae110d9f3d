"""Zero moment point, balance and shared forces by laws of statics."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import InvalidInputError
from motionloom.physics.body import make_body
from motionloom.physics.dynamics._inverse import GRAVITY
from motionloom.physics.ground import analyse_balance, balanced_share, share_forces
from motionloom.physics.ground._balance import zero_moment_point
from motionloom.physics.quality import quality_of
from motionloom.posed_motion import pose_motion
from motionloom.reports import in_words
from weighed_bodies import standing


@pytest.fixture(scope="module")
def still():
    posed = standing()
    return posed, analyse_balance(posed, make_body(posed, 1.75, 70.0))


def _shifted(posed, shift):
    """The same pose, its root moved by (T, 3)."""
    return pose_motion(
        replace(posed.motion, translations=posed.motion.translations + np.asarray(shift)[:, None])
    )


def test_who_stands_still_has_the_zero_moment_point_under_the_centre_of_mass(still):
    _, balance = still
    np.testing.assert_allclose(balance.zmp, balance.dynamics.center[:, [0, 2]], atol=1e-9)
    assert balance.distance.min() > 0
    assert balanced_share(balance.distance, 0.0) == 1.0
    np.testing.assert_allclose(balance.friction, 0, atol=1e-9)


def test_zero_moment_point_counts_the_height_of_the_ground():
    force = np.array([100.0, 700.0, -50.0])
    place = np.array([0.3, 0.2, 0.4])
    wrench = np.concatenate([force, np.cross(place, force)])[None]
    np.testing.assert_allclose(zero_moment_point(wrench, 0.2), [[0.3, 0.4]])
    assert np.isnan(zero_moment_point(wrench, 0.2, least=800.0)).all()


def test_leaning_out_is_out_of_balance():
    posed = standing(120, 120.0)
    t = posed.motion.times
    sway = _shifted(posed, np.stack([0.25 * np.sin(2 * np.pi * t) ** 2, 0 * t, 0 * t], axis=-1))
    feet = analyse_balance(posed, make_body(posed, 1.75, 70.0)).contacts
    balance = analyse_balance(sway, make_body(posed, 1.75, 70.0), contacts=feet)
    # The feet go along here: only the accelerations push the zero moment point out.
    assert balanced_share(balance.distance, 0.0) < 0.9
    assert np.nanmax(balance.friction) > 0.2
    # Accelerating to one side, the zero moment point is on the other side of the centre of mass.
    off = balance.zmp[20:100, 0] - balance.dynamics.center[20:100, 0]
    push = balance.dynamics.wrench[20:100, 0]
    assert np.corrcoef(off, push)[0, 1] < -0.9


def test_feet_share_the_weight_alike_and_give_all_of_it(still):
    _, balance = still
    forces = share_forces(balance)
    np.testing.assert_allclose(forces.foot_forces[:, :, 1], 35 * GRAVITY, rtol=1e-3)
    assert np.abs(forces.missing).max() < 0.02 * 70 * GRAVITY
    centers = forces.foot_centers
    np.testing.assert_allclose(centers[:, 0, 2], centers[:, 1, 2], atol=1e-3)
    # Knees of straight legs under the body carry hardly any torque; without the ground's forces
    # there would be the whole body's moment.
    knee = balance.body.link(balance.body.roles.joints["left_knee"])
    assert np.linalg.norm(forces.torques[:, knee], axis=-1).max() < 0.4 * 70


def test_forces_stay_in_their_cones_and_push(still):
    posed, _ = still
    t = np.arange(60) / 60
    sway = _shifted(standing(60, 60.0), np.stack([0.06 * np.sin(6 * t), 0 * t, 0 * t], axis=-1))
    body = make_body(posed, 1.75, 70.0)
    forces = share_forces(analyse_balance(sway, body), friction=0.3)
    flat = np.linalg.norm(forces.forces[..., [0, 2]], axis=-1)
    assert (flat <= 0.3 * np.sqrt(2) * forces.forces[..., 1] + 1e-6).all()
    assert (forces.forces[..., 1] >= -1e-9).all()


def test_who_floats_is_told_so():
    posed = standing(60, 60.0)
    lifted = _shifted(posed, np.tile([0, 0.5, 0], (60, 1)) * (np.arange(60) >= 30)[:, None])
    body = make_body(posed, 1.75, 70.0)
    contacts = analyse_balance(posed, body).contacts
    down = contacts.bearing.down.copy()
    down[30:] = False
    apart = replace(contacts, bearing=replace(contacts.bearing, down=down))
    quality = quality_of(analyse_balance(lifted, body, contacts=apart))
    assert quality.floating_share > 0.5
    assert quality.flight_share == pytest.approx(28 / 60)
    assert quality_of(analyse_balance(posed, body)).floating_share == 0.0
    assert "flight that does not fall" in in_words(quality)


def test_friction_must_be_some(still):
    with pytest.raises(InvalidInputError, match="friction"):
        share_forces(still[1], friction=0.0)
