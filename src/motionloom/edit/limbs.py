"""Limbs of a body taken to targets: the tip goes to its target, the plane in which the limb bends
stays.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motionloom import rotations as rot
from motionloom.analysis.hinges import Hinge, Limb
from motionloom.kinematics import WorldPose
from motionloom.motion import Motion
from motionloom.two_bones import reach_for, solve_two_bones, unit

Array = NDArray[np.float64]

#: Sine of the bend (about 3 degrees) below which the limb's usual hinge decides about the plane
#: that it bends in.
STRAIGHT = 0.05


def swing_between(a: Array, b: Array) -> Array:
    """Shortest rotation from direction `a` to direction `b` (unit vectors)."""
    w = 1.0 + np.sum(a * b, axis=-1, keepdims=True)
    return rot.normalize(np.concatenate([np.maximum(w, 1e-9), np.cross(a, b)], axis=-1))


def bone_lengths(pose: WorldPose, limb: Limb) -> tuple[Array, Array]:
    """Length of upper and lower bone in every frame, shape (T,) each, metres."""
    upper = pose.positions[:, limb.middle] - pose.positions[:, limb.root]
    lower = pose.positions[:, limb.tip] - pose.positions[:, limb.middle]
    return np.linalg.norm(upper, axis=-1), np.linalg.norm(lower, axis=-1)


def bend_normals(pose: WorldPose, limb: Limb, axis: ArrayLike | None = None) -> Array:
    """Unit normal of the plane the limb bends in, shape (T, 3); about which its lower bone turns.

    Where the limb is nearly straight, or bent a little the wrong way, its usual hinge decides:
    `axis` in the frame of the limb's root, or the mean normal there, weighted by the bend.
    """
    upper = unit(pose.positions[:, limb.middle] - pose.positions[:, limb.root])
    lower = unit(pose.positions[:, limb.tip] - pose.positions[:, limb.middle])
    normal = np.cross(upper, lower)
    if axis is None:
        axis = unit(rot.rotate(rot.conjugate(pose.rotations[:, limb.root]), normal).sum(axis=0))
    usual = rot.rotate(pose.rotations[:, limb.root], axis)
    bend = np.sum(normal * usual, axis=-1, keepdims=True)
    # A smooth maximum of the bend and 0: never about the other side of the hinge.
    kept = 0.5 * (bend + np.sqrt(bend**2 + 4 * STRAIGHT**2))
    return unit(normal + (kept - bend) * usual)


def reach(
    motion: Motion,
    pose: WorldPose,
    limb: Limb,
    target: ArrayLike,
    tip_rotation: ArrayLike | None = None,
    hinge: Hinge | None = None,
) -> Motion:
    """Move a limb's tip to targets by bending at its middle joint and swinging at its root.

    Parameters
    ----------
    motion : Motion
    pose : WorldPose
        Its kinematics.
    limb : Limb
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
    Motion
        Bone lengths do not change, and nothing outside the limb does.
    """
    root, middle, tip = (pose.positions[:, j] for j in (limb.root, limb.middle, limb.tip))
    a, b = bone_lengths(pose, limb)
    ahead = unit(tip - root)
    wanted = np.asarray(target, float) - root
    nearest = np.abs(a - b) + 1e-6
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
        np.cross(ahead, bend_normals(pose, limb, None if hinge is None else hinge.axis)),
        a,
        b,
    )
    lower = span - upper
    swing = swing_between(ahead, unit(wanted))
    upper_turn = rot.multiply(swing, swing_between(unit(middle - root), unit(upper)))
    lower_turn = rot.multiply(swing, swing_between(unit(tip - middle), unit(lower)))
    world = {
        limb.root: rot.multiply(upper_turn, pose.rotations[:, limb.root]),
        limb.middle: rot.multiply(lower_turn, pose.rotations[:, limb.middle]),
    }
    if tip_rotation is not None:
        world[limb.tip] = np.asarray(tip_rotation, float)
    return replace(motion, rotations=_local(motion, pose, limb, world))


def _local(motion: Motion, pose: WorldPose, limb: Limb, world: dict[int, Array]) -> Array:
    """Local rotations with the limb's joints turned as told; joints between them (twist bones) go
    along.
    """
    quats = motion.rotations.copy()
    chain = motion.skeleton.chain(limb.tip)
    first = chain.index(limb.root)
    above = pose.rotations[:, chain[first - 1]] if first else rot.identity(motion.n_frames)
    turned = rot.identity(motion.n_frames)
    for joint in chain[first:]:
        if joint in world:
            turned = rot.multiply(world[joint], rot.conjugate(pose.rotations[:, joint]))
        own = rot.multiply(turned, pose.rotations[:, joint])
        quats[:, joint] = rot.multiply(rot.conjugate(above), own)
        above = own
    return quats
