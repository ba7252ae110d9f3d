"""Sway, bounce and swing of arms of somebody who walks slower or faster than captured.

Who takes longer over a step sways farther to the side; who takes shorter steps rises and sinks less
over them and swings the arms less. Poses of legs are left to the foot lock.
"""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.analysis.gaits import WALKING, gaits_of
from motionloom.curves import gaussian_average
from motionloom.edit.root import move_body
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array

#: Standard deviation of the average that steps are taken out of, seconds.
STRIDE = 0.5
#: Time over which changes set in where somebody begins or ceases to walk, seconds.
FADE = 0.25
#: How sway to the side grows with the steps in a second, and bounce and swing with their length:
#: medians of people who were captured at several speeds.
SWAY, BOUNCE, SWING = -1.5, 1.0, 1.0
#: Roles of the joints whose turning is the swing of arms.
ARMS = ("left_shoulder", "left_elbow", "right_shoulder", "right_elbow")


def scale_sway(posed: PosedMotion, rate: ArrayLike, steps: ArrayLike) -> PosedMotion:
    """Let a body sway, bounce and swing its arms as people do at that pace.

    Parameters
    ----------
    posed : PosedMotion
        The motion, T frames, at its new times but with steps as long as captured.
    rate : array of shape (T,)
        Steps in a second over those that were captured; should change little from frame to frame.
    steps : array of shape (T,)
        Length that a step will have over that which was captured.

    Returns
    -------
    PosedMotion
        Feet are moved along with the body. Where nobody walks on two feet nothing is changed.
    """
    rate = np.asarray(rate, float)
    steps = np.asarray(steps, float)
    if len(posed.roles.feet) != 2 or (np.all(rate == 1.0) and np.all(steps == 1.0)):
        return posed
    width = STRIDE * posed.fps
    way = _without_steps(posed.hips, width)
    velocity = np.gradient(way[:, [0, 2]], axis=0) * posed.fps
    speed = np.hypot(*velocity.T)
    walks = _walking(speed / rate, posed)
    off = posed.hips - way
    left = np.stack([velocity[:, 1], np.zeros(len(off)), -velocity[:, 0]], axis=-1)
    left /= np.maximum(speed, 1e-9)[:, None]
    aside = walks * (rate**SWAY - 1.0) * np.sum(off * left, axis=1)
    size = np.sqrt(2.0 * np.maximum(_without_steps(off[:, 1] ** 2, width), 0.0))
    shift = aside[:, None] * left
    # Over a straight leg the hips are as high as before; between steps they sink less.
    shift[:, 1] = walks * (1.0 - steps**BOUNCE) * (size - off[:, 1])
    return _swing_arms(move_body(posed, shift), 1.0 + walks * (steps**SWING - 1.0), width)


def _walking(speed: Array, posed: PosedMotion) -> Array:
    """How far each frame counts as walking, shape (T,), from 0 to 1."""
    leg = max(float(np.median(posed.hips[:, 1])), 0.1)
    walks = (gaits_of(speed, leg) == WALKING).astype(float)
    return gaussian_average(walks, FADE * posed.fps)


def _swing_arms(posed: PosedMotion, share: Array, width: float) -> PosedMotion:
    """Arms that leave their mean pose by a share (T,) of what they did."""
    joints = [posed.roles.joints[role] for role in ARMS if role in posed.roles.joints]
    if not joints:
        return posed
    turns = rot.unroll(posed.motion.rotations[:, joints])
    mean = rot.normalize(_without_steps(turns, width))
    away = rot.to_rotvec(rot.multiply(rot.conjugate(mean), turns))
    swung = rot.multiply(mean, rot.from_rotvec(share[:, None, None] * away))
    return posed.with_local({joint: swung[:, k] for k, joint in enumerate(joints)})


def _without_steps(values: Array, width: float) -> Array:
    """Values (T, ...) without what comes and goes with steps; before and after the motion they go
    on as they began and ended.
    """
    reach = min(round(1.5 * width), len(values) - 1)
    beyond = np.arange(1, round(4 * width) + 1) / max(reach, 1)
    beyond = beyond.reshape(-1, *[1] * (values.ndim - 1))
    before = values[0] - beyond[::-1] * (values[reach] - values[0])
    after = values[-1] + beyond * (values[-1] - values[-1 - reach])
    once = _average(np.concatenate([before, values, after]), width)
    # What one average cuts off a corner the second cuts off again: so much is given back.
    return (2.0 * once - _average(once, width))[len(before) : len(before) + len(values)]


def _average(values: Array, width: float) -> Array:
    return scipy.ndimage.gaussian_filter1d(values, width, axis=0)
