import pickle
from dataclasses import replace
from itertools import pairwise
from time import sleep, thread_time

import numpy as np
import pytest

from motionloom.clips.activity import measure_activity
from motionloom.clips.clip_set import make_clip_set
from motionloom.clips.travel import measure_travel
from motionloom.constraints import BodyConstraint, ConstraintSet, JointConstraint
from motionloom.errors import InvalidInputError, SynthesisError, UnknownJointError
from motionloom.graph.scoring.terms import compile_objective
from motionloom.graph.searching.problem import make_problem
from motionloom.graph.searching.results import Clock
from motionloom.graph.searching.search import SearchOptions, search_motion
from motionloom.graph.searching.state_file import check_state
from motionloom.graph.transitions.build import build_graph
from motionloom.graph.transitions.options import GraphOptions
from motionloom.io.registry import load_motion

QUICK = SearchOptions(iterations=60_000)


def worst(candidate):
    """Largest body errors: metres, degrees."""
    body = [e for e in candidate.errors if e.kind == "body"]
    return max(e.position for e in body), max(e.facing for e in body if e.facing is not None)


@pytest.fixture(scope="module")
def result(graph, errand):
    return search_motion(graph, errand, QUICK)


def test_every_motion_has_exactly_the_frames_asked_for_and_starts_on_its_constraint(result, errand):
    assert len(result.alternatives) >= 2
    for found in result.alternatives:
        assert found.path.n_frames == errand.n_frames
        assert found.errors[0].position < 1e-9
        assert found.errors[0].facing < 1e-6


def test_paths_use_real_transitions_of_the_graph_and_no_short_piece(result, graph):
    transitions = {*zip(graph.edges.source.tolist(), graph.edges.target.tolist(), strict=True)}
    first = graph.clips.starts
    for found in result.alternatives:
        pieces = found.path.pieces
        for a, b in pairwise(pieces):
            assert (int(first[a.clip]) + a.stop, int(first[b.clip]) + b.start) in transitions
        for piece in pieces:
            assert piece.n_frames >= graph.options.min_piece
            assert piece.stop <= graph.clips.motions[piece.clip].n_frames


def test_the_score_is_what_its_parts_say(graph, result):
    travel = measure_travel(graph.clips)
    for found in result.alternatives:
        score = QUICK.w_cost * sum(found.edge_costs)
        shown = found.path.frames(graph.clips)
        score += QUICK.w_way * travel.speed[shown].sum() / graph.clips.fps
        turned = np.radians(np.abs(travel.turn[shown]).sum() / graph.clips.fps)
        score += QUICK.w_turning * turned
        score += QUICK.w_idle * measure_activity(graph.clips)[shown].sum() / graph.clips.fps
        for error in found.errors:
            score += (error.position / 0.3) ** 2 + (error.facing / 10) ** 2
        assert found.score == pytest.approx(score, rel=1e-6)


def test_alternatives_are_ordered_and_differ(result, graph):
    scores = [a.score for a in result.alternatives]
    assert scores == sorted(scores)
    shown = [a.path.frames(graph.clips) for a in result.alternatives]
    for i, a in enumerate(shown):
        for b in shown[:i]:
            assert np.mean(np.abs(a - b) < 10) < 0.7


def test_the_same_seed_gives_the_same_result_and_another_another(graph, errand, result):
    again = search_motion(graph, errand, QUICK)
    assert result.reproducible
    assert [a.path for a in again.alternatives] == [a.path for a in result.alternatives]
    assert [a.score for a in again.alternatives] == [a.score for a in result.alternatives]
    other = search_motion(graph, errand, replace(QUICK, seed=1))
    assert other.best.path != result.best.path


