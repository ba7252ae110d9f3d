"""How a joint's position and orientation in the world change with generalized coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.coordinates import Coordinates, ExponentialCoordinates
from motionloom.euler_coordinates import EulerCoordinates
from motionloom.jacobian_kernels import Rig, make_stance, position_rows, run_all
from motionloom.typing import Array, Ints


@dataclass(frozen=True, eq=False)
class WorldAxes:
    """Axes and origins of all coordinates in the world, from which Jacobians of any joint follow.

    Parameters
    ----------
    coordinates : Coordinates
        The coordinates.
    rig : Rig
        Their turns as arrays, R of them.
    positions : array of shape (T, J, 3), metres
        World position of every joint.
    matrices : array of shape (T, J, 3, 3)
        World rotation of every joint.
    turns : array of shape (T, R, 3)
        World axis of each rotational coordinate: angular velocity per unit rate (rad/rad).
    moves : array of shape (T, D - R, 3)
        World direction of each other coordinate: velocity per unit rate (m/m).
    """

    coordinates: Coordinates
    rig: Rig
    positions: Array
    matrices: Array
    turns: Array
    moves: Array

    def position_jacobian(self, joint: int, point: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
        """Jacobian of the world position of a point fixed to a joint.

        Parameters
        ----------
        joint : int
            The joint.
        point : array of shape (3,) or (T, 3), metres, optional
            The point in the joint's frame; the joint itself otherwise.

        Returns
        -------
        array of shape (T, 3, D), metres per metre or radian
            Column d is the point's world velocity per unit rate of coordinate d.

        Examples
        --------
        >>> from motionloom.coordinates import ExponentialCoordinates
        >>> axes = compute_world_axes(ExponentialCoordinates(arm), np.zeros((1, 12)))
        >>> axes.position_jacobian(2)[0][:, :3]  # the root carries the hand along
        array([[1., 0., 0.],
               [0., 1., 0.],
               [0., 0., 1.]])
        """
        local = np.broadcast_to(np.asarray(point, float), (len(self.positions), 3))
        points = self.positions[:, joint] + np.einsum("tij,tj->ti", self.matrices[:, joint], local)
        rows = np.zeros((len(points), 3, len(self.rig.owner)))
        position_rows(self.rig, self.positions, self.matrices, self.turns, joint, points, rows)
        slides = ~self.coordinates.rotational
        carried = np.isin(self.coordinates.joints[slides], self.coordinates.skeleton.chain(joint))
        jacobian = np.empty((len(points), 3, self.coordinates.size))
        jacobian[:, :, ~slides] = rows
        jacobian[:, :, slides] = np.where(carried, self.moves.swapaxes(1, 2), 0.0)
        return jacobian

    def orientation_jacobian(self, joint: int) -> Array:
        """Jacobian of a joint's world orientation: world angular velocity.

        Parameters
        ----------
        joint : int
            The joint.

        Returns
        -------
        array of shape (T, 3, D), rad per metre or radian
            Column d is the joint's angular velocity per unit rate of coordinate d.
        """
        jacobian = np.zeros((len(self.turns), 3, self.coordinates.size))
        turned = np.where(self.rig.moves[joint], self.turns.swapaxes(1, 2), 0.0)
        jacobian[:, :, self.coordinates.rotational] = turned
        return jacobian


def build_rig(
    coordinates: Coordinates,
    columns: Ints,
    fixed: Sequence[int] = (),
    hips: tuple[int, ArrayLike] | None = None,
) -> Rig:
    """Some of the coordinates of a skeleton as arrays for compiled kinematics.

    Parameters
    ----------
    coordinates : Coordinates
        The coordinates.
    columns : int array of shape (P,)
        Which of them turn or move joints.
    fixed : sequence of int
        Joints that stay at the origin, unturned.
    hips : tuple of (int, array of shape (4,)), optional
        The last of the fixed joints, which six more numbers move and turn after all: its place
        along the world's axes, metres, and a rotation vector about its rotation (w, x, y, z).

    Returns
    -------
    Rig
        Joints are at the skeleton's offsets, those that are moved where zeros leave them.
    """
    skeleton = coordinates.skeleton
    n = skeleton.n_joints
    before = np.tile(np.eye(3), (n, 1, 1))
    after = np.tile(np.eye(3), (n, 1, 1))
    column = {int(c): p for p, c in enumerate(columns)}
    turning: list[list[int]] = [[] for _ in range(n)]
    layout = coordinates.layout()
    if isinstance(coordinates, EulerCoordinates):
        begin = 0
        for f in coordinates.freedoms:
            before[f.joint] = rot.to_matrix(f.before)
            after[f.joint] = rot.to_matrix(f.after)
            turning[f.joint] = [column[begin + k] for k in f.turns if begin + k in column]
            begin += len(f.freedoms)
    else:
        assert isinstance(coordinates, ExponentialCoordinates)
        before = rot.to_matrix(np.asarray(coordinates.reference))
        for c, p in column.items():
            if coordinates.rotational[c]:
                turning[layout[c].joint].append(p)
    exponential = np.array([bool(t) for t in turning])
    exponential &= not isinstance(coordinates, EulerCoordinates)
    axis = ["xyz".index(layout[c].freedom[1]) for c in columns]
    owner = [layout[c].joint for c in columns]
    still = list(fixed)
    offsets = skeleton.offsets.copy()
    offsets[still] = 0.0
    before[still] = np.eye(3)
    after[still] = np.eye(3)
    moving: list[list[int]] = [[] for _ in range(n)]
    ways = np.zeros((len(columns) + (6 if hips is not None else 0), 3))
    order = np.cumsum(~coordinates.rotational) - 1
    unmoved = coordinates.local_pose(np.zeros(coordinates.size))[1]
    origin = dict(zip(coordinates.moved_joints, unmoved, strict=True))
    for p, c in enumerate(columns):
        if not coordinates.rotational[c]:
            moving[owner[p]].append(p)
            ways[p] = coordinates.directions[order[c]]
            offsets[owner[p]] = origin[owner[p]]
    if hips is not None:
        joint, turn = hips
        moving[joint] = [len(columns), len(columns) + 1, len(columns) + 2]
        turning[joint] = [d + 3 for d in moving[joint]]
        ways[moving[joint]] = np.eye(3)
        exponential[joint] = True
        after[joint] = rot.to_matrix(turn)
        axis += [0, 1, 2, 0, 1, 2]
        owner += [joint] * 6
    sliding = [p for own in moving for p in own]
    chains = np.zeros((n, n), bool)
    for j in range(n):
        chains[j, list(skeleton.chain(j))] = True
    return Rig(
        parents=np.asarray(skeleton.parents, np.int64),
        offsets=offsets,
        before=before,
        after=after,
        first=np.cumsum([0, *(len(t) for t in turning)]),
        turning=np.array([p for t in turning for p in t], np.int64),
        axis=np.array(axis, np.int64),
        owner=np.array(owner, np.int64),
        moves=chains[:, np.array(owner, np.int64)],
        exponential=exponential,
        slid=np.cumsum([0, *(len(m) for m in moving)]),
        sliding=np.array(sliding, np.int64),
        slides=np.isin(np.arange(len(owner)), sliding),
        way=ways,
    )


def compute_world_axes(coordinates: Coordinates, values: ArrayLike) -> WorldAxes:
    """Run the kinematics of poses given by their coordinates.

    Parameters
    ----------
    coordinates : Coordinates
        The coordinates.
    values : array of shape (T, D)
        Their values, metres or radians.

    Returns
    -------
    WorldAxes
        Jacobians of any joint in these T poses follow from it.

    Examples
    --------
    >>> from motionloom.coordinates import ExponentialCoordinates
    >>> axes = compute_world_axes(ExponentialCoordinates(arm), np.zeros((1, 12)))
    >>> axes.positions[0, 2]  # the hand at rest
    array([0.55, 0.  , 0.  ])
    """
    motion = coordinates.to_motion(values, 1.0)
    values = np.asarray(values, float)
    skeleton = coordinates.skeleton
    columns = np.flatnonzero(coordinates.rotational)
    rig = build_rig(coordinates, columns)
    positions = np.zeros((len(values), skeleton.n_joints, 3))
    matrices = np.zeros((len(values), skeleton.n_joints, 3, 3))
    turns = np.zeros((len(values), len(columns), 3))
    own, offsets = np.ascontiguousarray(values[:, columns]), motion.local_translations()
    run_all(rig, own, offsets, make_stance(rig), positions, matrices, turns)
    above = skeleton.parents[coordinates.joints[~coordinates.rotational]]
    carried = np.where((above < 0)[:, None, None], np.eye(3), matrices[:, above])
    moves = np.einsum("tmij,mj->tmi", carried, coordinates.directions)
    return WorldAxes(coordinates, rig, positions, matrices, turns, moves)
