"""Small variations have the deviation and spectrum of what they were learned from."""

import numpy as np
import pytest
from scipy.signal import lfilter, welch
from standing import sway

from motionloom.errors import InvalidInputError
from motionloom.idle._variations import burg, fit_noise

FPS = 30.0


@pytest.fixture(scope="module")
def spans():
    rng = np.random.default_rng(3)
    return [sway(n, 3, rng) * [1.0, 0.5, 0.1] for n in (900, 600, 1200)]


def test_burg_finds_the_process():
    rng = np.random.default_rng(0)
    truth = np.array([1.0, -1.5, 0.7])
    spans = [lfilter([1.0], truth, rng.standard_normal(3000)) for _ in range(3)]
    np.testing.assert_allclose(burg(spans, 2), truth, atol=0.03)


@pytest.mark.parametrize("seed", range(5))
def test_burg_is_stable_even_on_few_values(seed):
    values = np.cumsum(np.random.default_rng(seed).standard_normal(40))
    assert np.abs(np.roots(burg([values], 15))).max() < 1.0


def test_noise_has_the_spectrum_of_the_recording(spans):
    noise = fit_noise(spans, FPS)
    made, _ = noise.go_on(noise.begin(np.random.default_rng(1)), 20_000)
    for k in range(3):
        _, was = welch(np.concatenate([s[:, k] for s in spans]), FPS, nperseg=150)
        at, became = welch(made[:, k], FPS, nperseg=150)
        band = (at >= 0.3) & (at <= 4.0)
        assert abs(10 * np.log10(became[band].mean() / was[band].mean())) < 2.0


def test_noise_goes_on_where_it_was(spans):
    noise = fit_noise(spans, FPS)
    before = noise.begin(np.random.default_rng(2))
    whole, end = noise.go_on(before, 500)
    first, middle = noise.go_on(before, 170)
    second, same = noise.go_on(middle, 330)
    assert np.array_equal(np.concatenate([first, second]), whole)
    assert np.array_equal(end.past, same.past)
    assert np.array_equal(end.drawn, same.drawn)


def test_lively_moments_follow_lively_ones():
    rng = np.random.default_rng(0)
    size = np.repeat([0.2, 2.0], 1500)[:, None]
    noise = fit_noise([size * rng.standard_normal((3000, 2))], FPS)
    made, _ = noise.go_on(noise.begin(rng), 60_000)
    strength = np.log(np.abs(made).mean(axis=1).reshape(-1, noise.stretch).mean(axis=1))
    after = np.corrcoef(strength[1:], strength[:-1])[0, 1]
    assert after > 0.4
    # Neither kind becomes the only one.
    assert 0.2 < (strength > np.log(0.5)).mean() < 0.8


def test_short_rests_are_refused():
    with pytest.raises(InvalidInputError, match="stand still"):
        fit_noise([np.zeros((20, 2))], FPS)
