"""Leaning: spine, chest and shoulder girdle help a reach, before the arm does the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.edit.limbs import bone_lengths
from motionloom.edit.reach import Target, bump, find_limb
from motionloom.kinematics import WorldPose, chain_kinematics
from motionloom.posed_motion import PosedMotion

Array = NDArray[np.float64]

#: An arm reaches comfortably as far as this share of its length; the trunk brings the shoulder as
#: near as that.
COMFORT = 0.92
#: No joint of the trunk leans by more than this, and no shoulder girdle rises by more than that,
#: radians.
LARGEST_LEAN = 0.25
LARGEST_SHRUG = 0.45
#: Damping of the least-squares steps, metres: what is out of reach is not worth contortions.
DAMPING = 0.05


def lean_to_targets(
    posed: PosedMotion,
    targets: Sequence[Target],
    blend: float = 0.8,
    keep: Sequence[int] = (),
) -> PosedMotion:
    """Lean the trunk towards targets that an arm would only reach with effort, and towards targets
    of the trunk.

    The joints between hips and shoulder (or between hips and the joint itself, for joints of the
    trunk) share a turn that is least in sum of squares. It is blended in and out around the
    target's frame.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    targets : sequence of Target
        Targets within comfortable reach and those of the legs change nothing. A joint of the trunk
        comes over or under its target: bending cannot raise it.
    blend : float, seconds
        Time over which a lean grows and fades.
    keep : sequence of int
        Frames in which nothing changes.

    Returns
    -------
    PosedMotion
        The hips stay. Nothing turns about the vertical, so the facing changes but a little, with
        the shoulders.
    """
    for target in targets:
        joints, turns = _solve(posed, target)
        if joints and np.any(turns):
            share = bump(posed.n_frames, target.frame, blend * posed.fps, keep)[:, None, None]
            own = posed.motion.rotations[:, joints]
            turned = rot.multiply(own, rot.from_rotvec(share * turns))
            posed = posed.with_local(dict(zip(joints, turned.swapaxes(0, 1), strict=True)))
    return posed


def _solve(posed: PosedMotion, target: Target) -> tuple[list[int], Array]:
    """Joints that lean, hips outwards, and how each turns in its own frame at the target's frame,
    (n, 3).
    """
    limb = find_limb(posed, target.joint)
    end = target.joint if limb is None else limb.root
    chain = posed.skeleton.chain(end)
    hips = posed.roles.joints["hips"]
    first = chain.index(hips) + 1 if hips in chain[:-1] else len(chain) - 1
    joints = list(chain[first:-1])
    turns = np.zeros((len(joints), 3))
    if not joints:
        return joints, turns
    still = posed.cut(target.frame, target.frame + 1)
    arm = 0.0
    most = np.full((len(joints), 1), LARGEST_LEAN)
    if limb is not None:
        upper, lower = bone_lengths(still, limb)
        arm = COMFORT * float(upper[0] + lower[0])
        most[-1:] = LARGEST_SHRUG
    motion = still.motion
    for _ in range(8):
        world = chain_kinematics(motion, end)
        miss = target.position - world.positions[0, -1]
        if limb is None:
            miss[1] = 0.0
        far = float(np.linalg.norm(miss))
        if far <= arm:
            break
        turns = turns + _step(world, first, miss * (1.0 - arm / far))
        size = np.linalg.norm(turns, axis=-1, keepdims=True)
        turns = turns * np.minimum(1.0, most / np.maximum(size, 1e-12))
        rotations = still.motion.rotations.copy()
        rotations[0, joints] = rot.multiply(rotations[0, joints], rot.from_rotvec(turns))
        motion = replace(still.motion, rotations=rotations)
    return joints, turns


def _step(chain: WorldPose, first: int, miss: Array) -> Array:
    """Damped least-squares turn, in its own frame, of every joint of a chain from the `first` on
    that moves the chain's end by `miss`; shape (n, 3).
    """
    lever = chain.positions[0, -1] - chain.positions[0, first:-1]
    level = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    # (n, 3 of place, 2 of turn)
    rows = np.stack([np.cross(axis, lever) for axis in level], axis=-1)
    jacobian = rows.transpose(1, 0, 2).reshape(3, -1)
    turn = jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + DAMPING**2 * np.eye(3), miss)
    return rot.rotate(rot.conjugate(chain.rotations[0, first:-1]), turn.reshape(-1, 2) @ level)
