"""Small variations have the deviation and spectrum of what they were learned from."""

import numpy as np
import pytest
from scipy.signal import lfilter, welch
from standing import sway

from motionloom.errors import InvalidInputError
from motionloom.idle.variations import fit_extremes, fit_noise
from motionloom.idle.variations.extremes import find_extremes
from motionloom.idle.variations.noise import burg

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
    rng = np.random.default_rng(1)
    made = noise.go_on(noise.begin(rng), 20_000, rng)
    for k in range(3):
        _, was = welch(np.concatenate([s[:, k] for s in spans]), FPS, nperseg=150)
        at, became = welch(made[:, k], FPS, nperseg=150)
        band = (at >= 0.3) & (at <= 4.0)
        assert abs(10 * np.log10(became[band].mean() / was[band].mean())) < 2.0


def test_noise_goes_on_where_it_was(spans):
    noise = fit_noise(spans, FPS)
    before = noise.begin(np.random.default_rng(2))
    whole = noise.go_on(before, noise.stretch, np.random.default_rng(5))
    # The same drive in two halves.
    rng = np.random.default_rng(5)
    first = int(rng.integers(len(noise.drive)))
    drive = noise.drive[first : first + noise.stretch]
    for k, taps in enumerate(noise.filters):
        history = list(before[:, k])
        for value in drive[:, k]:
            history.append(value - np.dot(taps[1:], history[: -noise.memory - 1 : -1]))
        np.testing.assert_allclose(whole[: len(drive), k], history[noise.memory :], atol=1e-9)


def test_extremes_have_about_the_deviation_and_the_rate_of_the_recording(spans):
    made = fit_extremes(spans, FPS).generate(6000, np.random.default_rng(0))
    recorded = np.concatenate(spans)
    np.testing.assert_allclose(made.std(axis=0), recorded.std(axis=0), rtol=0.4)
    for k in range(3):
        least = 0.1 * recorded[:, k].std()
        rates = [len(find_extremes(v[:, k], least)) / len(v) for v in (made, recorded)]
        assert 0.6 < rates[0] / rates[1] < 1.7


def test_extremes_alternate():
    curve = np.sin(np.linspace(0, 20, 400)) + 0.02 * np.random.default_rng(0).standard_normal(400)
    turns = find_extremes(curve, 0.3)
    assert len(turns) == 6
    assert (np.diff(np.sign(curve[turns])) != 0).all()


def test_short_rests_are_refused():
    with pytest.raises(InvalidInputError, match="stand still"):
        fit_noise([np.zeros((20, 2))], FPS)
    with pytest.raises(InvalidInputError):
        fit_extremes([np.zeros((20, 2))], FPS)
