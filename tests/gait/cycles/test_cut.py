"""Cycles cut out of clips: closed, uniform, and the clip's own poses when laid back."""

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.gait.cycle import SAMPLES
from motionloom.posed_motion import pose_motion


@pytest.fixture(scope="module")
def steady(examples):
    """A steady example of each foot and behaviour."""
    return [e for e in examples.examples if e.stride.steady < 1.02]


def test_a_cycle_closes(steady):
    for example in steady:
        q = example.cycle.rotations
        assert len(q) == SAMPLES
        over = rot.angle_between(q[-1], q[0]).max()
        usual = rot.angle_between(q[1:], q[:-1]).max()
        assert over < 1.5 * usual


def test_left_and_ahead_are_0_on_average(steady):
    for example in steady:
        assert np.abs(example.cycle.deviations[:, [0, 2]].mean(axis=0)).max() < 1e-9


def test_poses_are_those_of_the_clip(steady, performances, examples):
    body = next(iter(examples.bodies.values()))
    for example in (next(e for e in steady if e.stride.foot == foot) for foot in ("left", "right")):
        motion = performances[example.take].motion
        posed = pose_motion(motion)
        stride = example.stride
        start = stride.start if stride.foot == "left" else stride.opposite
        frame = round((start + 0.2 * stride.duration) * motion.fps)
        phase = (frame / motion.fps - start) / stride.duration
        rotations, deviations, _ = example.cycle.at(phase)
        own = [j for j in range(motion.skeleton.n_joints) if j != body.root]
        apart = rot.angle_between(rotations[0, own], motion.rotations[frame, own])
        assert np.degrees(apart).max() < 3.0
        assert deviations[0, 1] == pytest.approx(posed.positions[frame, body.root, 1], abs=0.01)


def test_feet_of_a_cycle_strike_where_it_says(steady):
    for example in steady:
        if example.cycle.behaviour != "walk":
            continue
        left = example.cycle.contacts[:, :2].any(axis=1)
        assert left[5:40].all()
        assert not left[75:90].any()
