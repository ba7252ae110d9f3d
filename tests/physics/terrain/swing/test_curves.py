"""Smooth curves over bounds."""

import numpy as np

from motionloom.physics.terrain._swing.track import curve_above


def test_a_curve_that_is_free_stays_at_zero():
    assert not curve_above(np.full(50, -np.inf), np.ones(50), 100.0).any()
    assert not curve_above(np.full(50, -0.1), np.ones(50), 100.0).any()


def test_a_curve_keeps_above_its_bound_and_is_smooth():
    lowest = np.where(np.abs(np.arange(200) - 100) < 10, 0.2, -np.inf)
    curve = curve_above(lowest, np.full(200, 0.01), 1e4)
    assert (curve >= np.where(np.isfinite(lowest), lowest, -1) - 2e-3).all()
    assert np.abs(np.diff(curve, 2)).max() < 2e-3


def test_a_sum_is_made_smooth_where_its_base_counts():
    base = np.where(np.arange(100) < 50, 0.0, 0.3)
    place = np.full(100, 1e-6)
    place[[0, 1, -2, -1]] = 1e8
    curve = curve_above(np.full(100, -np.inf), place, 1e4, base, np.ones(100))
    assert np.abs(np.diff(base + curve, 2)).max() < 1e-3
