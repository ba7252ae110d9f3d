"""Kernel ridge regression: exact with all landmarks, near with few, and mirrored answers."""

import numpy as np
import pytest

from motionloom.inbetween._curves import Exchange
from motionloom.inbetween._kernel import (
    fit_ridge,
    matern,
    mixed_matern,
    squared_distances,
)


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    samples = rng.normal(size=(120, 4)).astype(np.float32)
    values = np.stack([np.sin(samples[:, 0]), samples[:, 1] * samples[:, 2]], axis=1)
    return samples, values.astype(np.float32)


def kernel(a, b):
    return matern(squared_distances(a, b))


def test_distances_and_kernel():
    a = np.array([[0.0, 0.0], [3.0, 4.0]], np.float32)
    np.testing.assert_allclose(squared_distances(a, a), [[0, 25], [25, 0]], atol=1e-5)
    r = np.sqrt(3.0) * 5
    np.testing.assert_allclose(kernel(a, a)[0, 1], (1 + r) * np.exp(-r), rtol=1e-5)


def test_samples_are_predicted_and_it_is_the_plain_solution(data):
    samples, values = data
    found = fit_ridge(samples, values, len(samples), 1e-3)
    gram = kernel(samples, samples).astype(float)
    wanted = np.linalg.solve(gram + 1e-3 * np.eye(len(gram)), values)
    np.testing.assert_allclose(found, wanted, atol=0.05 * np.abs(wanted).max())
    assert np.abs(kernel(samples, samples) @ found - values).max() < 0.02


def test_few_landmarks_give_nystroems_solution(data):
    samples, values = data
    marks = samples[:60]
    found = fit_ridge(samples, values, 60, 0.1)
    wide = kernel(samples, marks).astype(float)
    own = kernel(marks, marks).astype(float)
    wanted = np.linalg.solve(wide.T @ wide + 0.1 * own, wide.T @ values)
    np.testing.assert_allclose(wide @ found, wide @ wanted, atol=5e-3)


@pytest.mark.parametrize("landmarks", [120, 80])
def test_mirrored_samples_get_mirrored_values(data, landmarks):
    """As if the mirrored copies were among the samples, at half the work."""
    samples, values = data
    of_samples = Exchange(np.array([1, 0, 2, 3]), np.array([1, 1, -1, 1], np.float32))
    of_values = Exchange(np.array([0, 1]), np.array([1, -1], np.float32))
    found = fit_ridge(samples, values, landmarks, 1e-2, (of_samples, of_values))

    def predict(some):
        marks = samples[:landmarks]
        image = kernel(of_samples.apply(some), marks) @ found
        return kernel(some, marks) @ found + of_values.apply(image)

    rng = np.random.default_rng(1)
    new = rng.normal(size=(10, 4)).astype(np.float32)
    mirrored = predict(of_samples.apply(new))
    np.testing.assert_allclose(mirrored, of_values.apply(predict(new)), atol=1e-4)
    if landmarks == len(samples):
        both = np.concatenate([samples, of_samples.apply(samples)])
        wanted = np.concatenate([values, of_values.apply(values)])
        plain = fit_ridge(both, wanted, len(both), 1e-2)
        np.testing.assert_allclose(predict(new), kernel(new, both) @ plain, atol=2e-3)


def test_several_scales_give_the_mean_of_their_kernels():
    squares = np.linspace(0, 9, 7, dtype=np.float32)[None]
    wanted = np.mean([matern(squares / s**2) for s in (0.5, 2.0)], axis=0)
    np.testing.assert_allclose(mixed_matern(squares.copy(), (0.5, 2.0)), wanted, rtol=1e-6)
    assert mixed_matern(np.zeros((1, 1), np.float32), (0.5, 2.0)) == 1
