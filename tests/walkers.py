"""Small synthetic walkers for the graph tests: a few joints that swing while the body goes along a
curve.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom import rotations as rot
from motionloom.clips.clip_set import ClipSet, make_clip_set
from motionloom.motion import Motion
from motionloom.skeleton import Skeleton

NAMES = ("Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot", "Head")
SKELETON = Skeleton(
    NAMES,
    np.array([-1, 0, 1, 2, 0, 4, 5, 0]),
    np.array(
        [
            [0, 0, 0],
            [0.1, 0, 0],
            [0, -0.4, 0],
            [0, -0.4, 0],
            [-0.1, 0, 0],
            [0, -0.4, 0],
            [0, -0.4, 0],
            [0, 0.6, 0],
        ]
    ),
)


def make_walker(
    n: int,
    *,
    speed: float = 1.0,
    bend: float = 0.0,
    phase: float = 0.0,
    vary: float = 0.0,
    name: str = "walk",
    fps: float = 30.0,
) -> Motion:
    """A walk of `n` frames that turns at `bend` rad/s; legs swing with a period of a second.

    With `vary` it speeds up and slows down, and swerves, by up to that many m/s and rad/s.
    """
    t = np.arange(n) / fps
    facing = bend * t + vary * np.cumsum(np.sin(0.8 * t + 2 * phase)) / fps
    speed = speed + vary * np.sin(0.9 * t + phase)
    swing = 0.4 * np.sin(2 * np.pi * t + phase)
    rotations = np.tile([1.0, 0, 0, 0], (n, len(NAMES), 1))
    rotations[:, 0] = rot.yaw(facing)
    for joint, sign in ((1, 1), (4, -1)):
        rotations[:, joint] = rot.from_rotvec(np.column_stack([sign * swing, 0 * t, 0 * t]))
    for joint, sign in ((2, 1), (5, -1)):
        knee = 0.3 * (1 - np.cos(2 * np.pi * t + phase + (np.pi if sign < 0 else 0)))
        rotations[:, joint] = rot.from_rotvec(np.column_stack([knee, 0 * t, 0 * t]))
    step = (speed / fps + 0 * t)[:, None] * np.column_stack([np.sin(facing), 0 * t, np.cos(facing)])
    place = np.cumsum(step, axis=0) + np.array([0, 0.85, 0])
    return Motion(SKELETON, rotations, place[:, None], 1 / fps, name=name)


def make_walkers() -> ClipSet:
    """Seven walks that speed up, slow down and swerve: enough to go anywhere, if slowly."""
    clips = [make_walker(150 + 7 * i, phase=0.9 * i, vary=0.5, name=f"walk_{i}") for i in range(7)]
    return make_clip_set(clips)


def make_lively_walker(n_frames: int, seed: int) -> Motion:
    """A walk in which every joint turns a little, each in its own way."""
    motion = make_walker(n_frames, bend=0.3 * seed, phase=0.5 * seed)
    random = np.random.default_rng(seed)
    size = (1, motion.skeleton.n_joints, 3)
    rate = random.uniform(2.0, 9.0, size)
    waves = np.sin(rate * motion.times[:, None, None] + random.uniform(0.0, 6.0, size))
    turned = rot.multiply(motion.rotations, rot.from_rotvec(0.1 * waves))
    return replace(motion, rotations=turned, name=f"walk_{seed}")
