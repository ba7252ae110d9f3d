"""Where a clip begins: three ways to bring its first frame to the origin (section 3.1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.kinematics import compute_facing, forward_kinematics
from motionloom.motion import GroundTransform, Motion
from motionloom.roles import Roles, find_roles

Alignment = Literal["orientation", "turn", "position"]


def align_start(motion: Motion, to: Alignment = "turn", roles: Roles | None = None) -> Motion:
    """Move a clip so that it begins at the origin; its height stays (Egges et al. 2004).

    Parameters
    ----------
    motion : Motion
        Only its root has positions.
    to : {"orientation", "turn", "position"}
        What is taken away besides the place on the ground: the root's whole rotation in the first
        frame, the turn about the vertical, or nothing.
    roles : Roles, optional
        Which joint is which part of the body, for the turn.

    Returns
    -------
    Motion
        The root's first place on the ground is the origin.

    Raises
    ------
    InvalidInputError
        When there is no such alignment, or a joint besides the root has positions.
    """
    if to not in get_args(Alignment):
        raise InvalidInputError(f"expected one of {', '.join(get_args(Alignment))}, got {to!r}")
    if motion.translated != (0,):
        raise InvalidInputError("only the root may have positions in a clip that is aligned")
    x, _, z = motion.translations[0, 0]
    moved = motion.transformed(GroundTransform(0.0, -float(x), -float(z)))
    if to == "position":
        return moved
    if to == "turn":
        first = moved.cut(0, 1)
        facing = compute_facing(forward_kinematics(first), roles or find_roles(motion.skeleton))
        return moved.transformed(GroundTransform(-float(facing[0])))
    back = rot.conjugate(moved.rotations[0, 0])
    rotations = moved.rotations.copy()
    rotations[:, 0] = rot.multiply(back, rotations[:, 0])
    root = moved.translations[:, 0] - moved.translations[0, 0]
    height = moved.translations[0, 0] * np.array([0.0, 1.0, 0.0])
    return replace(
        moved, rotations=rotations, translations=(rot.rotate(back, root) + height)[:, None]
    )
