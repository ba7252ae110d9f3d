"""What is odd about the body of a motion that was just read: its size, and how it stands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.errors import FormatError
from motionloom.io.units import (
    MOST_BODY_JOINTS,
    UNCLEAR,
    body_height,
    check_unit,
    guess_unit,
    is_insisted,
    joints_of_person,
)
from motionloom.motion import Motion
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import Skeleton

#: Heights (metres) of bodies: people from a newborn's half a metre with room for dolls and giants
#: of games, quadrupeds from a small cat, hind paw to nose, to a large horse. Units that are
#: mistaken differ by 2.5 at least, most by 10.
HEIGHTS = {"human": (0.3, 3.0), "quadruped": (0.1, 4.0)}
_NAMES = {"human": "person", "quadruped": "animal"}
#: Frames that are looked at for the attitude.
_FRAMES = 200
#: A body is upright where its head is above its feet by this share of their distance ...
_UPRIGHT = 0.5
#: ... and lies all the time when it is upright in less than this share of the frames.
_SELDOM = 0.1


def check_body(
    motion: Motion, unit: float | str | None = None, up: str | None = None
) -> tuple[str, ...]:
    """What is odd about the body of a motion that was just read.

    Parameters
    ----------
    motion : Motion
        As its reader made it.
    unit : float or str, optional
        The unit that the user told, if any; with a ``!`` no size is odd.
    up : str, optional
        The up axis that the user told, if any.

    Returns
    -------
    tuple of str
        Warnings, one sentence each.

    Raises
    ------
    FormatError
        When the unit that the user told makes the body smaller or larger than bodies are.
    """
    skeleton = motion.skeleton
    if skeleton.n_joints > MOST_BODY_JOINTS:
        return ()
    roles = find_roles(skeleton)
    size = "" if is_insisted(unit) else _odd_size(motion, roles)
    if size and unit is not None:
        message = f"{size}, or the unit {check_unit(unit):g}! to insist"
        raise FormatError(message, motion.source.path)
    if size and any(text.startswith(UNCLEAR) for text in motion.source.warnings):
        size = ""
    attitude = "" if up is None else _odd_attitude(motion, roles, up)
    return tuple(text for text in (*roles.doubts, size, attitude) if text)


def _odd_size(motion: Motion, roles: Roles) -> str:
    """What the height of a body with legs and head says against the unit, or nothing."""
    if roles.kind not in HEIGHTS or not {"head", "left_foot", "left_hip"} <= roles.joints.keys():
        return ""
    height, _ = body_height(_as_moved(motion))
    low, high = HEIGHTS[roles.kind]
    unit = motion.source.unit
    if not height > 0 or low <= height <= high:
        return ""
    likely, _, sure = guess_unit(height / unit, roles.kind)
    said = f"with 1 unit = {unit:.6g} m this {_NAMES[roles.kind]} is {height:.4g} m tall"
    return f"{said}; give the unit {likely:.6g}" if sure else f"{said}; give the right unit"


def _as_moved(motion: Motion) -> Skeleton:
    """The skeleton with the mid-range offsets of joints that have positions of their own."""
    offsets = np.array(motion.skeleton.offsets)
    if motion.n_frames:
        offsets[list(motion.translated)] = np.median(motion.translations, axis=0)
    return replace(motion.skeleton, offsets=offsets)


def _odd_attitude(motion: Motion, roles: Roles, up: str) -> str:
    """That a person lies or stands on the head nearly all the time, or nothing."""
    # It compiles, and few commands' options need it.
    from motionloom.kinematics import forward_kinematics

    feet, head = joints_of_person(roles)
    if roles.kind != "human" or head is None or not feet or not motion.n_frames:
        return ""
    some = np.linspace(0, motion.n_frames - 1, min(_FRAMES, motion.n_frames)).astype(int)
    turns, places = motion.rotations[some], motion.translations[some]
    sample = replace(motion, rotations=turns, translations=places)
    positions = forward_kinematics(sample).positions
    along = positions[:, head] - positions[:, feet].mean(axis=1)
    rise = along[:, 1] / np.maximum(np.linalg.norm(along, axis=1), 1e-9)
    if np.mean(rise > _UPRIGHT) >= _SELDOM:
        return ""
    how = "is upside down" if np.median(rise) < -_UPRIGHT else "lies on the ground"
    message = f"with {up.upper()} up this person {how} nearly all the time;"
    return f"{message} leave out the up axis if that is wrong"
