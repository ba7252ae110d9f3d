"""How far a body is from a body constraint."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.constraints import BodyConstraint, ConstraintSet
from motionloom.constraints.kinds.measures import Lookup, Shown
from motionloom.constraints.kinds.table import measure_errors


@given(st.floats(-180, 180), st.floats(-180, 180), st.integers(-3, 3))
def test_the_error_of_a_heading_is_the_shorter_way_round(asked, faced, turns):
    wish = ConstraintSet(
        duration=1.0, fps=2, body=(BodyConstraint(time=0.5, position=(1.0, 2.0), facing=asked),)
    )
    body = np.zeros((wish.n_frames, 3))
    body[1] = (4.0, 6.0, np.radians(faced) + 2 * np.pi * turns)
    (error,) = measure_errors(Shown(wish, Lookup(None), body, None, None))
    away = np.exp(1j * np.radians(faced)) / np.exp(1j * np.radians(asked))
    assert error.facing == pytest.approx(abs(np.degrees(np.angle(away))), abs=1e-6)
    assert 0 <= error.facing <= 180 + 1e-9
    assert error.position == pytest.approx(5.0)
