"""Speed of inverse dynamics and of corrections on one core, beside Pinocchio frame by frame.

    python evaluation/benchmarks/physics_speed.py [CLIP]

Prints processor time: inverse dynamics of 10,000 frames (best of five), Pinocchio's RNEA of the
same states of the same model one frame after the other, derivatives of 1,000 frames, and
corrections of 10 s and 60 s of CLIP (the built-in performer's walk, repeated, without one).
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from time import process_time

import numpy as np

from motionloom import rotations as rot
from motionloom.io import load_motion
from motionloom.motion import Motion
from motionloom.performer import make_performer, perform, plan_steps, walking_steps
from motionloom.physics.body import Body, make_body
from motionloom.physics.correct import correct_motion
from motionloom.physics.dynamics import (
    BodyState,
    differentiate_dynamics,
    inverse_dynamics,
)
from motionloom.physics.dynamics.inverse import GRAVITY
from motionloom.posed_motion import pose_motion
from motionloom_evaluation.physics.against_mujoco import random_states

FRAMES = 10_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clip", nargs="?", type=Path)
    options = parser.parse_args()
    performer = make_performer()
    steps = walking_steps(performer, 1.2, 100)
    walk = perform(performer, plan_steps(performer, steps)).motion
    body = make_body(pose_motion(walk), performer.height, performer.mass)
    state = random_states(body, FRAMES)
    inverse_dynamics(body, state)
    ours = min(_time(lambda: inverse_dynamics(body, state)) for _ in range(5))
    print(f"inverse dynamics, {FRAMES} frames, {body.n_links} links: {1000 * ours:.0f} ms")
    print(_pinocchio(body, state))
    few = state.cut(0, 1000)
    differentiate_dynamics(body, few.cut(0, 2))
    spent = _time(lambda: differentiate_dynamics(body, few))
    print(f"derivatives in all directions, 1000 frames: {1000 * spent:.0f} ms")
    clip = load_motion(options.clip) if options.clip else walk
    correct_motion(_of_length(clip, 1.0))
    for seconds in (10.0, 60.0):
        piece = _of_length(clip, seconds)
        spent = _time(lambda piece=piece: correct_motion(piece))
        print(f"correction of {piece.duration:.0f} s at {piece.fps:.0f} fps: {spent:.2f} s")


def _of_length(clip: Motion, seconds: float) -> Motion:
    """The clip, or as often as it takes one copy after the other."""
    frames = round(seconds * clip.fps) + 1
    copies = -(-frames // clip.n_frames)
    turns = np.concatenate([clip.rotations] * copies)
    places = np.concatenate([clip.translations] * copies)
    return replace(clip, rotations=turns, translations=places).cut(0, frames)


def _time(work) -> float:
    began = process_time()
    work()
    return process_time() - began


def _pinocchio(body: Body, state: BodyState) -> str:
    """Pinocchio on the same model and states, called once per frame as its Python users do."""
    try:
        import pinocchio as pin
    except ImportError:
        return "Pinocchio is not installed"
    model = pin.Model()
    for k in range(body.n_links):
        joint = pin.JointModelFreeFlyer() if k == 0 else pin.JointModelSpherical()
        place = pin.SE3(np.eye(3), body.offsets[k].copy())
        index = model.addJoint(int(body.parents[k]) + 1, joint, place, f"j{k}")
        inertia = pin.Inertia(body.masses[k], body.centers[k].copy(), body.inertias[k].copy())
        model.appendBodyToJoint(index, inertia, pin.SE3.Identity())
    model.gravity.linear = np.array([0, -GRAVITY, 0])
    data = model.createData()
    n = state.n_frames
    turns = state.turns[..., [1, 2, 3, 0]].reshape(n, -1)
    back = rot.conjugate(state.turns[:, 0])
    speed = rot.rotate(back, state.velocities)
    push = rot.rotate(back, state.accelerations) - np.cross(state.spins[:, 0], speed)
    q = np.concatenate([state.places, turns], axis=1)
    v = np.concatenate([speed, state.spins.reshape(n, -1)], axis=1)
    a = np.concatenate([push, state.spin_rates.reshape(n, -1)], axis=1)

    def run() -> None:
        for t in range(n):
            pin.rnea(model, data, q[t], v[t], a[t])

    spent = min(_time(run) for _ in range(3))
    return f"Pinocchio {pin.__version__}, one call per frame: {1000 * spent:.0f} ms"


if __name__ == "__main__":
    main()
