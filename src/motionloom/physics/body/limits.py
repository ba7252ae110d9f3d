"""How far joints bend: normal ranges of motion, as angles between bones.

The text's table of limits has ranges whose ends are exchanged, and angles about axes that differ
from file to file; the angle between two bones is the same in every file.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom.posed_motion import PosedMotion

Array = NDArray[np.float64]

#: Role of the joint, of the joint before and of the one behind it, and the least and largest angle
#: between the bones, degrees; 180 is straight. Knee and elbow bend by up to about 150 degrees, the
#: ankle by about 20 upwards and 50 downwards from a right angle (AAOS 1965), the thigh up to the
#: trunk by about 120-140.
RANGES = (
    ("knee", "hip", "foot", 25.0, 180.0),
    ("elbow", "shoulder", "hand", 25.0, 180.0),
    ("foot", "knee", "toe", 60.0, 165.0),
)


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
    found = []
    for side in ("left", "right"):
        for part, above, below, least, most in RANGES:
            joints = [posed.roles.joint(f"{side}_{role}") for role in (above, part, below)]
            before, joint, behind = joints
            if before is not None and joint is not None and behind is not None:
                limits = (float(np.radians(least)), float(np.radians(most)))
                found.append(BendLimit(f"{side}_{part}", before, joint, behind, *limits))
    return tuple(limit for limit in found if limit.joint != limit.behind)


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
    angles: Array = np.arctan2(across, np.sum(a * b, axis=-1))
    return angles


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
