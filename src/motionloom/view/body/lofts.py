"""Closed surfaces through rings, each vertex carried by the joints of a chain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.typing import Array, Ints


@dataclass(frozen=True, eq=False)
class Part:
    """A piece of a body at rest.

    Parameters
    ----------
    vertices : array of shape (V, 3), metres
        In the world.
    faces : int array of shape (F, 3)
        Anticlockwise seen from outside.
    joints : int array of shape (V, 2)
        The two joints that carry each vertex.
    shares : array of shape (V,)
        Weight of the second; the first has the rest.
    """

    vertices: Array
    faces: Ints
    joints: Ints
    shares: Array


@dataclass(frozen=True, eq=False)
class Rings:
    """Ellipses to loft through, from one end to the other; R of them.

    Parameters
    ----------
    centers : array of shape (R, 3), metres
        Their middles.
    across, along : arrays of shape (R, 3), metres
        Half axes, at right angles; ``across x along`` points to the next ring.
    """

    centers: Array
    across: Array
    along: Array


def straight_rings(stations: Array, start: Array, end: Array, aside: Array) -> Rings:
    """Ellipses across a line.

    Parameters
    ----------
    stations : array of shape (R, 3)
        Share of the way, then half width along `aside` and half depth, metres.
    start, end : array of shape (3,), metres
        Ends of the line.
    aside : array of shape (3,)
        Roughly across the line.

    Returns
    -------
    Rings
        In the order of the stations.
    """
    forth = (end - start) / max(float(np.linalg.norm(end - start)), 1e-9)
    side = aside - (aside @ forth) * forth
    side /= max(float(np.linalg.norm(side)), 1e-9)
    third = np.cross(forth, side)
    return Rings(
        start + stations[:, :1] * (end - start),
        stations[:, 1:2] * side,
        stations[:, 2:3] * third,
    )


def loft(rings: Rings, sides: int) -> tuple[Array, Ints]:
    """A closed surface through rings, with a point in the middle of the first and the last.

    Parameters
    ----------
    rings : Rings
        R ellipses.
    sides : int
        Corners S of each.

    Returns
    -------
    vertices : array of shape (R * S + 2, 3), metres
        Rings in order, then both end points.
    faces : int array of shape (F, 3)
        Anticlockwise seen from outside.
    """
    angles = 2 * np.pi * np.arange(sides) / sides
    around = (
        np.cos(angles)[:, None] * rings.across[:, None]
        + np.sin(angles)[:, None] * rings.along[:, None]
    )
    count = len(rings.centers)
    points = (rings.centers[:, None] + around).reshape(-1, 3)
    k, i = np.meshgrid(np.arange(count - 1), np.arange(sides), indexing="ij")
    a = k * sides + i
    b = k * sides + (i + 1) % sides
    walls = np.stack([a, b, b + sides, a, b + sides, a + sides], -1).reshape(-1, 3)
    first = count * sides
    ring = np.arange(sides)
    following = (ring + 1) % sides
    low = np.column_stack([np.full(sides, first), following, ring])
    top = (count - 1) * sides
    high = np.column_stack([np.full(sides, first + 1), top + ring, top + following])
    vertices = np.concatenate([points, rings.centers[[0, -1]]])
    return vertices, np.concatenate([walls, low, high])


def carried_by_one(vertices: Array, faces: Ints, joint: int) -> Part:
    """A part that a single joint carries."""
    joints = np.full((len(vertices), 2), joint)
    return Part(vertices, faces, joints, np.zeros(len(vertices)))


def carried_along(
    vertices: Array, faces: Ints, chain: Ints, places: Array, blend: float = 0.5
) -> Part:
    """A part carried by a chain of joints: each vertex by those it lies between.

    Parameters
    ----------
    vertices : array of shape (V, 3), metres
        In the world.
    faces : int array of shape (F, 3)
        Of the part.
    chain : int array of shape (K,)
        Joints from one end to the other.
    places : array of shape (K, 3), metres
        Where they are.
    blend : float
        Share of the shorter neighbouring bone over which a joint takes over from the one before,
        half of it on either side.

    Returns
    -------
    Part
        With at most two joints for each vertex.
    """
    lengths = np.linalg.norm(np.diff(places, axis=0), axis=1)
    at = np.concatenate([[0.0], np.cumsum(lengths)])
    where = _way_along(vertices, places, at)
    slot = np.zeros(len(vertices))
    for k in range(1, len(chain)):
        bones = lengths[max(k - 1, 0) : k + 1]
        half = max(0.5 * blend * float(bones.min()), 1e-4)
        slot += np.clip((where - at[k] + half) / (2 * half), 0.0, 1.0)
    lower = np.minimum(np.floor(slot).astype(int), max(len(chain) - 2, 0))
    upper = np.minimum(lower + 1, len(chain) - 1)
    return Part(vertices, faces, np.column_stack([chain[lower], chain[upper]]), slot - lower)


def _way_along(points: Array, places: Array, at: Array) -> Array:
    """Way (V,) along the line through places (K, 3) to what of it is nearest to each point."""
    best = np.full(len(points), np.inf)
    way = np.zeros(len(points))
    for k, bone in enumerate(np.diff(places, axis=0)):
        length = max(float(bone @ bone), 1e-12)
        share = (points - places[k]) @ bone / length
        low = -np.inf if k == 0 else 0.0
        high = np.inf if k == len(places) - 2 else 1.0
        share = np.clip(share, low, high)
        away = np.linalg.norm(points - places[k] - share[:, None] * bone, axis=1)
        nearer = away < best
        best = np.where(nearer, away, best)
        way = np.where(nearer, at[k] + share * np.sqrt(length), way)
    return way
