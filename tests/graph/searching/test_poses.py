from dataclasses import replace

import numpy as np
import pytest

from motionloom.constraints import BodyConstraint, ConstraintSet
from motionloom.graph.scoring.terms import compile_objective
from motionloom.graph.scoring.walk import LAID, STEP
from motionloom.graph.searching.adjacency import find_edge, make_adjacency, make_ground
from motionloom.graph.searching.annealing import capacity, lay_walk
from motionloom.graph.searching.legs import LegSearch
from motionloom.graph.searching.mutate import Scope, _exchange, _slide, first_missed, propose
from motionloom.graph.searching.problem import make_problem
from motionloom.graph.searching.reach import frames_to
from motionloom.graph.searching.results import SearchOptions
from motionloom.graph.searching.rounds import grow
from motionloom.graph.searching.search import search_motion
from motionloom.graph.searching.state import new_state

QUICK = SearchOptions(iterations=40_000)
THERE = ConstraintSet(
    duration=6.0,
    body=(
        BodyConstraint(time=0.0, position=(0.0, 0.0), facing=0.0),
        BodyConstraint(time=6.0, position=(0.5, 5.5), facing=10.0),
    ),
)


@pytest.fixture
def ask(monkeypatch):
    """Add hard poses, (frame of the motion, frame of the clip set), to what is compiled."""

    def add(poses):
        def compiled(*args, **kwargs):
            return replace(compile_objective(*args, **kwargs), poses=tuple(sorted(poses)))

        monkeypatch.setattr("motionloom.graph.searching.search.compile_objective", compiled)

    return add


def core_frames(graph, n, seed):
    """Frames of long clips, away from their ends."""
    rng = np.random.default_rng(seed)
    clips = graph.clips
    left = clips.starts[clips.clip_of + 1] - np.arange(clips.n_frames)
    into = np.arange(clips.n_frames) - clips.starts[clips.clip_of]
    return [
        int(f)
        for f in rng.choice(
            np.flatnonzero(graph.core & (left > 30) & (into > 10)), n, replace=False
        )
    ]


def reachable_frames(graph, gaps, seed):
    """Frames of which each can be shown so long after the one before, with some time to spare."""
    ground, adjacency = make_ground(graph), make_adjacency(graph)
    chosen = core_frames(graph, 1, seed)
    for k, gap in enumerate(gaps):
        drawn = core_frames(graph, 200, 100 * seed + k)
        chosen.append(
            next(
                f
                for f in drawn
                if frames_to(ground, adjacency, np.array([f]), gap)[0][chosen[-1]] < 0.7 * gap
            )
        )
    return chosen


@pytest.mark.parametrize("seed", [1, 2])
def test_the_frames_asked_for_are_shown_when_they_are_asked_for(graph, ask, seed):
    a, b, c = reachable_frames(graph, (150, 210), seed)
    poses = [(0, a), (150, b), (360, c)]
    ask(poses)
    found = search_motion(graph, ConstraintSet(duration=12.0), QUICK)
    assert not found.out_of_reach
    for motion in found.alternatives:
        shown = motion.path.frames(graph.clips)
        assert [int(shown[n]) for n, _ in poses] == [a, b, c]
        assert [p.frames for p in motion.poses] == [0, 0, 0]
        assert motion.path.n_frames == 361


def test_a_pose_and_a_place_at_the_same_time(graph, ask):
    (last,) = core_frames(graph, 1, 5)
    ask([(180, last)])
    found = search_motion(graph, THERE, replace(QUICK, iterations=120_000)).best
    assert int(found.path.frames(graph.clips)[180]) == last
    assert found.errors[1].position < 0.5


def test_a_pose_at_the_beginning_of_a_clip_in_the_middle_of_a_motion(graph, ask):
    into = np.arange(graph.clips.n_frames) - graph.clips.starts[graph.clips.clip_of]
    early = int(next(e for e in graph.edges.target if into[e] < 2))
    ask([(100, early)])
    found = search_motion(graph, ConstraintSet(duration=8.0), QUICK).best
    assert int(found.path.frames(graph.clips)[100]) == early


def grown(problem, stream, size):
    """Walks of the whole motion, best first; none where a leg could not be closed."""
    beam = []
    for leg in problem.legs:
        beam = grow(problem, QUICK, stream, leg, beam, size)
        if not beam:
            break
    return beam


@pytest.mark.parametrize("change", [_exchange, _slide])
def test_exchanges_and_slides_keep_the_time_of_what_follows(graph, change):
    problem = make_problem(graph, compile_objective(graph.clips, THERE, w_cost=0.01))
    stream = new_state(0, 1)[0]
    walk = grown(problem, stream, 500)[0]
    m = len(walk.steps)
    steps = np.zeros(capacity(problem, problem.span), STEP)
    steps[:m] = walk.steps
    where = problem.ground, problem.adjacency, problem.span
    scope = Scope(*where, problem.pins, problem.cheap, stream.rng)
    before, _ = play(problem, walk.start, steps[:m])
    done = 0
    for _ in range(3000):
        new = steps.copy()
        count, *rest = change(scope, walk.start, steps, m, new)
        if count < 1 or new[count - 1] != steps[m - 1]:
            continue
        after, _ = play(problem, rest[0] if len(rest) == 2 else walk.start, new[:count])
        # The last piece is the same, so it must be shown when it was.
        assert after[-1] == before[-1]
        done += not np.array_equal(after, before)
    assert done > 10


