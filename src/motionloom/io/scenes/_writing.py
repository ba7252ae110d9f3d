"""Motions as glTF, FBX and USD files keep them: nodes, tracks and a thin mesh.

All three hold the same: one node per joint, one per end site, whose +Y points to the next joint,
how they turn and move in their parents, and a mesh that they carry.

A thin mesh around a skeleton, an octahedron per bone, as some programs drop bare skeletons.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.io.scenes._nodes import free_name
from motionloom.io.scenes.rest_pose import RestPose, find_rest_pose
from motionloom.io.units import axes_to_y_up, check_unit
from motionloom.motion import Motion
from motionloom.skeleton import Skeleton
from motionloom.typing import Array, Ints

#: Half width of a bone as a share of its length, and its bounds in metres.
_WIDTH, _THINNEST, _THICKEST = 0.09, 0.004, 0.035
#: How far along a bone its widest ring lies.
_RING = 0.18
#: Bones shorter than this (metres) get no octahedron of their own.
_SHORTEST = 1e-4
#: Half size of the diamond drawn around a joint that no bone leaves, metres.
_TIP = 0.02
_RINGS = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]], float)


@dataclass(frozen=True, eq=False)
class BoneMesh:
    """Triangles around a skeleton at rest, each vertex carried by one joint.

    Parameters
    ----------
    positions : array of shape (V, 3), metres
        Vertices in the rest pose, in world axes. Corners are not shared between faces, so shading
        is flat.
    normals : array of shape (V, 3)
        Unit face normals.
    joints : int array of shape (V,)
        The joint that carries each vertex.
    """

    positions: Array
    normals: Array
    joints: Ints


def build_bone_mesh(skeleton: Skeleton, joints_at: Array, ends_at: Array) -> BoneMesh:
    """Build an octahedron from each joint to children and end sites, a diamond where it has none.

    Parameters
    ----------
    skeleton : Skeleton
        Says which joints and end sites are connected.
    joints_at : array of shape (J, 3), metres
        World positions of the joints at rest.
    ends_at : array of shape (E, 3), metres
        Those of the end sites.

    Returns
    -------
    BoneMesh
        Eight triangles for each bone, carried by the joint at its start.
    """
    owners = np.concatenate([skeleton.parents[1:], skeleton.end_parents])
    bones = np.concatenate([joints_at[1:], ends_at]) - joints_at[owners]
    long_enough = np.linalg.norm(bones, axis=-1) > _SHORTEST
    bare = np.setdiff1d(np.arange(skeleton.n_joints), owners[long_enough])
    starts = np.concatenate([joints_at[owners[long_enough]], joints_at[bare] - [0, _TIP, 0]])
    tips = np.tile([0, 2 * _TIP, 0], (len(bare), 1))
    shapes = zip(starts, np.concatenate([bones[long_enough], tips]), strict=True)
    corners = np.concatenate([_octahedron(start, bone) for start, bone in shapes])
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    joints = np.repeat(np.concatenate([owners[long_enough], bare]), 24)
    return BoneMesh(corners.reshape(-1, 3), np.repeat(normals, 3, axis=0), joints)


def _octahedron(start: Array, bone: Array) -> Array:
    """Eight triangles around a bone, shape (8, 3, 3), corners anticlockwise seen from outside."""
    length = np.linalg.norm(bone)
    along = bone / length
    # Any axis across the bone will do; the world axis least along it keeps the cross product well
    # away from zero.
    across = np.cross(along, np.eye(3)[np.argmin(np.abs(along))])
    across /= np.linalg.norm(across)
    half = min(np.clip(_WIDTH * length, _THINNEST, _THICKEST), length / 2)
    ring = start + _RING * bone + half * (_RINGS @ np.stack([across, np.cross(along, across)]))
    following = np.roll(ring, -1, axis=0)
    tail = np.broadcast_to(start, ring.shape)
    head = np.broadcast_to(start + bone, ring.shape)
    faces = [ring, tail, following], [ring, following, head]
    return np.concatenate([np.stack(corners, 1) for corners in faces])


@dataclass(frozen=True, eq=False)
class FileCharacter:
    """A body as nodes, in the file's unit and axes: joints in order, then end sites, N in all.

    Parameters
    ----------
    name : str
        Of the character; empty where there is only one.
    motion : Motion
        What moves it.
    pose : RestPose
        In which it is bound.
    names : tuple of str
        Unique; an end site's is its joint's with ``_end`` behind.
    parents : int array of shape (N,)
        Parents precede children; -1 for the root.
    translations, rotations : arrays of shape (N, 3) and (N, 4)
        At rest, in the parent node.
    world_positions, world_rotations : arrays of shape (N, 3) and (N, 4)
        At rest; the rotations are those in our axes, which the file's turn.
    notes : list of dict
        What nodes cannot say and reading needs to give the same skeleton again, in metres.
    mesh : BoneMesh
        Around the body at rest.
    unit : float, metres
        Length of the file's unit.
    back : array of shape (3, 3)
        Brings our axes to the file's.
    """

    name: str
    motion: Motion
    pose: RestPose
    names: tuple[str, ...]
    parents: Ints
    translations: Array
    rotations: Array
    world_positions: Array
    world_rotations: Array
    notes: list[dict[str, object]]
    mesh: BoneMesh
    unit: float
    back: Array

    @property
    def title(self) -> str:
        """What the character, or else its motion, is called."""
        return self.name or self.motion.name or "motion"

    def turning(self, joint: int) -> Array:
        """Rotations of a joint's node in its parent's over time, (T, 4), sign-continuous."""
        turned = rot.multiply(self.motion.rotations[:, joint], self.pose.bones[joint])
        turns = rot.unroll(rot.multiply(self._above(joint), turned))
        return turns if joint else rot.multiply(rot.from_matrix(self.back), turns)

    def moving(self, joint: int) -> Array:
        """Places of a joint in its parent's node over time, shape (T, 3)."""
        motion = self.motion
        own = np.broadcast_to(motion.skeleton.offsets[joint], (motion.n_frames, 3))
        if joint in motion.translated:
            own = motion.translations[:, motion.translated.index(joint)]
        places = rot.rotate(self._above(joint), own)
        return places / self.unit if joint else places @ self.back.T / self.unit

    def _above(self, joint: int) -> Array:
        """Turns a joint's parent's own frame to its node's."""
        parent = self.motion.skeleton.parents[joint]
        return rot.conjugate(self.pose.bones[parent]) if joint else rot.identity()


