"""The way of a path constraint, frame by frame."""

from types import SimpleNamespace

import numpy as np
import pytest

from motionloom.constraints import ConstraintSet, PathConstraint
from motionloom.constraints.kinds.paths import follow


def way_of(duration=4.0, fps=30, **path):
    path = PathConstraint(**path)
    frames, way = follow(path, ConstraintSet(duration=duration, fps=fps, paths=(path,)))
    return SimpleNamespace(frames=frames, places=way.ground, facing=way.angle)


def test_without_times_the_pace_is_even():
    way = way_of(points=[(0, 0), (0, 1), (3, 1)])
    assert len(way.frames) == 121
    np.testing.assert_allclose(np.linalg.norm(np.diff(way.places, axis=0), axis=1)[:29], 1 / 30)
    np.testing.assert_allclose(way.places[30], (0, 1), atol=1e-12)
    np.testing.assert_allclose(way.facing[[0, 29, 31, 120]], [0, 0, np.pi / 2, np.pi / 2])


def test_times_say_when_each_point_is_passed():
    points = np.array([(0, 0), (1, 2), (2, 2), (2, 5)], float)
    times = (0.5, 1.5, 2.0, 3.5)
    for curve in ("polyline", "spline"):
        way = way_of(points=points, times=times, curve=curve)
        assert tuple(way.frames[[0, -1]]) == (15, 105)
        np.testing.assert_allclose(
            way.places[np.round(np.array(times) * 30).astype(int) - 15], points, atol=1e-9
        )


def test_a_spline_is_smooth_and_faces_along_itself():
    way = way_of(points=[(0, 0), (1, 2), (0, 4), (1, 6)], curve="spline", fps=240)
    steps = np.diff(way.places, axis=0)
    assert (
        np.linalg.norm(np.diff(steps, axis=0), axis=1).max()
        < 0.15 * np.linalg.norm(steps, axis=1).mean()
    )
    ahead = np.arctan2(*(way.places[2:] - way.places[:-2]).T)
    np.testing.assert_allclose(way.facing[1:-1], ahead, atol=2e-3)


def test_who_pauses_looks_where_the_way_came_from():
    way = way_of(points=[(0, 0), (2, 0), (2, 0), (2, 1)], times=(0.0, 1.0, 2.0, 4.0))
    np.testing.assert_allclose(way.places[30:61], np.tile([2, 0], (31, 1)))
    np.testing.assert_allclose(way.facing[:60], np.pi / 2)
    np.testing.assert_allclose(way.facing[61:], 0, atol=1e-12)


@pytest.mark.parametrize("points", [[(1, 2), (1, 2)], [(1, 2), (1, 2), (1, 2)]])
def test_a_path_of_one_place_is_to_stay_there(points):
    way = way_of(points=points, curve="spline")
    assert len(way.frames) == 121
    np.testing.assert_allclose(way.places, np.tile([1, 2], (121, 1)))
    assert np.isfinite(way.facing).all()


def test_points_given_twice_do_not_matter_without_times():
    np.testing.assert_allclose(
        way_of(points=[(0, 0), (0, 1), (0, 1), (1, 1)], curve="spline").places,
        way_of(points=[(0, 0), (0, 1), (1, 1)], curve="spline").places,
    )
