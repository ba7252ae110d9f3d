"""Ways that no gait can follow."""

import re

import pytest

from motionloom.errors import SynthesisError
from motionloom.gait.path.way._feasible import Obstacle, refuse_unfeasible, try_way
from motionloom.gait.path.way.timing import steady
from motionloom_evaluation.gait.bends import Bend, route_of_bends


def _u_turn(radius):
    return route_of_bends([Bend(2.0), Bend(angle=180.0, radius=radius, lead=0.4), Bend(2.0)])


def test_a_usual_way_is_not_refused(table):
    route = _u_turn(1.5)
    assert not isinstance(try_way(table, route, steady(1.2, route.length / 1.2, 30.0)), Obstacle)


def test_too_fast_is_refused_with_a_speed_that_is_not(table):
    route = _u_turn(0.5)
    timing = steady(2.5, route.length / 2.5, 30.0)
    with pytest.raises(SynthesisError, match="no shoe holds") as refused:
        refuse_unfeasible(table, route, timing)
    found = re.search(r"at up to ([\d.]+) m/s", str(refused.value))
    assert found
    speed = float(found.group(1))
    assert 0.5 < speed < 2.5
    assert not isinstance(
        try_way(table, route, steady(speed, route.length / speed, 30.0)), Obstacle
    )


def test_faster_than_anybody_is_refused(table):
    route = route_of_bends([Bend(10.0)])
    with pytest.raises(SynthesisError, match="this person runs up to"):
        refuse_unfeasible(table, route, steady(11.0, 1.0, 30.0))