def test_a_resumed_search_equals_an_uninterrupted_one(graph, errand, result):
    part = search_motion(graph, errand, replace(QUICK, iterations=20_000))
    assert part.iterations < result.iterations
    before = pickle.dumps(part.state)
    whole = search_motion(graph, errand, QUICK, state=pickle.loads(before))
    assert [a.path for a in whole.alternatives] == [a.path for a in result.alternatives]
    assert pickle.dumps(part.state) == before


def test_more_work_is_never_worse(graph, errand):
    scores = [
        search_motion(graph, errand, SearchOptions(iterations=n)).best.score
        for n in (1_000, 20_000, 200_000)
    ]
    assert scores == sorted(scores, reverse=True)


def test_an_interrupted_search_gives_the_best_so_far(graph, errand):
    def stop(stage, done, total):
        raise KeyboardInterrupt

    found = search_motion(graph, errand, SearchOptions(iterations=10**9), progress=stop)
    assert found.stopped_because == "interrupted"
    assert not found.reproducible
    assert found.best.path.n_frames == errand.n_frames


def test_a_search_interrupted_before_its_first_motion_says_so(graph, errand, monkeypatch):
    def stop(*ignored):
        raise KeyboardInterrupt

    monkeypatch.setattr("motionloom.graph.searching.rounds.random_walk", stop)
    with pytest.raises(SynthesisError, match="stopped before it had found a motion"):
        search_motion(graph, errand, QUICK)


def test_the_clock_ends_a_search_that_is_too_slow_and_the_result_says_so(graph, errand):
    ticks = iter(range(10**6))
    clock = Clock(worked=lambda: 10.0 * next(ticks))
    found = search_motion(graph, errand, SearchOptions(budget=15.0, clock=clock))
    assert found.stopped_because == "time"
    assert not found.reproducible


def test_time_in_which_the_processor_does_something_else_does_not_count(graph, errand):
    naps = iter([0.2])
    options = SearchOptions(budget=0.04)
    found = search_motion(graph, errand, options, progress=lambda *_: sleep(next(naps, 0.0)))
    assert found.stopped_because == "iterations"


def work(seconds):
    """Keep the processor busy."""
    end = thread_time() + seconds
    while thread_time() < end:
        pass


@pytest.mark.parametrize("stopped", [False, True])
def test_a_stopped_clock_lets_a_search_end_however_busy_the_machine_is(
    graph, errand, request, stopped
):
    """What tests that compare bytes rely on; wherever the deadline is kept."""
    if stopped:
        request.getfixturevalue("stopped_clock")
    rests = iter([0.2])
    options = SearchOptions(budget=0.02, restarts=2)
    found = search_motion(graph, errand, options, progress=lambda *_: work(next(rests, 0.0)))
    assert found.stopped_because == ("iterations" if stopped else "time")
    assert found.reproducible == stopped


def test_a_late_first_constraint_is_met_exactly_too(graph):
    late = ConstraintSet(
        duration=6.0,
        body=(
            BodyConstraint(time=2.0, position=(1.0, 1.0), facing=20.0),
            BodyConstraint(time=6.0, position=(3.0, 3.5), facing=50.0),
        ),
        joints=(JointConstraint(time=1.0, joint="head", position=(0.7, 1.45, 0.1)),),
    )
    found = search_motion(graph, late, QUICK).best
    assert found.errors[0].frame == 60
    assert found.errors[0].position < 1e-9
    assert found.errors[0].facing < 1e-6
    assert found.errors[1].position < 0.5


def test_without_body_constraints_the_motion_starts_at_the_origin_facing_ahead(graph):
    found = search_motion(graph, ConstraintSet(duration=3.0), QUICK).best
    body = found.path.body(graph.clips, found.start)
    assert np.allclose(body[0, :2], 0, atol=1e-9)
    assert np.exp(1j * body[0, 2]) == pytest.approx(1.0)


