"""Leaning: spine, chest and shoulder girdle help a reach, before the arm does the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.edit.limbs import bone_lengths
from motionloom.edit.reach import Target, bump, find_limb
from motionloom.kinematics import WorldPose, forward_kinematics
from motionloom.motion import Motion
from motionloom.roles import Roles

Array = NDArray[np.float64]

#: An arm reaches comfortably as far as this share of its length; the trunk brings the shoulder as
#: near as that.
COMFORT = 0.92
#: No joint of the trunk leans by more than this, and no shoulder girdle rises by more than that,
#: radians.
LARGEST_LEAN, LARGEST_SHRUG = 0.25, 0.45
#: Damping of the least-squares steps, metres: what is out of reach is not worth contortions.
DAMPING = 0.05


def lean_to_targets(
    motion: Motion,
    roles: Roles,
    targets: Sequence[Target],
    blend: float = 0.8,
    keep: Sequence[int] = (),
) -> Motion:
    """Lean the trunk towards targets that an arm would only reach with effort, and towards targets
    of the trunk.

    The joints between hips and shoulder (or between hips and the joint itself, for joints of the
    trunk) share a turn that is least in sum of squares. It is blended in and out around the
    target's frame.

    Parameters
    ----------
    motion : Motion
    roles : Roles
    targets : sequence of Target
        Targets within comfortable reach and those of the legs change nothing. A joint of the trunk
        comes over or under its target: bending cannot raise it.
    blend : float, seconds
        Time over which a lean grows and fades.
    keep : sequence of int
        Frames in which nothing changes.

    Returns
    -------
    Motion
        The hips stay. Nothing turns about the vertical, so the facing changes but a little, with
        the shoulders.
    """
    leant = motion
    for target in targets:
        joints, turns = _solve(leant, roles, target)
        if joints and np.any(turns):
            share = bump(motion.n_frames, target.frame, blend * motion.fps, keep)[:, None, None]
            quats = leant.rotations.copy()
            quats[:, joints] = rot.multiply(quats[:, joints], rot.from_rotvec(share * turns))
            leant = replace(leant, rotations=quats)
    return leant


def _solve(motion: Motion, roles: Roles, target: Target) -> tuple[list[int], Array]:
    """Joints that lean, hips outwards, and how each turns in its own frame at the target's frame,
    (n, 3).
    """
    limb = find_limb(motion, roles, target.joint)
    end = target.joint if limb is None else limb.root
    chain = motion.skeleton.chain(end)[:-1]
    hips = roles.joints["hips"]
    joints = list(chain[chain.index(hips) + 1 :]) if hips in chain else []
    pose = forward_kinematics(still := motion.cut(target.frame, target.frame + 1))
    arm = (
        0.0
        if limb is None
        else COMFORT * float(sum(length[0] for length in bone_lengths(pose, limb)))
    )
    turns = np.zeros((len(joints), 3))
    most = np.full((len(joints), 1), LARGEST_LEAN)
    if limb is not None:
        most[-1:] = LARGEST_SHRUG
    for _ in range(8):
        miss = target.position - pose.positions[0, end]
        if limb is None:
            miss[1] = 0.0
        far = float(np.linalg.norm(miss))
        if not joints or far <= arm:
            break
        turns = turns + _step(pose, joints, end, miss * (1.0 - arm / far))
        turns = turns * np.minimum(
            1.0, most / np.maximum(np.linalg.norm(turns, axis=-1, keepdims=True), 1e-12)
        )
        quats = still.rotations.copy()
        quats[0, joints] = rot.multiply(quats[0, joints], rot.from_rotvec(turns))
        pose = forward_kinematics(replace(still, rotations=quats))
    return joints, turns


def _step(pose: WorldPose, joints: Sequence[int], end: int, miss: Array) -> Array:
    """Damped least-squares turn of every joint, in its own frame, that moves `end` by `miss`; shape
    (n, 3).
    """
    lever = pose.positions[0, end] - pose.positions[0, joints]
    level = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    rows = np.stack(
        [np.cross(axis, lever) for axis in level], axis=-1
    )  # (n, 3 of place, 2 of turn)
    jacobian = rows.transpose(1, 0, 2).reshape(3, -1)
    turn = jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + DAMPING**2 * np.eye(3), miss)
    return rot.rotate(rot.conjugate(pose.rotations[0, joints]), turn.reshape(-1, 2) @ level)
