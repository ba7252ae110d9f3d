"""What a filler of gaps has to know about a skeleton: its halves, and quick kinematics."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from motionloom import rotations as rot
from motionloom.declared import LENGTH, Shape, below
from motionloom.edit.bones import mean_bones
from motionloom.kinematics import WorldPose, compute_facing
from motionloom.motion import Motion
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import Skeleton
from motionloom.spaces.segments import find_segments
from motionloom.typing import Array, Ints

LOWER = "lower"
UPPER = "upper"
#: Roles of the joints whose positions tell most about a pose.
_POINTS = ("left_foot", "left_toe", "right_foot", "right_toe", "left_hand", "right_hand", "head")


@dataclass(frozen=True, eq=False)
class Rig:
    """A skeleton with its roles, ready for many poses at once.

    Poses are world rotations of all joints (..., J, 4) and the world position of one joint (..., 3)
    that carries the body.

    Parameters
    ----------
    skeleton : Skeleton
        J joints.
    roles : Roles
        Which joint plays which part of the body.
    root : int
        The joint that carries the body through the world; what is above it stays where it is.
    bones : array of shape (J, 3), metres
        Position of every joint in its parent's frame.
    """

    skeleton: Skeleton
    roles: Roles
    root: Annotated[int, below("J")]
    bones: Annotated[Array, Shape("J", 3), LENGTH]

    @classmethod
    def of(cls, motion: Motion, roles: Roles | None = None) -> Rig:
        """The rig of a motion.

        Parameters
        ----------
        motion : Motion
            At least one frame.
        roles : Roles, optional
            Found from the skeleton when not given.

        Returns
        -------
        Rig
        """
        roles = roles or find_roles(motion.skeleton)
        return cls(motion.skeleton, roles, motion.root_joint, mean_bones(motion))

    @property
    def n_joints(self) -> int:
        """Number of joints J."""
        return self.skeleton.n_joints

    @cached_property
    def body(self) -> tuple[int, ...]:
        """The root and all joints below it, ascending."""
        return self.skeleton.descendants(self.root)

    @cached_property
    def levels(self) -> tuple[Ints, ...]:
        """Joints with a parent by their number of joints above, parents first."""
        depths = np.array(self.skeleton.depths)
        return tuple(np.flatnonzero(depths == d) for d in range(1, int(depths.max(initial=0)) + 1))

    @cached_property
    def halves(self) -> dict[str, tuple[int, ...]]:
        """Joints of the lower half, which carries the body, and of the upper one.

        The lower half is the root, what is above it, and the legs as far as they are no part of
        other limbs; a joint belongs to one half.
        """
        segments = find_segments(self.skeleton, self.roles, self.root)
        lower = set(self.skeleton.chain(self.root))
        for name, own in segments.items():
            if name.endswith("_leg"):
                others = {j for other, joints in segments.items() if other != name for j in joints}
                lower |= set(own) - others
        upper = set(range(self.n_joints)) - lower
        halves = {LOWER: tuple(sorted(lower)), UPPER: tuple(sorted(upper))}
        return {name: joints for name, joints in halves.items() if joints}

    @cached_property
    def points(self) -> tuple[int, ...]:
        """Joints whose positions tell most about a pose, those that there are."""
        found = (self.roles.joint(role) for role in _POINTS)
        return tuple(dict.fromkeys(j for j in found if j is not None))

    def world_rotations(self, local: Array) -> Array:
        """World rotations of poses given by their local rotations, both (..., J, 4)."""
        world = np.array(local, float)
        parents = self.skeleton.parents
        for joints in self.levels:
            world[..., joints, :] = rot.multiply(
                world[..., parents[joints], :], local[..., joints, :]
            )
        return world

    def local_rotations(self, world: Array) -> Array:
        """Local rotations of poses given by their world rotations, both (..., J, 4)."""
        local = np.array(world, float)
        parents = self.skeleton.parents
        joints = np.arange(1, self.n_joints)
        above = rot.conjugate(world[..., parents[joints], :])
        local[..., joints, :] = rot.multiply(above, world[..., joints, :])
        return local

    def positions(self, world: Array, roots: Array) -> Array:
        """World positions of all joints.

        Parameters
        ----------
        world : array of shape (..., J, 4)
            World rotations.
        roots : array of shape (..., 3), metres
            World position of the root.

        Returns
        -------
        array of shape (..., J, 3), metres
            Joints above the root are where it is.
        """
        parents = self.skeleton.parents
        bones = np.array(self.bones)
        bones[list(self.skeleton.chain(self.root))] = 0.0
        places = np.zeros((*world.shape[:-1], 3))
        places[..., 0, :] = roots
        for joints in self.levels:
            above = parents[joints]
            places[..., joints, :] = places[..., above, :] + rot.rotate(
                world[..., above, :], bones[joints]
            )
        return places

    def facing(self, world: Array, positions: Array) -> Array:
        """Where bodies face, shape (...), radians from +Z towards +X; see `compute_facing`."""
        flat = WorldPose(
            positions.reshape(-1, self.n_joints, 3), world.reshape(-1, self.n_joints, 4)
        )
        return compute_facing(flat, self.roles).reshape(positions.shape[:-2])
