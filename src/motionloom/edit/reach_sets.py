"""What a hand reaches from a pose without strain: how far trunk, knees and arm go, and where people
would stand.

All of it is in arm lengths, so that it holds for every body. A target is measured from the
shoulder: the arm's own length, and what a lean brings on the ground, bent knees and a bow down,
stretched legs up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motionloom.edit.limbs import bone_lengths
from motionloom.edit.reach import find_limb
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Limb, Roles
from motionloom.typing import Array

_Ground = NDArray[np.complex128]

#: The arm keeps so much of its length: a straight one looks strained.
COMFORT = 0.92
#: As far as it goes before it is straight.
SPARE = 0.97
#: How far the trunk brings the shoulder along the ground, down and up, arm lengths.
LEAN, DROP, RISE = 0.35, 1.0, 0.08
#: Where a target lies when one stands before it: this far from the shoulder, as seen from the side,
#: but no nearer or farther ahead of it than that, arm lengths.
AWAY, LEAST, MOST = 0.85, 0.45, 0.75
#: A hand that has to rise or sink by less than `NEAR` is used where it is; by more than `FAR`, what
#: it reaches for is taken to be ahead, arm lengths.
NEAR, FAR = 0.15, 0.7
#: Who does not stop is as far off as the body goes in this time, seconds; by this share of it where
#: the hand passes its target anyway.
PAUSE, PASSING = 0.4, 0.5


class ReachSet(NamedTuple):
    """What a hand reaches at one height, from each of N poses; places are ``z + i x``, metres.

    Parameters
    ----------
    place : complex array of shape (N,)
        Where on the ground the target is met best.
    effort : array of shape (N,)
        How far hand and shoulder have to go even then.
    shoulder : complex array of shape (N,)
        The shoulder on the ground.
    radius : array of shape (N,)
        Targets farther than this from it on the ground are out of reach; people would rather step
        nearer than bow farther.
    never : array of shape (N,)
        How far the height itself is out of reach.
    """

    place: _Ground
    effort: Array
    shoulder: _Ground
    radius: Array
    never: Array


def is_arm(roles: Roles, limb: Limb) -> bool:
    """Whether a limb hangs on a shoulder and bears no weight.

    Parameters
    ----------
    roles : Roles
        Of the body.
    limb : Limb
        One of its limbs.

    Returns
    -------
    bool
    """
    arms = [role for role in ("left_hand", "right_hand") if role not in roles.feet]
    roots = [roles.joint(role.replace("hand", "shoulder")) for role in arms]
    return limb.root in roots


def find_reach_set(
    hand: ArrayLike,
    shoulder: ArrayLike,
    facing: ArrayLike,
    length: float,
    height: float,
    speed: ArrayLike = 0.0,
) -> ReachSet:
    """What hands reach at a height.

    A pose whose hand is about as high as the target is best laid down with the hand on it. The
    more hand and trunk have to move, the more the target belongs ahead of the shoulder.

    Parameters
    ----------
    hand, shoulder : arrays of shape (N, 3), metres
        Of every pose.
    facing : complex array of shape (N,)
        Where the body faces, as a unit ``z + i x``.
    length : float, metres
        Of the arm.
    height : float, metres
        Of the target.
    speed : array of shape (N,), metres per second
        Of the body: people stand while they reach, the more so the farther they do.

    Returns
    -------
    ReachSet
    """
    hand, shoulder = np.asarray(hand, float), np.asarray(shoulder, float)
    at = hand[:, 2] + 1j * hand[:, 0]
    above = shoulder[:, 2] + 1j * shoulder[:, 0]
    climb = height - hand[:, 1]
    # Blended, not chosen: the best place must not jump between two frames that are alike.
    moved = np.clip((np.abs(climb) / length - NEAR) / (FAR - NEAR), 0.0, 1.0)
    fall = height - shoulder[:, 1]
    level = np.sqrt(np.maximum(AWAY**2 - (fall / length) ** 2, 0.0))
    ahead = above + np.clip(level, LEAST, MOST) * length * np.asarray(facing)
    place = at + moved * (ahead - at)
    way = np.sqrt(np.abs(place - at) ** 2 + climb**2)
    own = np.linalg.norm(hand - shoulder, axis=1)
    # An arm that is stretched in the capture is comfortable as it is.
    comfort = np.maximum(COMFORT * length, own)
    short = np.sqrt(np.abs(place - above) ** 2 + fall**2) - comfort
    beyond = np.maximum(np.where(fall > 0, fall - RISE * length, -fall - DROP * length), 0.0)
    # Pythagoras: what the height takes of the arm is gone on the ground; leaning comes on top.
    radius = np.sqrt(np.maximum((SPARE * length) ** 2 - beyond**2, 0.0)) + LEAN * length
    never = np.maximum(beyond - SPARE * length, 0.0)
    pause = PAUSE * np.asarray(speed) * (PASSING + (1.0 - PASSING) * moved)
    effort = np.sqrt(way**2 + np.maximum(short, 0.0) ** 2 + pause**2) + never
    return ReachSet(place, effort, above, radius, never)


def reach_at(posed: PosedMotion, frame: int, joint: int, height: float) -> ReachSet | None:
    """What a hand reaches at a height from one frame of a motion; None for other joints.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    frame : int
        Which of its poses.
    joint : int
        The hand, or a joint that it carries.
    height : float, metres
        Of the target.

    Returns
    -------
    ReachSet or None
        Of one pose.
    """
    limb = find_limb(posed, joint)
    if limb is None or not is_arm(posed.roles, limb):
        return None
    still = posed.cut(frame, frame + 1)
    length = float(np.sum(bone_lengths(still, limb)))
    ends = still.positions[:, joint], still.positions[:, limb.root]
    return find_reach_set(*ends, np.exp(1j * still.body[:, 2]), length, height)


def beyond_reach(posed: PosedMotion, frame: int, joint: int, target: ArrayLike) -> float | None:
    """How far a target is beyond what is reached from a frame; None for joints that are no hands.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    frame : int
        Which of its poses.
    joint : int
        The hand, or a joint that it carries.
    target : array of shape (3,), metres
        In the world.

    Returns
    -------
    float or None, metres
        0 where hips, trunk and arm get there without strain.
    """
    x, y, z = np.asarray(target, float)
    reach = reach_at(posed, frame, joint, y)
    if reach is None:
        return None
    flat = float(left_over(reach, np.array([z + 1j * x]))[0])
    return float(np.hypot(flat, reach.never[0]))


def left_over(reach: ReachSet, at: ArrayLike) -> Array:
    """How far targets are out of reach on the ground.

    Parameters
    ----------
    reach : ReachSet
        Of N poses.
    at : complex array of shape (N,)
        Places of the target as seen from each pose, ``z + i x``, metres.

    Returns
    -------
    array of shape (N,), metres
        0 within reach.
    """
    return np.maximum(np.abs(np.asarray(at) - reach.shoulder) - reach.radius, 0.0)
