"""Compiled constraints: where a motion is laid down from, what spans of time cost, and errors of
the heading.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.clips.labels import Label, label_clips
from motionloom.constraints import BodyConstraint, ConstraintSet, PathConstraint, StyleConstraint
from motionloom.constraints.kinds.paths import follow
from motionloom.constraints.kinds.shown import Lookup, Shown
from motionloom.constraints.kinds.table import measure_errors
from motionloom.graph.scoring.terms import STYLE_COST, compile_objective
from motionloom.graph.searching.annealing import lay_walk, random_walk
from motionloom.graph.searching.problem import make_problem
from motionloom.graph.searching.state import new_state
from motionloom.graph.transitions.build import build_graph
from motionloom.motion import GroundTransform


@pytest.fixture(scope="module")
def striped(walkers):
    """A graph whose clips change their label every half second."""
    half = 0.5
    stripes = [Label("*", "even", 2 * k * half, (2 * k + 1) * half - 0.01) for k in range(8)]
    return build_graph(label_clips(walkers, stripes))


def laid_start(clips, wish):
    """Ground position and facing of a body that is laid down from the objective's anchor."""
    span = compile_objective(clips, wish, w_cost=0.0).span
    return span.anchor, (span.place.imag, span.place.real), float(np.angle(span.turn))


@given(st.floats(-180, 180), st.floats(0.1, 10), st.floats(-5, 5), st.floats(-5, 5))
def test_with_an_open_facing_the_body_faces_the_next_place(walkers, angle, far, x, z):
    """Facing is from +Z towards +X, so a place straight ahead in X is at 90 degrees."""
    ahead = (x + far * np.sin(np.radians(angle)), z + far * np.cos(np.radians(angle)))
    body = (BodyConstraint(time=0.5, position=(x, z)), BodyConstraint(time=4.0, position=ahead))
    wish = ConstraintSet(duration=4.0, fps=walkers.fps, body=body)
    anchor, place, facing = laid_start(walkers, wish)
    assert anchor == wish.frame_of(0.5)
    assert place == (x, z)
    moved = GroundTransform(facing, *place).apply([0.0, 0.0, far])
    np.testing.assert_allclose(moved[[0, 2]], ahead, atol=1e-6)


def test_a_facing_that_is_asked_for_wins_and_the_origin_is_where_nothing_is_asked_for(walkers):
    body = (
        BodyConstraint(time=0.0, position=(1, 2), facing=40),
        BodyConstraint(time=4.0, position=(9, 2)),
    )
    assert laid_start(walkers, ConstraintSet(duration=4.0, fps=30, body=body)) == (
        0,
        (1, 2),
        pytest.approx(0.698132),
    )
    alone = (BodyConstraint(time=1.0, position=(1, 2)),)
    assert laid_start(walkers, ConstraintSet(duration=4.0, fps=30, body=alone)) == (30, (1, 2), 0)
    path = PathConstraint(points=((3.0, 1.0), (7.0, 1.0)), begin=2.0, end=4.0)
    late = PathConstraint(points=((0.0, 0.0), (0.0, 5.0)), begin=3.0, end=4.0)
    wish = ConstraintSet(duration=4.0, fps=30, paths=(late, path))
    assert laid_start(walkers, wish) == (60, (3, 1), pytest.approx(np.pi / 2))
    assert follow(path, wish)[0][0] == 60
    assert laid_start(walkers, ConstraintSet(duration=4.0, fps=30)) == (0, (0, 0), 0)


@pytest.mark.parametrize(
    ("begin", "end"), [(0.0, 6.0), (0.0, 1.0), (1.1, 2.0), (2.0, 2.02), (5.0, 6.0)]
)
def test_a_span_of_time_costs_its_own_frames_only(striped, begin, end):
    """Random walks: the score is the time without the label, from the first frame of the span to
    its last.
    """
    wish = ConstraintSet(
        duration=6.0,
        fps=striped.clips.fps,
        body=(BodyConstraint(time=0.0, position=(0.0, 0.0), facing=0.0),),
        style=(StyleConstraint(begin=begin, end=end, label="even"),),
    )
    problem = make_problem(striped, compile_objective(striped.clips, wish, w_cost=0.0))
    rng, seen = new_state(0, 1).streams[0].rng, set()
    for _ in range(60):
        walk = random_walk(problem, rng, problem.span)
        score, _, used, short = lay_walk(problem, walk, problem.span)
        if short:
            continue
        shown, at = [], walk.start
        for step in walk.steps[:used]:
            shown.extend(range(at, step["source"]))
            at = int(step["target"])
        shown.extend(range(at, at + wish.n_frames - len(shown)))
        frames = shown[wish.frame_of(begin) : wish.frame_of(end) + 1]
        without = np.count_nonzero(~striped.clips.labels["even"][frames]) / wish.fps
        assert score == pytest.approx(STYLE_COST * without, abs=1e-9)
        seen.add(without)
    assert len(seen) > 1


@given(st.floats(-180, 180), st.floats(-180, 180), st.integers(-3, 3))
def test_the_error_of_a_heading_is_the_shorter_way_round(asked, faced, turns):
    wish = ConstraintSet(
        duration=1.0, fps=2, body=(BodyConstraint(time=0.5, position=(1.0, 2.0), facing=asked),)
    )
    body = np.zeros((wish.n_frames, 3))
    body[1] = (4.0, 6.0, np.radians(faced) + 2 * np.pi * turns)
    (error,) = measure_errors(Shown(wish, Lookup(None), body, None, None))
    away = np.exp(1j * np.radians(faced)) / np.exp(1j * np.radians(asked))
    assert error.facing == pytest.approx(abs(np.degrees(np.angle(away))), abs=1e-6)
    assert 0 <= error.facing <= 180 + 1e-9
    assert error.position == pytest.approx(5.0)
