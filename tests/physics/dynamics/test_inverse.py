"""Inverse dynamics against laws of mechanics, MuJoCo and Pinocchio."""

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.physics.body import make_body
from motionloom.physics.dynamics import (
    Smoothing,
    differentiate,
    inverse_dynamics,
    state_of,
)
from motionloom.physics.dynamics._inverse import GRAVITY
from motionloom.physics.dynamics.state import BodyState, low_pass
from motionloom.physics.robots import body_to_mjcf, depth_first
from weighed_bodies import performer_body, random_state, standing


def _smooth_motion(body, n=1200, fps=2000.0, seed=1):
    """A body that turns all its joints along slow waves, in free space."""
    rng = np.random.default_rng(seed)
    t = np.arange(n)[:, None, None] / fps
    size = rng.uniform(0.2, 0.6, size=(1, body.n_links, 3))
    waves = size * np.sin(2 * np.pi * t * rng.uniform(0.3, 1.2, size=(1, body.n_links, 1)))
    places = np.stack([0.3 * t[:, 0, 0], 1 + 0.1 * np.sin(5 * t[:, 0, 0]), t[:, 0, 0] ** 2], -1)
    return differentiate(places, rot.from_rotvec(waves), fps), fps


def test_standing_still_needs_just_the_weight():
    posed = standing()
    body = make_body(posed, 1.75, 70.0)
    done = inverse_dynamics(body, state_of(posed, body))
    np.testing.assert_allclose(done.wrench[:, :3], [[0, 70 * GRAVITY, 0]] * 30, atol=1e-6)
    np.testing.assert_allclose(done.momentum, 0, atol=1e-9)
    # An arm held out to the side weighs on its shoulder.
    arm = list(body.names).index("LeftArm")
    below = [body.link(body.roles.joints[f"left_{r}"]) for r in ("shoulder", "elbow", "hand")]
    places = posed.positions[0, body.joints]
    lever = sum(body.masses[k] * (places[k] + body.centers[k] - places[below[0]])[0] for k in below)
    assert abs(done.torques[0, arm, 2]) == pytest.approx(GRAVITY * lever, rel=1e-6)


def test_free_fall_needs_nothing():
    body = performer_body()
    t = np.arange(50)[:, None] / 100.0
    places = np.array([0.0, 2.0, 0.0]) + t * [1.0, 2.0, 0.5] - 0.5 * GRAVITY * t**2 * [0, 1, 0]
    state = differentiate(places, rot.identity(50, body.n_links), 100.0)
    done = inverse_dynamics(body, state)
    assert np.abs(done.wrench).max() < 1e-6 * 70 * GRAVITY
    np.testing.assert_allclose(done.energy.sum(axis=1), done.energy.sum(axis=1)[0], rtol=1e-9)


def test_wrench_is_the_rate_of_momentum_and_of_energy():
    body = performer_body()
    state, fps = _smooth_motion(body)
    done = inverse_dynamics(body, state)
    inner = slice(3, -3)
    rate = np.gradient(done.momentum, 1 / fps, axis=0)
    weight = np.array([0, 70 * GRAVITY, 0])
    np.testing.assert_allclose(rate[inner, :3] + weight, done.wrench[inner, :3], atol=0.5)
    about = done.wrench[:, 3:] - np.cross(done.center, done.wrench[:, :3])
    np.testing.assert_allclose(rate[inner, 3:], about[inner], atol=0.05)
    spin = rot.rotate(state.turns[:, 0], state.spins[:, 0])
    at_root = done.wrench[:, 3:] - np.cross(state.places, done.wrench[:, :3])
    outside = np.sum(done.wrench[:, :3] * state.velocities + at_root * spin, axis=1)
    power = np.gradient(done.energy.sum(axis=1), 1 / fps)
    np.testing.assert_allclose(power[inner], (outside + done.power.sum(axis=1))[inner], atol=2.0)


def test_momentum_stays_in_flight():
    """Whatever the joints do, a body that MuJoCo lets fly keeps its momentum, and so do we."""
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    body = performer_body()
    model = mujoco.MjModel.from_xml_string(body_to_mjcf(body))
    model.opt.timestep = 1 / 4000
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICIT
    model.dof_damping[6:] = 0.5  # light toes and collar bones would be flung about
    data = mujoco.MjData(model)
    data.qpos[:3] = [0, 2, 0]
    data.qvel[:6] = [1.0, 2.0, 0.5, 1.0, 2.0, -1.5]
    heavy = [model.jnt_dofadr[model.joint(n).id] for n in ("LeftUpLeg", "Spine", "RightArm")]
    poses = []
    for k in range(600):
        for dof in heavy:
            data.qfrc_applied[dof : dof + 3] = 10 * np.sin(0.01 * k + np.arange(3))
        poses.append(data.qpos.copy())
        mujoco.mj_step(model, data)
    poses = np.array(poses)
    turns = poses[:, 3:].reshape(len(poses), body.n_links, 4)
    done = inverse_dynamics(body, differentiate(poses[:, :3], rot.unroll(turns), 4000.0))
    inner = slice(3, -3)
    assert np.abs(done.wrench[inner, :3]).max() < 0.005 * 70 * GRAVITY
    # MuJoCo steps to first order: over this time that alone loses a third of a percent.
    size = np.linalg.norm(done.momentum[inner, 3:], axis=1).max()
    assert np.ptp(done.momentum[inner, 3:], axis=0).max() < 0.01 * size


