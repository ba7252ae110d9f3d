"""Random trees and motions for property tests."""

import numpy as np

from motionloom.motion import Motion
from motionloom.skeleton import Skeleton


def random_skeleton(rng, joints=7, ends=2):
    """A random tree with end sites."""
    parents = [-1, *(int(rng.integers(0, j)) for j in range(1, joints))]
    return Skeleton(
        tuple(f"j{j}" for j in range(joints)),
        np.array(parents),
        rng.normal(size=(joints, 3)),
        rng.integers(0, joints, ends),
        rng.normal(size=(ends, 3)),
    )


def random_motion(seed=0, joints=7, frames=9, frame_time=1 / 30, translated=(0,)):
    """A random tree in random poses."""
    rng = np.random.default_rng(seed)
    return Motion(
        random_skeleton(rng, joints),
        rng.normal(size=(frames, joints, 4)),
        rng.normal(size=(frames, len(translated), 3)),
        frame_time,
        translated,
        name="random",
    )
