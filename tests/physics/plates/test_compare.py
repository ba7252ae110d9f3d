"""Comparison with plates that were made from the motion itself."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import InvalidInputError
from motionloom.physics.body import make_body
from motionloom.physics.ground import analyse_balance
from motionloom.physics.plates import PlateForces, compare_with_plates
from motionloom.physics.plates.compare import mass_from_plates
from weighed_bodies import standing


@pytest.fixture(scope="module")
def trial():
    posed = standing(60, 60.0)
    balance = analyse_balance(posed, make_body(posed, 1.75, 70.0))
    return posed, balance, _plates(balance)


def _plates(balance, shift=0.0, more=0.0):
    """Two plates that carry the wrench half and half, each under one foot."""
    corners = balance.corners
    wrench = balance.dynamics.wrench * (1 + more)
    parts = []
    for foot in range(2):
        place = corners.places[:, corners.feet == foot].mean(axis=1)
        place[:, 2] = balance.zmp[:, 1] + shift
        force = 0.5 * wrench[:, :3]
        parts.append(np.concatenate([force, np.cross(place, force)], axis=1))
    times = np.arange(len(wrench)) / balance.fps
    return PlateForces(times, np.stack(parts, axis=1), "made up")


def test_plates_of_the_motion_itself_agree(trial):
    posed, balance, plates = trial
    found = compare_with_plates(balance, posed, plates)
    assert found.force_rms < 1e-6
    assert found.pressure_ahead < 1e-4
    assert found.contacts == 1.0
    assert (found.stances, found.missed) == (2, 0)
    assert found.problems == ()
    assert found.mass == pytest.approx(70.0)


def test_errors_are_measured_along_and_across_the_body(trial):
    posed, balance, _ = trial
    found = compare_with_plates(balance, posed, _plates(balance, shift=-0.02, more=0.1))
    assert found.force_bias == pytest.approx(-10.0, abs=0.01)
    assert found.bias_ahead == pytest.approx(2.0, abs=0.01)
    assert found.pressure_aside < 0.01
    assert mass_from_plates(balance, posed, _plates(balance, more=0.1)) == pytest.approx(77.0)


@pytest.mark.parametrize("guess", [25.0, 45.0, 70.0, 140.0])
def test_the_mass_does_not_depend_on_the_one_that_was_guessed(guess):
    """A person of 70 kg who leans half of the weight on something else for a second."""
    posed = standing(120, 60.0)
    true = analyse_balance(posed, make_body(posed, 1.75, 70.0))
    plates = _plates(true)
    leaning = plates.wrenches.copy()
    leaning[40:90] *= 0.45
    balance = analyse_balance(posed, make_body(posed, 1.75, guess))
    found = mass_from_plates(balance, posed, replace(plates, wrenches=leaning))
    assert found == pytest.approx(70.0, rel=1e-3)


def test_plates_that_never_carry_the_person_weigh_nobody(trial):
    posed, balance, plates = trial
    assert mass_from_plates(balance, posed, replace(plates, wrenches=0 * plates.wrenches)) is None


def test_plates_that_lie_elsewhere_are_a_problem(trial):
    posed, balance, _ = trial
    found = compare_with_plates(balance, posed, _plates(balance, shift=0.3))
    assert "are the plates of this trial" in found.problems[0]


def test_time_beside_the_plates_does_not_count(trial):
    posed, balance, plates = trial
    half = plates.wrenches.copy()
    half[:30] = 0.0
    found = compare_with_plates(balance, posed, replace(plates, wrenches=half))
    assert found.n_frames == 27
    assert found.force_rms < 1e-6
    with pytest.raises(InvalidInputError, match="never carry"):
        compare_with_plates(balance, posed, replace(plates, wrenches=0 * half))
    with pytest.raises(InvalidInputError, match="not measured while"):
        compare_with_plates(balance, posed, replace(plates, times=plates.times + 100))
