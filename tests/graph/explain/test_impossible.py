"""What cannot be met is told with the reason, and nothing that a walk does is ever called
impossible.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.clips.clip_set import make_clip_set
from motionloom.constraints import BodyConstraint, ConstraintSet, JointConstraint
from motionloom.graph.explain import find_impossible, joint_reach, travel_limits
from motionloom.graph.transitions.build import build_graph
from motionloom.motion import GroundTransform
from performed import performer_clips
from walkers import make_walker
from wander import wander


@pytest.fixture(scope="module")
def walks():
    """The performer walks straight ahead at four speeds; nobody turns."""
    return build_graph(make_clip_set([c.motion for c in performer_clips() if c.action == "walk"]))


def wish(*body, joints=(), duration=8.0):
    return ConstraintSet(
        duration=duration,
        body=[BodyConstraint(time=t, position=p, facing=f) for t, p, f in body],
        joints=[JointConstraint(time=t, joint=j, position=p) for t, j, p in joints],
    )


def reasons(graph, *body, joints=(), duration=8.0):
    return {
        (p.kind, p.index): p.text
        for p in find_impossible(graph, wish(*body, joints=joints, duration=duration))
    }


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(2, 240), st.integers(2, 6))
def test_what_a_walk_does_is_never_impossible(graph, seed, frames, stations):
    path = wander(graph, frames, seed)
    assert path.n_frames == frames
    rng = np.random.default_rng(seed)
    start = GroundTransform(*rng.uniform(-3, 3, 3))
    body, shown, laid = (
        path.body(graph.clips, start),
        path.frames(graph.clips),
        path.transforms(graph.clips, start),
    )
    piece = np.repeat(np.arange(len(path.pieces)), [p.n_frames for p in path.pieces])
    at = np.unique(rng.integers(0, frames, stations))
    bodies = [(f / 30, tuple(body[f, :2]), np.degrees(body[f, 2]) % 360) for f in map(int, at)]
    joints = []
    for f in map(int, np.unique(rng.integers(0, frames, 3))):
        name = str(rng.choice(["right_hand", "left_hand", "head", "left_foot", "right_knee"]))
        place = laid[piece[f]].apply(
            graph.clips.positions[shown[f], graph.clips.roles.joints[name]]
        )
        joints.append((f / 30, name, tuple(place)))
    duration = (frames - 1) / 30
    assert reasons(graph, *bodies, joints=joints, duration=duration) == {}


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 200))
def test_no_walk_passes_its_limits_and_fast_ones_come_near(graph, seed, frames):
    distance, left, right = travel_limits(graph)
    body = wander(graph, frames, seed).body(graph.clips)
    change = body[-1] - body[0]
    assert np.hypot(change[0], change[1]) <= np.polyval(distance, frames - 1) + 1e-9
    assert -np.polyval(right, frames - 1) - 1e-9 <= change[2] <= np.polyval(left, frames - 1) + 1e-9


def test_limits_of_clips_whose_speed_and_turn_are_known():
    graph = build_graph(
        make_clip_set([make_walker(200, speed=1.2, bend=0.5, phase=p) for p in (0.0, 1.0, 2.0)])
    )
    distance, left, right = travel_limits(graph)
    assert np.polyval(left, 30) == pytest.approx(0.5, abs=1e-6)
    assert np.polyval(right, 30) == pytest.approx(0.0, abs=1e-6)
    # An arc is longer than its chord; over five frames hardly.
    assert np.polyval(distance, 30) == pytest.approx(1.2, abs=2e-3)


def test_too_far_in_the_time(graph):
    found = reasons(graph, (0, (0, 0), 0), (2, (0, 20), 0), (8, (0, 22), None))
    assert set(found) == {("body", 1)}
    assert "20.00 m from body at 0 s, 2.00 s earlier (10.0 m/s)" in found["body", 1]
    assert "the clips get at most 6." in found["body", 1]


def test_just_possible_and_just_not(graph):
    most = np.polyval(travel_limits(graph)[0], 60)
    bent = 0.25 * 2  # what the path may be stretched by
    assert reasons(graph, (0, (0, 0), 0), (2, (0, most + bent), 0)) == {}
    assert ("body", 1) in reasons(graph, (0, (0, 0), 0), (2, (0, most + bent + 0.1), 0))


def test_turning_too_fast(graph):
    found = reasons(graph, (0, (0, 0), 0), (0.5, (0, 0.1), 180))
    assert "it faces 180 degrees away from how body at 0 s does, 0.50 s earlier" in found["body", 1]
    assert reasons(graph, (0, (0, 0), 0), (0.5, (0, 0.1), 720)) == {}  # a whole turn is no turn
    assert reasons(graph, (0, (0, 0), 0), (6, (0, 0.1), 180)) == {}


def test_nobody_turns(walks):
    found = reasons(walks, (0, (0, 0), 0), (2, (0, 1), 90))
    assert "90 degrees away" in found["body", 1]
    assert reasons(walks, (0, (0, 0), 0), (2, (0, 1), 2)) == {}


@pytest.mark.parametrize(
    ("joint", "height", "says"),
    [
        ("right_hand", 4.0, "no higher than"),
        ("right_hand", -1.0, "no lower than"),
        ("head", 2.4, "no higher than"),
    ],
)
def test_a_height_that_no_body_reaches(graph, joint, height, says):
    found = reasons(graph, (0, (0, 0), 0), joints=[(4, joint, (0.1, height, 0.3))])
    assert f"a height of {height:.2f} m is asked for" in found["joint", 0]
    assert says in found["joint", 0]


def test_a_joint_too_far_from_the_body(graph):
    at_once = reasons(
        graph, (0, (0, 0), 0), (4, (0, 4), 0), joints=[(4, "right_hand", (0, 1.2, 8))]
    )
    assert "4.00 m from body at 4 s" in at_once["joint", 0]
    later = reasons(graph, (4, (0, 4), 0), joints=[(6, "right_hand", (0, 1.2, 40))])
    assert "36.00 m from body at 4 s, 2.00 s earlier" in later["joint", 0]
    assert (
        reasons(graph, (0, (0, 0), 0), (4, (0, 4), 0), joints=[(4, "right_hand", (0.2, 1.2, 4.5))])
        == {}
    )


def test_without_a_body_constraint_the_start_counts(graph):
    found = reasons(graph, joints=[(1, "right_hand", (0, 1.2, 30))])
    assert "30.00 m from the start, 1.00 s earlier" in found["joint", 0]


def test_two_hands_farther_apart_than_arms_are_long(graph):
    found = reasons(graph, joints=[(4, "right_hand", (0, 1.2, 2)), (4, "left_hand", (0, 1.2, 7))])
    assert "it is 5.00 m from" in next(iter(found.values()))


def test_all_reasons_of_one_constraint_are_told(graph):
    found = reasons(graph, (0, (0, 0), 0), (0.5, (0, 30), 180))
    assert "30.00 m from" in found["body", 1]
    assert "180 degrees away" in found["body", 1]


def test_a_joint_reaches_what_it_was_captured_at(graph):
    for name, joint in graph.clips.roles.joints.items():
        reach = joint_reach(graph, joint)
        assert reach.low < reach.captured[0] <= reach.captured[1] < reach.high, name