def test_agrees_with_mujoco_on_the_exported_model():
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    body = performer_body()
    state = random_state(body, 1000)
    done = inverse_dynamics(body, state)
    model = mujoco.MjModel.from_xml_string(body_to_mjcf(body))
    data = mujoco.MjData(model)
    order = depth_first(body)
    for t in range(state.n_frames):
        data.qpos[:] = [*state.places[t], *state.turns[t, order].ravel()]
        data.qvel[:] = [*state.velocities[t], *state.spins[t, order].ravel()]
        data.qacc[:] = [*state.accelerations[t], *state.spin_rates[t, order].ravel()]
        mujoco.mj_inverse(model, data)
        torques = data.qfrc_inverse[3:].reshape(-1, 3)
        size = np.abs(torques).max()
        np.testing.assert_allclose(done.torques[t, order], torques, atol=1e-4 * size)
        np.testing.assert_allclose(done.wrench[t, :3], data.qfrc_inverse[:3], rtol=1e-4, atol=0.01)


def test_agrees_with_pinocchio():
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed")
    body = performer_body()
    model = pin.Model()
    for k in range(body.n_links):
        joint = pin.JointModelFreeFlyer() if k == 0 else pin.JointModelSpherical()
        place = pin.SE3(np.eye(3), body.offsets[k].copy())
        parent = int(body.parents[k]) + 1
        index = model.addJoint(parent, joint, place, f"j{k}")
        inertia = pin.Inertia(body.masses[k], body.centers[k].copy(), body.inertias[k].copy())
        model.appendBodyToJoint(index, inertia, pin.SE3.Identity())
    model.gravity.linear = np.array([0, -GRAVITY, 0])
    data = model.createData()
    state = random_state(body, 20)
    done = inverse_dynamics(body, state)
    for t in range(20):
        turns = state.turns[t][:, [1, 2, 3, 0]].ravel()
        back = rot.conjugate(state.turns[t, 0])
        speed = rot.rotate(back, state.velocities[t])
        # Pinocchio's spatial acceleration of a free flyer is that in the moving frame.
        push = rot.rotate(back, state.accelerations[t]) - np.cross(state.spins[t, 0], speed)
        tau = pin.rnea(
            model,
            data,
            np.concatenate([state.places[t], turns]),
            np.concatenate([speed, state.spins[t].ravel()]),
            np.concatenate([push, state.spin_rates[t].ravel()]),
        )
        np.testing.assert_allclose(done.torques[t].ravel(), tau[3:], rtol=1e-8, atol=1e-7)


def test_filter_halves_the_power_at_its_cut_off_and_does_not_move_events():
    t = np.arange(4000) / 100.0
    wave = np.sin(2 * np.pi * 6.0 * t)
    passed = low_pass(wave, 100.0, 6.0)
    assert np.std(passed[500:-500]) / np.std(wave) == pytest.approx(np.sqrt(0.5), rel=0.02)
    bump = np.exp(-0.5 * ((t - 20) / 0.1) ** 2)
    assert np.argmax(low_pass(bump, 100.0, 6.0)) == np.argmax(bump)
    np.testing.assert_array_equal(low_pass(wave, 100.0, 0.0), wave)


def test_filter_says_what_it_does():
    assert "poses 12 Hz, zmp 6 Hz" in Smoothing().in_words(120.0)
    assert "poses not filtered" in Smoothing().in_words(20.0)


def test_states_are_differences_of_poses():
    body = performer_body()
    state, fps = _smooth_motion(body)
    moved = rot.multiply(state.turns[100], rot.from_rotvec(state.spins[100] / fps))
    assert rot.angle_between(moved, state.turns[101]).max() < 1e-3 / fps * 10
    np.testing.assert_allclose(state.accelerations[1000], [0, -2.5 * np.sin(2.5), 2], atol=1e-3)
    assert isinstance(state.at(slice(3, 9)), BodyState)
    assert state.at(slice(3, 9)).n_frames == 6
