"""How trunk, neck and head of two bodies lean, each measured from its own neutral pose."""

from __future__ import annotations

import numpy as np

from motionloom import rotations as rot
from motionloom.edit.limbs import swing_between
from motionloom.edit.retarget.frames import RoleFrames
from motionloom.posed_motion import PosedMotion
from motionloom.two_bones import unit
from motionloom.typing import Array

UP = np.array([0.0, 1.0, 0.0])
PARTS = ("trunk", "neck", "head")


def lean_errors(
    source: PosedMotion, posed: PosedMotion, own: RoleFrames, target: RoleFrames
) -> dict[str, Array]:
    """Angles between the leans of two bodies.

    Trunk and neck are lines between joints, the head is what its joint carries. A lean is what
    takes the part from its neutral pose, seen from where the body faces.

    Parameters
    ----------
    source, posed : PosedMotion
        As many frames of both.
    own, target : RoleFrames
        Of their bodies.

    Returns
    -------
    dict of str to array of shape (T,), degrees
        By part: trunk, neck, head; empty where one of both has no such part.
    """
    found = {}
    for part in PARTS:
        leans = [_lean(part, *body) for body in ((source, own), (posed, target))]
        a, b = leans
        if a is None or b is None:
            found[part] = np.zeros(0)
            continue
        across = np.linalg.norm(np.cross(a, b), axis=-1)
        found[part] = np.degrees(np.arctan2(across, np.sum(a * b, axis=-1)))
    return found


def _lean(part: str, posed: PosedMotion, frames: RoleFrames) -> Array | None:
    """Where the part points that points up in the neutral pose, shape (T, 3), or None."""
    now = _line(part, posed, frames)
    neutral = _line(part, frames.neutral, frames)
    if now is None or neutral is None:
        return None
    ahead = rot.conjugate(_heading(posed, frames))
    stood = rot.conjugate(_heading(frames.neutral, frames))
    upright = swing_between(rot.rotate(stood, neutral)[0], UP)
    lean: Array = rot.rotate(upright, rot.rotate(ahead, now))
    return lean


def _heading(posed: PosedMotion, frames: RoleFrames) -> Array:
    """Turn about the vertical of a body, shape (T, 4)."""
    ahead = rot.rotate(frames.world("hips", posed.rotations), np.array([0.0, 0.0, 1.0]))
    return rot.yaw(np.arctan2(ahead[:, 0], ahead[:, 2]))


def _line(part: str, posed: PosedMotion, frames: RoleFrames) -> Array | None:
    """Direction of a part in the world, shape (T, 3)."""
    head = frames.joints.get("head")
    neck = frames.joints.get("neck_1", head)
    if part == "head":
        return None if head is None else _carried(posed, frames, head)
    if part == "trunk" and neck is not None:
        hips = [frames.roles.joints[f"{side}_hip"] for side in ("left", "right")]
        return unit(posed.positions[:, neck] - posed.positions[:, hips].mean(axis=1))
    if neck is None or head is None or neck == head:
        return None
    return unit(posed.positions[:, head] - posed.positions[:, neck])


def _carried(posed: PosedMotion, frames: RoleFrames, joint: int) -> Array:
    """Where a direction that a joint carries points that points up in the neutral pose."""
    local = rot.rotate(rot.conjugate(frames.neutral.rotations[0, joint]), UP)
    up: Array = rot.rotate(posed.rotations[:, joint], local)
    return up
