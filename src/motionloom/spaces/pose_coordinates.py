"""A pose as a row of numbers: how joints below the hips are turned, each on its usual branch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.coordinates import Coordinates, ExponentialCoordinates
from motionloom.declared import Declared, below
from motionloom.errors import InvalidInputError
from motionloom.euler_coordinates import EulerCoordinates
from motionloom.motion import Motion
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import Skeleton
from motionloom.typing import Array, Ints

#: Captures are thinned to about this rate.
RATE = 30.0
#: Rotation vectors longer than this have wound up, radians.
_WOUND = 1.5 * np.pi
#: Every n-th frame is taken where that misses the rate by less than this share.
_NEAR_ENOUGH = 0.02


@dataclass(frozen=True, eq=False)
class PoseCoordinates:
    """The P rotational coordinates of a skeleton that belong to its pose, not to where the body is.

    Parameters
    ----------
    coordinates : Coordinates
        Euler degrees of freedom or exponential maps of all joints.
    root : int
        The joint that all of the body hangs on; it and what is above it are left out.
    """

    coordinates: Annotated[Coordinates, Declared(ExponentialCoordinates | EulerCoordinates)]
    root: Annotated[int, below("J")] = 0

    @classmethod
    def of(
        cls, motions: Motion | Sequence[Motion], kind: str = "auto", roles: Roles | None = None
    ) -> PoseCoordinates:
        """Coordinates of the skeleton of some motions.

        Parameters
        ----------
        motions : Motion or sequence of Motion
            Of one topology. The first gives the skeleton, with mean offsets where bones have
            position channels; exponential maps are about the joints' mean rotations in all.
        kind : {"auto", "euler", "exponential"}
            Euler degrees of freedom are those of the ASF file where there is one, else three a
            joint. ``"auto"`` takes them where the file states limits, else exponential maps.
        roles : Roles, optional
            Found from the skeleton when not given; say which joint all of the body hangs on.

        Returns
        -------
        PoseCoordinates
            Below the hips, or below the joint that hips and trunk share.

        Raises
        ------
        InvalidInputError
            For another kind, or motions of different joints.

        Examples
        --------
        >>> coordinates = PoseCoordinates.of(walk)
        >>> coordinates.from_motion(walk).shape == (walk.n_frames, coordinates.size)
        True
        """
        if kind not in ("auto", "euler", "exponential"):
            raise InvalidInputError(
                f"coordinates must be 'auto', 'euler' or 'exponential', got {kind!r}"
            )
        motions = [motions] if isinstance(motions, Motion) else motions
        first = motions[0]
        root = body_joint(first.skeleton, roles or find_roles(first.skeleton))
        own = first.source.extra.get("coordinates")
        if isinstance(own, EulerCoordinates):
            limited = bool(np.isfinite([own.lower, own.upper]).any())
            if kind == "euler" or (kind == "auto" and limited):
                return cls(own, root)
        skeleton = first.mean_skeleton(root)
        if kind == "euler":
            return cls(EulerCoordinates.generic(skeleton), root)
        about = ExponentialCoordinates.about(motions, skeleton)
        turned = np.array(about.reference)
        turned[list(skeleton.chain(root))] = rot.identity()  # so that zero is a root at rest
        return cls(replace(about, reference=turned), root)

    @property
    def skeleton(self) -> Skeleton:
        """The joints."""
        return self.coordinates.skeleton

    @cached_property
    def columns(self) -> Ints:
        """Which of the coordinates are the pose's, shape (P,)."""
        above = self.skeleton.chain(self.root)
        return np.flatnonzero(
            self.coordinates.rotational & ~np.isin(self.coordinates.joints, above)
        )

    @cached_property
    def joints(self) -> Ints:
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
        """Poses of every frame, shape (T, P), radians.

        Euler angles are taken frame by frame on the branch nearest to mid-range, rotation vectors
        continuous over the motion.

        Raises
        ------
        InvalidInputError
            When the motion has other joints than the skeleton.

        Examples
        --------
        >>> coordinates = PoseCoordinates.of(walk)
        >>> poses = coordinates.from_motion(walk)
        >>> again = coordinates.to_motion(poses)
        >>> np.allclose(again.rotations[:, 1:], walk.rotations[:, 1:])  # below the root
        True
        """
        if not motion.skeleton.has_topology_of(self.skeleton):
            raise InvalidInputError(
                f"{motion.name or 'the motion'} has other joints than the poses' skeleton"
            )
        values = self.coordinates.to_coordinates(motion)
        if isinstance(self.coordinates, ExponentialCoordinates):
            return _unwound(values[:, self.columns])
        return self.coordinates.nearest(values, self.reference)[:, self.columns]

    def to_values(self, poses: ArrayLike) -> Array:
        """All coordinates (..., D) of poses (..., P), the root where it is at rest.

        Raises
        ------
        InvalidInputError
            When a pose has another number of coordinates than P.
        """
        poses = np.asarray(poses, float)
        if poses.ndim == 0 or poses.shape[-1] != self.size:
            raise InvalidInputError(
                f"a pose of this skeleton has {self.size} numbers, got shape {poses.shape}"
            )
        values = np.zeros((*poses.shape[:-1], self.coordinates.size))
        values[..., self.columns] = poses
        return values

    def to_motion(self, poses: ArrayLike, frame_time: float = 1 / 30) -> Motion:
        """Poses as the frames of a motion, the root at rest.

        Parameters
        ----------
        poses : array of shape (T, P), radians
            One a frame.
        frame_time : float, seconds
            Time between frames.

        Returns
        -------
        Motion
            T frames.

        Raises
        ------
        InvalidInputError
            When a pose has another number of coordinates than P.
        """
        return self.coordinates.to_motion(self.to_values(poses), frame_time)


