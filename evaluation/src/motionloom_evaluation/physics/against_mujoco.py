"""Inverse dynamics against MuJoCo's on the exported body, at random states."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from motionloom import rotations as rot
from motionloom.performer import make_performer, perform, plan_steps, walking_steps
from motionloom.physics.body import Body, make_body
from motionloom.physics.dynamics import BodyState, inverse_dynamics
from motionloom.physics.robots import body_to_mjcf, depth_first
from motionloom.posed_motion import pose_motion

#: States that are compared.
STATES = 1000


@dataclass(frozen=True)
class MujocoRow:
    """Largest differences over all states, shares of each state's largest value.

    Parameters
    ----------
    states : int
        How many.
    torques, forces : float
        Of the joints' torques and of the force on the body.
    version : str
        MuJoCo's; empty where it is not installed, and nothing was compared.
    """

    states: int = 0
    torques: float = 0.0
    forces: float = 0.0
    version: str = ""

    def in_words(self) -> str:
        """One line for people."""
        if not self.version:
            return "Against MuJoCo: not installed, not compared"
        return (
            f"Against MuJoCo {self.version}, {self.states} random states: torques differ by"
            f" {100 * self.torques:.2g} % at most, forces by {100 * self.forces:.2g} %"
        )


def random_states(body: Body, n: int, seed: int = 0) -> BodyState:
    """States with rotations of all kinds and quick, hard movements.

    Parameters
    ----------
    body : Body
        Whose they are.
    n : int
        How many.
    seed : int
        Of the draws.

    Returns
    -------
    BodyState
        With n frames that have nothing to do with each other.
    """
    rng = np.random.default_rng(seed)
    links = (n, body.n_links)
    return BodyState(
        places=rng.normal(size=(n, 3)),
        velocities=rng.normal(size=(n, 3)),
        accelerations=5 * rng.normal(size=(n, 3)),
        turns=rot.normalize(rng.normal(size=(*links, 4))),
        spins=4 * rng.normal(size=(*links, 3)),
        spin_rates=40 * rng.normal(size=(*links, 3)),
    )


def compare_with_mujoco(states: int = STATES) -> MujocoRow:
    """Compare at random states of the built-in performer's body.

    Parameters
    ----------
    states : int
        How many.

    Returns
    -------
    MujocoRow
    """
    if find_spec("mujoco") is None:
        return MujocoRow()
    import mujoco

    performer = make_performer()
    walk = perform(performer, plan_steps(performer, walking_steps(performer, 1.2, 2))).motion
    body = make_body(pose_motion(walk), performer.height, 70.0)
    state = random_states(body, states)
    ours = inverse_dynamics(body, state)
    model = mujoco.MjModel.from_xml_string(body_to_mjcf(body))
    data = mujoco.MjData(model)
    order = depth_first(body)
    worst = np.zeros(2)
    for t in range(states):
        data.qpos[:] = [*state.places[t], *state.turns[t, order].ravel()]
        data.qvel[:] = [*state.velocities[t], *state.spins[t, order].ravel()]
        data.qacc[:] = [*state.accelerations[t], *state.spin_rates[t, order].ravel()]
        mujoco.mj_inverse(model, data)
        torques = data.qfrc_inverse[3:].reshape(-1, 3)
        off = np.abs(ours.torques[t, order] - torques).max() / np.abs(torques).max()
        force = data.qfrc_inverse[:3]
        away = np.abs(ours.wrench[t, :3] - force).max() / np.abs(force).max()
        worst = np.maximum(worst, [off, away])
    return MujocoRow(states, float(worst[0]), float(worst[1]), str(mujoco.__version__))
