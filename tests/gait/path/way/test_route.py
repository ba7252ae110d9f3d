"""Ways along the ground."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.errors import InvalidInputError
from motionloom.gait.path.way.route import CUT, route_through
from motionloom.motion import GroundTransform
from motionloom_evaluation.gait.bends import Bend, route_of_bends


def test_an_arc_without_clothoids_is_a_circle():
    route = route_of_bends([Bend(angle=180.0, radius=2.0)])
    assert route.length == pytest.approx(2 * np.pi)
    centre = np.array([2.0, 0.0])
    assert np.allclose(np.linalg.norm(route.positions - centre, axis=1), 2.0, atol=1e-6)


@given(angle=st.floats(10, 175), radius=st.floats(0.3, 5), lead=st.floats(0.05, 2))
@settings(max_examples=25, deadline=None)
def test_turns_turn_by_their_angle_with_curvature_that_changes_evenly(angle, radius, lead):
    route = route_of_bends([Bend(1.0), Bend(angle=angle, radius=radius, lead=lead), Bend(1.0)])
    assert np.degrees(route.headings[-1]) == pytest.approx(angle, rel=1e-3)
    own = min(lead, np.radians(angle) * radius)
    most = (1.0 / radius) / own * np.diff(route.along)
    assert np.all(np.abs(np.diff(route.curvatures)) <= most * 1.001 + 1e-9)
    assert route.tightest >= radius * 0.999


def test_the_least_corners_add_up():
    points = np.array([[0.0, 0.0], [0.0, 1.0], [8e-4, 2.0], [4.9e-3, 5.0], [1.04e-2, 9.0]])
    assert np.allclose(route_through(points).positions[-1], points[-1], atol=1e-3)


@given(points=st.lists(st.tuples(st.floats(0.5, 4), st.floats(-130, 130)), min_size=2, max_size=6))
@settings(max_examples=30, deadline=None)
def test_a_polyline_is_begun_and_ended_where_it_is_told_and_cut_little(points):
    places = [np.zeros(2)]
    heading = 0.0
    for length, turn in points:
        heading += np.radians(turn)
        places.append(places[-1] + length * np.array([np.sin(heading), np.cos(heading)]))
    route = route_through(places)
    assert np.allclose(route.positions[0], places[0], atol=2e-3)
    assert np.allclose(route.positions[-1], places[-1], atol=2e-3 * len(places))
    at = route.at(route.marks)
    away = np.linalg.norm(at.ground - np.array(places), axis=1)
    assert away.max() <= CUT + 0.02
    assert np.all(np.diff(route.marks) > 0)


def test_headings_are_directions_and_turn_with_the_curvature():
    route = route_through([[0, 0], [1, 3], [4, 3], [4, 6]], curve="spline")
    steps = np.diff(route.positions, axis=0)
    middle = 0.5 * (route.headings[1:] + route.headings[:-1])
    assert np.allclose(np.arctan2(steps[:, 0], steps[:, 1]), middle, atol=0.02)
    turned = np.sum(0.5 * (route.curvatures[1:] + route.curvatures[:-1]) * np.diff(route.along))
    assert turned == pytest.approx(route.headings[-1] - route.headings[0], abs=0.01)


def test_beyond_its_ends_a_way_leads_straight_on():
    route = route_of_bends([Bend(1.0)], GroundTransform(np.pi / 2, 1.0, 0.0))
    beyond = route.at([-1.0, 2.0])
    assert np.allclose(beyond.ground, [[0.0, 0.0], [3.0, 0.0]], atol=1e-9)
    assert route.curvature_at([5.0]) == 0.0


def test_a_pause_is_the_same_mark_twice():
    route = route_through([[0, 0], [0, 2], [0, 2], [0, 5]])
    assert np.allclose(route.marks, [0, 2, 2, 5])


def test_ways_that_lead_nowhere_or_turn_back_in_a_point_are_refused():
    with pytest.raises(InvalidInputError, match="one place"):
        route_through([[1, 1], [1, 1]])
    with pytest.raises(InvalidInputError, match="turns back by 180 degrees"):
        route_through([[0, 0], [0, 3], [0, 1]])
    with pytest.raises(InvalidInputError, match="radius"):
        route_of_bends([Bend(angle=90.0)])
