"""What is asked all along, poses, obstacles: what a motion does not keep to is named with the
reason.
"""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.measures import Adherence, ConstraintError
from motionloom.graph.explain import explain_missed, find_impossible
from motionloom.graph.searching.results import PoseError
from motionloom.synthesis.report import find_missed

POSE = {"time": 2.0, "clip": "walk_1.1", "frame": 40}


def wish(**fields):
    return ConstraintSet.model_validate({"duration": 8.0, **fields})


def problems(graph, constraints, errors=(), kept=(), out_of_reach=()):
    def explain(constraints, errors, kept):
        return explain_missed(graph, constraints, errors, kept, lambda: out_of_reach)

    return tuple(one.text for one in find_missed(constraints, errors, kept, explain))


def told(graph, kept, out_of_reach=(), **fields):
    return problems(graph, wish(**fields), kept=[kept], out_of_reach=out_of_reach)


def test_obstacles_over_what_is_asked_for(graph):
    body = [{"time": 0, "position": [0, 0]}, {"time": 4, "position": [1, 3]}]
    covering = {"shape": "cylinder", "center": [1, 3.2], "radius": 0.5}
    (problem,) = find_impossible(
        graph, wish(body=body, avoid=[{**covering, "center": [5, 5]}, covering])
    )
    assert (problem.kind, problem.index, problem.text) == ("avoid", 1, "it covers body at 4 s")
    # One that a body can step over or pass under covers no place on the ground.
    for low in ({"top": 0.3}, {"bottom": 2.2}):
        assert find_impossible(graph, wish(body=body, avoid=[{**covering, **low}])) == ()
    joints = [{"time": 4, "joint": "right_hand", "position": [1, 0.9, 3.3]}]
    (problem,) = find_impossible(graph, wish(joints=joints, avoid=[covering]))
    assert problem.text == "it covers right_hand at 4 s"
    (text,) = told(
        graph,
        Adherence("avoid", 0, "avoid cylinder at 1 3.2", 0.4, 1.5),
        body=body,
        avoid=[covering],
    )
    assert (
        text
        == "avoid cylinder at 1 3.2 is entered for 1.5 s, up to 40 cm deep: it cannot be met, it"
        " covers body at 4 s"
    )
    assert told(graph, Adherence("avoid", 0, "avoid", 0.04, 0.1), avoid=[covering]) == ()


def test_paths_too_fast_for_anybody(graph):
    path = {"points": [[0, 0], [0, 30]], "from": 0.0, "to": 5.0}
    (text,) = told(graph, Adherence("path", 0, "path of 2 points", 4.2, 9.0), paths=[path])
    assert text.startswith(
        "path of 2 points is missed by 4.20 m on average: it asks for 30.00 m in 5.00 s"
    )
    assert "nobody moves faster than 2.9" in text
    slow = {"points": [[0, 0], [0, 5]], "from": 0.0, "to": 5.0}
    (text,) = told(graph, Adherence("path", 0, "path of 2 points", 0.5, 1.0), paths=[slow])
    assert "the search found nothing nearer" in text
    assert told(graph, Adherence("path", 0, "path of 2 points", 0.09, 0.24), paths=[path]) == ()
    (text,) = told(graph, Adherence("path", 0, "path of 2 points", 0.09, 0.26), paths=[slow])
    assert text.startswith("path of 2 points is missed by 0.26 m at most")


def test_styles_that_are_mostly_lacking(graph):
    labels = {"slow": graph.clips.clip_of == 0, "lost": ~graph.core}
    labelled = replace(graph, clips=replace(graph.clips, labels=labels))
    into = int(np.sum(labels["slow"][graph.edges.target] & ~labels["slow"][graph.edges.source]))
    seconds = np.sum(graph.core & labels["slow"]) / 30
    why = {
        "slow": (
            f"{seconds:.1f} s of the connected frames have the label 'slow', and {into} of "
            f"{len(graph.edges.source)} transitions lead there from frames without it"
        ),
        "lost": "it cannot be met, no connected frame has the label 'lost'",
    }
    for label, reason in why.items():
        style = [{"from": 1.0, "to": 5.0, "label": label}]
        (text,) = told(labelled, Adherence("style", 0, f"style {label}", 0.25), style=style)
        assert text == f"style {label} is shown for 25 % of that time only: {reason}"
        assert told(labelled, Adherence("style", 0, "style", 0.8), style=style) == ()


@pytest.mark.parametrize(
    ("late", "earliest", "says"),
    [
        (
            None,
            None,
            "is never shown: it cannot be met, no way leads there: that frame is not connected",
        ),
        (
            12.0,
            72,
            (
                "is shown 12 frames too late: it cannot be met, the clips get there at 2.40 s at"
                " the earliest"
            ),
        ),
    ],
)
def test_poses_that_cannot_be_shown_in_time(graph, late, earliest, says):
    outside = int(np.flatnonzero(~graph.core)[0])
    reach = [PoseError(60, outside, None if earliest is None else earliest - 60)]
    (text,) = told(graph, Adherence("pose", 0, "pose", late), reach, poses=[POSE])
    assert says in text


def test_a_pose_that_is_only_not_found(graph):
    (text,) = told(graph, Adherence("pose", 0, "pose", -2.0), poses=[POSE])
    assert text.startswith("pose is shown 2 frames too early: the search found nothing nearer")
    assert told(graph, Adherence("pose", 0, "pose", 0.0), poses=[POSE]) == ()
    lost = {**POSE, "clip": "reach_right_low", "frame": 2}
    (text,) = told(graph, Adherence("pose", 0, "pose", None), poses=[lost])
    assert "is never shown: that frame is not connected to the other clips (from 0.17" in text


def test_a_joint_faster_than_anybody(graph):
    joints = [
        {"time": 2, "joint": "right_hand", "velocity": [0.0, 0.0, speed]} for speed in (40.0,)
    ]
    error = ConstraintError("joint", 0, 60, 0.0, velocity=33.0)
    (text,) = problems(graph, wish(joints=joints), [error])
    assert text.startswith(
        "right_hand at 2 s is missed by 33.0 m/s: it asks for 40.0 m/s and nobody moves the joint"
    )
    assert problems(graph, wish(joints=joints), [replace(error, velocity=0.4)]) == ()


def test_costs_of_the_user_are_no_problem(graph):
    avoid = [{"shape": "cylinder", "center": [5, 5], "radius": 0.5}]
    kept = [Adherence("avoid", 0, "avoid", 0.0), Adherence("cost", 0, "cost hands_low", 99.0)]
    assert problems(graph, wish(avoid=avoid), kept=kept) == ()
