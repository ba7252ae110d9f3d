"""Bodies that stay where they shall over a span of time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.constraints import BodyConstraint
from motionloom.edit.hold import hold_body, hold_values
from motionloom.kinematics import body_trajectory, forward_kinematics
from motionloom.posed_motion import pose_motion
from motionloom.roles import find_roles
from walkers import make_walker


@given(st.integers(0, 10_000))
def test_curves_stay_exactly_and_nothing_jumps_but_the_third_derivative(seed):
    rng = np.random.default_rng(seed)
    t = np.linspace(0, 3, 181)
    values = np.stack([a * np.sin(b * t + c) for a, b, c in rng.uniform(0.2, 2.0, (2, 3))], axis=1)
    target = rng.normal(size=2)
    out = hold_values(values, 80, 110, target, 48)
    assert np.array_equal(out[80:111], np.tile(target, (31, 1)))
    assert np.array_equal(out[:32], values[:32])
    assert np.array_equal(out[159:], values[159:])
    # A step of speed or acceleration would show as a second difference many times those around it.
    bend = np.abs(np.diff(out, 2, axis=0)).max()
    gap = np.abs(target - values[[80, 110]]).max()
    assert (
        bend
        < 8 * (gap + 2.0 * 48 / 60 + 2.0) / 48**2 + np.abs(np.diff(values, 2, axis=0)).max() * 4
    )


def test_a_span_at_the_beginning_and_the_end_needs_no_room_beside_it():
    values = np.linspace(0, 1, 10)[:, None]
    assert np.array_equal(hold_values(values, 0, 9, [3.0], 5)[:, 0], np.full(10, 3.0))


@pytest.fixture(scope="module")
def walk():
    return make_walker(150, speed=1.0, vary=0.3)


def test_a_body_stays_in_its_place_and_faces_as_asked(walk):
    roles = find_roles(walk.skeleton)
    pose = forward_kinematics(walk)
    body = body_trajectory(pose, roles)
    place = body[75, :2] + 0.1
    facing = float(np.degrees(body[75, 2] + 0.2))
    first, last = 60 / walk.fps, 90 / walk.fps
    asked = BodyConstraint(time=first, end=last, position=place, facing=facing)
    held = hold_body(pose_motion(walk), [asked])
    after = body_trajectory(forward_kinematics(held.motion), roles)
    np.testing.assert_allclose(after[60:91, :2], np.tile(place, (31, 1)), atol=1e-9)
    np.testing.assert_allclose(after[60:91, 2], body[75, 2] + 0.2, atol=1e-9)
    np.testing.assert_allclose(after[:30], body[:30], atol=1e-9)
