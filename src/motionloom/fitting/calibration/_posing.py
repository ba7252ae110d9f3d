"""Poses of many frames at once: where markers are, and how that depends on poses and lengths.

What stays the same while a body is fitted: joints, lengths, markers and priors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from motionloom import rotations as rot
from motionloom.fitting._body import Lengths, Prototype
from motionloom.fitting.marker_sets._places import Place
from motionloom.typing import Array, Bools

Ints = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class LocalPoses:
    """Poses of T frames.

    Parameters
    ----------
    root : array of shape (T, 3), metres
        Place of the root.
    local : array of shape (T, J, 3, 3)
        Rotation of each joint relative to its parent.
    """

    root: Array
    local: Array

    def moved(self, step: Array, layout: Layout) -> LocalPoses:
        """Poses after a step (T, D): of the root, and of each turning joint about the axes of its
        parent, radians.
        """
        turns = step[:, 3:].reshape(len(step), -1, 3)
        added = Rotation.from_rotvec(turns.reshape(-1, 3)).as_matrix().reshape(*turns.shape, 3)
        local = self.local.copy()
        local[:, layout.turns] = added @ local[:, layout.turns]
        return LocalPoses(self.root + step[:, :3], local)


@dataclass(frozen=True, eq=False)
class Posed:
    """Kinematics of poses.

    Parameters
    ----------
    places : array of shape (T, J, 3), metres
        Of the joints in the world.
    turns : array of shape (T, J, 3, 3)
        World rotations of the joints.
    markers : array of shape (T, M, 3), metres
        Of the markers in the world.
    """

    places: Array
    turns: Array
    markers: Array


@dataclass(frozen=True, eq=False)
class State:
    """What is solved for.

    Parameters
    ----------
    values : array of shape (K,)
        Numbers that lengths depend on.
    shifts : array of shape (M, 3), metres
        How far each marker sits from its prior place.
    poses : LocalPoses
        Of T frames.
    """

    values: Array
    shifts: Array
    poses: LocalPoses


def marker_places(layout: Layout, state: State) -> Array:
    """Places of the markers in their joints' frames, shape (M, 3), metres."""
    return np.asarray(np.einsum("k,kmc->mc", state.values, layout.local) + state.shifts)


def nearest_rotations(matrices: Array) -> Array:
    """Rotations (..., 3, 3) that are nearest to matrices."""
    u, _, v = np.linalg.svd(matrices)
    u[..., 2] *= np.linalg.det(u @ v)[..., None]
    return np.asarray(u @ v)


def run(layout: Layout, state: State) -> Posed:
    """Where joints and markers are.

    Parameters
    ----------
    layout : Layout
        The body and its markers.
    state : State
        Lengths, markers and poses of T frames.

    Returns
    -------
    Posed
    """
    poses = state.poses
    offsets = layout.lengths.offsets(state.values)
    places = np.empty((*poses.local.shape[:2], 3))
    turns = np.empty_like(poses.local)
    places[:, 0] = poses.root
    turns[:, 0] = poses.local[:, 0]
    for j, p in enumerate(layout.parents[1:], 1):
        places[:, j] = places[:, p] + turns[:, p] @ offsets[j]
        turns[:, j] = turns[:, p] @ poses.local[:, j]
    own = marker_places(layout, state)
    at = layout.joints
    markers = places[:, at] + np.einsum("tmab,mb->tma", turns[:, at], own)
    return Posed(places, turns, markers)


def pose_jacobian(layout: Layout, posed: Posed) -> Array:
    """Derivatives of markers by a pose's step, shape (T, M, 3, D); see `LocalPoses.moved`."""
    return _point_jacobian(layout, posed, posed.markers, layout.pairs)


def joint_pose_jacobian(layout: Layout, posed: Posed) -> Array:
    """Derivatives of joints by a pose's step, shape (T, J, 3, D)."""
    pairs = layout.turning_above(np.arange(len(layout.parents)))
    return _point_jacobian(layout, posed, posed.places, pairs)


def _point_jacobian(layout: Layout, posed: Posed, points: Array, pairs: tuple[Ints, Ints]) -> Array:
    """Derivatives of world points (T, P, 3), each with the joints that turn it."""
    found = np.zeros((*points.shape, layout.freedom))
    found[..., :3] = np.eye(3)
    moved, above = pairs
    # Small turns are about the axes of a joint's parent, the world's for the root.
    axes = posed.turns[:, np.maximum(layout.parents, 0)]
    axes[:, layout.parents < 0] = np.eye(3)
    # turning about an axis a moves a point at v by a x v
    lever = points[:, moved] - posed.places[:, above]
    blocks = np.cross(np.swapaxes(axes[:, above], -1, -2), lever[:, :, None, :])
    columns = 3 + 3 * np.searchsorted(layout.turns, above)[:, None] + np.arange(3)
    for axis in range(3):
        found[:, moved, :, columns[:, axis]] = blocks[:, :, axis].swapaxes(0, 1)
    return found