@dataclass(frozen=True, eq=False)
class WrittenScene:
    """What one file holds.

    Parameters
    ----------
    name : str
        Of the scene and its animation.
    characters : tuple of FileCharacter
        At least one; all with the same frames.
    unit : float, metres
        Length of the file's unit.
    back : array of shape (3, 3)
        Matrix from our axes to the file's.
    """

    name: str
    characters: tuple[FileCharacter, ...]
    unit: float
    back: Array

    @property
    def first(self) -> Motion:
        """A motion with the frames of all."""
        return self.characters[0].motion


def build_scene(
    motions: Motion | Mapping[str, Motion],
    name: str | None = None,
    *,
    unit: float | str = 1.0,
    up: str | None = None,
    rest: str | None = None,
) -> WrittenScene:
    """What a file of motions holds.

    Parameters
    ----------
    motions : Motion or mapping of str to Motion
        One, or by character; all with the same frame time and number of frames.
    name : str, optional
        Of the scene; otherwise the motion's, or ``"scene"``.
    unit : float or str, metres, optional
        Length of the file's unit.
    up : str, optional
        The file's up axis; otherwise Y.
    rest : str, optional
        The pose in which bodies are bound, as of `find_rest_pose`.

    Returns
    -------
    WrittenScene
        In the file's unit and axes.

    Raises
    ------
    InvalidInputError
        When there are no motions, their frames differ, or an option cannot be used.
    """
    if isinstance(motions, Motion):
        name = name or motions.name or "motion"
        motions = {"": motions}
    if not motions:
        raise InvalidInputError("a scene needs at least one character")
    if len({(m.frame_time, m.n_frames) for m in motions.values()}) > 1:
        message = "the motions of a scene need the same frame rate and number of frames;"
        raise InvalidInputError(f"{message} resample them")
    metres = check_unit(unit)
    back = axes_to_y_up(up or "y").T
    bodies = (_build(c, m, find_rest_pose(m, rest), metres, back) for c, m in motions.items())
    return WrittenScene(name or "scene", tuple(bodies), metres, back)


def _build(name: str, motion: Motion, pose: RestPose, unit: float, back: Array) -> FileCharacter:
    skeleton = motion.skeleton
    joints = skeleton.n_joints
    parents = np.concatenate([skeleton.parents, skeleton.end_parents])
    world = rot.multiply(pose.rotations, pose.bones)
    inside = rot.multiply(rot.conjugate(world[parents[1:joints]]), world[1:])
    offsets = np.concatenate([pose.translations, skeleton.end_offsets])
    places = rot.rotate(rot.conjugate(pose.bones[parents]), offsets) / unit
    places[0] = back @ offsets[0] / unit
    turn = rot.from_matrix(back)
    still = rot.identity(len(parents) - joints)
    positions = np.concatenate([pose.positions, pose.ends])
    mesh = build_bone_mesh(skeleton, pose.positions, pose.ends)
    return FileCharacter(
        name=name,
        motion=motion,
        pose=pose,
        names=(*skeleton.names, *_end_names(motion)),
        parents=parents,
        translations=places,
        rotations=np.concatenate([rot.multiply(turn, world[:1]), inside, still]),
        world_positions=positions @ back.T / unit,
        world_rotations=world[[*range(joints), *skeleton.end_parents]],
        notes=_notes(motion, pose),
        mesh=replace(mesh, positions=mesh.positions @ back.T / unit, normals=mesh.normals @ back.T),
        unit=unit,
        back=back,
    )


def _notes(motion: Motion, pose: RestPose) -> list[dict[str, object]]:
    skeleton = motion.skeleton
    whole = {"frame_time": motion.frame_time, "frames": motion.n_frames, "name": motion.name}
    notes: list[dict[str, object]] = []
    for j, (offset, bone) in enumerate(zip(skeleton.offsets, pose.bones, strict=True)):
        own = {"offset": offset.tolist(), "place": j, "frame": rot.conjugate(bone).tolist()}
        notes.append({**own, **(whole if j == 0 else {}), "translated": j in motion.translated})
    for offset in skeleton.end_offsets:
        notes.append({"offset": offset.tolist(), "place": len(notes), "end_site": True})
    return notes


def _end_names(motion: Motion) -> list[str]:
    taken = set(motion.skeleton.names)
    names = []
    for parent in motion.skeleton.end_parents:
        names.append(free_name(f"{motion.skeleton.names[parent]}_end", taken))
        taken.add(names[-1])
    return names
