"""Obstacles as arrays, and how deep points of a body are in them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from motionloom.compiling import kernel, part
from motionloom.roles import Roles
from motionloom.skeleton import Skeleton

#: Bones longer than this are also watched at their middle, metres.
LONG_BONE = 0.25
#: Feet may press this far into a height map before it counts, metres: soles are soft and captures
#: are not exact.
PRESS = 0.02

#: A box of half sizes `half_x` and `half_z` about `center`, turned by `turn` and rounded by
#: `radius`, between `bottom` and `top`. Ground positions are complex, ``z + i x``.
SOLID = np.dtype(
    (
        np.record,
        [
            ("center", np.complex128),
            ("turn", np.complex128),
            ("half_x", np.float64),
            ("half_z", np.float64),
            ("radius", np.float64),
            ("bottom", np.float64),
            ("top", np.float64),
            ("weight", np.float64),
        ],
    )
)
#: A map of `rows` times `columns` heights, `cell` apart, the first at `origin` and at `offset`
#: among all heights.
MAP = np.dtype(
    (
        np.record,
        [
            ("origin", np.complex128),
            ("cell", np.float64),
            ("weight", np.float64),
            ("rows", np.int64),
            ("columns", np.int64),
            ("offset", np.int64),
        ],
    )
)


class Obstacles(NamedTuple):
    """Solids (rows of `SOLID`), height maps (rows of `MAP`), and the heights of all maps one after
    the other.
    """

    solids: NDArray[np.void]
    maps: NDArray[np.void]
    heights: NDArray[np.float64]


def body_points(
    skeleton: Skeleton, roles: Roles, positions: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Points that stand for a body: its joints from the hips on and the middles of long bones.

    Parameters
    ----------
    skeleton : Skeleton
    roles : Roles
        Joints above the hips, such as one that stays at the origin, are no part of the body.
    positions : array of shape (T, J, 3), metres

    Returns
    -------
    array of shape (T, B, 3), metres
    """
    body = np.array(skeleton.descendants(roles.joints["hips"]))
    bones = body[body != roles.joints["hips"]]
    lengths = np.linalg.norm(positions[:1, bones] - positions[:1, skeleton.parents[bones]], axis=-1)
    long = bones[(lengths > LONG_BONE).any(axis=0)]
    return np.concatenate(
        [positions[:, body], 0.5 * (positions[:, long] + positions[:, skeleton.parents[long]])],
        axis=1,
    )


@part
def outside(solid, place):  # pragma: no cover - compiled
    """Distance on the ground from a solid's side, negative inside."""
    away = (place - solid.center) * solid.turn.conjugate()
    dx = abs(away.imag) - solid.half_x
    dz = abs(away.real) - solid.half_z
    out_x = max(dx, 0.0)
    out_z = max(dz, 0.0)
    return np.sqrt(out_x * out_x + out_z * out_z) + min(max(dx, dz), 0.0) - solid.radius


@part
def depth_in(solid, place, height):  # pragma: no cover - compiled
    """How deep a point is in a solid, the shortest way out; 0 outside."""
    below = height - solid.bottom
    above = solid.top - height
    if below <= 0.0 or above <= 0.0:
        return 0.0
    return max(min(-outside(solid, place), below, above), 0.0)


@part
def ground_under(ground, heights, place):  # pragma: no cover - compiled
    """Height of a map under a place (bilinear); far below outside the map."""
    away = (place - ground.origin) / ground.cell
    r = away.real
    c = away.imag
    if not (0.0 <= r <= ground.rows - 1 and 0.0 <= c <= ground.columns - 1):
        return -np.inf
    i = min(int(r), ground.rows - 2)
    j = min(int(c), ground.columns - 2)
    u = r - i
    v = c - j
    k = ground.offset + i * ground.columns + j
    near = heights[k] * (1 - v) + heights[k + 1] * v
    far = heights[k + ground.columns] * (1 - v) + heights[k + ground.columns + 1] * v
    return near * (1 - u) + far * u


@kernel
def deepest_points(obstacles, points):  # pragma: no cover - compiled
    """Deepest point of every frame in every obstacle, solids first, shape (T, Q + M)."""
    solids = obstacles.solids
    maps = obstacles.maps
    deepest = np.zeros((len(points), len(solids) + len(maps)))
    for t in range(len(points)):
        for b in range(points.shape[1]):
            place = complex(points[t, b, 2], points[t, b, 0])
            height = points[t, b, 1]
            for q in range(len(solids)):
                deepest[t, q] = max(deepest[t, q], depth_in(solids[q], place, height))
            for m in range(len(maps)):
                rise = ground_under(maps[m], obstacles.heights, place) - height - PRESS
                deepest[t, len(solids) + m] = max(deepest[t, len(solids) + m], rise)
    return deepest
