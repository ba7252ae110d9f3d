"""A clip of someone who stands, on ground that slopes."""

from __future__ import annotations

import numpy as np

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.framewise._goals import Goal, GoalKind
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array

#: Steepest slope, degrees.
STEEPEST = 30.0
#: Feet that move farther than this over a clip do not stand, metres.
_STANDS = 0.05


def slope_turn(degrees: float, facing: float = 0.0) -> Array:
    """Rotation (4,) of ground that rises to the left of who faces that way (radians, from +Z)."""
    ahead = np.array([np.sin(facing), 0.0, np.cos(facing)])
    return rot.from_rotvec(np.radians(degrees) * ahead)


def slope_goals(posed: PosedMotion, degrees: float, facing: float = 0.0) -> tuple[Goal, ...]:
    """Feet of a whole clip on ground that is tilted about the line ahead, between the feet.

    Parameters
    ----------
    posed : PosedMotion
        The clip.
    degrees : float
        Slope; above 0 it rises to the left.
    facing : float, radians
        Which way is ahead, from +Z.
    """
    turn = slope_turn(degrees, facing)
    joints = [posed.roles.joints[role] for role in posed.roles.feet]
    middle = posed.positions[:, joints].mean(axis=(0, 1)) * [1.0, 0.0, 1.0]
    last = posed.n_frames - 1
    goals = []
    for joint in joints:
        at = posed.positions[:, joint].mean(axis=0)
        away = middle + rot.rotate(turn, at - middle) - at
        name = posed.skeleton.names[joint]
        kinds: tuple[tuple[GoalKind, Array], ...] = (("position", away), ("orientation", turn))
        for kind, value in kinds:
            told = f"{name} {kind} on the slope"
            goals.append(Goal(kind, value, 0, last, joint=joint, shift=True, name=told))
    return tuple(goals)


def stand_on_slope(posed: PosedMotion, degrees: float) -> tuple[Goal, ...]:
    """The same, across the way that the body faces on average.

    Raises
    ------
    InvalidInputError
        For a slope that nobody stands on, a body without feet, or feet that do not stay.
    """
    if not abs(degrees) <= STEEPEST:
        raise InvalidInputError(f"a slope has at most {STEEPEST:g} degrees, got {degrees:g}")
    joints = [posed.roles.joints[role] for role in posed.roles.feet]
    if not joints:
        raise InvalidInputError("the clip's joints do not say where its feet are; name their roles")
    moved = float(np.ptp(posed.positions[:, joints][..., [0, 2]], axis=0).max())
    if moved > _STANDS:
        raise InvalidInputError(
            f"the feet move by {100 * moved:.0f} cm; only who stands can be put on a slope, so cut"
            " the clip to where they stand"
        )
    facing = float(np.angle(np.exp(1j * posed.facing).mean()))
    return slope_goals(posed, degrees, facing)
