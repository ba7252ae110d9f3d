"""Strict layers: what a step leaves alone, limits inside the projection, and what whole solutions
keep to.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from motionloom import rotations as rot
from motionloom.coordinates import ExponentialCoordinates
from motionloom.errors import InvalidInputError
from motionloom.euler_coordinates import EulerCoordinates
from motionloom.ik.layer_steps import LayeredProblem
from motionloom.ik.prioritized import LayerOptions, solve_layers
from motionloom.ik.tasks import Body, Task
from motionloom.kinematics import forward_kinematics
from motionloom.skeleton import Skeleton
from motionloom.spaces.linear_map import LinearMap
from motionloom_evaluation.pose_solvers.layer_trials import (
    draw_trial,
    follow_layers,
    follow_unprojected,
    follow_weighted,
)
from motionloom_evaluation.pose_solvers.one_step import project_step
from performed import performer_clips

WALK = next(clip.motion for clip in performer_clips())
LAYERS = np.repeat([1, 2, 3], 3)


@pytest.fixture(scope="module", params=["euler", "exponential"])
def body(request):
    make = EulerCoordinates.generic if request.param == "euler" else ExponentialCoordinates
    masses = np.random.default_rng(0).random(WALK.skeleton.n_joints)
    return Body(make(WALK.skeleton), masses)


def drawn(seed=0, rows=9, size=40):
    """Residuals, and a Jacobian of full rank."""
    rng = np.random.default_rng(seed)
    return 0.05 * rng.normal(size=rows), rng.normal(size=(rows, size)), rng


# --- one step ---


def test_each_layer_gets_all_it_wants_where_there_is_room():
    residual, jacobian, _ = drawn()
    step = project_step(residual, jacobian, LAYERS)
    np.testing.assert_allclose(jacobian @ step, residual, atol=1e-12)


@pytest.mark.parametrize("limited", [False, True])
@pytest.mark.parametrize("mapped", [False, True])
def test_lower_layers_change_nothing_of_upper_ones(limited, mapped):
    moved = 0
    for seed in range(20):
        residual, jacobian, rng = drawn(seed, size=16)
        room = {}
        if mapped:
            room["matrix"] = rng.normal(size=(20, 16))
        if limited:
            width = np.abs(rng.normal(size=20 if mapped else 16)) * (0.1 if mapped else 0.03)
            room |= {"low": -width, "high": width}
        both = project_step(residual, jacobian, LAYERS, **room)
        above = project_step(residual[:6], jacobian[:6], LAYERS[:6], **room)
        first = project_step(residual[:3], jacobian[:3], LAYERS[:3], **room)
        np.testing.assert_allclose(jacobian[:6] @ both, jacobian[:6] @ above, atol=1e-9)
        np.testing.assert_allclose(jacobian[:3] @ both, jacobian[:3] @ first, atol=1e-9)
        moved += np.abs(jacobian[6:] @ (both - above)).max() > 1e-3
    assert moved > 10


def test_rows_may_come_in_any_order():
    residual, jacobian, rng = drawn(size=5)
    mixed = rng.permutation(9)
    one = project_step(residual, jacobian, LAYERS)
    other = project_step(residual[mixed], jacobian[mixed], LAYERS[mixed])
    np.testing.assert_allclose(one, other, atol=1e-9)


def test_clamping_afterwards_breaks_upper_layers_and_holding_limits_inside_does_not():
    kept = broken = 0
    for seed in range(20):
        residual, jacobian, _ = drawn(seed)
        free = project_step(residual, jacobian, LAYERS)
        most = 0.6 * np.abs(free).max()
        inside = project_step(residual, jacobian, LAYERS, low=[-most] * 40, high=[most] * 40)
        clamped = np.clip(free, -most, most)
        assert np.abs(inside).max() <= most + 1e-12
        kept += np.abs(jacobian[:3] @ inside - residual[:3]).max() < 1e-10
        broken += np.abs(jacobian[:3] @ clamped - residual[:3]).max() > 1e-4
    assert (kept, broken) == (20, 20)


def test_one_layer_at_its_limits_is_near_bounded_least_squares():
    for seed in range(20):
        residual, jacobian, _ = drawn(seed, rows=6, size=12)
        width = np.full(12, 0.012)
        step = project_step(residual, jacobian, np.ones(6, int), low=-width, high=width)
        best = lsq_linear(jacobian, residual, (-width, width)).x
        left, least = (np.linalg.norm(jacobian @ x - residual) for x in (step, best))
        assert left <= least + 0.06 * np.linalg.norm(residual)


def test_poorly_conditioned_layers_are_damped_and_others_are_not():
    jacobian = np.array([[1.0, 0.0, 0.0], [1.0, 1e-3, 0.0]])
    step = project_step([0.0, 0.01], jacobian, [1, 1])
    assert np.abs(step).max() < 0.1  # without damping 10
    step = project_step([0.01, 0.02], [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]], [1, 1])
    np.testing.assert_allclose(step, [0.01, 0.01, 0.0], atol=1e-12)


def test_what_upper_layers_forbid_is_not_moved_at_all():
    jacobian = np.array([[1.0, 0.0], [1.0, 1e-9]])
    step = project_step([0.1, 0.5], jacobian, [1, 2])
    np.testing.assert_allclose(step, [0.1, 0.0], atol=1e-6)


def test_steps_are_bounded_and_what_is_preferred_uses_only_what_is_left():
    residual, jacobian, rng = drawn(size=12)
    prefer = rng.normal(size=12)
    step = project_step(residual, jacobian, LAYERS, prefer=prefer)
    np.testing.assert_allclose(jacobian @ step, residual, atol=1e-10)
    free = np.linalg.svd(jacobian)[2][9:]
    np.testing.assert_allclose(free @ step, free @ prefer, atol=1e-10)
    short = project_step(100.0 * residual, jacobian, LAYERS, prefer=prefer, longest=0.2)
    assert np.abs(short).max() <= 0.2 + 1e-12


def test_what_layers_move_at_their_limits_is_no_preference():
    """They are given no other, or the very step that they take: nothing is added to it."""
    residual, jacobian, _ = drawn(size=16)
    width = np.full(16, 0.008)
    room = {"low": -width, "high": width}
    step = project_step(residual, jacobian, LAYERS, **room)
    assert (np.abs(step) >= 0.008 - 1e-12).sum() > 2
    again = project_step(residual, jacobian, LAYERS, **room, prefer=step)
    np.testing.assert_allclose(again, step, atol=1e-12)
    # What is moved for one layer, its limits held, is a sum of its rows and those of the limits.
    room = {"low": 0.003 * -np.ones(16), "high": 0.003 * np.ones(16)}
    one = project_step(residual[:3], jacobian[:3], LAYERS[:3], **room)
    held = np.abs(one) >= 0.003 - 1e-12
    rows = jacobian[:3, ~held]
    left = one[~held] - rows.T @ np.linalg.lstsq(rows.T, one[~held], rcond=None)[0]
    assert held.any()
    assert np.abs(left).max() < 1e-12


def test_shapes_that_do_not_fit_are_named():
    with pytest.raises(InvalidInputError, match="as many residuals and layers"):
        project_step([1.0, 2.0], [[1.0, 2.0]], [1])
    with pytest.raises(InvalidInputError, match="at least one"):
        project_step([], np.zeros((0, 2)), [])
    with pytest.raises(InvalidInputError, match="limits of a step"):
        project_step([1.0], [[1.0, 2.0]], [1], low=[-1.0])
    with pytest.raises(InvalidInputError, match="columns"):
        project_step([1.0], [[1.0, 2.0]], [1], matrix=np.eye(3))
    with pytest.raises(InvalidInputError, match="preferred step"):
        project_step([1.0], [[1.0, 2.0]], [1], prefer=[1.0])


# --- tasks ---


def tasks_at(body, values):
    """A task of every kind near what a pose has."""
    rng = np.random.default_rng(1)
    world = forward_kinematics(body.coordinates.to_motion(values[None], 1.0))
    hand, head = (WALK.skeleton.index(n) for n in ("RightHand", "Head"))
    tool = rot.normalize(rng.normal(size=4))
    ahead = rot.rotate(world.rotations[0, head], np.array([0.0, 0.0, 1.0]))
    return [
        Task("position", rng.normal(size=3), hand, local=(0.1, -0.2, 0.3)),
        Task("orientation", rot.multiply(world.rotations[0, hand], tool), hand, local=tool),
        Task("gaze", world.positions[0, head] + 2.0 * ahead, head),
        Task("mass", (0.1, 1.0, 0.2), axes="xyz"),
        Task("mass", (0.3, 0.0, 0.2)),
    ]


def test_jacobians_are_those_of_finite_differences(body):
    values = body.coordinates.to_coordinates(WALK)[20]
    asked = body.asked(tasks_at(body, values))
    residual, jacobian = asked.measure(values)
    np.testing.assert_allclose(residual[3:8], 0.0, atol=1e-8)
    h = 1e-5
    for d in range(len(values)):
        step = np.zeros(len(values))
        step[d] = h
        slope = (asked.measure(values - step)[0] - asked.measure(values + step)[0]) / (2 * h)
        exact = [0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12]
        np.testing.assert_allclose(jacobian[exact, d], slope[exact], atol=1e-7)
        # A gaze is a length beside a zero: near the target its change is as long as its rows say.
        moved = asked.measure(values + step)[0][6:8]
        length = np.linalg.norm(jacobian[6:8, d]) * h
        np.testing.assert_allclose(np.linalg.norm(moved), length, atol=1e-9)


def test_the_centre_of_mass_is_the_mean_of_what_joints_move():
    coordinates = ExponentialCoordinates(WALK.skeleton)
    n = WALK.skeleton.n_joints
    masses = np.arange(1.0, n + 1)
    values = coordinates.to_coordinates(WALK)[7]
    body = Body(coordinates, masses, np.zeros((n, 3)))
    place = forward_kinematics(WALK).positions[7]
    residual = body.measure(values, [Task("mass", (0, 0, 0), axes="xyz")])[0]
    np.testing.assert_allclose(-residual, masses @ place / masses.sum(), atol=1e-9)


def test_wrong_tasks_are_named(body):
    with pytest.raises(InvalidInputError, match="kinds are"):
        Task("speed", (0, 0, 0))
    with pytest.raises(InvalidInputError, match="cannot have value"):
        Task("position", (0, 0))
    with pytest.raises(InvalidInputError, match="axes of x, y and z"):
        Task("mass", (0, 0, 0), axes="w")
    with pytest.raises(InvalidInputError, match="local axis"):
        Task("gaze", (0, 0, 1), local=(0, 0, 0))
    with pytest.raises(InvalidInputError, match="at least 1"):
        Task("mass", (0, 0, 0), layer=0)
    with pytest.raises(InvalidInputError, match="at least one task"):
        body.asked([])
    with pytest.raises(InvalidInputError, match="not 999"):
        body.asked([Task("position", (0, 0, 0), 999)])
    with pytest.raises(InvalidInputError, match="body with masses"):
        Body(body.coordinates).asked([Task("mass", (0, 0, 0))])
    with pytest.raises(InvalidInputError, match="sum above 0"):
        Body(body.coordinates, np.zeros(WALK.skeleton.n_joints))


# --- whole solutions ---


def fork():
    """A trunk of half a metre with two arms of two links each; all turn about z in the plane."""
    names = ("trunk", "a1", "a2", "a3", "b1", "b2", "b3")
    offsets = [[0, 0, 0], [0.0, 0.5, 0], [0.5, 0, 0], [0.5, 0, 0]]
    offsets += [[0.0, 0.5, 0], [-0.5, 0, 0], [-0.5, 0, 0]]
    skeleton = Skeleton(names, (-1, 0, 1, 2, 0, 4, 5), np.array(offsets, float))
    orders = {n: "" if n[1] == "3" else "Z" for n in names}
    return Body(EulerCoordinates.generic(skeleton, orders))


def fork_problem(tasks, width=np.pi, **fields):
    """Its place fixed, every angle within a width of bent arms."""
    body = fork()
    asked = body.asked(tasks)
    turns = body.coordinates.rotational
    rest = np.where(turns, 0.3, 0.0)
    return LayeredProblem(
        asked.measure,
        asked.rows,
        asked.layers,
        LinearMap(rest),
        np.where(turns, rest - width, 0.0),
        np.where(turns, rest + width, 0.0),
        joints=turns,
        **fields,
    )


def solved(tasks, width=np.pi, **fields):
    problem = fork_problem(tasks, width, **fields)
    return solve_layers(problem, np.zeros(problem.map.size))


NEAR, FAR = (0.6, 0.9, 0.0), (-4.0, 0.5, 0.0)


def test_every_layer_says_how_it_came_out():
    hands = Task("position", NEAR, 3), Task("position", (-0.7, 0.8, 0.0), 6, layer=2)
    both = solved(hands)
    assert [o.reason for o in both.layers] == ["met", "met"]
    out = solved((hands[0], replace(hands[1], value=FAR)))
    assert [o.reason for o in out.layers] == ["met", "out of reach"]
    stiff = solved((replace(hands[0], value=(0.9, 1.0, 0.0)), hands[1]), 0.2)
    assert stiff.layers[0].reason == "at joint limits"
    few = fork_problem((replace(hands[0], value=(-0.5, -0.5, 0.0)),))
    stopped = solve_layers(few, np.zeros(few.map.size), LayerOptions(iterations=3))
    assert stopped.layers[0].reason == "no iterations left"
    assert solve_layers(few, np.zeros(few.map.size)).layers[0].met
    same = solved((hands[0], replace(hands[1], value=(0.6, 1.1, 0.0), joint=3)))
    assert [o.reason for o in same.layers] == ["met", "conflicts with layer 1"]
    assert same.layers[1].residual == pytest.approx(0.2, abs=2e-3)
    third = [replace(hands[1], layer=2), Task("position", (0.6, 1.1, 0.0), 3, layer=3)]
    named = solved((hands[0], *third))
    assert [o.reason for o in named.layers] == ["met", "met", "conflicts with layer 1"]


def above(least):
    """Height of the tip of the second arm over a floor, and its slopes."""
    task = fork().asked([Task("position", (0.0, least, 0.0), 6)])

    def measure(values):
        lacking, slopes = task.measure(values)
        return -lacking[1:2], slopes[1:2]

    return measure


def test_a_floor_is_kept_in_all_layers_and_named_where_it_is_in_the_way():
    hands = Task("position", NEAR, 3), Task("position", (-0.7, 0.8, 0.0), 6, layer=2)
    floor = above(0.9)
    found = solved(hands, floor=floor)
    assert [o.reason for o in found.layers] == ["met", "the floor is in the way"]
    assert found.layers[1].residual == pytest.approx(0.1, abs=2e-3)
    assert floor(found.coordinates)[0][0] > -1e-3
    assert [o.reason for o in solved(hands, floor=above(0.7)).layers] == ["met", "met"]


def test_what_is_in_the_floor_at_first_comes_no_deeper():
    hands = Task("position", NEAR, 3), Task("position", (-0.7, 0.8, 0.0), 6, layer=2)
    begin = fork_problem(hands)
    depth = 0.05 - above(0.0)(begin.map.offset)[0][0]
    found = solved(hands, floor=above(-depth + 0.1))
    assert found.layers[0].met
    assert above(-depth + 0.1)(found.coordinates)[0][0] > -0.06


def test_reasons_take_what_is_given_for_granted():
    given = Task("position", NEAR, 3)
    tasks = given, Task("position", (-0.7, 0.8, 0.0), 6), replace(given, value=FAR, layer=2)
    near = *tasks[:2], replace(given, value=(0.6, 1.1, 0.0), layer=2)
    assert solved(near).layers[1].reason == "conflicts with layer 1"
    own = np.array([True, False, False])
    assert solved(near, given=own).layers[1].reason == "out of reach"


def test_what_a_start_serves_becomes_no_worse_not_even_for_the_sake_of_its_own_layer():
    tasks = Task("position", FAR, 3), Task("position", FAR, 6), Task("mass", (1, 1, 0), layer=2)
    body = replace(fork(), masses=np.ones(7))
    asked = body.asked(tasks)
    rest = np.where(body.coordinates.rotational, 0.3, 0.0)
    width = np.where(body.coordinates.rotational, np.pi, 0.0)
    problem = LayeredProblem(
        asked.measure, asked.rows, asked.layers, LinearMap(rest), rest - width, rest + width
    )
    begin = np.zeros(len(rest))
    before = problem.at(begin).lengths
    after = solve_layers(problem, begin, served=1).lengths
    assert (after[:2] <= before[:2] + 5e-4 + 1e-12).all()
    assert after[2] < before[2]
    assert (solve_layers(problem, begin).lengths[:2] < before[:2] - 0.1).any()


def test_an_unreachable_lower_layer_comes_as_near_as_the_upper_one_allows():
    """The trunk stays where the first hand needs it, or turns as far as that hand allows."""
    tasks = Task("position", NEAR, 3), Task("position", FAR, 6, layer=2)
    found = solved(tasks)
    assert found.lengths[0] <= 1e-3
    assert found.iterations < 60
    # By brute force over the trunk's angle: the hand is met, the other arm is stretched.
    trunk = np.linspace(-np.pi, np.pi, 20001)
    top = 0.5 * np.stack([-np.sin(trunk), np.cos(trunk)], axis=1)
    met = np.linalg.norm(top - np.array(NEAR[:2]), axis=1) <= 1.0
    least = np.linalg.norm(top[met] - np.array(FAR[:2]), axis=1).min() - 1.0
    assert found.lengths[1] == pytest.approx(least, abs=5e-3)


def test_weights_count_within_a_layer_only():
    pulls = [Task("position", (1.2, 1.0, 0.0), 3), Task("position", (1.0, -1.0, 0.0), 3)]
    for weights in ((50.0, 1.0), (1.0, 50.0)):
        problem = fork_problem(pulls, weights=np.array(weights))
        missed = solve_layers(problem, np.zeros(problem.map.size)).lengths
        assert (missed[0] < missed[1]) == (weights[0] > weights[1])


def test_the_preferred_is_drawn_to_as_far_as_tasks_leave_it_open():
    tasks = (Task("position", NEAR, 3),)
    prefer = np.where(fork().coordinates.rotational, 0.4, 0.0)
    problem = fork_problem(tasks, prefer=prefer)
    found, drawn_to = solved(tasks), solve_layers(problem, np.zeros(len(prefer)))
    assert drawn_to.lengths[0] <= 1e-3
    np.testing.assert_allclose(drawn_to.unknowns[-2:], 0.4, atol=0.02)  # nobody asks the other arm
    # Along what changes nothing of the task, nothing is left to gain.
    turns = fork().coordinates.rotational
    for result, inside in ((found, False), (drawn_to, True)):
        free = np.linalg.svd(problem.at(result.unknowns).jacobian[:2, turns])[2][2:]
        left = np.linalg.norm(free @ (prefer - result.unknowns)[turns])
        assert (left < 0.05) == inside


def test_any_linear_map_may_be_between(body):
    """Weights of eigen-poses, and standard deviations of a Gaussian, within limits of joints."""
    poses = body.coordinates.to_coordinates(WALK)
    mean, spread = poses.mean(axis=0), np.cov(poses.T) + 1e-4 * np.eye(poses.shape[1])
    values, vectors = np.linalg.eigh(spread)
    pca = LinearMap(mean, np.ascontiguousarray(vectors[:, -12:] * np.sqrt(values[-12:])))
    hand, foot = (WALK.skeleton.index(n) for n in ("RightHand", "LeftFoot"))
    shown = forward_kinematics(body.coordinates.to_motion(poses[[15]], 1.0)).positions[0]
    tasks = [
        Task("position", shown[foot], foot),
        Task("position", shown[hand] + [0.0, 3.0, 0.0], hand, layer=2),
    ]
    asked = body.asked(tasks)
    width = 3.0 * poses.std(axis=0) + 0.01
    for steps in (pca, LinearMap(mean, np.ascontiguousarray(np.linalg.cholesky(spread)))):
        problem = LayeredProblem(
            asked.measure, asked.rows, asked.layers, steps, mean - width, mean + width
        )
        found = solve_layers(problem, np.zeros(steps.size))
        np.testing.assert_allclose(steps.to_coordinates(found.unknowns), found.coordinates)
        assert (np.abs(found.coordinates - mean) <= width + 1e-9).all()
        assert found.lengths[0] <= 1e-3
        assert 1.0 < found.lengths[1] < 3.0


def test_wrong_problems_are_named():
    problem = fork_problem((Task("position", NEAR, 3),))
    with pytest.raises(InvalidInputError, match="unknowns, got shape"):
        solve_layers(problem, np.zeros(3))
    with pytest.raises(InvalidInputError, match="limits of shape"):
        replace(problem, lower=np.zeros(2))
    with pytest.raises(InvalidInputError, match="iterations at least 1"):
        LayerOptions(iterations=0)


def harms(body, method, count, seed=0, iterations=60):
    poses = body.coordinates.to_coordinates(WALK)
    limits = poses.min(axis=0) - 0.2, poses.max(axis=0) + 0.2
    rng = np.random.default_rng(seed)
    options = LayerOptions(iterations=iterations)
    return np.array(
        [draw_trial(body, poses, limits, rng).harm(method, options) for _ in range(count)]
    )


def test_a_lower_task_never_worsens_an_upper_one(body):
    assert harms(body, follow_layers, 6).max() <= 1e-3


def test_what_a_layer_gains_for_those_above_is_kept_where_they_stopped_early(body):
    """Their iterations end before they are as near as they could be; lower layers bring them on."""
    assert harms(body, follow_layers, 12, 3, 3).max() <= 1e-3


@pytest.mark.slow
def test_a_lower_task_never_worsens_an_upper_one_in_many_cases(body):
    assert harms(body, follow_layers, 100, 1).max() <= 1e-3
    for other in (follow_unprojected, follow_weighted):
        assert (harms(body, other, 30, 1) > 1e-3).sum() > 10
