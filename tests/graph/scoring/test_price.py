"""What the way costs: known truth on single clips, and a straight way beside a detour."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.clips.clip_set import make_clip_set
from motionloom.constraints import BodyConstraint, ConstraintSet
from motionloom.errors import InvalidInputError
from motionloom.graph.scoring.terms import FREE, Price, compile_terms
from motionloom.graph.searching.search import SearchOptions, search_motion
from motionloom.graph.transitions.build import build_graph
from walkers import make_walker


def body_at(*stops):
    """Body constraints straight ahead, at times and distances."""
    body = [BodyConstraint(time=t, position=(0.0, z), facing=0.0) for t, z in stops]
    return ConstraintSet(duration=5.0, body=tuple(body))


def test_a_metre_and_a_radian_cost_their_price():
    clips = make_clip_set(
        [make_walker(90, speed=1.5), make_walker(90, speed=0.5, bend=-0.4, name="turn")]
    )
    cost = Price(way=2.0, turning=3.0).of_frames(clips)
    assert np.allclose(cost[:90], 2.0 * 1.5, atol=1e-6)
    assert np.allclose(cost[90:], 2.0 * 0.5 + 3.0 * 0.4, atol=0.02)


@pytest.mark.parametrize(
    ("stops", "span"), [(((1.0, 0.0), (4.0, 3.0)), (30, 121)), (((0.0, 0.0),), None), ((), None)]
)
def test_it_is_paid_from_the_first_body_constraint_to_the_last(walkers, stops, span):
    sums = compile_terms(walkers, body_at(*stops), Price(0.1, 0.1)).sums
    assert list(zip(sums.begin, sums.end, strict=True)) == ([span] if span else [])
    assert len(compile_terms(walkers, body_at(*stops), FREE).sums.begin) == 0


def serpentine(n, way, swerve, name):
    """A walk that ends straight ahead, `way` metres on, after swerving to both sides."""
    motion = make_walker(n)
    facing = swerve * np.sin(2 * np.pi * np.arange(n) / (n - 1))
    steps = np.column_stack([np.sin(facing), 0 * facing, np.cos(facing)])[:-1]
    places = np.vstack([np.zeros(3), np.cumsum(steps, axis=0)])
    places *= way / places[-1, 2]
    rotations = motion.rotations.copy()
    rotations[:, 0] = rot.yaw(facing)
    return replace(
        motion,
        rotations=rotations,
        translations=(places + np.array([0.0, 0.85, 0.0]))[:, None],
        name=name,
    )


@pytest.mark.parametrize("first", [0, 1])
def test_a_straight_way_is_preferred_to_a_detour(first):
    """Both ways end in the same place at the same time, so errors cannot tell them apart."""
    clips = [make_walker(240, name="s"), serpentine(151, 5.0, 1.2, "d")]
    graph = build_graph(make_clip_set(clips[first:] + clips[:first]))
    wish = body_at((0.0, 0.0), (5.0, 5.0))
    options = SearchOptions(iterations=20_000, w_way=0.5, w_turning=0.5)
    best = search_motion(graph, wish, options).best
    body = best.path.body(graph.clips, best.start)
    assert np.abs(body[:, 0]).max() < 0.05
    assert {graph.clips.names[p.clip] for p in best.path.pieces} == {"s"}


@pytest.mark.parametrize("wrong", [{"way": -1.0}, {"turning": float("inf")}])
def test_a_wrong_price_is_refused(wrong):
    with pytest.raises(InvalidInputError, match="a number from 0"):
        Price(**wrong)
