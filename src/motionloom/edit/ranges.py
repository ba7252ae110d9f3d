"""Knees and elbows brought back into the range in which they bent in the captures."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from motionloom.analysis.hinges import Hinge
from motionloom.edit.envelope import smooth_envelope
from motionloom.edit.limbs import bone_lengths, reach
from motionloom.kinematics import forward_kinematics
from motionloom.motion import Motion
from motionloom.two_bones import reach_for, unit


def limit_hinges(motion: Motion, hinges: Iterable[Hinge], smoothing: float = 0.15) -> Motion:
    """Bend limbs less where they bend more than in the captures, and more where they bend less.

    Parameters
    ----------
    motion : Motion
    hinges : iterable of Hinge
    smoothing : float, seconds
        Time over which a correction grows and fades.

    Returns
    -------
    Motion
        A tip moves along the line to the limb's root; it keeps its rotation in the world. Limbs
        that stay in their range are left as they are.
    """
    half = max(1, round(smoothing * motion.fps))
    for hinge in hinges:
        pose = forward_kinematics(motion)
        limb = hinge.limb
        flexion = hinge.flexion(pose)
        least = max(hinge.least, 0.0)
        # In proportion to the bend (to what is left to bend), so that limbs nearly straight by then
        # hardly change.
        less = smooth_envelope(np.maximum(1.0 - hinge.most / np.maximum(flexion, 1e-9), 0.0), half)
        more = smooth_envelope(np.maximum(least - flexion, 0.0), half)
        if not (less.any() or more.any()):
            continue
        bend = flexion * (1.0 - less) + more * (hinge.most - flexion) / max(
            hinge.most - least, 1e-9
        )
        bend = np.clip(bend, least, hinge.most)
        root = pose.positions[:, limb.root]
        tip = pose.positions[:, limb.tip]
        changed = (less > 0) | (more > 0)
        far = np.where(
            changed, reach_for(*bone_lengths(pose, limb), bend), np.linalg.norm(tip - root, axis=-1)
        )
        target = root + far[:, None] * unit(tip - root)
        motion = reach(motion, pose, limb, target, pose.rotations[:, limb.tip], hinge)
    return motion
