"""Reaching: a limb's tip brought to points at given frames, blended in before and out after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.edit.limbs import Limb, find_limbs, reach
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
    """The arm or leg that ends in `joint` or carries it at its end; None for joints of the trunk and inside limbs."""
    for limb in find_limbs(roles).values():
        if joint in motion.skeleton.descendants(limb.tip):
            return Limb(limb.root, limb.middle, joint)
    return None


def reach_targets(
    motion: Motion, roles: Roles, targets: Sequence[Target], blend: float = 0.6, turn_rate: float = 1.5
) -> Motion:
    """Bring limbs to their targets.

    The pose that reaches a target is solved for in its frame only. How far it turns the limb's joints is then blended
    in before and out after that frame, in the tangent space, so a limb swings there and back without a detour.

    Parameters
    ----------
    motion : Motion
    roles : Roles
    targets : sequence of Target
        Targets of joints that belong to no limb are passed over.
    blend : float, seconds
        Least time over which a correction grows and fades; no longer than to the limb's next target.
    turn_rate : float, radians per second
        A larger correction takes longer, so that it turns no joint faster than this on average.

    Returns
    -------
    Motion
        A target beyond the bones' reach is approached with a straight limb.
    """
    reached = [(t, limb) for t in targets if (limb := find_limb(motion, roles, t.joint)) is not None]
    quats = motion.rotations.copy()
    for target, limb in reached:
        joints = [limb.root, limb.middle]
        turn = _solve(motion, target, limb)[joints]
        width = max(blend, float(np.linalg.norm(turn, axis=-1).max()) / turn_rate) * motion.fps
        others = [abs(t.frame - target.frame) for t, other in reached if t is not target and other.root == limb.root]
        share = _bump(motion.n_frames, target.frame, min([width, *others]))[:, None, None]
        quats[:, joints] = rot.multiply(quats[:, joints], rot.from_rotvec(share * turn))
    return replace(motion, rotations=quats)


def _solve(motion: Motion, target: Target, limb: Limb) -> Array:
    """Rotation vector by which every joint must turn, in its own frame, for the limb to reach its target; (J, 3)."""
    pose = forward_kinematics(motion)
    place = np.broadcast_to(target.position, (motion.n_frames, 3))
    solved = reach(motion, pose, limb, place).rotations[target.frame]
    return rot.to_rotvec(rot.multiply(rot.conjugate(motion.rotations[target.frame]), solved))


def _bump(n: int, frame: int, width: float) -> Array:
    """1 at `frame`, falling with smooth slope and curvature to 0 at `width` frames on both sides."""
    u = np.clip(1.0 - np.abs(np.arange(n) - frame) / max(width, 1.0), 0.0, 1.0)
    return u**3 * (10.0 - 15.0 * u + 6.0 * u * u)
