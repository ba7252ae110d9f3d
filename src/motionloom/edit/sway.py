"""Sway, bounce and swing of arms of somebody who walks slower or faster than captured.

Who takes longer over a step sways farther to the side, with the same push off; who takes shorter
steps rises and sinks less over them; and arms swing as far as the body is fast.
"""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from motionloom import rotations as rot
from motionloom.analysis.gaits import WALKING, gaits_of
from motionloom.edit.root import move_body
from motionloom.posed_motion import PosedMotion

Array = NDArray[np.float64]

#: Standard deviation of the average that steps are taken out of, seconds; it is used twice over.
STRIDE = 0.5
#: Time over which changes set in where somebody begins or ceases to walk, seconds.
FADE = 0.25
#: Roles of the joints whose turning is the swing of arms.
ARMS = ("left_shoulder", "left_elbow", "right_shoulder", "right_elbow")


def scale_sway(posed: PosedMotion, rate: ArrayLike, steps: ArrayLike) -> PosedMotion:
    """Sway, rise and swing as somebody does who walks at that pace.

    Parameters
    ----------
    posed : PosedMotion
        The motion, T frames, at its new pace but with its captured length of steps.
    rate : array of shape (T,)
        Steps in a second over those that were captured; should change little from frame to frame.
    steps : array of shape (T,)
        Length of a step over that which was captured.

    Returns
    -------
    PosedMotion
        The same wherever nobody walks on two feet.
    """
    rate = np.asarray(rate, float)
    steps = np.asarray(steps, float)
    if len(posed.roles.feet) != 2 or (np.all(rate == 1.0) and np.all(steps == 1.0)):
        return posed
    width = STRIDE * posed.fps
    hips = posed.positions[:, posed.roles.joints["hips"]]
    way = _stride_mean(hips, width)
    velocity = np.gradient(way, axis=0)[:, [0, 2]] * posed.fps
    speed = np.hypot(*velocity.T)
    leg = max(float(np.median(hips[:, 1])), 0.1)
    walks = (gaits_of(speed / rate, leg) == WALKING).astype(float)
    walks = scipy.ndimage.gaussian_filter1d(walks, FADE * posed.fps, mode="nearest")
    side = np.stack([velocity[:, 1], 0.0 * speed, -velocity[:, 0]], axis=-1)
    side /= np.maximum(speed, 1e-9)[:, None]
    off = hips - way
    # As far as the same push to the side carries in the time of a step.
    aside = walks * (rate**-1.5 - 1.0) * np.sum(off * side, axis=1)
    # As high as legs of the same length lift over a step.
    flatter = walks * (1.0 - steps)
    swing = np.sqrt(2.0 * np.maximum(_stride_mean(off[:, 1] ** 2, width), 0.0))
    # Straight legs carry the body as high as before, and less low.
    rise = flatter * (swing - off[:, 1])
    shift = aside[:, None] * side
    shift[:, 1] = rise
    return _swing_arms(move_body(posed, shift), walks, steps, width)


def _swing_arms(posed: PosedMotion, walks: Array, pace: Array, width: float) -> PosedMotion:
    joints = [posed.roles.joints[role] for role in ARMS if role in posed.roles.joints]
    turns = rot.unroll(posed.motion.rotations[:, joints])
    mean = rot.normalize(_stride_mean(turns, width))
    away = rot.to_rotvec(rot.multiply(rot.conjugate(mean), turns))
    share = 1.0 + walks * (pace - 1.0)
    swung = rot.multiply(mean, rot.from_rotvec(share[:, None, None] * away))
    return posed.with_local({joint: swung[:, k] for k, joint in enumerate(joints)})


def _stride_mean(values: Array, width: float) -> Array:
    """Values (T, ...) without what comes and goes with steps.

    An average of averages is taken off again: one alone would cut corners.
    """
    reach = min(round(1.5 * width), len(values) - 1)
    beyond = np.arange(1, round(4 * width) + 1).reshape(-1, *[1] * (values.ndim - 1))
    beyond = beyond / max(reach, 1)
    before = values[0] - beyond[::-1] * (values[reach] - values[0])
    after = values[-1] + beyond * (values[-1] - values[-1 - reach])
    long = np.concatenate([before, values, after])
    once = scipy.ndimage.gaussian_filter1d(long, width, axis=0)
    twice = scipy.ndimage.gaussian_filter1d(once, width, axis=0)
    mean: Array = (2.0 * once - twice)[len(before) : len(before) + len(values)]
    return mean
