"""Mixtures of Gaussians: what scikit-learn fits, and their own definition."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from motionloom.analysis import naturalness
from motionloom.analysis.naturalness import Mixture, choose_seeds, fit_mixture


def clouds(n=400, d=4, seed=3):
    random = np.random.default_rng(seed)
    centres = random.normal(0.0, 6.0, (5, d))
    return centres[random.integers(0, 5, n)] + random.normal(0.0, 1.0, (n, d)) + 40.0


@pytest.mark.parametrize(("count", "seed"), [(2, 0), (5, 1), (8, 2)])
def test_agrees_with_scikit_learn(count, seed):
    theirs = pytest.importorskip("sklearn.mixture").GaussianMixture(
        count, reg_covar=0.5, random_state=seed, init_params="k-means++", max_iter=100
    )
    rows = clouds()
    theirs.fit(rows)
    weights, means, factors = fit_mixture(rows, count, 0.5, seed)
    np.testing.assert_allclose(weights, theirs.weights_, rtol=1e-8)
    np.testing.assert_allclose(means, theirs.means_, rtol=1e-8)
    covariances = factors @ np.swapaxes(factors, 1, 2)
    np.testing.assert_allclose(covariances, theirs.covariances_, rtol=1e-7, atol=1e-8)


def test_rows_in_smaller_blocks_give_the_same(monkeypatch):
    rows = clouds(700)
    _, means, _ = fit_mixture(rows, 4, 0.5)
    monkeypatch.setattr(naturalness, "_BLOCK", 64)
    np.testing.assert_allclose(fit_mixture(rows, 4, 0.5)[1], means, rtol=1e-9)


def test_the_density_is_that_of_its_gaussians():
    rows = clouds(300, 3)
    fitted = fit_mixture(rows, 3, 0.5)
    own = Mixture(np.arange(3), np.log(fitted[0]), *fitted[1:])
    parts = [
        weight * multivariate_normal(mean, factor @ factor.T).pdf(rows)
        for weight, mean, factor in zip(*fitted, strict=True)
    ]
    score = own.score_samples(np.radians(rows))
    np.testing.assert_allclose(score, np.log(np.sum(parts, axis=0)), rtol=1e-9)


def test_rows_that_are_all_the_same_are_fitted():
    np.testing.assert_allclose(fit_mixture(np.ones((40, 2)), 2, 1.0)[1], 1.0)


def test_seeds_lie_apart():
    rows = np.repeat(np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0]]), 20, axis=0)
    for seed in range(5):
        assert len({tuple(rows[i]) for i in choose_seeds(rows, 3, seed)}) == 3
