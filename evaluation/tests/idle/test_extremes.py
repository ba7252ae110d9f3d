"""Noise of extremes varies as what it was learned from."""

import numpy as np
import pytest
from standing import sway

from motionloom.errors import InvalidInputError
from motionloom_evaluation.idle.extremes import find_extremes, fit_extremes

FPS = 30.0


@pytest.fixture(scope="module")
def spans():
    rng = np.random.default_rng(3)
    return [sway(n, 3, rng) * [1.0, 0.5, 0.1] for n in (900, 600, 1200)]


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
    with pytest.raises(InvalidInputError):
        fit_extremes([np.zeros((20, 2))], FPS)
