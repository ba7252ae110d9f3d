"""Ways around obstacles."""

from itertools import pairwise

import numpy as np

from motionloom.constraints.kinds.avoid import Box, Cylinder
from motionloom.shot.spans._gait import CLEAR, way_around


def nearest(way, center):
    """How near a polyline comes to a place."""
    fine = np.concatenate([np.linspace(a, b, 50) for a, b in pairwise(way)])
    return np.linalg.norm(fine - center, axis=1).min()


def test_a_way_that_is_free_stays():
    way = np.array([[0.0, 0.0], [0.0, 5.0]])
    assert way_around((), way) is way
    far = Cylinder(center=(3.0, 2.0), radius=0.5)
    np.testing.assert_array_equal(way_around((far,), way), way)
    high = Cylinder(center=(0.0, 2.0), radius=0.5, bottom=2.5, top=3.0)
    np.testing.assert_array_equal(way_around((high,), way), way)


def test_a_way_leads_around_what_stands_in_it():
    way = np.array([[0.0, 0.0], [0.0, 5.0]])
    pole = Cylinder(center=(0.1, 2.0), radius=0.4)
    crate = Box(center=(-0.5, 3.6), size=(1.0, 0.6))
    found = way_around((pole, crate), way)
    np.testing.assert_array_equal(found[[0, -1]], way)
    assert nearest(found, (0.1, 2.0)) > 0.4 + 0.9 * CLEAR
    assert nearest(found, (-0.5, 3.6)) > 0.3 + 0.9 * CLEAR
    length = np.linalg.norm(np.diff(found, axis=0), axis=1).sum()
    assert 5.0 < length < 5.8


def test_sizes_are_those_of_the_body():
    way = np.array([[0.0, 0.0], [0.0, 5.0]])
    pole = Cylinder(center=(0.0, 1.0), radius=0.2)
    assert nearest(way_around((pole,), way, 2.0), (0.0, 2.0)) > 0.4 + 0.9 * CLEAR


def test_who_begins_beside_something_gets_away():
    way = np.array([[0.0, 0.0], [0.0, 5.0]])
    found = way_around((Cylinder(center=(0.0, 0.6), radius=0.3),), way)
    assert nearest(found, (0.0, 0.6)) > 0.3