def length_jacobian(layout: Layout, posed: Posed) -> Array:
    """Derivatives of markers by the numbers of the lengths, shape (T, M, 3, K)."""
    joints = joint_length_jacobian(layout, posed)
    at = layout.joints
    own = np.moveaxis(layout.local, 0, -1)  # (M, 3, K)
    return np.asarray(joints[:, at] + posed.turns[:, at] @ own)


def joint_length_jacobian(layout: Layout, posed: Posed) -> Array:
    """Derivatives of joints by the numbers of the lengths, shape (T, J, 3, K)."""
    directions = np.moveaxis(layout.lengths.directions, 0, -1)  # (J, 3, K)
    found = np.zeros((len(posed.places), *directions.shape))
    for j, p in enumerate(layout.parents[1:], 1):
        found[:, j] = found[:, p] + posed.turns[:, p] @ directions[j]
    return found


def rest_terms(layout: Layout, poses: LocalPoses) -> tuple[Array, Array]:
    """Residuals of the prior about rest and their derivatives.

    Parameters
    ----------
    layout : Layout
        Its spread is that of the prior.
    poses : LocalPoses
        Of T frames.

    Returns
    -------
    residuals : array of shape (T, 3 N)
        Rotation vectors of the N turning joints over their spread.
    derivatives : array of shape (T, N, 3, 3)
        By each joint's own turn; the inverse of the left Jacobian of the rotation group.
    """
    local = poses.local[:, layout.turns]
    vectors = Rotation.from_matrix(local.reshape(-1, 3, 3)).as_rotvec().reshape(*local.shape[:2], 3)
    scale = 1.0 / layout.spread[layout.turns]
    residuals = (vectors * scale).reshape(len(local), -1)
    return residuals, np.linalg.inv(rot.left_jacobian(vectors)) * scale[..., None]


@dataclass(frozen=True, eq=False)
class Layout:
    """What stays the same while a body is fitted.

    Parameters
    ----------
    parents : int array of shape (J,)
        Of the skeleton.
    turning : bool array of shape (J,)
        Joints that turn.
    spread : array of shape (J, 3), radians
        Of the prior about rest.
    joints : int array of shape (M,)
        Joint that carries each marker.
    lengths : Lengths
        Numbers that the skeleton's offsets depend on, K of them.
    local : array of shape (K, M, 3)
        What each of these numbers adds to a marker's place in its joint's frame.
    loose : array of shape (M, 3), metres
        Prior of the marker about that place.
    """

    parents: NDArray[np.int64]
    turning: Bools
    spread: Array
    joints: Ints
    lengths: Lengths
    local: Array
    loose: Array

    @property
    def n_markers(self) -> int:
        """Number of markers M."""
        return len(self.joints)

    @cached_property
    def turns(self) -> Ints:
        """Joints that turn, in order."""
        return np.flatnonzero(self.turning)

    @property
    def freedom(self) -> int:
        """Degrees of freedom of a pose: place of the root, then turns."""
        return 3 + 3 * len(self.turns)

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """Markers, and for each all turning joints at or above its own."""
        return self.turning_above(self.joints)

    def turning_above(self, joints: Ints) -> tuple[Ints, Ints]:
        """Numbers of some joints, and for each all turning joints at or above it."""
        found = []
        for number, joint in enumerate(joints.tolist()):
            while joint >= 0:
                if self.turning[joint]:
                    found.append((number, joint))
                joint = int(self.parents[joint])
        numbers, above = np.array(found, int).reshape(-1, 2).T
        return numbers, above


def make_layout(body: Prototype, lengths: Lengths, places: Sequence[Place]) -> Layout:
    """Layout of a prototype with markers; joints with no marker below them do not turn.

    Parameters
    ----------
    body : Prototype
        The body.
    lengths : Lengths
        Of that body.
    places : sequence of Place
        Of the M markers.

    Returns
    -------
    Layout
    """
    joints = np.array([body.index(place.joint) for place in places], int)
    anchors = np.array([body.index(place.anchor) for place in places], int)
    loose = np.array([place.loose for place in places]).reshape(-1, 3)
    carrying = np.zeros(len(body.names), bool)
    carrying[joints] = True
    for j in range(len(body.names) - 1, 0, -1):
        carrying[body.parents[j]] |= carrying[j]
    turning = carrying & (body.spread > 0).any(axis=1)
    local = lengths.directions[:, anchors] * (anchors != joints)[:, None]
    local[0] += np.array([place.at for place in places]).reshape(-1, 3)
    spread = np.where(turning[:, None], body.spread, 0.0)
    return Layout(body.parents, turning, spread, joints, lengths, local, loose)