def test_frames_are_led_to_as_soon_as_edges_allow(graph):
    """Of one goal all that is known of pins; of more the least of each."""
    ground, adjacency = make_ground(graph), make_adjacency(graph)
    goals = np.array(core_frames(graph, 2, 3))
    horizon = 60
    alone = [frames_to(ground, adjacency, goals[[k]], horizon)[1] for k in (0, 1)]
    _, soon, via = frames_to(ground, adjacency, goals, horizon)
    least = np.minimum(alone[0], alone[1])
    near = np.minimum(soon, least) <= horizon
    np.testing.assert_array_equal(soon[near], least[near])
    assert np.all(soon[~near] > horizon)
    assert np.all(adjacency.ends[via[via >= 0], 0] == np.flatnonzero(via >= 0))


def test_mutations_keep_poses(graph):
    """Thousands of random mutations, each checked by playing the walk frame by frame."""
    a, b, c = reachable_frames(graph, (150, 150), 1)
    poses = ((0, a), (150, b), (300, c))
    wish = ConstraintSet(
        duration=11.0,
        body=(THERE.body[0], BodyConstraint(time=11.0, position=(0.5, 9.0), facing=10.0)),
    )
    objective = replace(compile_objective(graph.clips, wish, w_cost=0.01), poses=poses)
    problem = make_problem(graph, objective)
    stream = new_state(0, 1)[0]
    walk = next(w for _ in range(8) for w in grown(problem, stream, 1000))
    steps = np.zeros(capacity(problem, problem.span), STEP)
    m, start = len(walk.steps), walk.start
    steps[:m] = walk.steps
    kept = repaired = 0
    for _ in range(6_000):
        laid = np.zeros(len(steps) + 1, LAID)
        laid[: m + 1] = lay_walk(
            problem, replace(walk, start=start, steps=steps[:m]), problem.span
        )[1]
        new = steps.copy()
        where = problem.ground, problem.adjacency, problem.span
        scope = Scope(*where, problem.pins, problem.cheap, stream.rng)
        count, at, _ = propose(scope, start, steps, m, laid, new)
        if count < 0:
            continue
        shown, short = play(problem, at, new[:count])
        if short:
            continue
        kept += 1
        assert [int(shown[n]) for n, _ in poses] == [a, b, c]
        assert first_missed(problem.ground, problem.span, problem.pins, at, new, count, 0, 0)[0] < 0
        used = lay_walk(problem, replace(walk, start=at, steps=new[:count]), problem.span)[2]
        repaired += not np.array_equal(new[:used], steps[:used])
        steps, m, start = new, used, at
    assert kept > 300
    assert repaired > 100


def play(problem, start, steps):
    """Frames that a walk shows, one after the other, by the rule of `lay`; and whether its last
    clip is too short.
    """
    last, least = problem.span.last_frame, problem.ground.min_piece
    shown, frame = [], start
    for step in steps:
        length = int(step["source"]) - frame
        if len(shown) + length + least > last:
            break
        assert find_edge(problem.adjacency, int(step["source"]), int(step["target"])) >= 0
        assert length >= least
        shown += range(frame, frame + length)
        frame = int(step["target"])
    rest = last - len(shown)
    return np.array([*shown, *range(frame, frame + rest)]), frame + rest > problem.ground.end[frame]


def test_fewest_frames_agree_with_a_search_of_all_states(walkers):
    from motionloom.graph.transitions.build import build_graph

    graph = build_graph(walkers)
    ground, adjacency = make_ground(graph), make_adjacency(graph)
    goal = int(np.flatnonzero(graph.core)[len(np.flatnonzero(graph.core)) // 2])
    wait, entered, _ = frames_to(ground, adjacency, np.array([goal]), 200)
    for f in np.flatnonzero(graph.core)[::37]:
        options = [goal - f] if ground.begin[f] == ground.begin[goal] and f <= goal else []
        options += [1 + wait[f + 1]] if f + 1 < ground.end[f] else []
        options += [
            entered[c]
            for c in adjacency.out_target[adjacency.out_ptr[f] : adjacency.out_ptr[f + 1]]
        ]
        assert wait[f] == min([*options, 1 << 30])


def test_a_pose_that_comes_too_soon_is_named_and_shown_as_soon_as_it_can_be(graph, ask):
    a = core_frames(graph, 1, 3)[0]
    problem = make_problem(graph, compile_objective(graph.clips, THERE, w_cost=0.01))
    waits = {
        f: frames_to(problem.ground, problem.adjacency, np.array([f]), 300)[0][a]
        for f in core_frames(graph, 12, 4)
    }
    late = max((f for f in waits if waits[f] < 300), key=waits.get)
    assert waits[late] > 3
    ask([(0, a), (2, late)])
    found = search_motion(graph, ConstraintSet(duration=12.0), QUICK)
    (miss,) = found.out_of_reach
    assert (miss.frame, miss.shows, miss.frames) == (2, late, waits[late] - 2)
    assert found.best.poses[0].frames == 0
    assert found.best.poses[1].frames != 0
    assert found.best.path.n_frames == 361


def test_a_leg_is_closed_where_half_walks_meet(graph):
    """What a leg returns is complete, scored in full and ends where it should."""
    problem = make_problem(graph, compile_objective(graph.clips, THERE, w_cost=0.01))
    search = LegSearch(problem, problem.legs[0], [], new_state(3, 1)[0].rng, 500)
    found = search.run()
    assert len(found) > 4
    scores = [walk.score for walk, _ in found]
    assert scores == sorted(scores)
    for walk, _ in found:
        score, _, used, short = lay_walk(problem, walk, problem.span)
        assert (used, short) == (len(walk.steps), 0)
        assert score == walk.score
    assert scores[0] < 1
