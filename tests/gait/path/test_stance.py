"""A foot that rolls over the place where it stands."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionloom.gait.path._stance import roll

HEEL = np.array([0.0, -0.08, -0.05])
TOE = np.array([0.0, -0.08, 0.13])
RESTS = np.array([0.02, 0.02])


def _pitched(angle):
    c = np.cos(angle)
    s = np.sin(angle)
    turn = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    return np.stack([turn @ HEEL, turn @ TOE])[None]


@given(st.floats(-0.8, 1.2))
def test_the_lower_point_of_a_rolling_foot_stays_where_it_stands(angle):
    flat = _pitched(0.0)[0]
    points = _pitched(angle)
    ankle = roll(points, flat, RESTS)[0]
    heights = ankle[1] + points[0, :, 1] - RESTS
    assert abs(heights.min()) < 1e-12
    # The flat foot's ankle is above the origin: the point is where it was then.
    lower = int(heights.argmin())
    away = np.abs(ankle + points[0, lower] - flat[lower])[[0, 2]]
    # Near flat both points share the weight; foot lengths there hardly differ.
    assert away.max() < 0.004


def test_a_flat_foot_is_where_its_print_is():
    flat = _pitched(0.0)
    assert np.allclose(roll(flat, flat[0], RESTS), [[0.0, 0.1, 0.0]])
