"""Targets of several priorities: the first is served as if the others were not there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.analysis.naturalness import fit_naturalness
from motionloom.constraints import ConstraintSet
from motionloom.ik.placing import Placing, root_placing
from motionloom.ik.pose import find_pose
from motionloom.ik.problem import Target, make_problem
from motionloom.ik.rig import make_rig
from motionloom.ik.solve import PoseSolver
from motionloom.ik.standing import plan_footwork
from motionloom.ik.start import standing_start
from motionloom.ik.targets import make_targets
from motionloom.jacobian_kernels import make_stance, run
from motionloom.spaces import fit_pose_space
from performed import performer_clips

CLIPS = [clip.motion for clip in performer_clips()]


@pytest.fixture(scope="module", params=["euler", "exponential"])
def space(request):
    return fit_pose_space(CLIPS, kind=request.param)


def hands(space, frame):
    """The right hand where it is in a pose; the left one out of reach, less important."""
    rig = make_rig(space.coordinates)
    stance = make_stance(rig)
    run(rig, np.clip(space.poses[frame], space.lower, space.upper), stance)
    right, left = (space.roles.joints[f"{side}_hand"] for side in ("right", "left"))
    return [
        Target(right, "position", stance.place[right].copy()),
        Target(left, "position", stance.place[left] + [1.0, 0.8, 0.9], priority=2),
    ]


@pytest.mark.parametrize("method", ["natural", "jacobian", "single"])
def test_an_unreachable_lower_priority_moves_no_upper_target(space, method):
    solver = PoseSolver(space, method)
    for frame in range(100, 1000, 300):
        targets = hands(space, frame)
        alone = solver.solve(targets[:1])
        both = solver.solve(targets)
        assert both.errors[0] <= alone.errors[0] + 1e-3
        assert both.iterations - alone.iterations < 125  # and nothing was begun again
        assert [o.reason == "met" for o in both.layers] == [alone.reached, False]
        assert not both.reached
        assert both.stopped == "stalled"
        assert space.excess(both.pose).max() <= 1e-12
        kept = make_problem(space, targets).errors(alone.pose)[1]
        assert both.errors[1] < kept - 0.05  # it comes nearer, as far as it can


def test_what_all_can_have_they_get(space):
    targets = hands(space, 400)
    rig = make_rig(space.coordinates)
    stance = make_stance(rig)
    run(rig, np.clip(space.poses[400], space.lower, space.upper), stance)
    near = replace(targets[1], value=stance.place[targets[1].joint].copy())
    found = PoseSolver(space).solve([targets[0], near])
    assert found.reached
    assert found.stopped == "reached"
    assert [o.reason for o in found.layers] == ["met", "met"]


def test_one_priority_is_solved_as_ever_whatever_its_number(space):
    targets = [replace(t, priority=1) for t in hands(space, 400)]
    one = PoseSolver(space).solve(targets)
    other = PoseSolver(space).solve([replace(t, priority=7) for t in targets])
    np.testing.assert_array_equal(one.pose, other.pose)
    assert one.layers == other.layers == ()


@pytest.fixture(scope="module")
def free(space):
    return PoseSolver(space, free=True)


def standing(space):
    row = space.footing.standing
    return np.concatenate([space.poses[row], space.footing.root[row]])


def feet_and_hands(space, solver, away):
    """Planted feet, their soles and the centre of mass; the right hand a little away from where it
    is and the left one, less important, by `away`.
    """
    begin = solver.body.clamp(standing(space))
    placing = root_placing(
        space, begin[space.coordinates.size :], Placing(np.zeros(3), rot.identity())
    )
    stance = make_stance(solver.body.rig)
    run(solver.body.rig, begin, stance)
    right, left = (space.roles.joints[f"{side}_hand"] for side in ("right", "left"))
    hands = [
        Target(right, "position", stance.place[right] + [-0.1, 0.2, 0.2]),
        Target(left, "position", stance.place[left] + away, priority=2),
    ]
    work = plan_footwork(space, begin[: space.coordinates.size], placing, hands)
    assert work.planted
    return begin, [*hands, *work.planted, *work.wishes]


@pytest.mark.parametrize(
    ("away", "why"),
    [
        ([2.0, 0.8, 1.0], "out of reach"),
        ([0.3, -2.0, 0.8], "out of reach"),
        ([0.0, 0.0, -1.5], "conflicts with layer 1"),
    ],
)
def test_a_lower_hand_moves_neither_feet_nor_the_upper_hand_nor_anything_into_the_floor(
    space, free, away, why
):
    begin, targets = feet_and_hands(space, free, away)
    alone = free.solve([targets[0], *targets[2:]], begin)
    both = free.solve(targets, begin)
    musts = [k for k, t in enumerate(targets) if not t.wish and k != 1]
    before = np.insert(alone.errors, 1, 0.0)
    assert (both.errors[musts] <= before[musts] + 1e-3).all()
    problem = make_problem(free.body, targets, begin)
    assert problem.errors(both.pose)[1] < problem.errors(alone.pose)[1] - 0.02
    assert problem.heights(both.pose, 10.0)[0].min() >= -1e-3
    np.testing.assert_array_equal(free.body.clamp(both.pose), both.pose)
    assert both.layers[0].met
    assert both.layers[1].reason == why


def test_numbers_that_are_fixed_stay_in_all_layers(space, free):
    begin, targets = feet_and_hands(space, free, [1.0, 0.8, 1.0])
    fixed = np.zeros(len(begin), bool)
    fixed[[-6, -4, 0]] = True
    found = free.solve(targets, begin, fixed=fixed)
    np.testing.assert_array_equal(found.pose[fixed], begin[fixed])


def test_feet_alone_are_no_second_priority(space, free):
    begin, targets = feet_and_hands(space, free, [0.1, 0.1, 0.1])
    one = [replace(t, priority=min(t.priority, 1)) for t in targets]
    same = [replace(t, priority=1) for t in targets]
    np.testing.assert_array_equal(free.solve(one, begin).pose, free.solve(same, begin).pose)
    assert free.solve(one, begin).layers == ()


def test_a_constraint_file_says_priorities_and_the_report_how_they_came_out(space):
    start = standing_start(space, CLIPS)
    wish = ConstraintSet.model_validate(
        {
            "duration": 1.0,
            "joints": [
                {"time": 0, "joint": "right_hand", "position": [-0.2, 1.2, 0.3]},
                {
                    "time": 0,
                    "joint": "left_hand",
                    "position": [1, 2.5, 2],
                    "priority": 3,
                    "weight": 2,
                },
            ],
        }
    )
    targets = make_targets(space, wish, start.placing)
    assert [(t.priority, t.weight) for t in targets] == [(1, 1.0), (3, 2.0)]
    judge = fit_naturalness(space, mixtures=False)
    answer = find_pose(space, wish, start, naturalness=judge)
    assert [o.layer for o in answer.report.layers] == [1, 3]
    assert "  priority 1: met\n  priority 3: out of reach\n" in answer.report.to_text()
    assert answer.report.problems[0].endswith(": out of reach")
    assert '"reason": "out of reach"' in answer.report.to_json()
