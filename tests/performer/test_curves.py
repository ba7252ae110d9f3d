import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from motionloom.performer.curves import GRAVITY, pendulum_path, pulse, ramp, shifted
from motionloom.performer.two_bones import bend_angle, frame_of, reach_for, solve_two_bones
from motionloom.rotations import rotate

VECTORS = arrays(float, 3, elements=st.floats(-1, 1)).filter(lambda v: np.linalg.norm(v) > 0.1)


def test_ramp_starts_and_ends_at_rest():
    t = np.linspace(-0.5, 1.5, 4001)
    y = ramp(t, 0.0, 1.0)
    assert y[0] == 0.0
    assert y[-1] == 1.0
    assert np.all(np.diff(y) >= 0.0)
    assert np.abs(np.diff(y, 2)).max() / (t[1] - t[0]) ** 2 < 5.9  # the minimum-jerk peak is 10 / sqrt 3
    assert pulse(t, 0.0, 0.2, 0.8, 1.0)[2000] == pytest.approx(1.0)


def test_pendulum_path_obeys_its_equation_and_rests_at_the_ends():
    dt, height = 0.01, 0.9
    t = np.arange(600) * dt
    support = np.column_stack([np.sign(np.sin(3 * t)), 0.3 * t])
    c = pendulum_path(support, height, dt)
    acceleration = (c[2:] - 2 * c[1:-1] + c[:-2]) / dt**2
    np.testing.assert_allclose((c[1:-1] - height / GRAVITY * acceleration), support[1:-1], atol=1e-9)
    np.testing.assert_allclose(c[[0, -1]], support[[0, -1]], atol=1e-9)


def test_shifted_looks_ahead():
    x = np.arange(10.0)
    np.testing.assert_array_equal(shifted(x, 0.2, 0.1), np.minimum(x + 2, 9))


@settings(max_examples=50)
@given(VECTORS, VECTORS, st.floats(0.15, 0.75))
def test_two_bones_span_the_gap_and_bend_to_the_pole(direction, pole, distance):
    upper, lower = 0.43, 0.40
    direction = direction / np.linalg.norm(direction)
    if np.linalg.norm(np.cross(direction, pole)) < 0.05:
        return
    root, tip = np.zeros((1, 3)), distance * direction[None]
    middle, axis, bend = solve_two_bones(root, tip, pole[None], upper, lower)
    assert np.linalg.norm(middle - root) == pytest.approx(upper, abs=1e-9)
    assert np.linalg.norm(tip - middle) == pytest.approx(lower, abs=1e-9)
    assert np.dot(middle[0], pole) >= np.dot(middle[0], direction) * np.dot(direction, pole) - 1e-9
    assert reach_for(upper, lower, bend)[0] == pytest.approx(distance, abs=1e-9)
    thigh = rotate(frame_of(axis, middle - root), np.array([0.0, -upper, 0.0]))
    np.testing.assert_allclose(thigh, middle, atol=1e-9)


def test_out_of_reach_is_straight():
    assert bend_angle(0.4, 0.4, 0.9) == 0.0
