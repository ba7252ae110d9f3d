"""Corners of the soles: a foot bears on an area, not on a point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.analysis.soles import Soles
from motionloom.kinematics import compute_facing
from motionloom.physics.body import Body
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array, Ints

#: Half widths of heel, ball and tip of a shod foot, and how far its tip lies before the ball and
#: its heel behind the heel's point, as shares of stature (foot breadth 0.055, length 0.152:
#: Drillis & Contini 1966).
HALF_HEEL = 0.020
HALF_BALL = 0.0275
HALF_TIP = 0.018
TIP_AHEAD = 0.035
#: Without a toe joint the foot's length lies about its ankle.
BEHIND_ANKLE = 0.036
AHEAD_OF_ANKLE = 0.116


@dataclass(frozen=True, eq=False)
class Corners:
    """Corners of all soles over time.

    Parameters
    ----------
    places : array of shape (T, C, 3), metres
        In the world, at the height of the sole's point they belong to.
    points : int array of shape (C,)
        Point of the soles that each corner bears with.
    feet : int array of shape (C,)
        Index of its foot in ``soles.feet``.
    links : int array of shape (C,)
        Link of the body that it moves with.
    """

    places: Array
    points: Ints
    feet: Ints
    links: Ints


def find_corners(posed: PosedMotion, body: Body, soles: Soles) -> Corners:
    """Corners of the soles in every frame.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    body : Body
        Its stature gives the feet's widths.
    soles : Soles
        Points of the feet.

    Returns
    -------
    Corners
    """
    facing = compute_facing(posed.world, posed.roles)
    return corners_at(soles.positions(posed), facing, body, soles)


def corners_at(points: Array, facing: Array, body: Body, soles: Soles) -> Corners:
    """Corners of soles whose points are known.

    Parameters
    ----------
    points : array of shape (T, P, 3), metres
        World positions of the soles' points.
    facing : array of shape (T,), radians
        Where the body faces, for feet whose own direction is not known.
    body : Body
        Its stature gives the feet's widths.
    soles : Soles
        Points of the feet.

    Returns
    -------
    Corners
    """
    ahead_of_body = np.stack([np.sin(facing), 0 * facing, np.cos(facing)], axis=-1)
    places = []
    owners = []
    for i, point in enumerate(soles.points):
        own = soles.of(point.foot)
        ahead = ahead_of_body
        if len(own) > 1:
            ahead = _ground_direction(points[:, own[-1]] - points[:, own[0]], ahead_of_body)
        aside = np.stack([ahead[:, 2], 0 * facing, -ahead[:, 0]], axis=-1)
        for forward, sideways in _outline(point.part, len(own), body.height):
            places.append(points[:, i] + forward * ahead + sideways * aside)
            owners.append(i)
    feet = list(soles.feet)
    return Corners(
        np.stack(places, axis=1),
        np.array(owners),
        np.array([feet.index(soles.points[i].foot) for i in owners]),
        np.array([body.link(soles.points[i].joint) for i in owners]),
    )


def _ground_direction(vectors: Array, other: Array) -> Array:
    """Horizontal unit vectors; `other` where a foot stands upright."""
    flat = vectors * [1.0, 0.0, 1.0]
    size = np.linalg.norm(flat, axis=-1, keepdims=True)
    return np.where(size > 0.02, flat / np.maximum(size, 1e-9), other)


def _outline(part: str, points_of_foot: int, height: float) -> list[tuple[float, float]]:
    """Corners of one point of a sole: ahead and to the left, metres."""
    if points_of_foot == 1:
        shape = [
            (end, side * HALF_BALL)
            for end in (-BEHIND_ANKLE, AHEAD_OF_ANKLE)
            for side in (1.0, -1.0)
        ]
    elif part == "heel":
        shape = [(0.0, HALF_HEEL), (0.0, -HALF_HEEL)]
    else:
        shape = [(0.0, HALF_BALL), (0.0, -HALF_BALL)]
        shape += [(TIP_AHEAD, HALF_TIP), (TIP_AHEAD, -HALF_TIP)]
    return [(height * ahead, height * aside) for ahead, aside in shape]
