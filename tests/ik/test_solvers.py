"""What every pose solver must keep to, and what the default does beyond it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.ik import natural
from motionloom.ik.natural import centre_of
from motionloom.ik.prior import make_prior
from motionloom.ik.problem import IkOptions, Target, make_problem
from motionloom.ik.rig import make_rig
from motionloom.ik.solve import PoseSolver, solver_names
from motionloom.jacobian_kernels import make_stance, run
from motionloom.spaces import fit_pose_space
from motionloom_evaluation.pose_solvers import iterate
from performed import performer_clips

CLIPS = [clip.motion for clip in performer_clips()]


@pytest.fixture(scope="module", params=["euler", "exponential"])
def space(request):
    return fit_pose_space(CLIPS, kind=request.param)


def places(space, pose, roles):
    """Targets where joints are in a pose."""
    rig = make_rig(space.coordinates)
    stance = make_stance(rig)
    run(rig, pose, stance)
    return [
        Target(space.roles.joints[r], "position", stance.place[space.roles.joints[r]].copy())
        for r in roles
    ]


@pytest.fixture(autouse=True)
def small_grid(monkeypatch):
    """A lookup grid of some hundreds of poses rather than tens of thousands."""
    monkeypatch.setattr("motionloom_evaluation.pose_solvers.lookup.GRID", (5, 3, 3, 3, 2, 2, 2))


@pytest.mark.parametrize("method", solver_names())
def test_every_solver_keeps_the_limits_and_says_what_it_did(space, method):
    solver = PoseSolver(space, method, IkOptions(iterations=100))
    targets = places(space, space.poses[900], ["right_hand"])
    result = solver.solve(targets)
    assert space.excess(result.pose).max() <= 1e-12
    assert result.iterations <= 100
    assert result.stopped in ("reached", "iterations", "stalled")
    assert result.reached == (result.errors.max() <= 0.001)
    assert result.errors.max() < 0.01, method
    far = solver.solve([replace(targets[0], value=np.array([5.0, 5.0, 5.0]))])
    assert not far.reached
    assert space.excess(far.pose).max() <= 1e-12


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 4000))
def test_the_default_reaches_what_captured_poses_reach(space, frame):
    pose = np.clip(space.poses[frame % len(space.poses)], space.lower, space.upper)
    targets = places(space, pose, ["right_hand", "left_hand", "right_foot", "left_foot"])
    assert PoseSolver(space).solve(targets).errors.max() < 0.005


def test_the_default_is_the_likeliest_pose_among_those_that_reach(space):
    """Along no direction that keeps the targets and the limits does the distance to the centre
    fall, where the start is so far from the targets that it is not followed.
    """
    reaches = [places(space, pose, ["right_hand"]) for pose in space.poses[100::150]]
    starts = [make_problem(space, targets) for targets in reaches]
    missed = [problem.errors(problem.start)[0] for problem in starts]
    targets, problem = reaches[np.argmax(missed)], starts[np.argmax(missed)]
    assert max(missed) > 0.2
    prior = make_prior(space)
    gaussian = prior.near(problem.aims, np.zeros(len(problem.start), bool))
    centre = centre_of(problem, gaussian, prior.oddness(problem.start))
    pose = PoseSolver(space).solve(targets).pose
    slope = 2 * np.linalg.solve(gaussian.spread, pose - centre)
    free = (pose > space.lower + 1e-6) & (pose < space.upper - 1e-6)
    jacobian = problem.evaluate(pose)[1][:, free]
    inside = slope[free] - jacobian.T @ np.linalg.lstsq(jacobian.T, slope[free], rcond=None)[0]
    assert np.linalg.norm(inside) < 0.05 * np.linalg.norm(slope)


def test_a_start_that_meets_the_targets_is_the_answer(space):
    start = np.clip(space.poses[500], space.lower, space.upper)
    targets = places(space, start, ["left_foot", "right_hand"])
    np.testing.assert_allclose(PoseSolver(space).solve(targets, start).pose, start, atol=1e-6)


@pytest.mark.parametrize("away", [0.0, 1.5])
@pytest.mark.parametrize("way", [(0.0, 1.0, 0.0), (-0.6, 0.0, 0.8), (0.7, 0.7, 0.1)])
def test_a_dragged_hand_takes_the_pose_along_without_leaps(space, way, away):
    """Within reach, and out of it; between the two a straight arm turns fast by its geometry."""
    pose = np.clip(space.poses[500], space.lower, space.upper)
    turn = space.coordinates.coordinates.local_pose
    target = places(space, pose, ["right_hand"])[0]
    solver = PoseSolver(space)

    def drag(far, pose):
        value = target.value + far * np.array(way)
        return solver.solve([replace(target, value=value)], pose)

    last = drag(away, pose)
    assert last.reached == (away == 0.0)
    for n in range(1, 51):
        found = drag(away + 0.01 * n, last.pose)
        turned = [turn(space.coordinates.to_values(r.pose))[0] for r in (last, found)]
        assert np.degrees(rot.angle_between(*turned).max()) < 10
        # A target out of reach is missed by at most the centimetre more that it went away.
        assert found.errors[0] < last.errors[0] + 0.0105
        last = found


def test_what_is_out_of_reach_is_missed_by_as_little_as_can_be(space):
    """Small steps in any direction within the limits bring the hand no nearer."""
    target = places(space, space.poses[900], ["right_hand"])[0]
    far = [replace(target, value=target.value + np.array([0.8, 0.5, 1.0]))]
    found = PoseSolver(space).solve(far)
    problem = make_problem(space, far, found.pose)
    residual, jacobian = problem.evaluate(found.pose)
    gain = jacobian.T @ residual / found.errors[0]  # metres a radian
    at_limit = np.where(gain > 0, problem.body.upper - found.pose, found.pose - problem.body.lower)
    assert not found.reached
    assert np.abs(gain[at_limit > 1e-3]).max(initial=0.0) < 0.01


def test_orientations_and_gazes_are_met(space):
    head, hand = space.roles.joints["head"], space.roles.joints["right_hand"]
    rig = make_rig(space.coordinates)
    stance = make_stance(rig)
    run(rig, space.poses[700], stance)
    targets = [
        Target(hand, "position", stance.place[hand].copy()),
        Target(hand, "orientation", rot.from_matrix(stance.turn[hand])),
        Target(
            head,
            "gaze",
            stance.place[head] + 2.0 * stance.turn[head] @ [0.0, 0.1, 1.0],
            (0.0, 0.0, 1.0),
        ),
    ]
    result = PoseSolver(space).solve(targets)
    assert result.errors[0] < 0.002
    assert result.errors[1:].max() < np.radians(1.0)


def test_weights_decide_where_not_all_can_be_met(space):
    hand, other = (space.roles.joints[r] for r in ("right_hand", "right_elbow"))
    for weights in ((100.0, 1.0), (1.0, 100.0)):
        targets = [
            Target(hand, "position", (0.0, 0.5, 3.0), weight=weights[0]),
            Target(other, "position", (0.0, 0.5, -3.0), weight=weights[1]),
        ]
        pose = PoseSolver(space, "jacobian").solve(targets).pose
        problem = make_problem(space, targets)
        errors = problem.errors(pose)
        assert (errors[0] < errors[1]) == (weights[0] > weights[1])


def test_wrong_targets_are_named(space):
    hand = space.roles.joints["right_hand"]
    with pytest.raises(InvalidInputError, match="kind must be one of"):
        Target(hand, "speed", (0, 0, 0))
    with pytest.raises(InvalidInputError, match="cannot have the value"):
        Target(hand, "position", (0, 0))
    with pytest.raises(InvalidInputError, match="at least one target"):
        PoseSolver(space).solve([])
    with pytest.raises(InvalidInputError, match="not 999"):
        PoseSolver(space).solve([Target(999, "position", (0, 0, 0))])
    with pytest.raises(InvalidInputError, match="method must be one of"):
        PoseSolver(space, "magic")
    with pytest.raises(InvalidInputError, match="no table"):
        PoseSolver(space, "lookup-ccd").solve([Target(hand, "orientation", (1, 0, 0, 0))])


@pytest.mark.parametrize("method", ["natural", "jacobian"])
def test_what_leads_nowhere_is_begun_again_from_captured_poses(space, method, monkeypatch):
    """Out of reach no beginning helps: all are tried, and the nearest miss is kept."""
    target = [
        replace(places(space, space.poses[900], ["right_hand"])[0], value=np.array([5.0, 5.0, 5.0]))
    ]
    begun = []
    module = {"natural": natural, "jacobian": iterate}[method]
    restart_poses = module.restart_poses
    monkeypatch.setattr(
        module, "restart_poses", lambda *given: begun.append(restart_poses(*given)) or begun[-1]
    )
    found = [
        PoseSolver(space, method, IkOptions(iterations=2000, restarts=n)).solve(target)
        for n in (0, 1, 3)
    ]
    assert [len(poses) for poses in begun] == [1, 3]
    missed = [result.errors[0] for result in found]
    assert missed == sorted(missed, reverse=True)
