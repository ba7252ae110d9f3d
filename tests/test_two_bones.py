import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from motionloom.performer.perform import leg_frame
from motionloom.rotations import rotate
from motionloom.two_bones import reach_for, solve_two_bones

VECTORS = arrays(float, 3, elements=st.floats(-1, 1)).filter(lambda v: np.linalg.norm(v) > 0.1)


@settings(max_examples=50)
@given(VECTORS, VECTORS, st.floats(0.15, 0.75))
def test_two_bones_span_the_gap_and_bend_to_the_pole(direction, pole, distance):
    upper, lower = 0.43, 0.40
    direction = direction / np.linalg.norm(direction)
    if np.linalg.norm(np.cross(direction, pole)) < 0.05:
        return
    root, tip = np.zeros((1, 3)), distance * direction[None]
    middle, axis = solve_two_bones(root, tip, pole[None], upper, lower)
    assert np.linalg.norm(middle - root) == pytest.approx(upper, abs=1e-9)
    assert np.linalg.norm(tip - middle) == pytest.approx(lower, abs=1e-9)
    assert np.dot(middle[0], pole) >= np.dot(middle[0], direction) * np.dot(direction, pole) - 1e-9
    bend = np.arccos(np.clip(np.dot(middle[0], (tip - middle)[0]) / (upper * lower), -1.0, 1.0))
    assert reach_for(upper, lower, bend) == pytest.approx(distance, abs=1e-9)
    thigh = rotate(leg_frame(axis, middle - root), np.array([0.0, -upper, 0.0]))
    np.testing.assert_allclose(thigh, middle, atol=1e-9)


def test_out_of_reach_is_straight():
    middle, _ = solve_two_bones(
        np.zeros((1, 3)), np.array([[0.0, -0.9, 0.0]]), np.array([[0.0, 0.0, 1.0]]), 0.4, 0.3
    )
    np.testing.assert_allclose(middle, [[0.0, -0.4, 0.0]], atol=1e-7)  # the root of rounding errors


def test_bones_may_have_other_lengths_in_every_frame():
    root, tip, pole = (
        np.zeros((2, 3)),
        np.array([[0.0, -0.5, 0.0]] * 2),
        np.array([[0.0, 0.0, 1.0]] * 2),
    )
    upper, lower = np.array([0.4, 0.3]), np.array([0.3, 0.4])
    middle, _ = solve_two_bones(root, tip, pole, upper, lower)
    np.testing.assert_allclose(np.linalg.norm(middle, axis=1), upper)
    np.testing.assert_allclose(np.linalg.norm(tip - middle, axis=1), lower)


@given(st.floats(0.1, 0.6), st.floats(0.1, 0.6), st.floats(0.01, 0.99), VECTORS)
def test_what_is_too_near_is_approached_as_far_as_the_bones_fold(upper, lower, share, direction):
    """Bones of other lengths cannot bring their ends together: they fold up flat, and keep their
    lengths.
    """
    if abs(upper - lower) < 0.02:
        return
    direction = direction / np.linalg.norm(direction)
    pole = np.cross(direction, [0.3, 0.5, -0.8])[None]
    nearest = abs(upper - lower)
    tip = share * nearest * direction[None]
    middle, _ = solve_two_bones(np.zeros((1, 3)), tip, pole, upper, lower)
    assert np.linalg.norm(middle) == pytest.approx(upper, abs=1e-6)
    assert np.linalg.norm(nearest * direction - middle) == pytest.approx(lower, abs=1e-6)
