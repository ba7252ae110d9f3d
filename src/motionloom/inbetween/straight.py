"""Fillings that need no data: standing still, straight ways, and straight ways that begin with the
speed that the body had.
"""

from __future__ import annotations

import numpy as np

from motionloom import rotations as rot
from motionloom.inbetween.gaps import Gaps, Track
from motionloom.typing import Array

#: Time over which the speed before a gap dies away, in frames, and as a share of the gap.
SPEED_FRAMES = 8.0
SPEED_SHARE = 0.6


def hold_still(gaps: Gaps) -> Track:
    """The last frame before each gap, held: what is called zero velocity.

    Parameters
    ----------
    gaps : Gaps
        B gaps of n frames.

    Returns
    -------
    Track
        Of shape (B, n, ...).
    """
    shape = (1, gaps.missing)
    rotations = np.tile(gaps.start_rotations[:, None], (*shape, 1, 1))
    return Track(rotations, np.tile(gaps.start_roots[:, None], (*shape, 1)))


def go_straight(gaps: Gaps) -> Track:
    """Shortest local rotations at constant speed, and a straight line for the root.

    Parameters
    ----------
    gaps : Gaps
        B gaps of n frames.

    Returns
    -------
    Track
        Of shape (B, n, ...).
    """
    start = gaps.rig.local_rotations(gaps.start_rotations)
    turn = rot.between(start, gaps.rig.local_rotations(gaps.end_rotations))
    share = gaps.shares[None, :, None, None]
    local = rot.multiply(start[:, None], rot.from_rotvec(share * turn[:, None]))
    return Track(gaps.rig.world_rotations(local), straight_roots(gaps))


def straight_roots(gaps: Gaps, shares: Array | None = None) -> Array:
    """Roots on straight lines at constant speed, at shares of the gap, (B, n, 3), metres."""
    share = (gaps.shares if shares is None else shares)[None, :, None]
    roots: Array = (1 - share) * gaps.start_roots[:, None] + share * gaps.end_roots[:, None]
    return roots


def keep_speed(gaps: Gaps, shares: Array | None = None) -> Track:
    """Straight ways that begin with the speed that the body had, which dies away.

    Parameters
    ----------
    gaps : Gaps
        B gaps.
    shares : array of shape (n,), optional
        Shares of the gap that are shown; those of the missing frames when not given.

    Returns
    -------
    Track
        Of shape (B, n, ...).
    """
    rig = gaps.rig
    shown = gaps.shares if shares is None else shares
    steps = gaps.missing + 1
    start = rig.local_rotations(gaps.start_rotations)
    earlier = rig.local_rotations(gaps.rotations[:, -2])
    turn = rot.between(start, rig.local_rotations(gaps.end_rotations))
    speed = rot.between(earlier, start) - turn / steps
    share = shown[None, :, None, None]
    left = speed_left(shown * steps, steps)[None, :, None, None]
    local = rot.multiply(
        start[:, None], rot.from_rotvec(share * turn[:, None] + left * speed[:, None])
    )
    drift = gaps.start_roots - gaps.roots[:, -2] - (gaps.end_roots - gaps.start_roots) / steps
    roots = straight_roots(gaps, shown) + left[..., 0] * drift[:, None]
    return Track(rig.world_rotations(local), roots)


def speed_left(frames: Array, steps: int) -> Array:
    """How far a speed of 1 at the begin of a gap has led.

    It has the slope 1 at the begin, and value and slope 0 at the end.

    Parameters
    ----------
    frames : array
        Frames since the begin.
    steps : int
        Frames from the begin to the end.

    Returns
    -------
    array of the shape of `frames`
    """
    span = min(SPEED_FRAMES, SPEED_SHARE * steps)
    left: Array = frames * (1 - np.clip(frames / span, 0.0, 1.0)) ** 2
    return left
