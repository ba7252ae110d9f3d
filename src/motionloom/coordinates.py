"""Generalized coordinates: D numbers that say where a skeleton is and how it stands.

Two kinds share one vocabulary: exponential maps (here) and Euler degrees of freedom with limits
(`motionloom.euler_coordinates`). Each coordinate belongs to one joint and either moves it in its
parent's frame (metres) or turns it (radians). `motionloom.jacobians` says how a joint in the world
changes with them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion, Source
from motionloom.skeleton import Skeleton

Array = NDArray[np.float64]


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
    """What both kinds of coordinates offer. Values have shape (..., D); leading axes are batch
    axes.
    """

    skeleton: Skeleton

    @abstractmethod
    def layout(self) -> list[Coordinate]:
        """Every coordinate, in order."""

    @cached_property
    def joints(self) -> NDArray[np.int64]:
        """Joint that each coordinate moves, shape (D,)."""
        return np.array([c.joint for c in self.layout()], int)

    @cached_property
    def rotational(self) -> NDArray[np.bool_]:
        """Whether each coordinate turns its joint (radians) or moves it (metres), shape (D,)."""
        return np.array([c.freedom[0] != "t" for c in self.layout()], bool)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Name of each coordinate: the joint's name, a dot and the degree of freedom; a second of a
        kind ends in 2.
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
        """Joints that have translations (joint 0 always), ascending; ``Motion.translated`` of the
        motions made.
        """
        return tuple(sorted({0, *(int(j) for j in self.joints[~self.rotational])}))

    @abstractmethod
    def local_pose(self, values: ArrayLike) -> tuple[Array, Array]:
        """Local rotations (..., J, 4) and translations (..., K, 3), metres, of poses given by their
        coordinates.
        """

    @property
    @abstractmethod
    def directions(self) -> Array:
        """Direction (unit) in which each translational coordinate moves its joint, in the frame of
        the joint's parent, shape (D - R, 3) for R rotational ones.
        """

    @abstractmethod
    def to_coordinates(self, motion: Motion, near: ArrayLike | None = None) -> Array:
        """Coordinates of every frame, shape (T, D), continuous over time.

        Parameters
        ----------
        motion : Motion
            A motion of this skeleton.
        near : array of shape (D,), optional
            Coordinates just before the first frame: of all values that mean the same pose, the
            first frame takes the nearest. Zero otherwise.
        """

    @abstractmethod
    def nearest(self, values: ArrayLike, reference: ArrayLike) -> Array:
        """Of all values (..., D) that mean the same poses, those nearest to `reference` (D,), each
        pose by itself.
        """

    @property
    def size(self) -> int:
        """Number of coordinates D."""
        return len(self.joints)

    @property
    def units(self) -> tuple[str, ...]:
        """``"m"`` or ``"rad"`` for each coordinate."""
        return tuple("rad" if turn else "m" for turn in self.rotational)

    def clamp(self, values: ArrayLike) -> Array:
        """Bring values (..., D) inside the limits."""
        return np.clip(self._checked(values), self.lower, self.upper)

    def to_motion(
        self, values: ArrayLike, frame_time: float, *, name: str = "", source: Source | None = None
    ) -> Motion:
        """Motion through the poses `values` of shape (T, D), `frame_time` seconds apart."""
        values = self._checked(values)
        if values.ndim != 2:
            raise InvalidInputError(
                f"a motion needs values of shape (T, {self.size}), got {values.shape}"
            )
        rotations, translations = self.local_pose(values)
        return Motion(
            self.skeleton,
            rotations,
            translations,
            frame_time,
            self.moved_joints,
            name,
            source or Source(),
        )

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

    The rotation of a joint is ``exp([v])`` with v the axis times the angle; its three coordinates
    are v (radians). Unlike Euler angles they have no gimbal lock; they are singular only at full
    turns (angle 2 pi, 4 pi ...).

    Parameters
    ----------
    skeleton : Skeleton
        The joints.
    translated : tuple of int
        Joints whose position in the parent's frame (metres) is part of the coordinates.
    """

    skeleton: Skeleton
    translated: tuple[int, ...] = (0,)

    def layout(self) -> list[Coordinate]:
        """Joint by joint: translations where the joint has them, then the rotation vector."""
        kinds = [
            (j, kind)
            for j in range(self.skeleton.n_joints)
            for kind in ("tv" if j in self.translated else "v")
        ]
        return [Coordinate(j, kind + axis) for j, kind in kinds for axis in "xyz"]

    def local_pose(self, values: ArrayLike) -> tuple[Array, Array]:
        """Local rotations (..., J, 4) and translations (..., K, 3), metres, of poses given by their
        coordinates.
        """
        values = self._checked(values)
        vectors = values[..., self.rotational].reshape(*values.shape[:-1], -1, 3)
        moves = values[..., ~self.rotational].reshape(*values.shape[:-1], -1, 3)
        return rot.from_rotvec(vectors), moves

    @property
    def directions(self) -> Array:
        """Direction of each translational coordinate in the frame of its joint's parent."""
        return np.tile(np.eye(3), (len(self.translated), 1))

    def to_coordinates(self, motion: Motion, near: ArrayLike | None = None) -> Array:
        """Coordinates of every frame, shape (T, D), continuous over time; see
        `Coordinates.to_coordinates`.
        """
        motion = self._checked_motion(motion)
        before = np.zeros(self.size) if near is None else self._checked(near)
        values = np.empty((motion.n_frames, self.size))
        start = before[self.rotational].reshape(1, -1, 3)
        vectors = rot.unroll_rotvec(np.concatenate([start, rot.to_rotvec(motion.rotations)]))[1:]
        values[:, self.rotational] = vectors.reshape(motion.n_frames, -1)
        moves = motion.local_translations()[:, list(self.translated)]
        values[:, ~self.rotational] = moves.reshape(motion.n_frames, -1)
        return values

    def nearest(self, values: ArrayLike, reference: ArrayLike) -> Array:
        """Values (..., D) on the branch nearest to `reference` (D,), each pose by itself."""
        values = self._checked(values)
        reference = self._checked(reference)
        vectors = values[..., self.rotational].reshape(*values.shape[:-1], -1, 3)
        before = np.broadcast_to(reference[self.rotational].reshape(-1, 3), vectors.shape)
        out = values.copy()
        out[..., self.rotational] = rot.unroll_rotvec(np.stack([before, vectors]))[1].reshape(
            *values.shape[:-1], -1
        )
        return out
