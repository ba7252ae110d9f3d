"""Drawn paths are walked where they are drawn, or it is said that they are not."""

import numpy as np
import pytest

from motionloom.constraints import ConstraintSet, PathConstraint
from motionloom.constraints.kinds.paths import ASIDE, FARTHEST, curve_of
from motionloom.errors import SynthesisError
from motionloom.gait.make import make_for
from motionloom.gait.report import report_gait

SPEED = 1.1


def drawn(seed):
    """Points of a path as somebody may draw it."""
    rng = np.random.default_rng(seed)
    if seed == 0:
        return [(0, 0), (0, 4), (2, 7), (2, 30)]
    if seed == 1:
        return [(0, 0), (3, 5)]
    if seed == 2:
        t = np.linspace(0.0, 1.0, 1000)
        return np.column_stack([1.5 * np.sin(5 * t) + 0.3 * np.sin(11 * t), 9 * t]).tolist()
    count = int(rng.integers(2, 7))
    headings = np.cumsum(rng.normal(0.0, 0.6, count))
    legs = rng.uniform(1.0, 4.0, (count, 1))
    ways = legs * np.column_stack([np.sin(headings), np.cos(headings)])
    points = np.vstack([[0.0, 0.0], np.cumsum(ways, axis=0)]).tolist()
    return [points[0], *points] if seed == 3 else points


def asked_along(points, curve):
    path = PathConstraint(points=points, curve=curve)
    return ConstraintSet(duration=curve_of(path).length / SPEED, fps=30, paths=(path,))


@pytest.mark.parametrize("seed", range(10))
def test_a_drawn_path_is_walked_where_it_is_drawn(gait_space, seed):
    asked = asked_along(drawn(seed), "polyline" if seed % 3 == 1 else "spline")
    report = report_gait(make_for(gait_space, asked), asked)
    (path,) = report.kept
    assert path.value <= ASIDE
    assert path.more <= FARTHEST
    assert not report.problems


def test_a_corner_that_is_too_sharp_for_the_speed_is_a_problem(gait_space):
    asked = asked_along([(0, 0), (0, 4), (4, 4)], "polyline")
    faster = asked.model_copy(update={"duration": asked.duration * SPEED / 1.6})
    report = report_gait(make_for(gait_space, faster), faster)
    (problem,) = report.problems
    assert problem.startswith("path of 3 points is missed by")
    assert "rounds corners" in problem
    assert "search" not in problem


def test_a_corner_that_no_shoe_holds_at_the_speed_is_refused(gait_space):
    asked = asked_along([(0, 0), (0, 4), (4, 4)], "polyline")
    faster = asked.model_copy(update={"duration": asked.duration * SPEED / 3.0})
    with pytest.raises(SynthesisError, match="no gait follows this way"):
        make_for(gait_space, faster)
