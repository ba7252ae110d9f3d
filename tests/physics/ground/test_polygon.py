"""Support polygons of what is down."""

import numpy as np
import pytest

from motionloom.physics.ground._balance import support_polygons


def _flat(points):
    return np.insert(points, 1, 0.0, axis=-1)


def test_only_what_is_down_supports():
    square = np.array([[0.0, 0], [2, 0], [2, 2], [0, 2]])
    down = np.array(
        [[True] * 4, [True, True, False, False], [True, False, False, False], [False] * 4]
    )
    polygons = support_polygons(_flat(np.repeat(square[None], 4, axis=0)), down)
    assert polygons.counts.tolist() == [4, 2, 1, 0]
    inside = polygons.distance(np.tile([1.0, 1.0], (4, 1)))
    np.testing.assert_allclose(inside[:3], [1.0, -1.0, -np.sqrt(2)])
    assert np.isnan(inside[3])


def test_the_same_point_twice_is_one_corner():
    points = np.zeros((1, 4, 3))
    polygons = support_polygons(points, np.ones((1, 4), bool))
    assert polygons.distance(np.array([[3.0, 4.0]])) == pytest.approx(-5.0)
