"""How a gait changes with its speed."""

import pytest

from motionloom.errors import InvalidInputError
from motionloom.synthesis.paces import PaceLaw, PaceModel


def _law(**more):
    known = {
        "a": 0.75,
        "b": 0.5,
        "deviation": 0.05,
        "speeds": (0.6, 2.0),
        "hip_height": 0.9,
    }
    return PaceLaw(**(known | more))


def test_steps_are_oftener_and_longer_the_faster():
    law = _law()
    assert law.cadence(0.9) == pytest.approx(0.75)
    assert law.cadence(3.6) == pytest.approx(1.5)
    assert law.step_length(3.6) == pytest.approx(2 * law.step_length(0.9))
    low, high = law.bounds(1.2)
    assert low < law.cadence(1.2) < high
    assert high / low == pytest.approx(1.2214, abs=1e-3)


def test_laws_that_nobody_walks_by_are_refused():
    with pytest.raises(InvalidInputError, match="exponent from 0 to 1"):
        _law(b=1.4)


def test_walking_and_running_have_laws_of_their_own():
    model = PaceModel(walk=_law())
    assert model.law(False) is model.walk
    assert model.law(True) is None
