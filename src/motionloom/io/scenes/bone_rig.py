"""A motion as other programs keep it: nodes with the axes of bones, at rest and moving.

glTF, FBX and USD files all hold the same: one node per joint, one per end site, whose +Y points to
the next joint, and how they turn and move in their parents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.io.scenes.rest_pose import RestPose
from motionloom.motion import Motion

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BoneRig:
    """Nodes of the joints in order, then of the end sites; N in all.

    Parameters
    ----------
    names : tuple of str
        Unique; an end site's is its joint's with ``_end`` behind.
    parents : int array of shape (N,)
        Parents precede children; -1 for the root.
    translations : array of shape (N, 3), metres
        At rest, in the parent node.
    rotations : array of shape (N, 4)
        At rest, in the parent node.
    frames : array of shape (N, 4)
        Turns each node's axes to those of the joint's own frame; none for end sites.
    offsets : array of shape (N, 3), metres
        Of the skeleton, in the parent joint's own frame.
    world_positions, world_rotations : arrays of shape (N, 3) and (N, 4)
        At rest.
    """

    names: tuple[str, ...]
    parents: NDArray[np.int64]
    translations: Array
    rotations: Array
    frames: Array
    offsets: Array
    world_positions: Array
    world_rotations: Array


def build_bone_rig(motion: Motion, rest: RestPose) -> BoneRig:
    """Nodes of a motion's joints and end sites in a rest pose.

    Parameters
    ----------
    motion : Motion
        Whose skeleton it is.
    rest : RestPose
        Of that motion.

    Returns
    -------
    BoneRig
        With the joints first.
    """
    skeleton = motion.skeleton
    owners = skeleton.end_parents
    world = rot.multiply(rest.rotations, rest.bones)
    turns = np.concatenate(
        [world[:1], rot.multiply(rot.conjugate(world[skeleton.parents[1:]]), world[1:])]
    )
    places = _in_parents(skeleton.parents, rest.bones, rest.translations)
    ends = _in_parents(owners, rest.bones, skeleton.end_offsets)
    still = rot.identity(len(owners))
    return BoneRig(
        names=(*skeleton.names, *_end_names(motion)),
        parents=np.concatenate([skeleton.parents, owners]),
        translations=np.concatenate([places, ends]),
        rotations=np.concatenate([turns, still]),
        frames=np.concatenate([rot.conjugate(rest.bones), still]),
        offsets=np.concatenate([skeleton.offsets, skeleton.end_offsets]),
        world_positions=np.concatenate([rest.positions, rest.ends]),
        world_rotations=np.concatenate([world, world[owners]]),
    )


def moving_rotations(motion: Motion, rest: RestPose, joint: int) -> Array:
    """Rotations of a joint's node in its parent's over time, shape (T, 4), sign-continuous."""
    turned = rot.multiply(motion.rotations[:, joint], rest.bones[joint])
    return rot.unroll(rot.multiply(_above(motion, rest, joint), turned))


def moving_translations(motion: Motion, rest: RestPose, joint: int) -> Array:
    """Places of a joint in its parent's node over time, shape (T, 3), metres."""
    own = np.broadcast_to(motion.skeleton.offsets[joint], (motion.n_frames, 3))
    if joint in motion.translated:
        own = motion.translations[:, motion.translated.index(joint)]
    return rot.rotate(_above(motion, rest, joint), own)


def notes_of_node(motion: Motion, rig: BoneRig, i: int) -> dict[str, object]:
    """What a node cannot say and reading needs to give the same skeleton again.

    Parameters
    ----------
    motion : Motion
        What is written.
    rig : BoneRig
        Its nodes.
    i : int
        The node.

    Returns
    -------
    dict
        Of plain values.
    """
    notes: dict[str, object] = {"offset": rig.offsets[i].tolist(), "place": i}
    if i >= motion.skeleton.n_joints:
        return {**notes, "end_site": True}
    notes["frame"] = rig.frames[i].tolist()
    if i == 0:
        notes |= {"frame_time": motion.frame_time, "frames": motion.n_frames}
        notes["name"] = motion.name
    notes["translated"] = i in motion.translated
    return notes


def check_together(motions: Mapping[str, Motion]) -> None:
    """Refuse motions that cannot be one scene.

    Raises
    ------
    InvalidInputError
        When there are none, or their frames differ.
    """
    if not motions:
        raise InvalidInputError("a scene needs at least one character")
    if len({(m.frame_time, m.n_frames) for m in motions.values()}) > 1:
        raise InvalidInputError(
            "the motions of a scene need the same frame rate and number of frames; resample them"
        )


def _above(motion: Motion, rest: RestPose, joint: int) -> Array:
    """Turns a joint's parent's own frame to its node's."""
    parent = motion.skeleton.parents[joint]
    return rot.conjugate(rest.bones[parent]) if joint else rot.identity()


def _end_names(motion: Motion) -> list[str]:
    taken = set(motion.skeleton.names)
    names = []
    for parent in motion.skeleton.end_parents:
        name = f"{motion.skeleton.names[parent]}_end"
        while name in taken:
            name += "_"
        taken.add(name)
        names.append(name)
    return names


def _in_parents(parents: NDArray[np.int64], bones: Array, offsets: Array) -> Array:
    """Offsets (N, 3) in the frames of joints `parents` (N,), seen in the frames of their bones; a
    root's stays.
    """
    inside = rot.rotate(rot.conjugate(bones[parents]), offsets)
    return np.where(parents[:, None] >= 0, inside, offsets)
