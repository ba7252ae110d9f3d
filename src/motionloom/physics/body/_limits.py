"""How far joints bend: normal ranges of motion, as angles between bones.

The text's table of limits has ranges whose ends are exchanged, and angles about axes that differ
from file to file; the angle between two bones is the same in every file.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array

#: Role of the joint, of the joint before and of the one behind it, and the least and largest angle
#: between the bones, degrees; 180 is straight. Knee and elbow bend by up to about 150 degrees, the
#: ankle by about 20 upwards and 50 downwards from a right angle, the thigh up to the trunk by about
#: 120-140, the trunk by about 80 and the neck by about 60 (AAOS 1965). Shoulders go all the way
#: round, and wrists have no bone behind them.
RANGES = (
    ("knee", "hip", "foot", 25.0, 180.0),
    ("elbow", "shoulder", "hand", 25.0, 180.0),
    ("foot", "knee", "toe", 60.0, 165.0),
    ("hip", "chest", "knee", 30.0, 180.0),
    ("chest", "hips", "neck", 90.0, 180.0),
    ("neck", "chest", "head", 90.0, 180.0),
)
#: How far bones may twist about themselves besides bending, radians (the most of any joint here).
TWIST = float(np.radians(60.0))
#: A joint that a motion turns farther than its range may go this much farther, radians.
SPARE = float(np.radians(5.0))


@dataclass(frozen=True)
class BendLimit:
    """The range of the angle between two bones that meet in a joint.

    Parameters
    ----------
    name : str
        Role of the joint.
    before, joint, behind : int
        Joints of the skeleton.
    least, most : float, radians
        Angle between the bones; pi is straight.
    """

    name: str
    before: int
    joint: int
    behind: int
    least: float
    most: float


def bend_limits(posed: PosedMotion) -> tuple[BendLimit, ...]:
    """The ranges of the joints that a skeleton has."""
    known = posed.roles.joints
    found: dict[str, BendLimit] = {}
    for side in ("left", "right"):
        for part, above, below, least, most in RANGES:
            # Of the trunk, or of one side.
            roles = [r if r in known else f"{side}_{r}" for r in (above, part, below)]
            joints = [known[role] for role in roles if role in known]
            if len(set(joints)) == 3:
                limits = np.radians([least, most]).tolist()
                found[roles[1]] = BendLimit(roles[1], *joints, *limits)
    return tuple(found.values())


def bend_angles(positions: Array, limit: BendLimit) -> Array:
    """Angle between the bones of a joint.

    Parameters
    ----------
    positions : array of shape (T, J, 3), metres
        World positions of the joints.
    limit : BendLimit
        Which bones.

    Returns
    -------
    array of shape (T,), radians
    """
    a = positions[:, limit.before] - positions[:, limit.joint]
    b = positions[:, limit.behind] - positions[:, limit.joint]
    across = np.linalg.norm(np.cross(a, b), axis=-1)
    return np.arctan2(across, np.sum(a * b, axis=-1))


def beyond_limits(posed: PosedMotion) -> dict[str, float]:
    """How far each joint leaves its range at most, degrees, by role; only those that do.

    Parameters
    ----------
    posed : PosedMotion
        The motion.

    Returns
    -------
    dict of str to float
    """
    found = {}
    for limit in bend_limits(posed):
        angles = bend_angles(posed.positions, limit)
        excess = float(np.maximum(limit.least - angles, angles - limit.most).max(initial=0.0))
        if excess > 0:
            found[limit.name] = float(np.degrees(excess))
    return found


def turn_ranges(posed: PosedMotion) -> dict[int, float]:
    """How far joints may turn from the rest pose, about any axis: for models with ball joints.

    A joint that bends by b and twists by t turns by ``2 acos(cos(b/2) cos(t/2))``. What the motion
    does is always within.

    Parameters
    ----------
    posed : PosedMotion
        Roles and rest pose; its rotations widen the ranges.

    Returns
    -------
    dict of int to float, radians
        By joint of the skeleton; no more than pi. Joints without a known range are absent.
    """
    rest = _rest_places(posed)
    found = {}
    for limit in bend_limits(posed):
        straight = float(bend_angles(rest[None], limit)[0])
        bend = max(abs(straight - limit.least), abs(straight - limit.most))
        known = 2 * np.arccos(np.clip(np.cos(bend / 2) * np.cos(TWIST / 2), -1.0, 1.0))
        turned = 2 * np.arccos(np.clip(np.abs(posed.motion.rotations[:, limit.joint, 0]), 0, 1))
        found[limit.joint] = min(np.pi, max(float(known), float(turned.max(initial=0)) + SPARE))
    return found


def _rest_places(posed: PosedMotion) -> Array:
    """Places of the joints with no joint turned, (J, 3), metres."""
    skeleton = posed.skeleton
    chains = (list(skeleton.chain(joint)[1:]) for joint in range(skeleton.n_joints))
    return np.array([skeleton.offsets[chain].sum(axis=0) for chain in chains])
