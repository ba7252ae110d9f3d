"""Splines and their banded systems against SciPy and dense algebra."""

import numpy as np
import scipy

from motionloom.physics.correct._correct import window_spans, window_weights
from motionloom.physics.correct._solve import BandedSystem, make_spline


def test_basis_is_that_of_scipy():
    spline = make_spline(50, 25.0, 8.0)
    controls = np.random.default_rng(0).normal(size=(spline.n_controls, 2))
    span = 49 / 25.0 / (spline.n_controls - 3)
    knots = span * (np.arange(spline.n_controls + 4) - 3)
    curve = scipy.interpolate.BSpline(knots, controls, 3)
    times = np.arange(50) / 25.0
    for order in range(3):
        np.testing.assert_allclose(
            spline.values(controls, order), curve(times, order), rtol=1e-9, atol=1e-9
        )


def test_banded_step_is_that_of_dense_least_squares():
    rng = np.random.default_rng(2)
    spline = make_spline(40, 20.0, 5.0)
    n = 3
    frames = np.sort(rng.integers(0, 40, size=120))
    jacobians = [rng.normal(size=(120, n)) for _ in range(3)]
    residuals = rng.normal(size=120)
    weights = rng.uniform(0.5, 2.0, size=(3, n))
    controls = rng.normal(size=(spline.n_controls, n))
    system = BandedSystem(spline, n)
    system.add(frames, jacobians, residuals)
    system.add_prior(weights, controls)
    found = system.solve(0.0)

    def unit(i):
        e = np.zeros(spline.n_controls * n)
        e[i] = 1.0
        return e.reshape(-1, n)

    def linear(c):
        rows = sum(
            np.sum(j * spline.values(c, order)[frames], axis=1) for order, j in enumerate(jacobians)
        )
        prior = [np.sqrt(weights[o]) * spline.values(c, o) for o in range(3)]
        return np.concatenate([rows, *(p.ravel() for p in prior)])

    matrix = np.stack([linear(unit(i)) for i in range(spline.n_controls * n)], axis=1)
    start = linear(controls)
    start[:120] = residuals
    wanted = np.linalg.lstsq(matrix, -start, rcond=None)[0]
    np.testing.assert_allclose(found.ravel(), wanted, rtol=1e-6, atol=1e-8)


def test_windows_cover_everything_once():
    spans = window_spans(1000, 30.0, 12.0)
    assert spans[0][0] == 0
    assert spans[-1][1] == 1000
    total = np.zeros(1000)
    for (start, stop), weight in zip(spans, window_weights(spans), strict=True):
        assert stop - start == 360
        total[start:stop] += weight
    np.testing.assert_allclose(total, 1.0)
    assert window_spans(300, 30.0, 12.0) == [(0, 300)]
