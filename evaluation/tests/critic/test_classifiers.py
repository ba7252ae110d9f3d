"""Telling two sets of numbers apart, where the truth is known."""

import sys

import numpy as np
import pytest

from motionloom.errors import MissingExtraError
from motionloom_evaluation.critic import classifiers
from motionloom_evaluation.critic.classifiers import area_under_curve, summarize, tell_apart


@pytest.fixture(autouse=True)
def few_trees(monkeypatch):
    monkeypatch.setattr(classifiers, "TREES", 20)


def sets(shift, spread=1.0, n=160):
    """Two sets of numbers: in the second, one statistic is moved or scattered otherwise."""
    rng = np.random.default_rng(1)
    labels = np.repeat([0, 1], n)
    statistics = rng.normal(size=(2 * n, 3))
    statistics[n:, 1] = spread * statistics[n:, 1] + shift
    takes = [(f"take {i % 10}",) for i in range(2 * n)]
    return rng.normal(size=(2 * n, 12)), statistics, labels, takes


def judge(given, near=None, seeds=(0, 1)):
    near = np.full(len(given[2]), -1) if near is None else near
    return tell_apart(*given, near, seeds, folds=5, most=1000)


def test_the_figure_is_the_share_of_pairs_in_the_right_order():
    scores = np.array([1.0, 2.0, 2.0, 3.0])
    assert area_under_curve(scores, np.array([0, 0, 1, 1])) == (1 + 0.5 + 1 + 1) / 4
    assert area_under_curve(-scores, np.array([0, 1, 0, 1])) == pytest.approx(0.125)


def test_nothing_tells_sets_of_one_kind_apart():
    found = judge(sets(0.0))
    for auc in found.auc.values():
        assert auc.mean == pytest.approx(0.5, abs=0.1)
        assert auc.low < 0.5 < auc.high


def test_a_shift_is_told_by_both_and_a_spread_by_trees_only():
    shifted = judge(sets(3.0)).auc
    assert min(a.low for a in shifted.values()) > 0.85
    scattered = judge(sets(0.0, 0.05)).auc
    assert scattered["boosted"].low > 0.85
    assert scattered["linear"].mean < 0.65


def test_the_same_seed_gives_the_same_figures():
    given = sets(0.3)
    first, again, other = (judge(given, seeds=(seed,)) for seed in (0, 0, 7))
    assert first.auc == again.auc
    assert np.array_equal(first.scores, again.scores)
    assert first.auc != other.auc


def test_regions_are_judged_apart():
    course, statistics, labels, takes = sets(0.0)
    near = np.where(labels == 1, np.arange(len(labels)) // 10 % 2, -1)
    statistics[near == 1, 1] += 6
    found = judge((course, statistics, labels, takes), near)
    assert found.near["boosted"].mean > 0.95
    assert found.far["boosted"].mean < 0.7
    assert found.scores[near == 1].min() > np.median(found.scores[labels == 0])


def test_the_interval_holds_the_mean_and_says_nothing_of_two_folds():
    found = summarize([0.6, 0.7, 0.65, 0.75], 4)
    assert found.mean == pytest.approx(0.675)
    assert 0 <= found.low < 0.6
    assert 0.75 < found.high <= 1
    assert (summarize([0.6, 0.7], 2).low, summarize([0.6, 0.7], 2).high) == (0, 1)


def test_without_scikit_learn_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.ensemble", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'motionloom\[critic\]'"):
        judge(sets(0.0))
