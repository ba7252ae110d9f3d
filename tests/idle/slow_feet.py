"""Feet planted by what `edit` has for limbs of any motion: what compiled code must equal."""

import numpy as np

from motionloom.analysis.hinges import Hinge
from motionloom.edit.footlock import find_legs
from motionloom.edit.limbs import bone_lengths, solve_limb
from motionloom.edit.root import move_body
from motionloom.idle.kernels.planting import LONGEST_REACH
from motionloom.posed_motion import pose_motion

UP = np.array([0.0, 1.0, 0.0])


def plant_feet(motion, roles, feet, turns, knees):
    """Hips over the feet, then legs bent; see `motionloom.idle.planting`."""
    legs = find_legs(roles)
    order = ("left_foot", "right_foot")
    free = pose_motion(motion, roles)
    ankles = free.positions[:, [legs[foot].tip for foot in order]]
    posed = move_body(free, (feet - ankles).mean(axis=1))
    drop = np.zeros(motion.n_frames)
    for f, foot in enumerate(order):
        limb = legs[foot]
        reach = LONGEST_REACH * sum(bone_lengths(posed, limb))
        hip = posed.positions[:, limb.root]
        aside = np.linalg.norm((hip - feet[:, f])[:, ::2], axis=1)
        highest = np.sqrt(np.maximum(reach**2 - aside**2, 0.0))
        drop = np.maximum(drop, hip[:, 1] - feet[:, f, 1] - highest)
    lowered = move_body(posed, -drop[:, None] * UP)
    local = {}
    for f, foot in enumerate(order):
        x, y, z = knees[f].tolist()
        knee = Hinge(legs[foot], (x, y, z), -np.pi, np.pi)
        local |= solve_limb(lowered, legs[foot], feet[:, f], turns[:, f], knee)
    return lowered.with_local(local)
