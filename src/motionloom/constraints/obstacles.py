"""Obstacles as arrays, and the points of a body that keep out of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from motionloom.roles import Roles
from motionloom.skeleton import Skeleton
from motionloom.typing import Array

#: Bones longer than this are also watched at their middle, metres.
LONG_BONE = 0.25
#: Feet may press this far into a height map before it counts, metres: soles are soft and captures
#: are not exact.
PRESS = 0.02


def _records(*fields: str) -> np.dtype[np.void]:
    """Records with fields given by type and names."""
    typed = [(name, kind) for kind, *names in map(str.split, fields) for name in names]
    return np.dtype((np.record, typed))


#: A box of half sizes `half_x` and `half_z` about `center`, turned by `turn` and rounded by
#: `radius`, between `bottom` and `top`. Ground positions are complex, ``z + i x``.
SOLID = _records("complex center turn", "float half_x half_z radius bottom top weight")
#: A map of `rows` times `columns` heights, `cell` apart, the first at `origin` and at `offset`
#: among all heights.
MAP = _records("complex origin", "float cell weight", "int64 rows columns offset")


class Obstacles(NamedTuple):
    """Obstacles as arrays, for compiled code.

    Solids (rows of `SOLID`), height maps (rows of `MAP`), and the heights of all maps one after the
    other.
    """

    solids: NDArray[np.void]
    maps: NDArray[np.void]
    heights: Array


def body_points(skeleton: Skeleton, roles: Roles, positions: Array) -> Array:
    """Points that stand for a body: its joints from the hips on and the middles of long bones.

    Parameters
    ----------
    skeleton : Skeleton
        J joints.
    roles : Roles
        Joints above the hips, such as one that stays at the origin, are no part of the body.
    positions : array of shape (T, J, 3), metres
        World positions of the joints.

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
