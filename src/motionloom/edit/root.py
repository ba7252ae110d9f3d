"""Moving the body as a whole, frame by frame: turned about the vertical through a pivot, and
shifted.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.kinematics import chain_kinematics
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.threads import one_thread
from motionloom.typing import Array


def move_body(
    posed: PosedMotion,
    shift: ArrayLike,
    turn: ArrayLike | None = None,
    pivot: ArrayLike | None = None,
) -> PosedMotion:
    """Turn the body about the vertical, then shift it, differently in every frame.

    Acts on the joint that carries the body (`Motion.root_joint`); still joints above it are left
    alone.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    shift : array of shape (T, 3), metres
        By how much the body is shifted.
    turn : array of shape (T,), radians, optional
        From +Z towards +X.
    pivot : array of shape (T, 3), metres, optional
        A point on the axis of each turn; needed with `turn`.

    Returns
    -------
    PosedMotion
        Kinematics that have been run are moved along, up to rounding those of the moved motion.

    Examples
    --------
    >>> moved = move_body(posed, [1.0, 0.0, 0.0])
    >>> (moved.hips - posed.hips)[0].round(6)
    array([1., 0., 0.])
    """
    moved = move_root(posed.motion, shift, turn, pivot)
    if not posed.has_run:
        return posed.with_motion(moved)
    positions, rotations = _moved(
        posed.positions,
        posed.rotations,
        np.asarray(shift, float)[:, None],
        None if turn is None else rot.yaw(turn)[:, None],
        None if pivot is None else np.asarray(pivot, float)[:, None],
    )
    return posed.moved_to(moved, positions, rotations)


def move_root(
    motion: Motion, shift: ArrayLike, turn: ArrayLike | None = None, pivot: ArrayLike | None = None
) -> Motion:
    """As `move_body`, for a motion whose kinematics nobody needs.

    Parameters
    ----------
    motion : Motion
        The motion.
    shift : array of shape (T, 3), metres
        By how much the body is shifted.
    turn : array of shape (T,), radians, optional
        From +Z towards +X.
    pivot : array of shape (T, 3), metres, optional
        A point on the axis of each turn; needed with `turn`.

    Returns
    -------
    Motion

    Examples
    --------
    >>> moved = move_root(walk, [0.0, 0.2, 0.0])
    >>> (moved.translations - walk.translations)[5, 0].round(6)
    array([0. , 0.2, 0. ])
    """
    root = motion.root_joint
    motion = motion.with_translated(sorted({*motion.translated, root}))
    slot = motion.translated.index(root)
    chain = chain_kinematics(motion, root)
    position, rotation = _moved(
        chain.positions[:, -1],
        chain.rotations[:, -1],
        np.asarray(shift, float),
        None if turn is None else rot.yaw(turn),
        None if pivot is None else np.asarray(pivot, float),
    )
    if motion.skeleton.parents[root] >= 0:
        back = rot.conjugate(chain.rotations[:, -2])
        position = rot.rotate(back, position - chain.positions[:, -2])
        rotation = rot.multiply(back, rotation)
    quats = motion.rotations.copy()
    translations = motion.translations.copy()
    quats[:, root] = rotation
    translations[:, slot] = position
    return replace(motion, rotations=quats, translations=translations)


def _moved(
    positions: Array, rotations: Array, shift: Array, yaw: Array | None, pivot: Array | None
) -> tuple[Array, Array]:
    """Positions (..., 3) and rotations (..., 4), turned about the pivot and then shifted."""
    if yaw is None:
        return positions + shift, rotations.copy()
    assert pivot is not None  # a turn is about a point
    turned = pivot + rot.rotate(yaw, positions - pivot)
    return turned + shift, rot.multiply(yaw, rotations)


@one_thread()
def align_ground(motion: Motion, ground: float) -> Motion:
    """Raise or lower a motion so that its ground lies at height 0.

    Parameters
    ----------
    motion : Motion
        The motion.
    ground : float, metres
        Height of its ground, as `FootContacts.ground` says.

    Returns
    -------
    Motion

    Examples
    --------
    >>> lowered = align_ground(walk, 0.1)  # the ground was at 0.1 m
    >>> (lowered.translations - walk.translations)[0, 0].round(6)
    array([ 0. , -0.1,  0. ])
    """
    shift = np.zeros((motion.n_frames, 3))
    shift[:, 1] = -ground
    return move_root(motion, shift)
