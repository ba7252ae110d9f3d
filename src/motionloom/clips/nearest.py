"""The frame of a clip set that is most like a pose."""

from __future__ import annotations

import numpy as np

from motionloom import rotations as rot
from motionloom.clips.clip_set import ClipSet
from motionloom.constraints import KeyPose
from motionloom.constraints.joints import find_joints
from motionloom.errors import InvalidInputError
from motionloom.typing import Bools


def own_pose(clips: ClipSet, key: KeyPose) -> KeyPose:
    """A key pose as the clips have it: joints by their own names, rotations of unit length.

    The joint that carries the body and those above it are free, and left out.

    Parameters
    ----------
    clips : ClipSet
        Clips of the skeleton that shall show the pose.
    key : KeyPose
        Joints by their names or roles.

    Returns
    -------
    KeyPose

    Raises
    ------
    UnknownJointError
        For a joint that the clips do not have.
    InvalidInputError
        When none but free joints are named.
    """
    free = set(clips.skeleton.chain(clips.motions[0].root_joint))
    named = find_joints(key.joints, clips.skeleton, clips.roles)
    wanted = [(j, r) for j, r in zip(named, key.rotations, strict=True) if j not in free]
    if not wanted:
        raise InvalidInputError(
            f"{key.name}: names none but the joint that carries the body, which is free; name more"
        )
    names = tuple(clips.skeleton.names[j] for j, _ in wanted)
    rotations = rot.normalize(np.array([r for _, r in wanted]))
    return key.model_copy(
        update={"joints": names, "rotations": tuple(map(tuple, rotations.tolist()))}
    )


def nearest_frame(clips: ClipSet, key: KeyPose, among: Bools | None = None) -> int:
    """Frame whose joints are turned least from a pose, by the mean squared angle.

    Parameters
    ----------
    clips : ClipSet
        Clips with N frames.
    key : KeyPose
        As `own_pose` gives it.
    among : bool array of shape (N,), optional
        Frames that may be taken; all when not given or when none may.

    Returns
    -------
    int
        Frame of the clip set, counted through all clips.
    """
    joints = list(find_joints(key.joints, clips.skeleton, clips.roles))
    rotations = np.array(key.rotations)
    away = [rot.angle_between(m.rotations[:, joints], rotations) for m in clips.motions]
    cost = np.mean(np.concatenate(away) ** 2, axis=1)
    if among is not None and among.any():
        cost = np.where(among, cost, np.inf)
    return int(np.argmin(cost))
