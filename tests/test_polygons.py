"""Hulls and distances: properties, and optimisation as the oracle."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize

from motionloom.polygons import (
    convex_hull,
    distance_outside,
    nearest_on_outline,
    segment_distance,
)

SQUARE = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
#: Of a grid of millimetres, so that many lie in one line or at one position.
POINTS = arrays(float, st.tuples(st.integers(1, 12), st.just(2)), elements=st.integers(-3, 3))


@given(POINTS)
def test_a_hull_is_counterclockwise_and_holds_every_point(points):
    hull = convex_hull(points)
    assert {tuple(corner) for corner in hull} <= {tuple(point) for point in points}
    for point in points:
        assert distance_outside(hull, point) <= 1e-9
    sides = np.roll(hull, -1, axis=0) - hull
    following = np.roll(sides, -1, axis=0)
    if len(hull) > 2:
        assert (sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0] > 0).all()


@pytest.mark.parametrize(
    ("points", "corners"),
    [
        ([[1.0, 2.0]], 1),
        ([[1.0, 2.0]] * 5, 1),
        ([[0.0, 0.0], [1.0, 1.0]], 2),
        ([[0.0, 0.0], [2.0, 2.0], [1.0, 1.0], [0.5, 0.5]], 2),
    ],
)
def test_a_hull_of_a_point_or_a_line_has_its_ends(points, corners):
    hull = convex_hull(np.array(points))
    assert len(hull) == corners
    assert float(distance_outside(hull, np.array(points).mean(axis=0))) == pytest.approx(0.0)


@pytest.mark.parametrize("outline", [SQUARE, SQUARE[::-1], SQUARE[[0, 1, 2, 3, 3]]])
@pytest.mark.parametrize(
    ("point", "distance", "nearest"),
    [((1.0, 1.5), -0.5, (1.0, 2.0)), ((3.0, 1.0), 1.0, (2.0, 1.0)), ((5.0, 6.0), 5.0, (2.0, 2.0))],
)
def test_distances_do_not_depend_on_the_order_of_corners(outline, point, distance, nearest):
    assert distance_outside(outline, np.array(point)) == pytest.approx(distance)
    np.testing.assert_allclose(nearest_on_outline(outline, np.array(point)), nearest)


def test_a_line_has_no_inside_even_where_it_goes_on():
    line = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 0.0]])
    assert distance_outside(line, np.array([2.0, 0.0])) == pytest.approx(1.0)
    assert distance_outside(line, np.array([0.5, 0.0])) == 0.0


def test_distances_of_many_polygons_are_those_of_each():
    rng = np.random.default_rng(1)
    outlines = np.stack([convex_hull(rng.normal(size=(3, 2))) for _ in range(20)])
    points = rng.normal(size=(20, 2))
    each = [distance_outside(one, point) for one, point in zip(outlines, points, strict=True)]
    np.testing.assert_array_equal(distance_outside(outlines, points), each)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 1e-3, 1.0]))
def test_segment_distance_is_the_least_over_both_segments(seed, spread):
    rng = np.random.default_rng(seed)
    p, q, r = rng.normal(size=(3, 3))
    # Nearly parallel segments, and ordinary ones.
    s = r + (q - p) + spread * rng.normal(size=3)

    def distance(t):
        return np.linalg.norm(p + t[0] * (q - p) - r - t[1] * (s - r))

    starts = [(a, b) for a in (0, 0.5, 1) for b in (0, 0.5, 1)]
    best = min(minimize(distance, x0, bounds=[(0, 1), (0, 1)]).fun for x0 in starts)
    found = segment_distance(np.array([p, q]), np.array([r, s]))
    assert found == pytest.approx(best, abs=2e-4)


def test_a_segment_may_be_a_point():
    point = np.array([[0.0, 3.0, 0.0]] * 2)
    line = np.array([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    assert segment_distance(point, line) == pytest.approx(3.0)
    assert segment_distance(line, point) == pytest.approx(3.0)
    assert segment_distance(point, point + np.array([4.0, 0.0, 0.0])) == pytest.approx(4.0)
