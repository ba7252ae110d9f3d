import numpy as np
import pytest

from motionloom.performer._curves import GRAVITY, pendulum_path, pulse, ramp, shifted


def test_ramp_starts_and_ends_at_rest():
    t = np.linspace(-0.5, 1.5, 4001)
    y = ramp(t, 0.0, 1.0)
    assert y[0] == 0.0
    assert y[-1] == 1.0
    assert np.all(np.diff(y) >= 0.0)
    assert (
        np.abs(np.diff(y, 2)).max() / (t[1] - t[0]) ** 2 < 5.9
    )  # the minimum-jerk peak is 10 / sqrt 3
    assert pulse(t, 0.0, 0.2, 0.8, 1.0)[2000] == pytest.approx(1.0)


def test_pendulum_path_obeys_its_equation_and_rests_at_the_ends():
    dt, height = 0.01, 0.9
    t = np.arange(600) * dt
    support = np.column_stack([np.sign(np.sin(3 * t)), 0.3 * t])
    c = pendulum_path(support, height, dt)
    acceleration = (c[2:] - 2 * c[1:-1] + c[:-2]) / dt**2
    np.testing.assert_allclose(
        (c[1:-1] - height / GRAVITY * acceleration), support[1:-1], atol=1e-9
    )
    np.testing.assert_allclose(c[[0, -1]], support[[0, -1]], atol=1e-9)


def test_shifted_looks_ahead():
    x = np.arange(10.0)
    np.testing.assert_array_equal(shifted(x, 0.2, 0.1), np.minimum(x + 2, 9))
