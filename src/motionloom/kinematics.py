"""What follows from a motion's angles: world poses, facing, body trajectory, centre of mass."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.body_masses import joint_shares
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.progress import breathe
from motionloom.roles import Roles
from motionloom.two_bones import cross
from motionloom.typing import Array, Ints

#: Numbers of world rotations, four for every joint and frame, for which compiled code would not be
#: loaded in time.
_SMALL = 1 << 17
#: The two axes that follow x, y and z.
_NEXT, _AFTER = [1, 2, 0], [2, 0, 1]


@dataclass(frozen=True, eq=False)
class WorldPose:
    """Kinematics that have been run.

    Parameters
    ----------
    positions : array of shape (T, J, 3), metres
        World position of every joint.
    rotations : array of shape (T, J, 4)
        World rotation of every joint as unit quaternions (w, x, y, z).

    Examples
    --------
    >>> forward_kinematics(walk).positions.shape == (walk.n_frames, walk.skeleton.n_joints, 3)
    True
    """

    positions: Array
    rotations: Array


def forward_kinematics(motion: Motion) -> WorldPose:
    """World positions and rotations of every joint in every frame.

    Parameters
    ----------
    motion : Motion
        The motion.

    Returns
    -------
    WorldPose
        Metres, and unit quaternions (w, x, y, z).

    Examples
    --------
    >>> pose = forward_kinematics(walk)
    >>> knee = walk.skeleton.index("LeftLeg")
    >>> thigh = pose.positions[:, knee] - pose.positions[:, knee - 1]
    >>> bool(np.ptp(np.linalg.norm(thigh, axis=1)) < 1e-12)  # a bone keeps its length
    True
    """
    n = motion.skeleton.n_joints
    if motion.n_frames * n * 4 > _SMALL or _is_compiled():
        return _run_compiled(motion)
    pose = _room_for(motion)
    _forward(motion, range(n), pose)
    return pose


def run_compiled_from_now_on(motion: Motion) -> None:
    """Load the compiled pass, for a process that runs many short motions.

    Parameters
    ----------
    motion : Motion
        Any; it is run once.
    """
    _run_compiled(motion[:1])


def _run_compiled(motion: Motion) -> WorldPose:
    from motionloom.kinematics_kernels import forward

    breathe()
    skeleton = motion.skeleton
    slots = np.full(skeleton.n_joints, -1)
    slots[list(motion.translated)] = np.arange(len(motion.translated))
    pose = _room_for(motion)
    tree = skeleton.parents, skeleton.offsets, slots
    forward(*tree, motion.rotations, motion.translations, pose.positions, pose.rotations)
    return pose


def _room_for(motion: Motion) -> WorldPose:
    shape = (motion.n_frames, motion.skeleton.n_joints)
    return WorldPose(np.empty((*shape, 3)), np.empty((*shape, 4)))


def _is_compiled() -> bool:
    """Whether the compiled pass is loaded, as for an earlier motion."""
    kernels = sys.modules.get("motionloom.kinematics_kernels")
    return kernels is not None and bool(getattr(kernels.forward, "signatures", ()))


def rerun_below(motion: Motion, before: WorldPose, joints: Iterable[int]) -> WorldPose:
    """Kinematics of a motion of which only some joints turn otherwise than before.

    Parameters
    ----------
    motion : Motion
        The motion.
    before : WorldPose
        Kinematics of the motion before those joints were turned.
    joints : iterable of int
        The joints that turn otherwise; only what hangs on them is run.

    Returns
    -------
    WorldPose
        Bit by bit those of the whole motion.

    Examples
    --------
    >>> before = forward_kinematics(walk)
    >>> hand = walk.skeleton.index("LeftHand")
    >>> after = rerun_below(walk, before, [hand])  # the same motion gives the same pose
    >>> np.array_equal(after.positions, before.positions)
    True
    """
    if _is_compiled():  # quicker than some joints without
        return _run_compiled(motion)
    below = {j for joint in joints for j in motion.skeleton.descendants(joint)}
    pose = WorldPose(before.positions.copy(), before.rotations.copy())
    _forward(motion, sorted(below), pose)
    return pose


def chain_kinematics(motion: Motion, joint: int) -> WorldPose:
    """World positions and rotations of a joint and all above it: bit by bit those of the whole.

    Parameters
    ----------
    motion : Motion
        The motion.
    joint : int
        The last joint of the chain.

    Returns
    -------
    WorldPose
        Of the n joints of ``motion.skeleton.chain(joint)`` in that order, shapes (T, n, ...).
    """
    chain = list(motion.skeleton.chain(joint))
    pose = _room_for(motion)
    _forward(motion, chain, pose)
    return WorldPose(pose.positions[:, chain], pose.rotations[:, chain])


def _forward(motion: Motion, joints: Iterable[int], pose: WorldPose) -> None:
    """The same as the compiled pass, bit by bit, a joint at a time in all frames."""
    local = motion.local_translations()
    for j in joints:
        above = int(motion.skeleton.parents[j])
        if above < 0:
            pose.positions[:, j] = local[:, j]
            pose.rotations[:, j] = motion.rotations[:, j]
            continue
        turn = pose.rotations[:, above]
        v, w, u = local[:, j], turn[:, :1], turn[:, 1:]
        t = 2 * cross(u, v)
        # A rotated vector as `rotations.rotate` has it, but added from the left to the right.
        moved = pose.positions[:, above] + v + w * t + u[:, _NEXT] * t[:, _AFTER]
        pose.positions[:, j] = moved - u[:, _AFTER] * t[:, _NEXT]
        pose.rotations[:, j] = rot.multiply(turn, motion.rotations[:, j])


def tree_kinematics(parents: Ints, offsets: Array, places: Array, turns: Array) -> WorldPose:
    """World poses of links in a tree.

    Parameters
    ----------
    parents : int array of shape (L,)
        Parent of each link, which comes before it; of the first -1.
    offsets : array of shape (L, 3) or (T, L, 3), metres
        Places in the parents' frames.
    places : array of shape (T, 3), metres
        Of the first link in the world.
    turns : array of shape (T, L, 4)
        Rotations relative to the parents.

    Returns
    -------
    WorldPose

    Examples
    --------
    >>> turns = np.array([[[1.0, 0, 0, 0], [1.0, 0, 0, 0]]])
    >>> tree_kinematics(np.array([-1, 0]), np.ones((2, 3)), np.zeros((1, 3)), turns).positions[0, 1]
    array([1., 1., 1.])
    """
    positions = np.empty((*turns.shape[:2], 3))
    positions[:, 0] = places
    world = np.array(turns)
    for link, parent in enumerate(parents[1:].tolist(), start=1):
        arm = rot.rotate(world[:, parent], offsets[..., link, :])
        positions[:, link] = positions[:, parent] + arm
        world[:, link] = rot.multiply(world[:, parent], turns[:, link])
    return WorldPose(positions, world)


def end_site_positions(motion: Motion, pose: WorldPose) -> Array:
    """World positions of the skeleton's end sites.

    Parameters
    ----------
    motion : Motion
        Its skeleton has the end sites.
    pose : WorldPose
        Kinematics of that motion.

    Returns
    -------
    array of shape (T, E, 3), metres
        In the order of ``motion.skeleton.end_parents``.

    Examples
    --------
    >>> ends = end_site_positions(walk, forward_kinematics(walk))
    >>> ends.shape[1] == len(walk.skeleton.end_parents)
    True
    """
    parents = motion.skeleton.end_parents
    return pose.positions[:, parents] + rot.rotate(
        pose.rotations[:, parents], motion.skeleton.end_offsets
    )


def compute_facing(pose: WorldPose, roles: Roles) -> Array:
    """Direction in which the body faces.

    A human faces the horizontal direction perpendicular to the mean of the right-to-left hip and
    shoulder vectors. A skeleton whose roles name a forward axis faces where that axis points; a
    quadruped faces from hips to chest.

    Parameters
    ----------
    pose : WorldPose
        Kinematics of the body.
    roles : Roles
        Which joint is which part of the body.

    Returns
    -------
    array of shape (T,), radians
        From +Z towards +X, in [-pi, pi].

    Raises
    ------
    InvalidInputError
        When the roles give no way to tell.

    Examples
    --------
    >>> np.degrees(compute_facing(posed.world, posed.roles)).round()[:3] + 0.0  # along +Z
    array([0., 0., 0.])
    """
    if roles.forward is not None:
        joint, axis = roles.forward
        ahead = rot.rotate(pose.rotations[:, joint], np.asarray(axis, float))
        return np.arctan2(ahead[:, 0], ahead[:, 2])
    if roles.kind == "quadruped" and {"hips", "chest"} <= roles.joints.keys():
        ahead = pose.positions[:, roles.joints["chest"]] - pose.positions[:, roles.joints["hips"]]
        return np.arctan2(ahead[:, 0], ahead[:, 2])
    pairs = [(roles.joint(f"right_{p}"), roles.joint(f"left_{p}")) for p in ("hip", "shoulder")]
    known = [(a, b) for a, b in pairs if a is not None and b is not None]
    if not known:
        raise InvalidInputError(
            "cannot tell where this skeleton faces: no left and right hips or shoulders were found;"
            " name them, or a forward axis, in a roles table"
        )
    left = np.mean([pose.positions[:, b] - pose.positions[:, a] for a, b in known], axis=0)
    return np.asarray(np.arctan2(-left[:, 2], left[:, 0]))


def body_trajectory(pose: WorldPose, roles: Roles) -> Array:
    """Ground position of the hips and facing.

    Parameters
    ----------
    pose : WorldPose
        Kinematics of the body.
    roles : Roles
        Which joint is which part of the body.

    Returns
    -------
    array of shape (T, 3)
        Position x, z (metres) and facing (radians, continuous over time).

    Raises
    ------
    InvalidInputError
        When the roles give no way to tell where the body faces.

    Examples
    --------
    >>> x, z, facing = body_trajectory(posed.world, posed.roles)[-1]
    >>> bool(z > 3.0)  # metres that the walk leads ahead
    True
    """
    hips = pose.positions[:, roles.joints["hips"]]
    return np.column_stack([hips[:, 0], hips[:, 2], np.unwrap(compute_facing(pose, roles))])


def center_of_mass(positions: ArrayLike, roles: Roles) -> Array:
    """Centre of mass of a human, from segment masses by proportion (Winter 2009).

    Parameters
    ----------
    positions : array of shape (T, J, 3), metres
        World positions of the joints.
    roles : Roles
        Which joint is which part of the body.

    Returns
    -------
    array of shape (T, 3), metres
        In the world.

    Raises
    ------
    InvalidInputError
        When a segment's joints are not among the roles.

    Examples
    --------
    >>> height = center_of_mass(posed.positions, posed.roles)[:, 1]
    >>> round(float(height.mean()), 2)  # metres
    1.0
    """
    positions = np.asarray(positions, float)
    return np.asarray(joint_shares(roles, positions.shape[1]) @ positions)
