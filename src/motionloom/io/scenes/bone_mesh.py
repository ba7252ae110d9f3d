"""A thin mesh around a skeleton, an octahedron per bone, as some programs drop bare skeletons."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.skeleton import Skeleton
from motionloom.typing import Array, Ints

#: Half width of a bone as a share of its length, and its bounds in metres.
_WIDTH, _THINNEST, _THICKEST = 0.09, 0.004, 0.035
#: How far along a bone its widest ring lies.
_RING = 0.18
#: Bones shorter than this (metres) get no octahedron of their own.
_SHORTEST = 1e-4
#: Half size of the diamond drawn around a joint that no bone leaves, metres.
_TIP = 0.02

_RINGS = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]], float)


@dataclass(frozen=True, eq=False)
class BoneMesh:
    """Triangles around a skeleton at rest, each vertex carried by one joint.

    Parameters
    ----------
    positions : array of shape (V, 3), metres
        Vertices in the rest pose, in world axes. Corners are not shared between faces, so shading
        is flat.
    normals : array of shape (V, 3)
        Unit face normals.
    joints : int array of shape (V,)
        The joint that carries each vertex.
    """

    positions: Array
    normals: Array
    joints: Ints


def build_bone_mesh(skeleton: Skeleton, joints_at: Array, ends_at: Array) -> BoneMesh:
    """Build an octahedron from each joint to children and end sites, a diamond where it has none.

    Parameters
    ----------
    skeleton : Skeleton
        Says which joints and end sites are connected.
    joints_at : array of shape (J, 3), metres
        World positions of the joints at rest.
    ends_at : array of shape (E, 3), metres
        Those of the end sites.

    Returns
    -------
    BoneMesh
        Eight triangles for each bone, carried by the joint at its start.
    """
    owners = np.concatenate([skeleton.parents[1:], skeleton.end_parents])
    bones = np.concatenate([joints_at[1:], ends_at]) - joints_at[owners]
    long_enough = np.linalg.norm(bones, axis=-1) > _SHORTEST
    bare = np.setdiff1d(np.arange(skeleton.n_joints), owners[long_enough])
    triangles = [
        _octahedron(joints_at[j], bone)
        for j, bone in zip(owners[long_enough], bones[long_enough], strict=True)
    ]
    triangles += [
        _octahedron(joints_at[j] - [0, _TIP, 0], np.array([0, 2 * _TIP, 0])) for j in bare
    ]
    corners = np.stack(triangles).reshape(-1, 3, 3)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    joints = np.repeat(np.concatenate([owners[long_enough], bare]), 24)
    return BoneMesh(corners.reshape(-1, 3), np.repeat(normals, 3, axis=0), joints)


def _octahedron(start: Array, bone: Array) -> Array:
    """Eight triangles around a bone, shape (8, 3, 3), corners anticlockwise seen from outside."""
    length = np.linalg.norm(bone)
    along = bone / length
    # Any axis across the bone will do; the world axis least along it keeps the cross product well
    # away from zero.
    across = np.cross(along, np.eye(3)[np.argmin(np.abs(along))])
    across /= np.linalg.norm(across)
    half = min(np.clip(_WIDTH * length, _THINNEST, _THICKEST), length / 2)
    ring = start + _RING * bone + half * (_RINGS @ np.stack([across, np.cross(along, across)]))
    following = np.roll(ring, -1, axis=0)
    tail = np.broadcast_to(start, ring.shape)
    head = np.broadcast_to(start + bone, ring.shape)
    return np.concatenate(
        [np.stack([ring, tail, following], 1), np.stack([ring, following, head], 1)]
    )
