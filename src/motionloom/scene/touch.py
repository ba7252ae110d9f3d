"""The last correction of a scene: joints that meet, such as hands, are brought exactly together,
half each.
"""

from __future__ import annotations

import numpy as np

from motionloom import rotations as rot
from motionloom.curves import minimum_jerk
from motionloom.edit.limbs import solve_limb
from motionloom.edit.reach import find_limb
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Limb
from motionloom.typing import Array

#: Whose turn it is to reach: what one limb is short of, the other makes up for.
_TURNS = (0, 1, 0, 1)


def bring_together(
    motions: tuple[PosedMotion, PosedMotion],
    joints: tuple[int, int],
    points: tuple[Array, Array],
    frames: tuple[int, int],
    fade: int,
) -> tuple[PosedMotion, PosedMotion]:
    """Move two limbs so that their joints meet.

    Joints that meet for a moment keep their own ways and meet halfway between them; joints that
    stay together do so at their points.

    Parameters
    ----------
    motions : tuple of (PosedMotion, PosedMotion)
        With the same frames.
    joints : tuple of (int, int)
        A joint that is part of no limb stays, and the other comes all the way.
    points : tuple of arrays of shape (3,), metres
        Where the joint of the first and that of the second is wanted; what counts first is that
        they are as far from each other as these.
    frames : tuple of (int, int)
        First and last frame in which they are together.
    fade : int
        Frames before and after over which the correction grows and fades.

    Returns
    -------
    tuple of (PosedMotion, PosedMotion)
        Limbs that do not reach come as near as they can.
    """
    limbs = [find_limb(m, j) for m, j in zip(motions, joints, strict=True)]
    ends = [m.positions[:, j] for m, j in zip(motions, joints, strict=True)]
    share = _plateau(motions[0].n_frames, frames, fade)[:, None]
    half = 0.5 * (ends[1] - ends[0] - (points[1] - points[0]))
    is_moment = frames[0] == frames[1]
    ways = (
        [half, -half]
        if is_moment
        else [point - end for point, end in zip(points, ends, strict=True)]
    )
    goals = [end + share * way for end, way in zip(ends, ways, strict=True)]
    between = goals[1] - goals[0]
    made = list(motions)
    for k in _TURNS:
        limb = limbs[k]
        if limb is not None:
            made[k] = _reach_gently(motions[k], limb, goals[k], share)
        # The other goes to where it is right beside what this one came to.
        at = made[k].positions[:, joints[k]]
        goals[1 - k] = at + between if k == 0 else at - between
    return made[0], made[1]


def _reach_gently(posed: PosedMotion, limb: Limb, goal: Array, share: Array) -> PosedMotion:
    """Reach for goals (T, 3); a limb that bends a little the wrong way is set right near the event
    only.
    """
    gate = (1.0 - (1.0 - share) ** 4)[:, 0]
    local = {}
    for joint, solved in solve_limb(posed, limb, goal).items():
        own = posed.motion.rotations[:, joint]
        local[joint] = np.where(share > 0, rot.slerp(own, solved, gate), own)
    return posed.with_local(local)


def joint_distance(
    motions: tuple[PosedMotion, PosedMotion], joints: tuple[int, int], apart: Array
) -> Array:
    """How far two joints are from having a wanted offset, in every frame.

    Parameters
    ----------
    motions : tuple of (PosedMotion, PosedMotion)
        With the same frames.
    joints : tuple of (int, int)
        One of each motion.
    apart : array of shape (3,), metres
        Wanted way from the first to the second, in the world.

    Returns
    -------
    array of shape (T,), metres
    """
    ends = [m.positions[:, j] for m, j in zip(motions, joints, strict=True)]
    distance: Array = np.linalg.norm(ends[1] - ends[0] - apart, axis=-1)
    return distance


def _plateau(n: int, frames: tuple[int, int], fade: int) -> Array:
    """1 from the first to the last frame, falling smoothly to 0 over `fade` frames beside them."""
    at = np.arange(n)
    away = np.maximum(np.maximum(frames[0] - at, at - frames[1]), 0)
    return minimum_jerk(1.0 - away / max(fade, 1))
