"""Misses of a finished motion are named with the likeliest reason."""

import pytest

from motionloom.clips.clip_set import make_clip_set
from motionloom.constraints import BodyConstraint, ConstraintSet, JointConstraint
from motionloom.constraints.kinds.measures import ConstraintError
from motionloom.graph.explain import explain_missed
from motionloom.graph.transitions.build import build_graph
from motionloom.synthesis.report import find_missed
from walkers import make_walker


@pytest.fixture(scope="module")
def walks():
    """Nobody stands: 0.8 to 1.6 m/s, and swerving by up to 29 degrees a second."""
    clips = [
        make_walker(160, speed=1.2, vary=0.4, phase=0.9 * i, name=f"walk_{i}") for i in range(6)
    ]
    return build_graph(make_clip_set(clips))


def problems(graph, *body, missed=0.5, off=None, joints=(), kind="body", index=1):
    wish = ConstraintSet(
        duration=8.0,
        body=[BodyConstraint(time=t, position=p, facing=f) for t, p, f in body],
        joints=[JointConstraint(time=t, joint=j, position=p) for t, j, p in joints],
    )

    def explain(constraints, errors, kept):
        return explain_missed(graph, constraints, errors, kept, tuple)

    errors = [ConstraintError(kind, index, 60, missed, off)]
    return tuple(one.text for one in find_missed(wish, errors, (), explain))


def test_what_is_met_is_no_problem(walks):
    assert problems(walks, (0, (0, 0), 0), (2, (0, 2), 0), missed=0.04, off=2.5) == ()
    assert len(problems(walks, (0, (0, 0), 0), (2, (0, 2), 0), missed=0.06, off=0.0)) == 1
    assert len(problems(walks, (0, (0, 0), 0), (2, (0, 2), 0), missed=0.0, off=4.0)) == 1


def test_the_error_is_told_with_its_unit(walks):
    (text,) = problems(walks, (0, (0, 0), 0), (2, (0, 2), 0), missed=0.42, off=12.2)
    assert text.startswith("body at 2 s is missed by 42 cm and 12 degrees: ")
    (text,) = problems(walks, (0, (0, 0), 0), (2, (0, 2), 0), missed=12.345, off=1.0)
    assert text.startswith("body at 2 s is missed by 12.35 m: ")


def test_the_impossible_comes_before_the_likely(walks):
    (text,) = problems(walks, (0, (0, 0), 0), (2, (0, 20), 0))
    assert "it cannot be met, it is 20.00 m from body at 0 s" in text


@pytest.mark.parametrize(
    ("place", "facing", "says"),
    [
        ((0, 0.2), 0, "nobody moves slower than 0.8"),
        ((0, 3.1), 0, "nobody moves faster than 1.59"),
        ((0, -2), None, "it asks to turn by 180 degrees in 2.00 s on the way there"),
        ((0, 2), 0, "the search found nothing nearer"),
    ],
)
def test_the_likeliest_reason(walks, place, facing, says):
    (text,) = problems(walks, (0, (0, 0), 0), (2, place, facing))
    assert says in text


def test_a_gap_between_gaits_is_told():
    slow = [make_walker(150, speed=0.8, phase=i, name=f"slow_{i}") for i in range(3)]
    fast = [make_walker(150, speed=1.6, phase=i, name=f"fast_{i}") for i in range(3)]
    graph = build_graph(make_clip_set([*slow, *fast]))
    assert len(graph.report.dropped_clips) == 0
    (text,) = problems(graph, (0, (0, 0), 0), (2, (0, 2.4), 0))
    assert "nobody moves at between 0.80 and 1.60 m/s" in text


def test_a_joint_far_from_the_body_or_at_an_odd_height(graph):
    near = [(0, (0, 0), 0), (4, (0, 4), 0)]
    aim = {"kind": "joint", "index": 0}
    (text,) = problems(graph, *near, joints=[(4.2, "right_hand", (0, 1.2, 6.0))], **aim)
    assert "right_hand at 4.2 s is missed by 50 cm: body at 4 s is 2.00 m away from it" in text
    (text,) = problems(graph, *near, joints=[(4.2, "right_hand", (0.1, 2.1, 4.3))], **aim)
    assert "nobody has the joint at a height of 2.10 m" in text
    (text,) = problems(graph, *near, joints=[(4.2, "right_hand", (0.1, 1.2, 4.3))], **aim)
    assert "the search found nothing nearer" in text
