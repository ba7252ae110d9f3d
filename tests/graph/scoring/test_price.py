"""What showing frames costs: known truth on single clips, a straight way beside a detour, spans of
time.
"""

from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.clips.clip_set import make_clip_set
from motionloom.clips.labels import Label, label_clips
from motionloom.constraints import BodyConstraint, ConstraintSet, StyleConstraint
from motionloom.errors import InvalidInputError
from motionloom.graph.scoring._price import FREE, STYLE_COST, Price
from motionloom.graph.scoring.terms import compile_objective, compile_terms
from motionloom.graph.scoring.walk import Sums, cost_of_showing
from motionloom.graph.searching.annealing import lay_walk, random_walk
from motionloom.graph.searching.meet import NODE, Guide, grow_ahead
from motionloom.graph.searching.problem import cheap_clips, make_problem
from motionloom.graph.searching.search import SearchOptions, search_motion
from motionloom.graph.searching.state import new_state
from motionloom.graph.transitions.build import build_graph
from walkers import make_walker


@pytest.fixture(scope="module")
def striped(walkers):
    """A graph whose clips change their label every half second."""
    half = 0.5
    stripes = [Label("*", "even", 2 * k * half, (2 * k + 1) * half - 0.01) for k in range(8)]
    return build_graph(label_clips(walkers, stripes))


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
    with pytest.raises(InvalidInputError, match="a number of at least 0"):
        Price(**wrong)


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
    rng, seen = new_state(0, 1)[0].rng, set()
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


def test_half_walks_know_what_showing_their_frames_costs(striped):
    """Joined again, a walk's halves cost what the whole does, but for what it misses at the end."""
    wish = ConstraintSet(
        duration=5.0, style=(StyleConstraint(label="even", begin=1.0, end=3.0, weight=1.0),)
    )
    objective = compile_objective(striped.clips, wish, w_cost=0.03)
    problem = make_problem(striped, objective)
    stream = new_state(0, 1)[0]
    nodes = np.zeros(200, NODE)
    start = int(problem.starts[5])
    nodes[0]["frame"], nodes[0]["parent"], nodes[0]["edge"] = start, -1, -1
    nodes[0]["least"], nodes[0]["turn"] = problem.ground.min_piece, 1.0
    none = np.zeros(0, np.int64)
    fares = 0.03, problem.terms.sums
    graph = problem.ground, problem.adjacency
    count = grow_ahead(*graph, stream.rng, nodes, 1, 120, Guide(none, none), fares)
    for row in nodes[1:count]:
        shown, paid, at = 0.0, 0.0, row
        while at["parent"] >= 0:
            parent, edge = nodes[at["parent"]], at["edge"]
            length = int(at["time"] - parent["time"])
            frame = int(parent["frame"])
            shown += cost_of_showing(problem.terms.sums, int(parent["time"]), frame, length)
            paid += 0.03 * problem.adjacency.cost[edge]
            at = parent
        assert row["cost"] == pytest.approx(shown + paid, rel=1e-5, abs=1e-9)
    assert count > 20
    assert nodes["cost"][1:count].max() > 0


def test_cheap_clips_are_those_whose_frames_cost_least():
    sums = Sums(np.array([0]), np.array([9]), np.array([[0.0, 3, 6, 7, 8, 12, 16]]))
    assert cheap_clips(sums, np.array([0, 2, 4, 6])).tolist() == [[1]]
    assert cheap_clips(Sums(sums.begin[:0], sums.end[:0], sums.before[:0]), np.arange(3)).size == 0


def test_a_toll_is_paid_at_any_time_whatever_is_asked(walkers):
    asked = ConstraintSet(fps=walkers.fps, duration=2.0)
    toll = np.zeros(walkers.n_frames)
    toll[10:20] = 3.0
    sums = compile_objective(walkers, asked, w_cost=0.5, toll=toll).terms.sums
    assert (sums.begin[0], sums.end[0]) == (0, asked.n_frames)
    assert sums.before[0, -1] == pytest.approx(0.5 * toll.sum() / walkers.fps)
    assert not len(compile_objective(walkers, asked, w_cost=0.5).terms.sums.begin)
