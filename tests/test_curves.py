"""Curves over time: properties, and SciPy as the oracle."""

import itertools

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from motionloom.curves import (
    gaussian_average,
    hann_average,
    hann_window,
    hermite,
    low_pass,
    minimum_jerk,
    moving_average,
    runs_of,
    smooth_envelope,
    smoothstep,
    touching_runs,
)

FLAGS = st.lists(st.booleans(), max_size=40)
SHARES = st.floats(0.0, 1.0)
SERIES = arrays(float, st.integers(1, 60), elements=st.floats(0.0, 10.0))


def painted(runs, count):
    mask = np.zeros(count, bool)
    for start, stop in runs:
        mask[start:stop] = True
    return mask


@given(FLAGS)
def test_runs_cover_the_true_frames_and_do_not_touch(flags):
    runs = runs_of(flags)
    np.testing.assert_array_equal(painted(runs, len(flags)), np.array(flags, bool))
    assert all(start < stop for start, stop in runs)
    assert all(before[1] < after[0] for before, after in itertools.pairwise(runs))


@given(FLAGS, st.integers(0, 5), st.integers(0, 4))
def test_runs_are_joined_over_short_gaps_before_short_ones_go(flags, least, joining):
    closed = np.array(flags, bool)
    for start, stop in runs_of(~closed):
        closed[start:stop] = start > 0 and stop < len(flags) and stop - start <= joining
    expected = [(a, b) for a, b in runs_of(closed | np.array(flags, bool)) if b - a >= least]
    assert runs_of(flags, least=least, joining=joining) == expected


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=40))
def test_touching_runs_agree_with_labels(rows):
    mask, frames = np.array(rows, bool).reshape(-1, 2).T
    labels, _ = scipy.ndimage.label(mask)
    expected = np.isin(labels, np.unique(labels[mask & frames])) & mask
    np.testing.assert_array_equal(touching_runs(mask, frames), expected)


@pytest.mark.parametrize(("ease", "derivatives"), [(smoothstep, 1), (minimum_jerk, 2)])
def test_easing_is_flat_at_its_ends_and_clipped(ease, derivatives):
    power = 10.0 if derivatives == 2 else 3.0
    near = ease(np.array([1e-4, 1.0 - 1e-4]))
    expected = power * 1e-4 ** (derivatives + 1)
    np.testing.assert_allclose([near[0], 1.0 - near[1]], expected, rtol=1e-3)
    np.testing.assert_array_equal(ease([-1.0, 0.0, 0.5, 1.0, 2.0]), [0.0, 0.0, 0.5, 1.0, 1.0])


@given(SHARES, SHARES)
def test_easing_rises_and_is_symmetric(one, other):
    low, high = sorted((one, other))
    for ease in (smoothstep, minimum_jerk):
        assert ease(low) <= ease(high) + 1e-15
        assert float(ease(low) + ease(1.0 - low)) == pytest.approx(1.0, abs=1e-12)


@given(SERIES, st.integers(1, 9))
def test_averages_stay_within_the_values_and_keep_constants(values, width):
    for average in (
        gaussian_average(values, width / 3),
        moving_average(values, width),
        hann_average(values, width),
    ):
        assert average.shape == values.shape
        assert values.min() - 1e-9 <= average.min()
        assert average.max() <= values.max() + 1e-9


def test_no_deviation_does_not_smooth():
    values = np.array([1.0, 5.0, 2.0])
    average = gaussian_average(values, 0.0)
    np.testing.assert_array_equal(average, values)
    assert average is not values


def test_hann_weights_add_up_to_one_without_zeros_at_the_ends():
    weights = hann_window(4)
    assert len(weights) == 9
    assert weights.sum() == pytest.approx(1.0)
    assert weights.min() > 0


def test_low_pass_keeps_slow_waves_in_place_and_drops_fast_ones():
    times = np.arange(400) / 100.0
    slow, fast = np.sin(2 * np.pi * times), np.sin(2 * np.pi * 30 * times)
    passed = low_pass(slow + fast, 100.0, 6.0)
    np.testing.assert_allclose(passed[50:-50], slow[50:-50], atol=0.01)


@pytest.mark.parametrize(("frames", "fps", "cutoff", "pad"), [(12, 30, 6, 9), (300, 120, 1, 40)])
def test_low_pass_is_the_filter_of_scipy(frames, fps, cutoff, pad):
    values = np.cumsum(np.random.default_rng(2).normal(size=(frames, 3, 2)), axis=0)
    sections = scipy.signal.butter(2, cutoff, fs=fps, output="sos")
    expected = scipy.signal.sosfiltfilt(sections, values, axis=0, padlen=pad)
    np.testing.assert_allclose(low_pass(values, fps, cutoff, pad), expected, atol=1e-10)


@pytest.mark.parametrize(("frames", "fps"), [(9, 100.0), (50, 12.0), (0, 100.0)])
def test_low_pass_leaves_what_it_cannot_filter(frames, fps):
    values = np.arange(float(frames))
    assert low_pass(values, fps, 6.0) is values


@given(SERIES, st.integers(0, 8), st.floats(0.05, 3.0))
def test_envelope_is_nowhere_below_and_rises_no_faster_than_its_slope(values, half, slope):
    curve = smooth_envelope(values, half, slope)
    assert (curve >= values - 1e-9).all()
    assert np.abs(np.diff(curve)).max(initial=0.0) <= slope + 1e-9
    assert (smooth_envelope(values, half) >= values - 1e-9).all()


def test_envelope_of_nothing_is_nothing():
    assert not smooth_envelope(np.zeros(10), 3).any()


@given(arrays(float, (4, 3), elements=st.floats(-5.0, 5.0)))
def test_hermite_meets_its_ends_and_slopes(rows):
    ends, slopes = rows[:2], rows[2:]
    step = 1e-6
    curve = hermite(ends, slopes, np.array([0.0, step, 1.0 - step, 1.0]))
    np.testing.assert_allclose(curve[[0, 3]], ends, atol=1e-9)
    np.testing.assert_allclose((curve[[1, 3]] - curve[[0, 2]]) / step, slopes, atol=1e-3)
