"""Poses carried over: every body part of the target is turned in the world as the source's is."""

from __future__ import annotations

import numpy as np

from motionloom import rotations as rot
from motionloom.edit.retarget.frames import RoleFrames
from motionloom.edit.retarget.parts import CHAINS
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array


def carry_rotations(source: PosedMotion, own: RoleFrames, target: RoleFrames) -> PosedMotion:
    """Give a skeleton the poses of a motion of another.

    Parameters
    ----------
    source : PosedMotion
        The motion, T frames.
    own : RoleFrames
        Of the source's skeleton.
    target : RoleFrames
        Of the skeleton that gets the poses.

    Returns
    -------
    PosedMotion
        Of the target's skeleton, with its hips at the origin. Joints that play no part in the
        source keep the rotation relative to their parent that they have in the neutral pose.
    """
    world = {
        joint: rot.multiply(turned, rot.conjugate(target.frames[part]))
        for part, joint in target.joints.items()
        if (turned := part_rotation(part, source, own, target)) is not None
    }
    skeleton = target.skeleton
    hips = target.joints["hips"]
    above = set(skeleton.chain(hips)[:-1])
    local = np.empty((source.n_frames, skeleton.n_joints, 4))
    turns: list[Array] = []
    for joint, parent in enumerate(skeleton.parents.tolist()):
        carrier = turns[parent] if parent >= 0 else rot.identity(source.n_frames)
        if joint in world:
            local[:, joint] = rot.multiply(rot.conjugate(carrier), world[joint])
        else:
            local[:, joint] = rot.identity() if joint in above else target.rest[joint]
        turns.append(rot.multiply(carrier, local[:, joint]))
    translated = (0,) if hips == 0 else (0, hips)
    places = np.broadcast_to(skeleton.offsets[list(translated)], (len(local), len(translated), 3))
    motion = Motion(
        skeleton=skeleton,
        rotations=local,
        translations=places,
        frame_time=source.motion.frame_time,
        translated=translated,
        name=source.motion.name,
    )
    return PosedMotion(motion, target.roles)


def part_rotation(
    part: str, source: PosedMotion, own: RoleFrames, target: RoleFrames
) -> Array | None:
    """How a body part of the target shall be turned in the world.

    Parameters
    ----------
    part : str
        One of the target's parts.
    source : PosedMotion
        The motion.
    own, target : RoleFrames
        Of both skeletons.

    Returns
    -------
    array of shape (T, 4), or None
        None where the source has nothing like it.
    """
    chain = part.rpartition("_")[0]
    if part in target.along and chain in CHAINS:
        return _along(chain, target.along[part], source, own)
    return own.world(part, source.rotations) if part in own.joints else None


def _along(chain: str, share: float, source: PosedMotion, own: RoleFrames) -> Array | None:
    """Rotation of the source's spine or neck at a share of the way up."""
    low, high = CHAINS[chain]
    if low not in own.joints or high not in own.joints:
        return None
    inner = [part for part in own.along if part.startswith(f"{chain}_")]
    places = [0.0, *(own.along[part] for part in inner), 1.0]
    parts = [low, *inner, high]
    after = min(max(int(np.searchsorted(places, share)), 1), len(places) - 1)
    gap = max(places[after] - places[after - 1], 1e-9)
    between = np.full(source.n_frames, (share - places[after - 1]) / gap)
    below = own.world(parts[after - 1], source.rotations)
    return rot.slerp(below, own.world(parts[after], source.rotations), between)
