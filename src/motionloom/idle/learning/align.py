"""Where a clip begins: three ways to bring its first frame to the origin (section 3.1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.kinematics import chain_kinematics, compute_facing, forward_kinematics
from motionloom.motion import GroundTransform, Motion
from motionloom.roles import Roles, find_roles

Array = NDArray[np.float64]

Alignment = Literal["orientation", "turn", "position"]


def align_start(motion: Motion, to: Alignment = "turn", roles: Roles | None = None) -> Motion:
    """Move a clip so that it begins at the origin; its height stays (Egges et al. 2004).

    Parameters
    ----------
    motion : Motion
        The clip; any of its joints may have positions.
    to : {"orientation", "turn", "position"}
        What is taken away besides the place on the ground: the root's whole rotation in the first
        frame, the turn about the vertical, or nothing.
    roles : Roles, optional
        Which joint is which part of the body, for the turn.

    Returns
    -------
    Motion
        The joint that carries the body begins over the origin.

    Raises
    ------
    InvalidInputError
        When there is no such alignment.
    """
    if to not in get_args(Alignment):
        raise InvalidInputError(f"expected one of {', '.join(get_args(Alignment))}, got {to!r}")
    begin = chain_kinematics(motion.cut(0, 1), motion.root_joint)
    x, _, z = begin.positions[0, -1]
    moved = motion.transformed(GroundTransform(0.0, -float(x), -float(z)))
    if to == "position":
        return moved
    if to == "turn":
        first = moved.cut(0, 1)
        facing = compute_facing(forward_kinematics(first), roles or find_roles(motion.skeleton))
        return moved.transformed(GroundTransform(-float(facing[0])))
    back = rot.conjugate(begin.rotations[0, -1])
    pivot = begin.positions[0, -1] * np.array([0.0, 1.0, 0.0])
    return _turned(moved, back, pivot)


def _turned(motion: Motion, turn: Array, pivot: Array) -> Motion:
    """A motion turned as a whole about a point."""
    whole = motion.with_translated(sorted({0, *motion.translated}))
    rotations = whole.rotations.copy()
    rotations[:, 0] = rot.multiply(turn, rotations[:, 0])
    translations = whole.translations.copy()
    translations[:, 0] = rot.rotate(turn, translations[:, 0] - pivot) + pivot
    return replace(whole, rotations=rotations, translations=translations)
