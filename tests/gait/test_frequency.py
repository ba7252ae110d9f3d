"""Laws of step frequency."""

import numpy as np
import pytest

from motionloom.gait.space._speed_line import EXPECTED, fit_frequency


def test_a_law_is_found_again():
    pace = np.array([0.8, 1.2, 1.7, 2.4, 1.0, 1.4, 2.0])
    persons = ["a"] * 4 + ["b"] * 3
    factor = np.array([1.1] * 4 + [1 / 1.1] * 3)
    law = fit_frequency("walk", pace, factor * 0.7 * pace**0.5, persons)
    assert law.a == pytest.approx(0.7, rel=1e-3)
    assert law.b == pytest.approx(0.5, abs=1e-3)
    assert law.factors["a"] == pytest.approx(1.1, rel=1e-3)
    assert law.rms < 1e-3 < law.pooled_rms == pytest.approx(np.log(1.1), rel=0.02)


def test_one_speed_keeps_the_expected_exponent():
    law = fit_frequency("run", np.array([3.0, 3.0]), np.array([1.3, 1.4]), ["a", "b"])
    assert law.b == pytest.approx(EXPECTED["run"][1])


def test_short_legs_step_more_often():
    law = fit_frequency("walk", np.array([1.0, 2.0]), np.array([0.75, 1.05]), ["a", "a"])
    assert law.at(1.3, 0.7) > law.at(1.3, 1.0)
    assert law.at(1.3, 0.7, "nobody") == law.at(1.3, 0.7)


def test_nobody_steps_less_often_to_be_faster():
    law = fit_frequency("run", np.array([2.0, 4.0]), np.array([1.5, 1.2]), ["a", "a"])
    assert law.b == 0.0
