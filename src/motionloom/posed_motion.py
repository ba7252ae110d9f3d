"""PosedMotion: a motion with its roles whose kinematics is run once, when first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from motionloom import rotations as rot
from motionloom.kinematics import (
    WorldPose,
    body_trajectory,
    center_of_mass,
    compute_facing,
    end_site_positions,
    forward_kinematics,
    rerun_below,
)
from motionloom.motion import GroundTransform, Motion
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import Skeleton
from motionloom.typing import Array


@dataclass(frozen=True, eq=False)
class PosedMotion:
    """A motion, the roles of its joints, and all that follows from its angles.

    Whatever is asked for is computed once and kept.

    Parameters
    ----------
    motion : Motion
        The motion.
    roles : Roles
        Which joint plays which part of the body.
    known : WorldPose, optional
        Its kinematics, where they follow from another motion's; run when first asked for
        otherwise.

    Examples
    --------
    >>> posed = pose_motion(walk)
    >>> posed.has_run  # kinematics run when they are first used
    False
    >>> height = posed.hips[:, 1]
    >>> round(float(height.mean()), 2), posed.has_run
    (0.9, True)
    """

    motion: Motion
    roles: Roles
    known: WorldPose | None = None

    def __repr__(self) -> str:
        state = "run" if self.has_run else "not run yet"
        return f"<PosedMotion: kinematics {state}, roles of a {self.roles.kind}\n  {self.motion!r}>"

    @property
    def skeleton(self) -> Skeleton:
        """Of the motion."""
        return self.motion.skeleton

    @property
    def n_frames(self) -> int:
        """Number of frames T."""
        return self.motion.n_frames

    @property
    def fps(self) -> float:
        """Frames per second."""
        return self.motion.fps

    @property
    def has_run(self) -> bool:
        """Whether the kinematics are there without running them."""
        return self.known is not None or "world" in self.__dict__

    @cached_property
    def world(self) -> WorldPose:
        """World positions and rotations of all joints, read-only."""
        world = forward_kinematics(self.motion) if self.known is None else self.known
        world.positions.setflags(write=False)
        world.rotations.setflags(write=False)
        return world

    @property
    def positions(self) -> Array:
        """World position of every joint, shape (T, J, 3), metres.

        Examples
        --------
        >>> toe = posed.skeleton.index("LeftToeBase")
        >>> bool(posed.positions[:, toe, 1].min() < 0.05)  # it comes down to the ground
        True
        """
        return self.world.positions

    @property
    def rotations(self) -> Array:
        """World rotation of every joint, shape (T, J, 4), unit quaternions (w, x, y, z).

        Examples
        --------
        >>> np.allclose(np.linalg.norm(posed.rotations, axis=-1), 1.0)
        True
        """
        return self.world.rotations

    @cached_property
    def end_sites(self) -> Array:
        """World positions of the skeleton's end sites, shape (T, E, 3), metres."""
        return end_site_positions(self.motion, self.world)

    @cached_property
    def facing(self) -> Array:
        """Where the body faces, shape (T,), radians; see `compute_facing`.

        Examples
        --------
        >>> np.degrees(posed.facing).round()[:2] + 0.0  # along +Z
        array([0., 0.])
        """
        return compute_facing(self.world, self.roles)

    @cached_property
    def body(self) -> Array:
        """Ground position x, z (metres) and facing (radians, continuous), shape (T, 3)."""
        return body_trajectory(self.world, self.roles)

    @property
    def hips(self) -> Array:
        """World position of the hips, shape (T, 3), metres.

        Examples
        --------
        >>> round(float(posed.hips[0, 1]), 2)  # metres above the ground
        0.92
        """
        return self.positions[:, self.roles.joints["hips"]]

    @cached_property
    def center_of_mass(self) -> Array:
        """Centre of mass, shape (T, 3), metres; see `kinematics.center_of_mass`.

        Examples
        --------
        >>> above = posed.center_of_mass[:, 1] - posed.hips[:, 1]
        >>> bool(np.abs(above).max() < 0.2)
        True
        """
        return center_of_mass(self.positions, self.roles)

    def with_motion(self, motion: Motion) -> PosedMotion:
        """Another motion with the same roles, whose kinematics has still to be run.

        Examples
        --------
        >>> posed.with_motion(walk[:20]).n_frames
        20
        """
        return self if motion is self.motion else PosedMotion(motion, self.roles)

    def with_same_poses(self, motion: Motion) -> PosedMotion:
        """Another motion with the very same poses, such as one of another name or frame time.

        Kinematics that have been run are its too.

        Examples
        --------
        >>> from dataclasses import replace
        >>> slower = posed.with_same_poses(replace(walk, frame_time=2 * walk.frame_time))
        >>> slower.fps, np.allclose(slower.positions, posed.positions)
        (15.0, True)
        """
        return PosedMotion(motion, self.roles, self.world if self.has_run else None)

    def with_local_rotations(self, rotations: Array) -> PosedMotion:
        """The same motion with other local rotations (T, J, 4); nothing is run for it yet.

        Examples
        --------
        >>> rest = np.zeros_like(walk.rotations)
        >>> rest[..., 0] = 1.0
        >>> upright = posed.with_local_rotations(rest)
        >>> float(np.ptp(upright.facing).round(6))
        0.0
        """
        return self.with_motion(replace(self.motion, rotations=rotations))

    def with_local(self, local: Mapping[int, Array]) -> PosedMotion:
        """The same motion with other local rotations of some joints.

        Parameters
        ----------
        local : mapping of int to array of shape (T, 4)
            Rotations relative to the parents, by joint.

        Returns
        -------
        PosedMotion
            Where kinematics have been run, only those of what hangs on these joints run again.

        Examples
        --------
        >>> neck = posed.skeleton.index("Neck")
        >>> straight = np.tile([1.0, 0.0, 0.0, 0.0], (posed.n_frames, 1))
        >>> posed.with_local({neck: straight}).motion.rotations[0, neck]
        array([1., 0., 0., 0.])
        """
        if not local:
            return self
        rotations = self.motion.rotations.copy()
        for joint, turned in local.items():
            rotations[:, joint] = turned
        motion = replace(self.motion, rotations=rotations)
        if not self.has_run:
            return self.with_motion(motion)
        return PosedMotion(motion, self.roles, rerun_below(motion, self.world, local))

    def cut(self, start: int, stop: int) -> PosedMotion:
        """Frames ``start <= i < stop``; kinematics that have been run are cut too.

        Parameters
        ----------
        start : int
            First frame that is kept.
        stop : int
            Frame behind the last that is kept.

        Returns
        -------
        PosedMotion
            With the same roles; frame `start` is at time 0.

        Raises
        ------
        InvalidInputError
            When the motion does not have these frames.

        Examples
        --------
        >>> posed.cut(10, 30).n_frames
        20
        """
        motion = self.motion.cut(start, stop)
        if not self.has_run:
            return self.with_motion(motion)
        return self._carried(motion, self.positions[start:stop], self.rotations[start:stop])

    def every(self, step: int) -> PosedMotion:
        """Every `step`-th frame; kinematics that have been run are thinned too.

        Examples
        --------
        >>> posed.every(3).fps
        10.0
        """
        motion = self.motion.every(step)
        if step == 1 or not self.has_run:
            return self.with_motion(motion)
        # Copies, so that a few frames do not keep all of them in memory.
        return self._carried(motion, self.positions[::step].copy(), self.rotations[::step].copy())

    def transformed(self, transform: GroundTransform) -> PosedMotion:
        """The same motion elsewhere on the ground; kinematics that have been run go along.

        Examples
        --------
        >>> from motionloom.motion import GroundTransform
        >>> (posed.transformed(GroundTransform(x=2.0)).hips - posed.hips)[0].round(6)
        array([2., 0., 0.])
        """
        motion = self.motion.transformed(transform)
        if not self.has_run:
            return self.with_motion(motion)
        rotations = rot.multiply(transform.quaternion, self.rotations)
        return self.moved_to(motion, transform.apply(self.positions), rotations)

    def moved_to(self, motion: Motion, positions: Array, rotations: Array) -> PosedMotion:
        """The body moved as one piece: kinematics of all but the still joints above its root.

        Parameters
        ----------
        motion : Motion
            The moved motion.
        positions : array of shape (T, J, 3), metres
            Where all joints come to; those above the root are passed over.
        rotations : array of shape (T, J, 4)
            How all joints are turned then.

        Returns
        -------
        PosedMotion
            Its kinematics are those given, and are not run again.
        """
        above = motion.skeleton.chain(self.motion.root_joint)[:-1]
        still = np.isin(np.arange(motion.skeleton.n_joints), above)[:, None]
        positions = np.where(still, self.positions, positions)
        return self._carried(motion, positions, np.where(still, self.rotations, rotations))

    def _carried(self, motion: Motion, positions: Array, rotations: Array) -> PosedMotion:
        return PosedMotion(motion, self.roles, WorldPose(positions, rotations))


def pose_motion(motion: Motion, roles: Roles | None = None) -> PosedMotion:
    """A motion made ready for analysis and editing.

    Parameters
    ----------
    motion : Motion
        The motion.
    roles : Roles, optional
        Which joint plays which part; found from the skeleton when not given.

    Returns
    -------
    PosedMotion
        Its kinematics is run when something first needs it.

    Examples
    --------
    >>> posed = pose_motion(walk)
    >>> posed.positions.shape == (walk.n_frames, walk.skeleton.n_joints, 3)
    True
    """
    return PosedMotion(motion, roles or find_roles(motion.skeleton))
