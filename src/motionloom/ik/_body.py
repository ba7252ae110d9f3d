"""What moves in a pose, and what it keeps to: kinematics, limits, floor; captures are no part."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from motionloom.body_masses import joint_shares
from motionloom.errors import InvalidInputError
from motionloom.ik.rig import Floor, make_rig
from motionloom.jacobian_kernels import Rig
from motionloom.spaces.footing import NOWHERE, ROOT_NUMBERS
from motionloom.spaces.pose_coordinates import PoseCoordinates
from motionloom.spaces.pose_space import PoseSpace
from motionloom.typing import Array, Bools, Ints

#: How far the root may be above where captured ones were, metres, and how much more it may be
#: tilted, radians; below it is the floor.
_HIGHER, _TILTED = 1.0, 1.2
#: Farthest that the root may be from where it begins, metres, and be turned, radians.
_FAR, _TURN = 100.0, 4.0

#: Limits nearer to each other than this leave no room, radians or metres.
_NARROW = 1e-3

#: Share of the mass that is much.
_MUCH = 0.3

NO_FLOOR = Floor(np.zeros(0, np.int64), np.zeros((0, 3)), np.zeros(0))


@dataclass(frozen=True, eq=False)
class Body:
    """A skeleton whose poses have P numbers: those of its joints, then six of its root if it is
    free.

    The root's are its place (x, y, z), metres, and a rotation vector about `upright`. A free body
    is in coordinates of the floor, one whose root is held in root coordinates.

    Parameters
    ----------
    coordinates : PoseCoordinates
        Of the joints below the root.
    lower, upper : array of shape (P,)
        Effective limits, radians or metres.
    upright : array of shape (4,), optional
        Rotation (w, x, y, z) of the root of a body that stands and faces +Z; the root is held when
        not given.
    floor : Floor
        Points that stay above the floor.
    mass : array of shape (J,)
        Shares of the joints in the centre of mass; zero where that is not known.
    """

    coordinates: PoseCoordinates
    lower: Array
    upper: Array
    upright: ArrayLike | None = None
    floor: Floor = NO_FLOOR
    mass: Array = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        size = self.coordinates.size + (0 if self.upright is None else ROOT_NUMBERS)
        if self.lower.shape != (size,) or self.upper.shape != (size,):
            raise InvalidInputError(
                f"a pose of this body has {size} numbers, got limits of shapes {self.lower.shape}"
                f" and {self.upper.shape}"
            )
        if len(self.mass) == 0:
            object.__setattr__(self, "mass", np.zeros(self.coordinates.skeleton.n_joints))

    @cached_property
    def rig(self) -> Rig:
        """Compiled kinematics."""
        return make_rig(self.coordinates, self.upright)

    @cached_property
    def floor_rows(self) -> dict[int, int]:
        """Which point of the floor every joint is; end sites are none."""
        joints = np.flatnonzero(~self.floor.local.any(axis=1))
        return {int(self.floor.joint[m]): int(m) for m in joints}

    @cached_property
    def narrow(self) -> Bools:
        """Numbers that the limits leave no room to change, shape (P,)."""
        return self.upper - self.lower < _NARROW

    @cached_property
    def heavy(self) -> Ints:
        """Numbers that move much of the body's mass: those of the root and of the trunk."""
        mass = np.where(self.rig.moves, self.mass[:, None], 0.0).sum(axis=0)
        return np.flatnonzero(mass > _MUCH)

    @property
    def free(self) -> bool:
        """Whether the root's numbers are part of a pose."""
        return self.upright is not None

    @property
    def size(self) -> int:
        """Numbers of a pose."""
        return len(self.lower)

    def clamp(self, pose: Array) -> Array:
        """The pose within the effective limits."""
        return np.clip(pose, self.lower, self.upper)


def held_body(space: PoseSpace) -> Body:
    """The body of a pose space with its root held.

    Parameters
    ----------
    space : PoseSpace
        Gives coordinates and effective limits.
    """
    return Body(space.coordinates, space.lower, space.upper)


def free_body(space: PoseSpace) -> Body:
    """The body of a pose space with a free root above a floor.

    Parameters
    ----------
    space : PoseSpace
        Gives coordinates, effective limits, and how captured bodies stood.
    """
    footing = space.footing
    low = footing.root.min(axis=0)
    high = footing.root.max(axis=0)
    margin = np.array([_FAR, _HIGHER, _FAR, _TILTED, _TURN, _TILTED])
    low[1] = _HIGHER  # so that the limit is the floor
    return Body(
        space.coordinates,
        np.concatenate([space.lower, low - margin]),
        np.concatenate([space.upper, high + margin]),
        footing.upright,
        floor_of(space),
        mass_of(space),
    )


def floor_of(space: PoseSpace) -> Floor:
    """Joints and end sites that stay above the floor, by how low captured ones came."""
    skeleton = space.coordinates.skeleton
    joint = np.concatenate([np.arange(skeleton.n_joints), skeleton.end_parents])
    local = np.concatenate([np.zeros((skeleton.n_joints, 3)), skeleton.end_offsets])
    chosen = space.footing.clearance > NOWHERE
    return Floor(
        joint[chosen].astype(np.int64),
        np.ascontiguousarray(local[chosen], float),
        space.footing.clearance[chosen],
    )


def mass_of(space: PoseSpace) -> Array:
    """Shares of the joints in the centre of mass; zero where joints for it are missing."""
    n = space.coordinates.skeleton.n_joints
    try:
        return joint_shares(space.roles, n)
    except InvalidInputError:
        return np.zeros(n)
