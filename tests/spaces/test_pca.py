"""PCA against scikit-learn and against its own definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import InvalidInputError
from motionloom.spaces import PCA

sklearn = pytest.importorskip("sklearn.decomposition")


def correlated(seed: int, n: int, d: int) -> np.ndarray:
    """Rows of a Gaussian with a random covariance and mean."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)) @ rng.standard_normal((d, d)) + rng.standard_normal(d)


@pytest.mark.parametrize(("n", "d", "k"), [(200, 7, 3), (50, 7, 7), (12, 9, 4), (10, 300, 5)])
def test_agrees_with_scikit_learn(n, d, k):
    rows = correlated(n, n, d)
    ours, theirs = PCA.fit(rows, k), sklearn.PCA(k, svd_solver="full").fit(rows)
    np.testing.assert_allclose(ours.mean_, theirs.mean_, atol=1e-12)
    np.testing.assert_allclose(ours.explained_variance_, theirs.explained_variance_, rtol=1e-9)
    np.testing.assert_allclose(
        ours.explained_variance_ratio_, theirs.explained_variance_ratio_, rtol=1e-9
    )
    np.testing.assert_allclose(
        abs(np.sum(ours.components_ * theirs.components_, axis=1)), 1.0, atol=1e-9
    )
    same_side = np.sign(np.sum(ours.components_ * theirs.components_, axis=1))
    np.testing.assert_allclose(ours.transform(rows) * same_side, theirs.transform(rows), atol=1e-9)


@given(st.integers(0, 10_000), st.integers(2, 30), st.integers(1, 40))
def test_all_components_give_the_rows_back(seed, n, d):
    rows = correlated(seed, n, d)
    pca = PCA.fit(rows)
    np.testing.assert_allclose(pca.inverse_transform(pca.transform(rows)), rows, atol=1e-7)
    np.testing.assert_allclose(
        pca.components_ @ pca.components_.T, np.eye(len(pca.components_)), atol=1e-9
    )
    assert len(pca.components_) <= min(n - 1, d)


@given(st.integers(0, 10_000))
def test_the_gram_route_finds_what_the_direct_route_finds(seed):
    rows = correlated(seed, 8, 40)
    few = PCA.fit(rows, 4)
    padded = PCA.fit(np.repeat(rows, 12, axis=0), 4)
    # The same variance over 95 degrees of freedom in place of 7.
    variances = padded.explained_variance_ * 95 / 7 / 12
    np.testing.assert_allclose(few.explained_variance_, variances, rtol=1e-8)
    np.testing.assert_allclose(
        abs(np.sum(few.components_ * padded.components_, axis=1)), 1.0, atol=1e-7
    )


def test_a_share_of_the_variance_is_kept_with_as_few_components_as_can_be():
    pca = PCA.fit(correlated(6, 500, 10), 0.9)
    ratio = pca.explained_variance_ratio_
    assert ratio.sum() >= 0.9 > ratio[:-1].sum()


def test_wrong_input_is_named():
    rows = correlated(7, 10, 3)
    with pytest.raises(InvalidInputError, match="whole number from 1 to 3"):
        PCA.fit(rows, 4)
    with pytest.raises(InvalidInputError, match="at least two rows"):
        PCA.fit(rows[:1])
