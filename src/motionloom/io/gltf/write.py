"""Binary glTF (.glb): a motion as skeleton, animation and thin mesh; `gltf_read` reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.io.files import write_file
from motionloom.io.gltf.glb import ARRAY_BUFFER, GlbBuilder
from motionloom.io.scenes.bone_mesh import build_bone_mesh
from motionloom.io.scenes.bone_rig import (
    build_bone_rig,
    check_together,
    moving_rotations,
    moving_translations,
)
from motionloom.io.scenes.rest_pose import RestPose, find_rest_pose
from motionloom.motion import Motion

#: Linear red, green and blue of the first character's bones, the second's ...
_COLORS = (
    (0.55, 0.62, 0.72),
    (0.80, 0.40, 0.16),
    (0.24, 0.56, 0.32),
    (0.55, 0.30, 0.62),
    (0.72, 0.62, 0.20),
)


def write_glb(motion: Motion, path: str | PathLike[str], *, rest: str | None = None) -> None:
    """Write a motion as a GLB file (glTF 2.0).

    Every joint is a node with a rotation channel, the joints in ``motion.translated`` have a
    translation channel too, and end sites are leaf nodes. Metres, +Y up, +Z forward, as glTF wants
    and as motions are. A thin mesh is skinned to the joints, because Unreal and web viewers drop
    skeletons without one. Skin, mesh and animation have the motion's name.

    Nodes have the axes of bones: +Y points to the next joint. How a joint's own frame lies in its
    node's, and its offset, are in the node's extras, so that reading gives the same skeleton and
    rotations again.

    Numbers are stored as 32-bit floats, as glTF asks. The exact frame time is kept besides, in the
    file's extras.

    Parameters
    ----------
    motion : Motion
        What to write.
    path : path-like
        Where to write; a file that is there is replaced.
    rest : {"standing", "file", "first"}, optional
        The pose in which skeleton and mesh are bound: a T-pose, the pose of the skeleton without
        rotations, or the first frame. By default a T-pose where the body is a known human, else the
        file's own unless that is a heap of bones on a line, else the first frame.

    Raises
    ------
    InvalidInputError
        When values or times cannot be told apart, or held, as 32-bit floats, or the rest pose
        cannot be had.
    """
    name = motion.name or "motion"
    skin = _unique(name, motion)
    body = {"skin": _unique(f"{name}_skin", motion), "mesh": f"{name}_mesh", "skeleton": skin}
    _write([motion], [body], name, path, rest)


def write_scene_glb(
    motions: Mapping[str, Motion],
    path: str | PathLike[str],
    name: str = "scene",
    *,
    rest: str | None = None,
) -> None:
    """Write motions of several characters as one GLB file with one animation that moves them all.

    Every character is a node of its own name with its skeleton below, and has a skin and a mesh of
    its own colour.

    Parameters
    ----------
    motions : mapping of str to Motion
        By character; all with the same frame time and number of frames.
    path : path-like
        Where to write; a file that is there is replaced.
    name : str
        Of the scene and its animation.
    rest : {"standing", "file", "first"}, optional
        As of `write_glb`.

    Raises
    ------
    InvalidInputError
        When there are no motions, their frames differ, or as of `write_glb`.
    """
    made = list(motions.values())
    check_together(motions)
    bodies = [
        {"skin": f"{c}_skin", "mesh": f"{c}_bones", "skeleton": c, "character": c} for c in motions
    ]
    _write(made, bodies, name, path, rest)


def _write(
    motions: Sequence[Motion],
    bodies: Sequence[dict[str, str]],
    name: str,
    path: str | PathLike[str],
    rest_kind: str | None,
) -> None:
    """Write motions of equal frames; `bodies` has the names of each one's node, mesh and skin."""
    builder = GlbBuilder()
    roots: list[int] = []
    lists: dict[str, list[dict[str, Any]]] = {
        key: [] for key in ("nodes", "meshes", "materials", "skins")
    }
    channels: list[dict[str, Any]] = []
    samplers: list[dict[str, Any]] = []
    at = None
    for k, (motion, names) in enumerate(zip(motions, bodies, strict=True)):
        rest = find_rest_pose(motion, rest_kind)
        # A character's node stands above its joints; the skin's own node stands beside it.
        if "character" in names:
            lists["nodes"].append(
                {"name": names["character"], "children": [len(lists["nodes"]) + 1]}
            )
        first = len(lists["nodes"])
        mesh_node = first + _n_bones(motion)
        roots += [first - 1 if "character" in names else first, mesh_node]
        lists["nodes"] += [
            *_bone_nodes(motion, rest, first),
            {"name": names["skin"], "mesh": k, "skin": k},
        ]
        lists["meshes"].append(
            {"name": names["mesh"], "primitives": [_primitive(motion, rest, builder, k)]}
        )
        lists["materials"].append(_material(names["mesh"], k))
        lists["skins"].append(_skin(motion, rest, builder, names["skeleton"], first))
        if motion.n_frames:
            at = _add_times(motion, builder) if at is None else at
            _animate(motion, rest, builder, first, at, channels, samplers)
    document: dict[str, Any] = {
        "asset": {
            "version": "2.0",
            "generator": "motionloom",
            "extras": {"frame_time": motions[0].frame_time, "frames": motions[0].n_frames},
        },
        "scene": 0,
        "scenes": [{"name": name, "nodes": roots}],
        **lists,
    }
    if channels:
        document["animations"] = [{"name": name, "samplers": samplers, "channels": channels}]
    write_file(path, builder.to_bytes(document))


