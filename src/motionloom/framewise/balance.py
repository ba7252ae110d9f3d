"""The centre of mass over what the feet stand on."""

from __future__ import annotations

import numpy as np

from motionloom.analysis.contacts import FootContacts
from motionloom.curves import smooth_envelope
from motionloom.polygons import convex_hull, distance_outside
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array

#: Width of feet beside the points of their soles, metres.
SOLE = 0.03
#: Time over which a correction comes and goes, seconds.
_REACH = 0.25
#: How often a share is halved to find the edge of the support.
_HALVINGS = 7


def hold_over_support(
    before: PosedMotion,
    after: PosedMotion,
    contacts: FootContacts,
    masses: Array,
    frames: tuple[int, int],
) -> Array | None:
    """Where the centre of mass should be so that an edit does not take it off its support.

    Parameters
    ----------
    before, after : PosedMotion
        The clip and its edit.
    contacts : FootContacts
        What the feet stand on in the clip.
    masses : array of shape (J,)
        Share of each joint's place in the centre of mass.
    frames : tuple of int
        First frame of the edit and the frame behind its last.

    Returns
    -------
    array of shape (N, 3), metres, or None
        Between where it was and where it came to; it may be outside as far as it was in the clip,
        which moves. None where nothing is to be done.
    """
    index = np.arange(*frames)
    start = masses @ before.positions[index]
    came = masses @ after.positions[index]
    points = contacts.soles.positions(after)[index]
    down = contacts.down[index]
    shares = np.ones(len(index))
    for i in range(len(index)):
        if down[i].any():
            corners = support(points[i][down[i]])
            shares[i] = _share_inside(corners, start[i, [0, 2]], came[i, [0, 2]])
    if shares.min() >= 1.0:
        return None
    half = max(round(_REACH * before.fps), 1)
    back = np.minimum(smooth_envelope(1.0 - shares, half), 1.0)
    return start + (1.0 - back)[:, None] * (came - start)


def off_support(
    posed: PosedMotion, contacts: FootContacts, masses: Array, frames: tuple[int, int]
) -> Array:
    """How far the centre of mass is outside of the feet that stand, shape (N,), metres.

    Below 0 inside, and 0 where none stands.
    """
    index = np.arange(*frames)
    mass = masses @ posed.positions[index]
    points = contacts.soles.positions(posed)[index]
    down = contacts.down[index]
    far = np.zeros(len(index))
    for i in range(len(index)):
        if down[i].any():
            far[i] = distance_outside(support(points[i][down[i]]), mass[i, [0, 2]])
    return far


def support(points: Array) -> Array:
    """Corners (M, 2) of what points (P, 3) of soles stand on, as wide as feet are, metres."""
    around = np.arange(8) * np.pi / 4
    ring = SOLE * np.stack([np.cos(around), np.sin(around)], axis=-1)
    wide = (points[:, None, [0, 2]] + ring).reshape(-1, 2)
    return convex_hull(wide)


def _share_inside(corners: Array, start: Array, came: Array) -> float:
    """How much of the way may be gone without leaving the support farther than at the start."""
    allowed = max(float(distance_outside(corners, start)), 0.0) + 1e-9
    if distance_outside(corners, came) <= allowed:
        return 1.0
    low = 0.0
    high = 1.0
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        if distance_outside(corners, start + middle * (came - start)) <= allowed:
            low = middle
        else:
            high = middle
    return low