def body_joint(skeleton: Skeleton, roles: Roles) -> int:
    """The lowest joint that all joints with a role hang on: the hips on most rigs.

    Parameters
    ----------
    skeleton : Skeleton
        The tree of joints.
    roles : Roles
        Of its joints.

    Returns
    -------
    int
        The hips, or the nearest joint above them that carries the trunk and the limbs as well.

    Examples
    --------
    >>> walk.skeleton.names[body_joint(walk.skeleton, posed.roles)]
    'Hips'
    """
    joint = roles.joints["hips"]
    while not set(roles.joints.values()) <= {joint, *skeleton.descendants(joint)}:
        joint = int(skeleton.parents[joint])
    return joint


def _unwound(poses: Array) -> Array:
    """Rotation vectors (T, 3 N) that have wound up taken back to less than half a turn.

    Continuity over a motion may leave a joint a whole turn away from where it is.
    """
    vectors = poses.reshape(len(poses), -1, 3)
    angle = np.linalg.norm(vectors, axis=-1, keepdims=True)
    turns = np.where(angle > _WOUND, 2 * np.pi * np.round(angle / (2 * np.pi)), 0.0)
    out: Array = vectors * (1.0 - turns / np.maximum(angle, 1.0))
    return out.reshape(poses.shape)


def thin(motion: Motion, fps: float) -> Motion:
    """A motion at about a frame rate: every n-th frame where that is near enough, else resampled.

    Parameters
    ----------
    motion : Motion
        At least as many frames a second, else it stays as it is.
    fps : float
        Frames a second.

    Returns
    -------
    Motion
        Within 2 % of that rate, or slower where the motion is.

    Examples
    --------
    >>> thin(walk, 10.0).fps
    10.0
    """
    ratio = motion.fps / fps
    step = max(round(ratio), 1)
    if ratio < 1 or abs(step / ratio - 1) < _NEAR_ENOUGH:
        return motion.every(step)
    return motion.resample(1.0 / fps)


def gather_poses(coordinates: PoseCoordinates, motions: Sequence[Motion]) -> tuple[Array, Ints]:
    """Poses of several motions, thinned to about one frame rate.

    Parameters
    ----------
    coordinates : PoseCoordinates
        Those of the poses.
    motions : sequence of Motion
        All with the joints of the coordinates.

    Returns
    -------
    poses : array of shape (N, P), radians
    trial : int array of shape (N,)
        Which motion each pose is from.

    Raises
    ------
    InvalidInputError
        When a motion has other joints.

    Examples
    --------
    >>> coordinates = PoseCoordinates.of(walk)
    >>> poses, trial = gather_poses(coordinates, [walk, walk[:30]])
    >>> np.bincount(trial)  # poses of each motion
    array([232,  30])
    """
    rows = [coordinates.from_motion(thin(m, RATE)) for m in motions]
    return np.concatenate(rows), np.repeat(np.arange(len(rows)), [len(r) for r in rows])