def test_an_open_first_facing_looks_to_the_next_constraint(graph):
    wish = ConstraintSet(
        duration=4.0,
        body=(
            BodyConstraint(time=0.0, position=(0.0, 0.0)),
            BodyConstraint(time=4.0, position=(3.0, 3.0)),
        ),
    )
    found = search_motion(graph, wish, QUICK).best
    assert np.degrees(found.path.body(graph.clips, found.start)[0, 2]) % 360 == pytest.approx(45.0)
    assert [e.facing for e in found.errors] == [None, None]


def test_joint_errors_are_measured_where_the_joint_is(graph):
    wish = ConstraintSet(
        duration=2.0,
        joints=(JointConstraint(time=1.0, joint="left_foot", position=(0.1, 0.2, 0.9)),),
    )
    found = search_motion(graph, wish, QUICK).best
    joint = graph.clips.roles.joints["left_foot"]
    frame = found.path.frames(graph.clips)[30]
    laid = found.path.transforms(graph.clips, found.start)
    piece = int(np.searchsorted(found.path.seams, 30, side="right"))
    there = laid[piece].apply(graph.clips.positions[frame, joint])
    assert found.errors[0].position == pytest.approx(np.linalg.norm(there - [0.1, 0.2, 0.9]))
    assert found.score == pytest.approx(
        (found.errors[0].position / 0.3) ** 2 + QUICK.w_cost * sum(found.edge_costs)
    )


def test_close_constraints_are_one_segment_but_what_is_soon_the_end_is_a_goal(walkers):
    body = [BodyConstraint(time=t, position=(0.0, t), facing=0.0) for t in (0.0, 3.0, 3.4, 7.9)]
    objective = compile_objective(
        walkers, ConstraintSet(duration=8.0, body=tuple(body)), w_cost=0.01
    )
    assert objective.boundaries == (90, 237, 240)
    assert objective.terms.frame.tolist() == [90, 102, 237]


def test_wrong_wishes_are_refused(graph, errand):
    with pytest.raises(InvalidInputError, match="25 frames per second"):
        search_motion(graph, ConstraintSet(duration=2.0, fps=25.0))
    with pytest.raises(UnknownJointError, match="Tail"):
        search_motion(
            graph,
            ConstraintSet(
                duration=2.0, joints=(JointConstraint(time=1.0, joint="Tail", position=(0, 1, 0)),)
            ),
        )
    for wrong in (
        {"budget": 0.0},
        {"iterations": 0},
        {"alternatives": 0},
        {"method": "magic"},
        {"w_cost": -1.0},
        {"w_way": -0.1},
        {"w_idle": -0.1},
        {"w_turning": float("nan")},
    ):
        with pytest.raises(InvalidInputError):
            SearchOptions(**wrong)


def test_real_walks_reach_a_place(shared_data):
    files = sorted((shared_data / "bandai_namco").glob("*walk*normal*.bvh"))[:14]
    clips = make_clip_set([load_motion(f) for f in files], fps=30)
    graph = build_graph(clips, GraphOptions())
    assert graph.report.kept_share > 0.8
    wish = ConstraintSet(
        duration=5.0,
        body=(
            BodyConstraint(time=0.0, position=(0.0, 0.0), facing=0.0),
            BodyConstraint(time=5.0, position=(1.5, 4.0), facing=40.0),
        ),
    )
    place, facing = worst(search_motion(graph, wish, SearchOptions(iterations=400_000)).best)
    assert place < 0.1
    assert facing < 5


def test_motions_that_are_grown_anew_again_and_again_stay_walks_through_the_graph(graph, errand):
    """Every piece is left after it was entered, by a transition of the graph, and no frame is
    missing.
    """
    options = SearchOptions(iterations=150_000, seed=3)
    found = search_motion(graph, errand, options)
    objective = compile_objective(graph.clips, errand, w_cost=options.w_cost, price=options.price)
    check_state(found.state, make_problem(graph, objective), SearchOptions())
    assert found.state[0].round > 1
    assert all(c.path.n_frames == errand.n_frames for c in found.alternatives)
