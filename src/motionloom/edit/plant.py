"""Feet put exactly where they shall be, hips counter-moved.

First the hips move so that the feet come as near as they can with the knees as they are, for a
nearly straight knee would turn every millimetre at the hips into degrees; they sink where a leg
would be too short still. Then the legs bend.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from motionloom.edit.foot_tracks import FootTrack
from motionloom.edit.footlock import find_legs
from motionloom.edit.hip_height import rise_to
from motionloom.edit.limbs import bone_lengths, solve_limb
from motionloom.edit.root import move_body
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Limb
from motionloom.typing import Array

#: Legs are never stretched beyond this share of their length.
LONGEST_REACH = 0.999
#: Hips lower over the ankles than this share of a leg are borne by a seat.
SEATED = 0.75


def is_seated(posed: PosedMotion, frame: int = 0) -> bool:
    """Whether hips are so low over both feet that something else bears them.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    frame : int
        Its frame that counts.

    Returns
    -------
    bool
    """
    legs = find_legs(posed.roles)
    if not {"left_foot", "right_foot"} <= legs.keys():
        return False
    ankles = [posed.positions[frame, limb.tip, 1] for limb in legs.values()]
    lengths = [np.sum(bone_lengths(posed, limb), axis=0)[frame] for limb in legs.values()]
    high = posed.hips[frame, 1] - np.mean(ankles)
    return bool(high < SEATED * np.mean(lengths))


def plant_feet(
    posed: PosedMotion, feet: Mapping[str, FootTrack], counter_move: bool = True
) -> PosedMotion:
    """Bend the legs so that feet are exactly where they shall be.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    feet : mapping of str to FootTrack
        By role; feet that are not named go along with the hips.
    counter_move : bool
        Whether the hips move too.

    Returns
    -------
    PosedMotion
        A motion whose feet are there already stays as it is, but for knees that are nearly
        straight: those turn to where they usually bend.
    """
    legs = {foot: limb for foot, limb in find_legs(posed.roles).items() if foot in feet}
    if not legs:
        return posed
    moved = move_body(posed, _counter_move(posed, legs, feet)) if counter_move else posed
    local: dict[int, Array] = {}
    for foot, limb in legs.items():
        local |= solve_limb(moved, limb, feet[foot].places, feet[foot].rotations)
    return moved.with_local(local)


def _counter_move(
    posed: PosedMotion, legs: Mapping[str, Limb], feet: Mapping[str, FootTrack]
) -> Array:
    """By how much the hips move, (T, 3)."""
    away = [feet[foot].places - posed.positions[:, limb.tip] for foot, limb in legs.items()]
    shift: Array = np.mean(away, axis=0)
    drops = [_drop(posed, limb, shift, feet[foot].places) for foot, limb in legs.items()]
    shift[:, 1] -= np.maximum(np.max(drops, axis=0), 0.0)
    return shift


def _drop(posed: PosedMotion, limb: Limb, shift: Array, places: Array) -> Array:
    """How far the hips have to sink for a leg to be long enough, (T,)."""
    upper, lower = bone_lengths(posed, limb)
    reach = LONGEST_REACH * (upper + lower)
    return -rise_to(places - posed.positions[:, limb.root] - shift, reach)
