"""Motions bent through postures, and shifts that fit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import InvalidInputError
from motionloom.idle import Shift, choose_shift, fit_shift, warp_through


def walk(n=60, k=4, seed=0):
    return np.cumsum(np.random.default_rng(seed).standard_normal((n, k)), axis=0)


@given(
    frames=st.lists(st.integers(0, 59), min_size=1, max_size=6, unique=True).map(sorted),
    smooth=st.booleans(),
    seed=st.integers(0, 20),
)
def test_it_passes_through_every_posture(frames, smooth, seed):
    rng = np.random.default_rng(seed)
    keys = [(frame, rng.standard_normal(4)) for frame in frames]
    bent = warp_through(walk(), keys, smooth=smooth)
    for frame, posture in keys:
        np.testing.assert_allclose(bent[frame], posture, atol=1e-9)


@given(
    frames=st.lists(st.integers(3, 56), min_size=2, max_size=5, unique=True).map(sorted),
    smooth=st.booleans(),
)
def test_what_is_added_never_jumps(frames, smooth):
    motion = np.zeros((60, 1))
    keys = [(frame, np.array([float(i % 2)])) for i, frame in enumerate(frames)]
    added = warp_through(motion, keys, smooth=smooth)
    steepest = 1.0 / np.diff(frames).min()
    assert np.abs(np.diff(added[:, 0])).max() <= (2.0 if smooth else 1.0) * steepest + 1e-9
    assert added.min() >= -1e-9
    assert added.max() <= 1 + 1e-9


def test_components_that_are_free_stay():
    bent = warp_through(walk(), [(0, np.zeros(4)), (59, np.ones(4))], free=(1,))
    np.testing.assert_array_equal(bent[:, 1], walk()[:, 1])


@pytest.mark.parametrize("frames", [(5, 5), (7, 3), (-1, 4), (0, 60)])
def test_keys_must_be_in_order_and_within(frames):
    with pytest.raises(InvalidInputError, match="ascending frames"):
        warp_through(walk(), [(frame, np.zeros(4)) for frame in frames])


def test_the_shift_that_fits_both_ends_is_chosen():
    ends = ((0, 1), (0, 5), (4, 5))
    shifts = [Shift(np.linspace(a, b, 9)[:, None], "both", "left") for a, b in ends]
    assert choose_shift(shifts, [0.2], [1.3], [1.0]) == 0
    assert choose_shift(shifts, [0.2], [4.0], [1.0]) == 1
    # The worse end counts: an end that fits well does not make up for the other.
    assert choose_shift(shifts, [2.9], [5.0], [1.0]) == 2


def test_a_fitted_shift_begins_and_ends_at_rest():
    shift = Shift(walk(50), "both", "left")
    start, end = np.arange(4.0), -np.ones(4)
    fitted = fit_shift(shift, start, end, 30.0)
    np.testing.assert_allclose(fitted[0], start, atol=1e-9)
    np.testing.assert_allclose(fitted[-1], end, atol=1e-9)
    speed = np.linalg.norm(np.diff(fitted, axis=0), axis=1)
    assert speed[0] < 0.2 * speed.max()
    assert speed[-1] < 0.2 * speed.max()
