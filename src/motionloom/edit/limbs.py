"""Limbs of a body taken to targets: the tip goes to its target, the plane in which the limb bends
stays.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.analysis.hinges import Hinge, usual_axis
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Limb
from motionloom.two_bones import cross, reach_for, solve_two_bones, unit
from motionloom.typing import Array

#: Hips are lowered by no more than this for the legs to reach, leg lengths.
LARGEST_DROP = 0.14

#: Sine of the bend (about 3 degrees) below which the limb's usual hinge decides about the plane
#: that it bends in.
STRAIGHT = 0.05
#: Directions are opposite where 1 plus their product is below this.
OPPOSITE = 1e-12


def swing_between(a: Array, b: Array) -> Array:
    """Shortest rotation from one direction to another.

    Parameters
    ----------
    a, b : array of shape (..., 3)
        Unit vectors.

    Returns
    -------
    array of shape (..., 4)
        Unit quaternions; where the two are opposite, a half turn about some axis across them.

    Examples
    --------
    >>> from motionloom import rotations as rot
    >>> turn = swing_between(np.array([0.0, 0, 1]), np.array([1.0, 0, 0]))
    >>> rot.rotate(turn, [0.0, 0.0, 1.0]).round(6)
    array([1., 0., 0.])
    """
    w = 1.0 + np.sum(a * b, axis=-1, keepdims=True)
    axis = cross(a, b)
    across = cross(a, np.eye(3)[np.argmin(np.abs(a), axis=-1)])
    opposite = w < OPPOSITE
    # (1 + a.b, a x b) is twice the half turn's quaternion, up to length; it vanishes where both are
    # opposite, and then any axis across will do.
    turn = np.concatenate([np.where(opposite, 0.0, w), np.where(opposite, across, axis)], axis=-1)
    return rot.normalize(turn)


def bone_lengths(posed: PosedMotion, limb: Limb) -> tuple[Array, Array]:
    """Lengths of a limb's upper and lower bone in every frame.

    Parameters
    ----------
    posed : PosedMotion
        The motion, T frames.
    limb : Limb
        Its root, middle and tip joints.

    Returns
    -------
    upper, lower : array of shape (T,), metres
        From root to middle and from middle to tip.

    Examples
    --------
    >>> from motionloom.analysis.hinges import find_limbs
    >>> thigh, shank = bone_lengths(posed, find_limbs(posed.roles)["left_foot"])
    >>> round(float(thigh[0] + shank[0]), 2)  # metres
    0.86
    """
    upper = posed.positions[:, limb.middle] - posed.positions[:, limb.root]
    lower = posed.positions[:, limb.tip] - posed.positions[:, limb.middle]
    return np.linalg.norm(upper, axis=-1), np.linalg.norm(lower, axis=-1)


def bend_normals(posed: PosedMotion, limb: Limb, axis: ArrayLike | None = None) -> Array:
    """Unit normal of the plane the limb bends in; about it the lower bone turns.

    Where the limb is nearly straight, or bent a little the wrong way, its usual hinge decides:
    `axis`, or what `usual_axis` learns from this motion.

    Parameters
    ----------
    posed : PosedMotion
        The motion, T frames.
    limb : Limb
        Its root, middle and tip joints.
    axis : array of shape (3,), optional
        Unit axis of the usual hinge in the frame of the limb's root.

    Returns
    -------
    array of shape (T, 3)
        In the world.
    """
    upper = unit(posed.positions[:, limb.middle] - posed.positions[:, limb.root])
    lower = unit(posed.positions[:, limb.tip] - posed.positions[:, limb.middle])
    normal = cross(upper, lower)
    if axis is None:
        axis = usual_axis([posed], limb)
    usual = rot.rotate(posed.rotations[:, limb.root], axis)
    bend = np.sum(normal * usual, axis=-1, keepdims=True)
    # A smooth maximum of the bend and 0: never about the other side of the hinge.
    kept = 0.5 * (bend + np.sqrt(bend**2 + 4 * STRAIGHT**2))
    return unit(normal + (kept - bend) * usual)


def solve_limb(
    posed: PosedMotion,
    limb: Limb,
    target: ArrayLike,
    tip_rotation: ArrayLike | None = None,
    hinge: Hinge | None = None,
) -> dict[int, Array]:
    """How a limb's joints turn for its tip to reach targets.

    Limbs of which none hangs below the other do not depend on each other.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    limb : Limb
        Which joints bend.
    target : array of shape (T, 3), metres
        World positions for the tip. One farther than the bones reach is approached with a straight
        limb.
    tip_rotation : array of shape (T, 4), optional
        World rotation that the tip's joint shall have; it goes along with the lower bone when not
        given.
    hinge : Hinge, optional
        The limb bends no more and no less than it did in the captures.

    Returns
    -------
    dict of int to array of shape (T, 4)
        Rotation of every joint of the limb relative to its parent.

    Examples
    --------
    >>> from motionloom.analysis.hinges import find_limbs
    >>> arm = find_limbs(posed.roles)["right_hand"]
    >>> goal = posed.positions[:, arm.tip] + [0.0, 0.05, 0.0]
    >>> raised = posed.with_local(solve_limb(posed, arm, goal))
    >>> np.allclose(raised.positions[:, arm.tip], goal, atol=1e-6)
    True
    """
    root, middle, tip = (posed.positions[:, j] for j in (limb.root, limb.middle, limb.tip))
    a, b = bone_lengths(posed, limb)
    ahead = unit(tip - root)
    wanted = np.asarray(target, float) - root
    nearest = np.abs(a - b) + 1e-6
    # Not quite straight: there the plane of the bend is undefined.
    farthest = (a + b) * (1 - 1e-9)
    if hinge is not None:
        nearest = np.maximum(nearest, reach_for(a, b, hinge.most))
        farthest = np.minimum(farthest, reach_for(a, b, max(hinge.least, 0.0)))
    distance = np.clip(np.linalg.norm(wanted, axis=-1), nearest, farthest)
    # The bend that the new distance needs, where the limb points now; then a swing to where it
    # shall point.
    span = distance[:, None] * ahead
    upper, _ = solve_two_bones(
        np.zeros_like(span),
        span,
        cross(ahead, bend_normals(posed, limb, None if hinge is None else hinge.axis)),
        a,
        b,
    )
    lower = span - upper
    swing = swing_between(ahead, unit(wanted))
    upper_turn = rot.multiply(swing, swing_between(unit(middle - root), unit(upper)))
    lower_turn = rot.multiply(swing, swing_between(unit(tip - middle), unit(lower)))
    world = {
        limb.root: rot.multiply(upper_turn, posed.rotations[:, limb.root]),
        limb.middle: rot.multiply(lower_turn, posed.rotations[:, limb.middle]),
    }
    if tip_rotation is not None:
        world[limb.tip] = np.asarray(tip_rotation, float)
    return turn_joints(posed, limb, world)


def turn_joints(posed: PosedMotion, limb: Limb, world: dict[int, Array]) -> dict[int, Array]:
    """Local rotations of a limb's joints turned as told; joints between them (twist bones) go
    along.
    """
    local: dict[int, Array] = {}
    chain = posed.skeleton.chain(limb.tip)
    first = chain.index(limb.root)
    above = posed.rotations[:, chain[first - 1]] if first else rot.identity(posed.n_frames)
    turned = rot.identity(posed.n_frames)
    for joint in chain[first:]:
        if joint in world:
            turned = rot.multiply(world[joint], rot.conjugate(posed.rotations[:, joint]))
        own = rot.multiply(turned, posed.rotations[:, joint])
        local[joint] = rot.multiply(rot.conjugate(above), own)
        above = own
    return local
