"""PCA against scikit-learn and against its own definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

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
    ours, theirs = PCA(k).fit(rows), sklearn.PCA(k, svd_solver="full").fit(rows)
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
    if n > d:
        np.testing.assert_allclose(ours.score_samples(rows), theirs.score_samples(rows), rtol=1e-9)
        np.testing.assert_allclose(ours.get_covariance(), theirs.get_covariance(), atol=1e-9)


def test_without_a_mean_it_is_a_truncated_svd():
    rows = correlated(1, 60, 8)
    ours, theirs = (
        PCA(3, center=False).fit(rows),
        sklearn.TruncatedSVD(3, algorithm="arpack").fit(rows),
    )
    np.testing.assert_allclose(abs(ours.transform(rows)), abs(theirs.transform(rows)), atol=1e-8)
    assert not ours.mean_.any()


@given(st.integers(0, 10_000), st.integers(2, 30), st.integers(1, 40))
def test_all_components_give_the_rows_back(seed, n, d):
    rows = correlated(seed, n, d)
    pca = PCA(weights=np.linspace(0.5, 2.0, d)).fit(rows)
    np.testing.assert_allclose(pca.inverse_transform(pca.transform(rows)), rows, atol=1e-7)
    np.testing.assert_allclose(
        pca.components_ @ pca.components_.T, np.eye(len(pca.components_)), atol=1e-9
    )
    assert len(pca.components_) <= min(n - 1, d)


@given(st.integers(0, 10_000))
def test_the_gram_route_finds_what_the_direct_route_finds(seed):
    rows = correlated(seed, 8, 40)
    few = PCA(4).fit(rows)
    padded = PCA(4).fit(np.repeat(rows, 12, axis=0), np.full(96, 1 / 12))
    np.testing.assert_allclose(few.explained_variance_, padded.explained_variance_, rtol=1e-8)
    np.testing.assert_allclose(
        abs(np.sum(few.components_ * padded.components_, axis=1)), 1.0, atol=1e-7
    )


@given(
    st.lists(st.integers(0, 3), min_size=20, max_size=20).filter(lambda c: np.count_nonzero(c) > 5)
)
def test_a_sample_weight_counts_a_row_again(counts):
    rows = correlated(3, 20, 4)
    weighted, repeated = PCA().fit(rows, counts), PCA().fit(np.repeat(rows, counts, axis=0))
    np.testing.assert_allclose(weighted.mean_, repeated.mean_, atol=1e-12)
    np.testing.assert_allclose(weighted.get_covariance(), repeated.get_covariance(), atol=1e-9)


def test_weights_change_the_subspace_but_not_the_full_density():
    rows = correlated(4, 300, 5)
    weights = np.array([10.0, 1, 1, 0.1, 1])
    plain, weighted = PCA().fit(rows), PCA(weights=weights).fit(rows)
    np.testing.assert_allclose(plain.score_samples(rows), weighted.score_samples(rows), rtol=1e-9)
    assert (
        abs(PCA(1, weights=weights).fit(rows).components_[0] @ PCA(1).fit(rows).components_[0])
        < 0.999
    )


def test_the_density_is_that_of_a_gaussian_with_its_covariance():
    rows = correlated(5, 100, 6)
    pca = PCA(2, weights=[1, 2, 1, 1, 3, 1]).fit(rows)
    expected = multivariate_normal(pca.mean_, pca.get_covariance()).logpdf(rows)
    np.testing.assert_allclose(pca.score_samples(rows), expected, rtol=1e-8)


def test_a_share_of_the_variance_is_kept_with_as_few_components_as_can_be():
    pca = PCA(0.9).fit(correlated(6, 500, 10))
    ratio = pca.explained_variance_ratio_
    assert ratio.sum() >= 0.9 > ratio[:-1].sum()


def test_wrong_input_is_named():
    rows = correlated(7, 10, 3)
    with pytest.raises(InvalidInputError, match="whole number from 1 to 3"):
        PCA(4).fit(rows)
    with pytest.raises(InvalidInputError, match="at least two rows"):
        PCA().fit(rows[:1])
    with pytest.raises(InvalidInputError, match="3 positive numbers"):
        PCA(weights=[1.0, 2.0]).fit(rows)
    with pytest.raises(InvalidInputError, match="have no density"):
        PCA().fit(np.column_stack([rows, np.ones(10)])).score_samples(np.ones(4))
