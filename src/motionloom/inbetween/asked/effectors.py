"""Bodies brought to where a hand or foot can reach what is asked of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.constraints import ConstraintSet, check_joints
from motionloom.edit.limbs import bone_lengths
from motionloom.edit.reach import find_limb
from motionloom.edit.root import move_body
from motionloom.inbetween.fill import Known
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array

#: A limb is asked for this share of its length at most.
_STRETCHED = 0.95


def poses_in_reach(
    posed: PosedMotion, constraints: ConstraintSet, known: Sequence[Known]
) -> list[Known]:
    """Poses that a motion has when something is asked of a joint, moved until the joint reaches it.

    Parameters
    ----------
    posed : PosedMotion
        A motion between key poses.
    constraints : ConstraintSet
        What is asked for.
    known : sequence of Known
        Frames that are given: nothing is moved there.

    Returns
    -------
    list of Known
        Where joints would not reach as the motion is; one at most for each frame.
    """
    given = {frame for piece in known for frame in range(piece.frame, piece.stop)}
    joints = check_joints(constraints, posed.skeleton, posed.roles)
    found = {}
    for constraint, joint in zip(constraints.joints, joints, strict=True):
        frame = constraints.frame_of(constraint.time)
        if constraint.position is None or frame in given:
            continue
        lack = _lacking(posed, frame, joint, np.asarray(constraint.position))
        if lack.any():
            moved = move_body(posed, np.broadcast_to(lack, (posed.n_frames, 3)))
            found[frame] = Known(frame, moved.motion.cut(frame, frame + 1))
    return list(found.values())


def _lacking(posed: PosedMotion, frame: int, joint: int, target: Array) -> Array:
    """What a joint lacks to a target when its limb is stretched, shape (3,), metres."""
    limb = find_limb(posed, joint)
    if limb is None:
        miss: Array = target - posed.positions[frame, joint]
        return miss
    length = _STRETCHED * sum(float(b[frame]) for b in bone_lengths(posed, limb))
    way: Array = target - posed.positions[frame, limb.root]
    far = float(np.linalg.norm(way))
    return way * max(0.0, 1.0 - length / max(far, 1e-12))
