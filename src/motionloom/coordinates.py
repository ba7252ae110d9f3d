"""Generalized coordinates: D numbers that say where a skeleton is and how it stands.

Two kinds share one vocabulary: exponential maps (here) and Euler degrees of freedom with limits
(`motionloom.euler_coordinates`). Each coordinate belongs to one joint and either moves it in its
parent's frame (metres) or turns it (radians). `motionloom.jacobians` says how a joint in the world
changes with them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.declared import NORMALIZED, Declared, Shape
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion, Source
from motionloom.skeleton import Skeleton, frozen_array
from motionloom.typing import Array, Bools, Ints


class Coordinate(NamedTuple):
    """One degree of freedom.

    Parameters
    ----------
    joint : int
        The joint it moves.
    freedom : str
        ``"t"`` for a translation, ``"r"`` for an Euler angle, ``"v"`` for a rotation vector, and
        the axis.
    lower, upper : float
        Limits, metres or radians.
    """

    joint: int
    freedom: str
    lower: float = -np.inf
    upper: float = np.inf


class Coordinates(ABC):
    """What both kinds of coordinates offer.

    Values have shape (..., D); leading axes are batch axes.
    """

    skeleton: Skeleton

    @abstractmethod
    def layout(self) -> list[Coordinate]:
        """Every coordinate, in order.

        Examples
        --------
        >>> [c.freedom for c in ExponentialCoordinates(arm).layout()[:6]]
        ['tx', 'ty', 'tz', 'vx', 'vy', 'vz']
        """

    @cached_property
    def joints(self) -> Ints:
        """Joint that each coordinate moves, shape (D,).

        Examples
        --------
        >>> ExponentialCoordinates(arm).joints
        array([0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2])
        """
        return np.array([c.joint for c in self.layout()], int)

    @cached_property
    def rotational(self) -> Bools:
        """Whether each coordinate turns its joint (radians) or moves it (metres), shape (D,).

        Examples
        --------
        >>> ExponentialCoordinates(arm).rotational.tolist().count(True)  # 3 for each joint
        9
        """
        return np.array([c.freedom[0] != "t" for c in self.layout()], bool)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Name of each coordinate: the joint's name, a dot and the degree of freedom.

        A second of a kind ends in 2.

        Examples
        --------
        >>> ExponentialCoordinates(arm).names[:4]
        ('shoulder.tx', 'shoulder.ty', 'shoulder.tz', 'shoulder.vx')
        """
        names: dict[str, None] = {}
        for c in self.layout():
            name = f"{self.skeleton.names[c.joint]}.{c.freedom}"
            names[f"{name}2" if name in names else name] = None
        return tuple(names)

    @cached_property
    def lower(self) -> Array:
        """Lower limits, shape (D,); -inf where there is none."""
        return np.array([c.lower for c in self.layout()], float)

    @cached_property
    def upper(self) -> Array:
        """Upper limits, shape (D,); inf where there is none."""
        return np.array([c.upper for c in self.layout()], float)

    @cached_property
    def moved_joints(self) -> tuple[int, ...]:
        """Joints that have translations (joint 0 always), ascending.

        They are ``Motion.translated`` of the motions made.

        Examples
        --------
        >>> ExponentialCoordinates(arm, translated=(0, 2)).moved_joints
        (0, 2)
        """
        return tuple(sorted({0, *(int(j) for j in self.joints[~self.rotational])}))

    @abstractmethod
    def local_pose(self, values: ArrayLike) -> tuple[Array, Array]:
        """Local rotations and translations of poses given by their coordinates.

        Parameters
        ----------
        values : array of shape (..., D)
            Coordinates, metres or radians.

        Returns
        -------
        rotations : array of shape (..., J, 4)
            Unit quaternions (w, x, y, z) relative to the parents.
        translations : array of shape (..., K, 3), metres
            Positions of `moved_joints` in their parents' frames.

        Raises
        ------
        InvalidInputError
            When a pose has other than D values.
        """

    @property
    @abstractmethod
    def directions(self) -> Array:
        """Unit direction in which each translational coordinate moves its joint, shape (D - R, 3).

        R is the number of rotational coordinates. Directions are in the frame of the joint's
        parent.

        Examples
        --------
        >>> ExponentialCoordinates(arm).directions[:3]
        array([[1., 0., 0.],
               [0., 1., 0.],
               [0., 0., 1.]])
        """

    @abstractmethod
    def to_coordinates(self, motion: Motion, near: ArrayLike | None = None) -> Array:
        """Coordinates of every frame, continuous over time.

        Parameters
        ----------
        motion : Motion
            A motion of this skeleton.
        near : array of shape (D,), optional
            Coordinates just before the first frame: of all values that mean the same pose, the
            first frame takes the nearest. Zero otherwise.

        Returns
        -------
        array of shape (T, D)
            Metres or radians.

        Raises
        ------
        InvalidInputError
            When the motion's skeleton has other joints, or `near` has other than D values.

        Examples
        --------
        >>> coordinates = ExponentialCoordinates(walk.skeleton)
        >>> values = coordinates.to_coordinates(walk)
        >>> again = coordinates.to_motion(values, walk.frame_time)
        >>> np.allclose(again.rotations, walk.rotations)
        True
        """

    @abstractmethod
    def nearest(self, values: ArrayLike, reference: ArrayLike) -> Array:
        """Of all values that mean the same poses, those nearest to a reference.

        Each pose is chosen by itself.

        Parameters
        ----------
        values : array of shape (..., D)
            Coordinates, metres or radians.
        reference : array of shape (D,)
            Coordinates of the one pose that all are brought near to.

        Returns
        -------
        array of shape (..., D)
            The same poses.

        Raises
        ------
        InvalidInputError
            When a pose has other than D values.

        Examples
        --------
        >>> coordinates = ExponentialCoordinates(arm)
        >>> values = np.zeros(12)
        >>> values[4] = -3.1  # about +Y
        >>> near = values.copy()
        >>> near[4] = 3.1
        >>> float(coordinates.nearest(values, near)[4].round(4))  # the same rotation
        3.1832
        """

    @property
    def size(self) -> int:
        """Number of coordinates D.

        Examples
        --------
        >>> ExponentialCoordinates(arm).size  # 3 + 3 x 3
        12
        """
        return len(self.joints)

    @property
    def units(self) -> tuple[str, ...]:
        """``"m"`` or ``"rad"`` for each coordinate.

        Examples
        --------
        >>> ExponentialCoordinates(arm).units[2:5]
        ('m', 'rad', 'rad')
        """
        return tuple("rad" if turn else "m" for turn in self.rotational)

    def clamp(self, values: ArrayLike) -> Array:
        """Bring values inside the limits.

        Parameters
        ----------
        values : array of shape (..., D)
            Coordinates, metres or radians.

        Returns
        -------
        array of shape (..., D)
            Each value as it was, or the limit that it exceeded.

        Raises
        ------
        InvalidInputError
            When a pose has other than D values.

        Examples
        --------
        >>> ExponentialCoordinates(arm).clamp([9.0] * 12)[:2]  # no limits here
        array([9., 9.])
        """
        return np.clip(self._checked(values), self.lower, self.upper)

    def to_motion(
        self, values: ArrayLike, frame_time: float, *, name: str = "", source: Source | None = None
    ) -> Motion:
        """Motion through poses at equal intervals.

        Parameters
        ----------
        values : array of shape (T, D)
            Coordinates of each frame, metres or radians.
        frame_time : float, seconds
            Time between frames.
        name : str, optional
            Name of the motion.
        source : Source, optional
            The file it came from; made in memory when not given.

        Returns
        -------
        Motion
            `moved_joints` are its translated joints.

        Raises
        ------
        InvalidInputError
            When `values` has another shape or `frame_time` is not positive.

        Examples
        --------
        >>> ExponentialCoordinates(arm).to_motion(np.zeros((5, 12)), 1 / 30).n_frames
        5
        """
        values = self._checked(values)
        if values.ndim != 2:
            raise InvalidInputError(
                f"a motion needs values of shape (T, {self.size}), got {values.shape}"
            )
        pose = self.local_pose(values)
        return Motion(self.skeleton, *pose, frame_time, self.moved_joints, name, source or Source())

    def _checked(self, values: ArrayLike) -> Array:
        values = np.asarray(values, float)
        if values.ndim == 0 or values.shape[-1] != self.size:
            raise InvalidInputError(
                f"these coordinates need {self.size} values per pose, got shape {values.shape}"
            )
        return values

    def _checked_motion(self, motion: Motion) -> Motion:
        if not motion.skeleton.has_topology_of(self.skeleton):
            raise InvalidInputError("the motion's skeleton has other joints than these coordinates")
        return motion


