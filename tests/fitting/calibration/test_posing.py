"""Kinematics and derivatives of many poses at once, and the solver on top of them."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from motionloom.fitting._body import lengths_of, prototype
from motionloom.fitting.calibration._posing import (
    LocalPoses,
    State,
    joint_length_jacobian,
    joint_pose_jacobian,
    length_jacobian,
    make_layout,
    pose_jacobian,
    rest_terms,
    run,
)
from motionloom.fitting.calibration._solve import (
    Data,
    Effort,
    cost_of,
    eliminate,
    minimise,
    normal_equations,
)
from motionloom.fitting.marker_sets._places import Place, places_of

STEP = 1e-6


def layout_of(kind="human", every=3, symmetric=True):
    body = prototype(kind)
    places = list(places_of(kind).values())[::every]
    return make_layout(body, lengths_of(body, symmetric), places)


def state_of(layout, rng, n_frames=2, size=1.7):
    n = len(layout.lengths.directions)
    values = np.concatenate([[size], rng.normal(0, 0.01, n - 1)])
    local = np.tile(np.eye(3), (n_frames, len(layout.parents), 1, 1))
    turned = Rotation.from_rotvec(rng.normal(0, 0.5, (n_frames * len(layout.turns), 3)))
    local[:, layout.turns] = turned.as_matrix().reshape(n_frames, -1, 3, 3)
    poses = LocalPoses(rng.normal(size=(n_frames, 3)), local)
    return State(values, rng.normal(0, 0.01, (layout.n_markers, 3)), poses)


@pytest.mark.parametrize("kind", ["human", "dog"])
def test_derivatives_by_poses_are_those_of_finite_differences(kind):
    rng = np.random.default_rng(0)
    layout = layout_of(kind)
    state = state_of(layout, rng)
    posed = run(layout, state)
    markers = pose_jacobian(layout, posed)
    joint = len(layout.parents) - 1
    joints = joint_pose_jacobian(layout, posed)[:, joint]
    for column in rng.choice(layout.freedom, 12, replace=False):
        step = np.zeros((2, layout.freedom))
        step[:, column] = STEP
        ends = [
            run(layout, replace(state, poses=state.poses.moved(s * step, layout))) for s in (1, -1)
        ]
        by_marker = (ends[0].markers - ends[1].markers) / (2 * STEP)
        np.testing.assert_allclose(markers[..., column], by_marker, atol=1e-8)
        by_joint = (ends[0].places - ends[1].places)[:, joint] / (2 * STEP)
        np.testing.assert_allclose(joints[..., column], by_joint, atol=1e-8)


def test_derivatives_by_lengths_are_those_of_finite_differences():
    rng = np.random.default_rng(1)
    layout = layout_of(symmetric=False)
    state = state_of(layout, rng)
    posed = run(layout, state)
    markers = length_jacobian(layout, posed)
    joints = joint_length_jacobian(layout, posed)
    for k in range(len(state.values)):
        step = STEP * (np.arange(len(state.values)) == k)
        ends = [run(layout, replace(state, values=state.values + s * step)) for s in (1, -1)]
        np.testing.assert_allclose(
            markers[..., k], (ends[0].markers - ends[1].markers) / (2 * STEP), atol=1e-8
        )
        np.testing.assert_allclose(
            joints[..., k], (ends[0].places - ends[1].places) / (2 * STEP), atol=1e-8
        )


def test_downhill_of_the_normal_equations_is_the_slope_of_the_cost():
    rng = np.random.default_rng(3)
    layout = layout_of()
    state = state_of(layout, rng)
    posed = run(layout, state)
    noise = rng.normal(0, 0.03, posed.markers.shape)
    seen = rng.random(posed.markers.shape[:2]) > 0.1
    data = Data(posed.markers + noise, seen, 1.7, 0.1)
    effort = Effort()
    normal = normal_equations(layout, data, state, posed, effort)

    def cost(values, shifts, poses):
        moved = State(values, shifts, poses)
        return cost_of(layout, data, moved, run(layout, moved), effort.outlier)

    n = len(state.values)
    for k in rng.choice(n + 3 * layout.n_markers, 8, replace=False):
        step = STEP * (np.arange(n + 3 * layout.n_markers) == k)
        shifts = step[n:].reshape(-1, 3)
        slope = cost(state.values + step[:n], state.shifts + shifts, state.poses)
        slope -= cost(state.values - step[:n], state.shifts - shifts, state.poses)
        assert -slope / (2 * STEP) == pytest.approx(normal.shared_slope[k], rel=1e-4, abs=1e-3)
    for k in rng.choice(layout.freedom, 8, replace=False):
        step = np.zeros((2, layout.freedom))
        step[1, k] = STEP
        slope = cost(state.values, state.shifts, state.poses.moved(step, layout))
        slope -= cost(state.values, state.shifts, state.poses.moved(-step, layout))
        assert -slope / (2 * STEP) == pytest.approx(normal.pose_slope[1, k], rel=1e-4, abs=1e-3)


def test_eliminating_poses_gives_what_the_whole_system_gives():
    rng = np.random.default_rng(4)
    layout = layout_of(every=6)
    state = state_of(layout, rng)
    posed = run(layout, state)
    data = Data(
        posed.markers + rng.normal(0, 0.02, posed.markers.shape),
        np.ones(posed.markers.shape[:2], bool),
        1.7,
        0.1,
    )
    normal = normal_equations(layout, data, state, posed, Effort())
    block, slope, answers, alone = eliminate(normal)
    shared = np.linalg.solve(block, slope)
    moved = alone - answers @ shared
    d = layout.freedom
    whole = np.zeros((2 * d + len(slope),) * 2)
    for t in range(2):
        own = slice(t * d, (t + 1) * d)
        whole[own, own] = normal.pose[t] + 1e-6 * np.eye(d)
        whole[own, 2 * d :] = normal.cross[t]
        whole[2 * d :, own] = normal.cross[t].T
    whole[2 * d :, 2 * d :] = normal.shared
    right = np.concatenate([*normal.pose_slope, normal.shared_slope])
    found = np.linalg.solve(whole, right)
    np.testing.assert_allclose(np.concatenate([*moved, shared]), found, rtol=1e-6, atol=1e-9)


def test_outliers_hardly_move_the_fit():
    rng = np.random.default_rng(5)
    layout = layout_of(every=2)
    state = state_of(layout, rng, n_frames=3)
    posed = run(layout, state)
    wrong = posed.markers.copy()
    wrong[1, 4] += 0.5
    seen = np.ones(wrong.shape[:2], bool)
    fits = [
        minimise(layout, Data(markers, seen, 1.7, 0.1), state, Effort(shared=False))
        for markers in (posed.markers, wrong)
    ]
    right, after = (run(layout, f).places for f in fits)
    assert np.abs(after - right).max() < 0.01


def test_rest_is_where_the_prior_pulls_to():
    layout = layout_of()
    local = np.tile(np.eye(3), (1, len(layout.parents), 1, 1))
    rest, _ = rest_terms(layout, LocalPoses(np.zeros((1, 3)), local))
    assert np.all(rest == 0)


def test_joints_without_markers_below_do_not_turn():
    body = prototype()
    at = [(0.07, 0.04, 0.04), (-0.07, 0.04, 0.04), (0.03, 0.05, -0.06), (0.0, 0.0, 0.02)]
    layout = make_layout(body, lengths_of(body), [Place("", "Hips", "Hips", one) for one in at])
    assert list(np.flatnonzero(layout.turning)) == [0]
