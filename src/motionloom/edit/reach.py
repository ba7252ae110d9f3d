"""Reaching: a limb's tip brought to points at given frames, blended in before and out after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom.edit.two_bone import Limb, find_limbs, reach
from motionloom.kinematics import forward_kinematics
from motionloom.motion import Motion
from motionloom.roles import Roles

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Target:
    """A place for a joint at a frame.

    Parameters
    ----------
    frame : int
    joint : int
    position : array of shape (3,), metres
    """

    frame: int
    joint: int
    position: Array


def find_limb(motion: Motion, roles: Roles, joint: int) -> Limb | None:
    """The arm or leg whose tip is `joint` or carries it; None for joints of the trunk and inside limbs."""
    return next((limb for limb in find_limbs(roles).values() if joint in motion.skeleton.descendants(limb.tip)), None)


def reach_targets(
    motion: Motion, roles: Roles, targets: Sequence[Target], blend: float = 0.5, speed: float = 0.8
) -> Motion:
    """Bring limbs to their targets.

    Parameters
    ----------
    motion : Motion
    roles : Roles
    targets : sequence of Target
        Targets of joints that belong to no limb are passed over.
    blend : float, seconds
        Least time over which a correction grows and fades; half the time to the next target of the same limb at most.
    speed : float, metres per second
        A larger correction takes longer, so that it moves the tip no faster than this on average.

    Returns
    -------
    Motion
        The tips keep their orientation; a target beyond the bones' reach is approached with a straight limb.
    """
    limbs: dict[Limb, list[Target]] = {}
    for target in targets:
        limb = find_limb(motion, roles, target.joint)
        if limb is not None:
            limbs.setdefault(limb, []).append(target)
    for limb, own in limbs.items():
        pose = forward_kinematics(motion)
        correction = np.zeros((motion.n_frames, 3))
        for target in own:
            error = target.position - pose.positions[target.frame, target.joint]
            width = max(blend, float(np.linalg.norm(error)) / speed) * motion.fps
            others = [abs(t.frame - target.frame) for t in own if t is not target]
            correction += _bump(motion.n_frames, target.frame, min([width, *others]))[:, None] * error
        motion = reach(motion, pose, limb, pose.positions[:, limb.tip] + correction)
    return motion


def _bump(n: int, frame: int, width: float) -> Array:
    """1 at `frame`, falling with smooth slope and curvature to 0 at `width` frames on both sides."""
    u = np.clip(1.0 - np.abs(np.arange(n) - frame) / max(width, 1.0), 0.0, 1.0)
    return u**3 * (10.0 - 15.0 * u + 6.0 * u * u)
