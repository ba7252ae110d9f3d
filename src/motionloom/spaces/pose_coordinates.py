"""A pose as a row of numbers: the angles of all joints below the root, each on its usual branch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motionloom.coordinates import Coordinates, ExponentialCoordinates
from motionloom.errors import InvalidInputError
from motionloom.euler_coordinates import EulerCoordinates
from motionloom.motion import Motion
from motionloom.skeleton import Skeleton

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PoseCoordinates:
    """The P rotational coordinates of a skeleton that belong to its pose, not to where the body is.

    Parameters
    ----------
    coordinates : Coordinates
        Euler degrees of freedom or exponential maps of all joints.
    root : int
        The joint that carries the body; it and what is above it are left out.
    """

    coordinates: Coordinates
    root: int = 0

    @classmethod
    def of(cls, motion: Motion, kind: str = "euler") -> PoseCoordinates:
        """Coordinates of a motion's skeleton.

        Parameters
        ----------
        motion : Motion
        kind : {"euler", "exponential"}
            Euler degrees of freedom are those of the ASF file where there is one, else three a
            joint.
        """
        if kind not in ("euler", "exponential"):
            raise InvalidInputError(f"coordinates must be 'euler' or 'exponential', got {kind!r}")
        own = motion.source.extra.get("coordinates")
        if kind == "euler" and isinstance(own, EulerCoordinates):
            return cls(own, motion.root_joint)
        make = EulerCoordinates.generic if kind == "euler" else ExponentialCoordinates
        return cls(make(_rigid(motion)), motion.root_joint)

    @property
    def skeleton(self) -> Skeleton:
        """The joints."""
        return self.coordinates.skeleton

    @cached_property
    def columns(self) -> NDArray[np.int64]:
        """Which of the coordinates are the pose's, shape (P,)."""
        above = self.skeleton.chain(self.root)
        return np.flatnonzero(
            self.coordinates.rotational & ~np.isin(self.coordinates.joints, above)
        )

    @cached_property
    def joints(self) -> NDArray[np.int64]:
        """Joint that each number turns, shape (P,)."""
        return self.coordinates.joints[self.columns]

    @property
    def size(self) -> int:
        """Number of coordinates P."""
        return len(self.columns)

    @property
    def names(self) -> tuple[str, ...]:
        """Name of each."""
        return tuple(self.coordinates.names[c] for c in self.columns)

    @cached_property
    def limits(self) -> tuple[Array, Array]:
        """Lower and upper limits that the skeleton's file states, radians, shape (P,) each;
        infinite where none is.
        """
        return self.coordinates.lower[self.columns], self.coordinates.upper[self.columns]

    @cached_property
    def reference(self) -> Array:
        """Angles that poses are told near to, shape (D,): mid-range where there are limits, else
        zero.
        """
        with np.errstate(invalid="ignore"):
            middle = 0.5 * (self.coordinates.lower + self.coordinates.upper)
        return np.where(np.isfinite(middle), middle, 0.0)

    def from_motion(self, motion: Motion) -> Array:
        """Poses of every frame, shape (T, P), radians; each by itself on the branch nearest to
        mid-range.
        """
        if not motion.skeleton.has_topology_of(self.skeleton):
            raise InvalidInputError(
                f"{motion.name or 'the motion'} has other joints than the poses' skeleton"
            )
        return self.coordinates.nearest(self.coordinates.to_coordinates(motion), self.reference)[
            :, self.columns
        ]

    def to_values(self, poses: ArrayLike) -> Array:
        """All coordinates (..., D) of poses (..., P), the root where it is at rest."""
        poses = np.asarray(poses, float)
        if poses.ndim == 0 or poses.shape[-1] != self.size:
            raise InvalidInputError(
                f"a pose of this skeleton has {self.size} numbers, got shape {poses.shape}"
            )
        values = np.zeros((*poses.shape[:-1], self.coordinates.size))
        values[..., self.columns] = poses
        return values

    def to_motion(self, poses: ArrayLike, frame_time: float = 1 / 30) -> Motion:
        """Poses (T, P) as the frames of a motion, the root at rest."""
        return self.coordinates.to_motion(self.to_values(poses), frame_time)


def _rigid(motion: Motion) -> Skeleton:
    """Skeleton with the bones that the motion has on average: some files keep them in position
    channels.
    """
    offsets = motion.skeleton.offsets.copy()
    own = [j for j in motion.translated if j not in motion.skeleton.chain(motion.root_joint)]
    offsets[own] = motion.translations[:, [motion.translated.index(j) for j in own]].mean(axis=0)
    return replace(motion.skeleton, offsets=offsets)


def gather_poses(
    coordinates: PoseCoordinates, motions: Sequence[Motion], fps: float = 30.0
) -> tuple[Array, NDArray[np.int64]]:
    """Poses of several motions at about `fps` frames per second.

    Returns
    -------
    poses : array of shape (N, P), radians
    trial : int array of shape (N,)
        Which motion each pose is from.
    """
    rows = [coordinates.from_motion(m)[:: max(round(m.fps / fps), 1)] for m in motions]
    return np.concatenate(rows), np.repeat(np.arange(len(rows)), [len(r) for r in rows])