def _material(name: str, index: int) -> dict[str, Any]:
    color = [*_COLORS[index % len(_COLORS)], 1.0]
    return {
        "name": name,
        "pbrMetallicRoughness": {
            "baseColorFactor": color,
            "metallicFactor": 0.0,
            "roughnessFactor": 0.7,
        },
    }


def _n_bones(motion: Motion) -> int:
    return motion.skeleton.n_joints + len(motion.skeleton.end_parents)


def _unique(wanted: str, motion: Motion) -> str:
    while wanted in motion.skeleton.names:
        wanted += "_"
    return wanted


def _single(values: NDArray[np.float64], what: str) -> NDArray[np.float32]:
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    if not np.isfinite(single).all():
        raise InvalidInputError(
            f"glTF stores 32-bit floats, and some {what} are too large for them"
        )
    return single


def _bone_nodes(motion: Motion, rest: RestPose, first: int) -> list[dict[str, Any]]:
    """Nodes of the joints in order, then of the end sites; the first of them is node `first`."""
    _single(motion.skeleton.offsets, "joint offsets")
    rig = build_bone_rig(motion, rest)
    nodes: list[dict[str, Any]] = [
        {"name": name, "translation": place.tolist()}
        for name, place in zip(rig.names, rig.translations, strict=True)
    ]
    joints = motion.skeleton.n_joints
    for i, (node, offset) in enumerate(zip(nodes, rig.offsets, strict=True)):
        if i < joints:
            node["rotation"] = _xyzw(rig.rotations[i]).tolist()
            node["extras"] = {"offset": offset.tolist(), "frame": _xyzw(rig.frames[i]).tolist()}
        else:
            node["extras"] = {"end_site": True, "offset": offset.tolist()}
    for i, parent in enumerate(rig.parents.tolist()):
        if parent >= 0:
            nodes[parent].setdefault("children", []).append(first + i)
    return nodes


def _xyzw(quaternions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Unit quaternions (w, x, y, z) in the order of glTF; none above 1 by rounding."""
    return np.clip(quaternions[..., [1, 2, 3, 0]], -1.0, 1.0)


def _skin(
    motion: Motion, rest: RestPose, builder: GlbBuilder, name: str, first: int
) -> dict[str, Any]:
    """The skin: inverse bind matrices bring a point of the rest pose into each bone's frame."""
    owners = motion.skeleton.end_parents
    world = rot.multiply(rest.rotations, rest.bones)
    turns = rot.to_matrix(np.concatenate([world, world[owners]])).swapaxes(1, 2)
    at = np.concatenate([rest.positions, rest.ends])
    inverse = np.tile(np.eye(4), (len(at), 1, 1))
    inverse[:, :3, :3] = turns
    inverse[:, :3, 3] = -np.einsum("jab,jb->ja", turns, at)
    columns = _single(inverse.transpose(0, 2, 1), "joint offsets")  # glTF stores matrices by column
    return {
        "name": name,
        "skeleton": first,
        "joints": list(range(first, first + len(at))),
        "inverseBindMatrices": builder.add(columns, "MAT4"),
    }


def _primitive(
    motion: Motion, rest: RestPose, builder: GlbBuilder, material: int
) -> dict[str, Any]:
    mesh = build_bone_mesh(motion.skeleton, rest.positions, rest.ends)
    joints = np.zeros((len(mesh.joints), 4), np.uint16)
    joints[:, 0] = mesh.joints
    weights = np.zeros((len(mesh.joints), 4), np.float32)
    weights[:, 0] = 1.0
    attributes = {
        "POSITION": builder.add(_single(mesh.positions, "joint offsets"), "VEC3", ARRAY_BUFFER),
        "NORMAL": builder.add(mesh.normals.astype(np.float32), "VEC3", ARRAY_BUFFER),
        "JOINTS_0": builder.add(joints, "VEC4", ARRAY_BUFFER),
        "WEIGHTS_0": builder.add(weights, "VEC4", ARRAY_BUFFER),
    }
    return {"attributes": attributes, "material": material, "mode": 4}


def _add_times(motion: Motion, builder: GlbBuilder) -> int:
    """Accessor of the frames' times."""
    times = _single(motion.times, "frame times")
    if np.any(np.diff(times) <= 0):
        raise InvalidInputError(
            "glTF stores times as 32-bit floats, which cannot tell apart the last frames of"
            f" {motion.duration:g} s at {motion.fps:g} frames per second; cut the motion"
        )
    return builder.add(times, "SCALAR")


def _animate(
    motion: Motion,
    rest: RestPose,
    builder: GlbBuilder,
    first: int,
    at: int,
    channels: list[dict[str, Any]],
    samplers: list[dict[str, Any]],
) -> None:
    """Add channels and samplers of one motion, whose joints are the nodes from `first` on."""

    def animate(joint: int, path: str, values: NDArray[np.float64], kind: str) -> None:
        output = builder.add(_single(values, f"{path}s"), kind)
        channels.append({"sampler": len(samplers), "target": {"node": first + joint, "path": path}})
        samplers.append({"input": at, "output": output, "interpolation": "LINEAR"})

    for joint in motion.translated:
        animate(joint, "translation", moving_translations(motion, rest, joint), "VEC3")
    for joint in range(motion.skeleton.n_joints):
        animate(joint, "rotation", _xyzw(moving_rotations(motion, rest, joint)), "VEC4")
