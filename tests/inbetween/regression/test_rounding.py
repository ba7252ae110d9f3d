"""Rounded coefficients: predictions keep, few bits, and what rounding each by itself would lose."""

import numpy as np
import pytest

from motionloom.inbetween._kernel import (
    Rounded,
    _planes,
    fit_ridge,
    influence_of,
    matern,
    round_coefficients,
    squared_distances,
)


@pytest.fixture(scope="module")
def regression():
    """Landmarks, their coefficients, and other samples."""
    rng = np.random.default_rng(0)
    samples = (rng.normal(size=(400, 3)) / 2).astype(np.float32)
    mixed = rng.normal(size=(3, 8))
    values = np.sin(samples @ mixed).astype(np.float32)
    coefficients = fit_ridge(samples[:300], values[:300], 300, 0.05)
    return samples[:300], coefficients, samples[300:]


def noise_of(regression, found):
    """Root mean square of what differs in predictions elsewhere, over all values together."""
    landmarks, coefficients, others = regression
    apart = matern(squared_distances(others, landmarks)).astype(float) @ (found - coefficients)
    return np.sqrt((apart**2).sum(axis=1).mean())


@pytest.mark.parametrize("noise", [1e-1, 1e-2, 1e-3])
def test_predictions_change_as_little_as_was_asked_for(regression, noise):
    landmarks, coefficients, _ = regression
    influence = influence_of(landmarks, None, (1.0,))
    found = round_coefficients(coefficients, np.ones(8, np.float32), influence, noise)
    assert noise_of(regression, found.values) < 1.5 * noise


def test_rounding_each_by_itself_loses_far_more(regression):
    landmarks, coefficients, _ = regression
    influence = influence_of(landmarks, None, (1.0,))
    found = round_coefficients(coefficients, np.ones(8, np.float32), influence, 1e-2)
    bits = np.log2(np.abs(found.counts).max() + 1.0)
    step = np.abs(coefficients).max() / 2.0**bits
    alone = np.rint(coefficients / step) * step
    assert noise_of(regression, alone) > 5 * noise_of(regression, found.values)


def test_coefficients_of_nothing_are_nothing(regression):
    influence = influence_of(regression[0], None, (1.0,))
    none = np.zeros((300, 8), np.float32)
    found = round_coefficients(none, np.ones(8, np.float32), influence, 0.0)
    np.testing.assert_array_equal(found.values, none)


def test_a_tiny_noise_does_not_overflow(regression):
    influence = influence_of(regression[0], None, (1.0,))
    found = round_coefficients(regression[1], np.ones(8, np.float32), influence, 1e-30)
    assert noise_of(regression, found.values) < 1e-3


def test_whole_numbers_come_back_from_their_bytes():
    counts = np.array([[0, -1, 1], [-(2**30), 2**30 - 1, 300], [7, -40_000, 5]], np.int32)
    planes = _planes(counts)
    assert planes.shape == (4, 3, 3)
    ones = np.ones(3, np.float32)
    found = Rounded(planes, ones, np.ones((3, 3), np.int16), ones, ones)
    np.testing.assert_array_equal(found.counts, counts)