@dataclass(frozen=True, eq=False)
class ExponentialCoordinates(Coordinates):
    """Rotation vectors (exponential maps) of all joints, and translations of some.

    The rotation of a joint is ``reference * exp([v])`` with v the axis times the angle; its three
    coordinates are v (radians). Unlike Euler angles they have no gimbal lock; they are singular
    only at full turns (angle 2 pi, 4 pi ...). About each joint's mean rotation (`about`) they stay
    far from those, whatever the rest pose is.

    Parameters
    ----------
    skeleton : Skeleton
        The joints.
    translated : tuple of int
        Joints whose position in the parent's frame (metres) is part of the coordinates, the root
        (0) among them; kept in ascending order.
    reference : array of shape (J, 4), optional
        Local rotation (w, x, y, z) of every joint where its coordinates are zero; none turned when
        not given.

    Raises
    ------
    InvalidInputError
        When the root is not among them, there is no such joint, or the reference has another shape.

    Examples
    --------
    >>> coordinates = ExponentialCoordinates(arm)
    >>> coordinates.size, coordinates.names[3]
    (12, 'shoulder.vx')
    """

    skeleton: Skeleton
    translated: tuple[int, ...] = (0,)
    reference: Annotated[
        ArrayLike | None, Declared(Annotated[Array, Shape("J", 4), NORMALIZED])
    ] = None

    def __post_init__(self) -> None:
        ordered = tuple(sorted(set(self.translated)))
        if 0 not in ordered or not 0 <= ordered[-1] < self.skeleton.n_joints:
            raise InvalidInputError(
                f"translated joints are 0 and others below {self.skeleton.n_joints}, got"
                f" {self.translated}"
            )
        object.__setattr__(self, "translated", ordered)
        n = self.skeleton.n_joints
        turns = rot.identity(n) if self.reference is None else np.array(self.reference, float)
        if turns.shape != (n, 4) or not (np.abs(np.linalg.norm(turns, axis=1) - 1) < 1e-6).all():
            raise InvalidInputError(
                f"a reference is {n} unit quaternions, got an array of shape {turns.shape}"
            )
        object.__setattr__(self, "reference", frozen_array(turns))

    @classmethod
    def about(
        cls,
        motions: Sequence[Motion],
        skeleton: Skeleton | None = None,
        translated: tuple[int, ...] = (0,),
    ) -> ExponentialCoordinates:
        """Rotation vectors about each joint's mean rotation.

        Parameters
        ----------
        motions : sequence of Motion
            At least one; every frame counts by the time it lasts.
        skeleton : Skeleton, optional
            That of the first motion when not given.
        translated : tuple of int
            As of the class.

        Returns
        -------
        ExponentialCoordinates
            Zero is the mean rotation of every joint.

        Raises
        ------
        InvalidInputError
            When there is no frame, or the joints differ.

        Examples
        --------
        >>> coordinates = ExponentialCoordinates.about([walk])
        >>> values = coordinates.to_coordinates(walk)
        >>> bool(np.abs(values[:, coordinates.rotational].mean(axis=0)).max() < 0.2)
        True
        """
        if not any(len(m) for m in motions):
            raise InvalidInputError("a mean rotation needs at least one frame")
        skeleton = skeleton or motions[0].skeleton
        if not all(m.skeleton.has_topology_of(skeleton) for m in motions):
            raise InvalidInputError("these motions have different joints")
        lasts = np.concatenate([np.full(len(m), m.frame_time) for m in motions])
        mean = rot.mean(np.concatenate([m.rotations for m in motions]), lasts)
        return cls(skeleton, translated, mean)

    @property
    def _turned(self) -> Array:
        return cast(Array, self.reference)

    def layout(self) -> list[Coordinate]:
        """Joint by joint: translations where the joint has them, then the rotation vector."""
        joints = range(self.skeleton.n_joints)
        kinds = [(j, kind) for j in joints for kind in ("tv" if j in self.translated else "v")]
        return [Coordinate(j, kind + axis) for j, kind in kinds for axis in "xyz"]

    def local_pose(self, values: ArrayLike) -> tuple[Array, Array]:
        """Local rotations and translations of poses given by their coordinates.

        Parameters
        ----------
        values : array of shape (..., D)
            Coordinates, metres or radians.

        Returns
        -------
        rotations : array of shape (..., J, 4)
            Unit quaternions (w, x, y, z) relative to the parents.
        translations : array of shape (..., K, 3), metres
            Positions of the `translated` joints in their parents' frames.

        Raises
        ------
        InvalidInputError
            When a pose has other than D values.

        Examples
        --------
        >>> rotations, translations = ExponentialCoordinates(arm).local_pose(np.zeros((1, 12)))
        >>> rotations[0, 1]
        array([1., 0., 0., 0.])
        """
        values = self._checked(values)
        vectors = values[..., self.rotational].reshape(*values.shape[:-1], -1, 3)
        moves = values[..., ~self.rotational].reshape(*values.shape[:-1], -1, 3)
        return rot.multiply(self._turned, rot.from_rotvec(vectors)), moves

    @property
    def directions(self) -> Array:
        """Direction of each translational coordinate in the frame of its joint's parent."""
        return np.tile(np.eye(3), (len(self.translated), 1))

    def to_coordinates(self, motion: Motion, near: ArrayLike | None = None) -> Array:
        """Coordinates of every frame, continuous over time.

        Parameters
        ----------
        motion : Motion
            A motion of this skeleton; bone lengths may differ.
        near : array of shape (D,), optional
            Coordinates just before the first frame, whose branch of rotation vectors is continued;
            zero when not given.

        Returns
        -------
        array of shape (T, D)
            Metres or radians.

        Raises
        ------
        InvalidInputError
            When the motion's skeleton has other joints, or `near` has other than D values.
        """
        motion = self._checked_motion(motion)
        before = np.zeros(self.size) if near is None else self._checked(near)
        values = np.empty((motion.n_frames, self.size))
        start = before[self.rotational].reshape(1, -1, 3)
        own = rot.to_rotvec(rot.multiply(rot.conjugate(self._turned), motion.rotations))
        vectors = rot.unroll_rotvec(np.concatenate([start, own]))[1:]
        values[:, self.rotational] = vectors.reshape(motion.n_frames, -1)
        moves = motion.local_translations()[:, list(self.translated)]
        values[:, ~self.rotational] = moves.reshape(motion.n_frames, -1)
        return values

    def nearest(self, values: ArrayLike, reference: ArrayLike) -> Array:
        """Values on the branch nearest to a reference, each pose by itself.

        Parameters
        ----------
        values : array of shape (..., D)
            Coordinates, metres or radians.
        reference : array of shape (D,)
            Coordinates of the one pose that all are brought near to.

        Returns
        -------
        array of shape (..., D)
            The same poses; whole turns are added to or taken from rotation vectors.

        Raises
        ------
        InvalidInputError
            When a pose has other than D values.
        """
        values = self._checked(values)
        reference = self._checked(reference)
        vectors = values[..., self.rotational].reshape(*values.shape[:-1], -1, 3)
        before = np.broadcast_to(reference[self.rotational].reshape(-1, 3), vectors.shape)
        out = values.copy()
        near = rot.unroll_rotvec(np.stack([before, vectors]))[1]
        out[..., self.rotational] = near.reshape(*values.shape[:-1], -1)
        return out
