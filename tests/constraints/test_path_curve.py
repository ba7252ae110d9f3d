"""The one curve of a path."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import ConvexHull

from motionloom.constraints import ConstraintSet, PathConstraint
from motionloom.constraints.kinds.paths import PATHS, curve_of, follow
from motionloom.constraints.path_curve import BULGE, path_curve, spline_through

LEGS = st.lists(st.tuples(st.floats(0.05, 30), st.floats(-175, 175)), min_size=2, max_size=8)


def points_of(legs):
    """Points by lengths and turns in degrees."""
    points = [np.zeros(2)]
    heading = 0.0
    for length, turn in legs:
        heading += np.radians(turn)
        points.append(points[-1] + length * np.array([np.sin(heading), np.cos(heading)]))
    return np.array(points)


def outside(points, places):
    """How far places are outside of the hull of points."""
    sides = ConvexHull(points, qhull_options="QJ").equations
    return np.maximum((places @ sides[:, :2].T + sides[:, 2]).max(axis=1), 0.0)


@given(legs=LEGS)
@settings(max_examples=60, deadline=None)
def test_a_spline_leaves_the_hull_of_its_points_by_a_tenth_of_the_chord_at_most(legs):
    points = points_of(legs)
    curve = path_curve(points, "spline")
    chords = np.linalg.norm(np.diff(points, axis=0), axis=1)
    piece = np.searchsorted(curve.marks, curve.along[:-1], side="right") - 1
    away = outside(points, curve.positions[:-1])
    assert np.all(away <= BULGE * chords[piece] + 1e-6)


@given(legs=LEGS, curve=st.sampled_from(["polyline", "spline"]))
@settings(max_examples=40, deadline=None)
def test_a_curve_passes_its_points_and_is_measured_by_length(legs, curve):
    points = points_of(legs)
    made = path_curve(points, curve)
    np.testing.assert_allclose(made.at(made.marks).ground, points, atol=1e-9)
    even = np.linspace(0.0, made.length, 2000)
    steps = np.linalg.norm(np.diff(made.at(even).ground, axis=0), axis=1)
    assert steps.max() <= even[1] * (1 + 1e-9)
    assert np.median(steps) == pytest.approx(even[1], rel=1e-3)


@given(legs=LEGS)
@settings(max_examples=30, deadline=None)
def test_the_direction_of_a_spline_is_the_same_on_both_sides_of_a_point(legs):
    curve = path_curve(points_of(legs), "spline")
    inner = curve.marks[1:-1]
    before, behind = (curve.at(inner + side).angle for side in (-1e-7, 1e-7))
    np.testing.assert_allclose(before, behind, atol=1e-3)


def test_points_on_an_arc_give_an_arc():
    turns = np.radians(np.arange(0, 181, 22.5))
    arc = 3.0 * np.column_stack([np.sin(turns), np.cos(turns)])
    radii = np.linalg.norm(path_curve(arc, "spline").positions, axis=1)
    assert np.abs(radii - 3.0).max() < 0.03


def test_who_turns_back_turns_in_a_loop():
    curve = path_curve([(0, 0), (0, 3), (0, 1)], "spline")
    assert 0.1 < np.abs(curve.positions[:, 0]).max() <= 0.3 + 1e-9
    assert np.degrees(np.abs(np.diff(curve.headings))).max() < 25.0
    assert abs(np.ptp(curve.headings)) > np.pi


def test_points_given_twice_are_one_point_of_the_curve():
    once = path_curve([(0, 0), (0, 4), (2, 7)], "spline")
    twice = path_curve([(0, 0), (0, 0), (0, 4), (0, 4), (2, 7)], "spline")
    np.testing.assert_array_equal(once.positions, twice.positions)
    assert twice.marks[1] == twice.marks[0] == 0.0
    assert twice.marks[3] == twice.marks[2] == once.marks[1]


def test_a_thousand_points_are_a_curve():
    t = np.linspace(0.0, 1.0, 1000)
    drawn = np.column_stack([1.5 * np.sin(5 * t), 9 * t])
    for kind in ("polyline", "spline"):
        curve = path_curve(drawn, kind)
        assert curve.length == pytest.approx(
            np.linalg.norm(np.diff(drawn, axis=0), axis=1).sum(), rel=1e-4
        )


def test_a_given_direction_is_taken():
    curve = spline_through([(0, 0), (2, 2)], [np.pi / 2, np.nan])
    assert curve.headings[0] == pytest.approx(np.pi / 2)
    assert curve.headings[-1] == pytest.approx(0.0, abs=1e-9)


def test_a_path_is_drawn_followed_and_measured_on_one_curve():
    path = PathConstraint(points=[(0, 0), (0, 4), (2, 7), (2, 30)], curve="spline")
    asked = ConstraintSet(duration=30.0, fps=30, paths=(path,))
    curve = curve_of(path)
    _, way = follow(path, asked)
    (line,) = PATHS.marks(path, asked)
    np.testing.assert_allclose(way.ground, curve.at(np.linspace(0, curve.length, 901)).ground)
    np.testing.assert_array_equal(line.places, way.ground)
    assert curve.positions[:, 0].max() < 2.5
