"""A shoe with a flat sole around ankle and toes."""

from __future__ import annotations

import numpy as np

from motionloom.typing import Array, Ints
from motionloom.view.body.lofts import Part

#: Outline of a sole: how far ahead from heel to tip as a share, half width inside and outside,
#: height of the upper above the sole; metres.
_OUTLINE = np.array(
    [
        [0.0, 0.016, 0.05],
        [0.05, 0.03, 0.068],
        [0.2, 0.036, 0.088],
        [0.4, 0.037, 0.07],
        [0.62, 0.046, 0.05],
        [0.8, 0.046, 0.038],
        [0.93, 0.034, 0.028],
        [1.0, 0.014, 0.02],
    ]
)
#: How far the heel lies behind the ankle and the tip of the shoe ahead of the toes' end, metres.
_HEEL, _TIP = 0.06, 0.02
#: A shoe's shortest length, metres, and its widest part as shares of the sole's half width.
_SHORTEST = 0.2
_BULGE = 0.92


def build_shoe(joints: Array, foot: int, toe: int | None, tip: Array, size: float) -> Part:
    """A shoe that stands on the ground at rest.

    Parameters
    ----------
    joints : array of shape (J, 3), metres
        Where the joints are at rest, facing +Z, the ground at 0.
    foot : int
        The ankle.
    toe : int or None
        The joint that the front of the shoe turns about.
    tip : array of shape (3,), metres
        The farthest known place of the foot.
    size : float
        Of the body; 1 for one with legs of 0.82 m.

    Returns
    -------
    Part
        Vertices of the sole are not shared with the sides, so that its edge is sharp.
    """
    ankle = joints[foot]
    way = (tip - ankle) * [1, 0, 1]
    length = float(np.linalg.norm(way))
    ahead = way / length if length > 0.03 * size else np.array([0.0, 0.0, 1.0])
    side = np.array([ahead[2], 0.0, -ahead[0]])
    heel = (ankle - _HEEL * size * ahead) * [1, 0, 1]
    span = max(_HEEL * size + length + _TIP * size, _SHORTEST * size)
    floor = min(0.0, float(ankle[1])) + 0.0
    high = np.clip((ankle[1] - floor) / (0.08 * size), 0.6, 1.6)
    middles = heel + floor * np.array([0, 1, 0]) + span * _OUTLINE[:, :1] * ahead
    half = size * _OUTLINE[:, 1:2] * side
    top = size * high * _OUTLINE[:, 2:3] * np.array([0.0, 1.0, 0.0])
    # Round each cross-section: sole, side, shoulder, ridge, shoulder, side, sole.
    rows = np.stack(
        [
            middles - half,
            middles - half + 0.3 * top,
            middles - _BULGE * 0.8 * half + 0.8 * top,
            middles + top,
            middles + _BULGE * 0.8 * half + 0.8 * top,
            middles + half + 0.3 * top,
            middles + half,
        ],
        axis=1,
    )
    vertices, faces = _skin_of(rows)
    front = 0.5 if toe is None else float((joints[toe] - heel) @ ahead)
    where = (vertices - heel) @ ahead
    shares = np.clip((where - front + 0.015 * size) / (0.03 * size), 0.0, 1.0)
    if toe is None:
        shares = np.zeros(len(vertices))
    pair = np.array([foot, foot if toe is None else toe])
    return Part(vertices, faces, np.tile(pair, (len(vertices), 1)), shares)


def _skin_of(rows: Array) -> tuple[Array, Ints]:
    """Mesh over cross-sections (R, K, 3) open below, with a sole and closed ends."""
    count, around = rows.shape[:2]
    k, i = np.meshgrid(np.arange(count - 1), np.arange(around - 1), indexing="ij")
    a = k * around + i
    upper = np.stack([a, a + around, a + 1, a + 1, a + around, a + around + 1], -1).reshape(-1, 3)
    fan = np.column_stack(
        [np.zeros(around - 2, int), np.arange(1, around - 1), np.arange(2, around)]
    )
    last = (count - 1) * around
    sole = rows[:, [0, -1]].reshape(-1, 3)
    first = count * around
    b = first + 2 * np.arange(count - 1)
    below = np.stack([b, b + 1, b + 2, b + 1, b + 3, b + 2], -1).reshape(-1, 3)
    vertices = np.concatenate([rows.reshape(-1, 3), sole])
    return vertices, np.concatenate([upper, fan, last + fan[:, ::-1], below])
