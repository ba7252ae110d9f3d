"""Paired tests and their correction against known answers."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom_evaluation.natural_spaces.statistics import bootstrap_mean, compare_paired, holm


def test_holm_multiplies_the_smallest_most():
    np.testing.assert_allclose(holm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]).max() <= 1.0


def test_a_real_difference_is_found_and_none_is_not():
    rng = np.random.default_rng(0)
    base, group = rng.standard_normal(200), np.repeat(np.arange(20), 10)
    better = compare_paired(base + 0.5 + 0.1 * rng.standard_normal(200), base, group)
    same = compare_paired(base + 0.1 * rng.standard_normal(200), base, group)
    assert better.p < 1e-6
    assert better.low < 0.5 < better.high or abs(better.difference - 0.5) < 0.05
    assert same.p > 1e-4
    assert same.low < 0 < same.high


def test_only_targets_that_both_reached_are_compared():
    test = compare_paired([1.0, np.nan, 3.0, 5.0], [0.0, 1.0, np.nan, 3.0], [0, 0, 1, 1])
    assert test.count == 2
    assert test.difference == pytest.approx(1.5)
    assert test.p == 1.0


def test_the_bootstrap_agrees_with_the_standard_error():
    values = np.random.default_rng(1).standard_normal(400)
    mean, deviation = bootstrap_mean(values)
    assert mean == pytest.approx(values.mean(), abs=0.01)
    assert deviation == pytest.approx(values.std() / 20, rel=0.1)
