"""Gestures to play over idle motion."""

import numpy as np

from motionloom import rotations as rot
from motionloom.motion import Motion

FPS = 30.0


def hold_arm(model, joint="right_shoulder", angle=1.2, seconds=3.0):
    """An arm that is held up."""
    skeleton = model.space.coordinates.skeleton
    n = round(seconds * FPS)
    turned = np.zeros((n, skeleton.n_joints, 3))
    turned[:, model.space.roles.joints[joint], 2] = angle
    return Motion(skeleton, rot.from_rotvec(turned), np.zeros((n, 1, 3)), 1 / FPS, (0,), "wave")
