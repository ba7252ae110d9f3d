"""Shifts that fit."""

import numpy as np

from motionloom.idle import Shift, choose_shift


def test_the_shift_that_fits_both_ends_is_chosen():
    ends = ((0, 1), (0, 5), (4, 5))
    shifts = [Shift(np.linspace(a, b, 9)[:, None], "both", "left") for a, b in ends]
    assert choose_shift(shifts, [0.2], [1.3], [1.0]) == 0
    assert choose_shift(shifts, [0.2], [4.0], [1.0]) == 1
    # The worse end counts: an end that fits well does not make up for the other.
    assert choose_shift(shifts, [2.9], [5.0], [1.0]) == 2
