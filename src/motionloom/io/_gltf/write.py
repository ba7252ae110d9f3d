"""Binary glTF (.glb): a motion as skeleton, animation and thin mesh; `gltf_read` reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.io._gltf.glb import ARRAY_BUFFER, GlbBuilder
from motionloom.io.files import write_file
from motionloom.io.scenes._nodes import free_name
from motionloom.io.scenes._writing import FileCharacter, WrittenScene, build_scene
from motionloom.motion import Motion
from motionloom.typing import Array, PathName, Singles

#: Linear red, green and blue of the first character's bones, the second's ...
_COLORS = [(0.55, 0.62, 0.72), (0.80, 0.40, 0.16), (0.24, 0.56, 0.32)]
_COLORS += [(0.55, 0.30, 0.62), (0.72, 0.62, 0.20)]
_ROUGH = {"metallicFactor": 0.0, "roughnessFactor": 0.7}


def write_glb(
    motions: Motion | Mapping[str, Motion],
    path: PathName,
    *,
    name: str | None = None,
    rest: str | None = None,
) -> None:
    """Write a motion, or those of several characters, as a GLB file (glTF 2.0).

    Every joint is a node with a rotation channel, the joints in ``motion.translated`` have a
    translation channel too, and end sites are leaf nodes. Metres, +Y up, +Z forward, as glTF wants
    and as motions are. A thin mesh is skinned to the joints, because Unreal and web viewers drop
    skeletons without one. Skin, mesh and animation have the motion's name. Each of several
    characters is a node of its own name with its skeleton below, and has a skin and a mesh of its
    own colour; one animation moves them all.

    Nodes have the axes of bones: +Y points to the next joint. How a joint's own frame lies in its
    node's, and its offset, are in the node's extras, so that reading gives the same skeleton and
    rotations again.

    Numbers are stored as 32-bit floats, as glTF asks. The exact frame time is kept besides, in the
    file's extras.

    Parameters
    ----------
    motions : Motion or mapping of str to Motion
        What to write: one, or by character, all with the same frame time and number of frames.
    path : path-like
        Where to write; a file that is there is replaced.
    name : str, optional
        Of the scene and its animation; otherwise the motion's, or ``"scene"``.
    rest : {"standing", "file", "first"}, optional
        The pose in which skeleton and mesh are bound: a T-pose, the pose of the skeleton without
        rotations, or the first frame. By default a T-pose where the body is a known human, else the
        file's own unless that is a heap of bones on a line, else the first frame.

    Raises
    ------
    InvalidInputError
        When there are no motions, their frames differ, values or times cannot be told apart, or
        held, as 32-bit floats, or the rest pose cannot be had.
    """
    write_file(path, _encode(build_scene(motions, name, rest=rest)))


def _encode(scene: WrittenScene) -> bytes:
    builder = GlbBuilder()
    roots: list[int] = []
    kinds = ("nodes", "meshes", "materials", "skins")
    lists: dict[str, list[dict[str, Any]]] = {kind: [] for kind in kinds}
    nodes = lists["nodes"]
    animation: dict[str, Any] = {"name": scene.name, "samplers": [], "channels": []}
    at = None
    for k, body in enumerate(scene.characters):
        skin, mesh, skeleton = _names(body)
        roots.append(len(nodes))
        # A character's node stands above its joints; the skin's own node stands beside it.
        if body.name:
            nodes.append({"name": body.name, "children": [len(nodes) + 1]})
        first = len(nodes)
        nodes += _bone_nodes(body, first)
        roots.append(len(nodes))
        nodes.append({"name": skin, "mesh": k, "skin": k})
        lists["meshes"].append({"name": mesh, "primitives": [_primitive(body, builder, k)]})
        color = {"baseColorFactor": [*_COLORS[k % len(_COLORS)], 1.0], **_ROUGH}
        lists["materials"].append({"name": mesh, "pbrMetallicRoughness": color})
        lists["skins"].append(_skin(body, builder, skeleton, first))
        if scene.first.n_frames:
            at = _add_times(scene.first, builder) if at is None else at
            _animate(body, builder, first, at, animation)
    motion = scene.first
    extras = {"frame_time": motion.frame_time, "frames": motion.n_frames}
    document: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": "motionloom", "extras": extras},
        "scene": 0,
        "scenes": [{"name": scene.name, "nodes": roots}],
        **lists,
    }
    if animation["channels"]:
        document["animations"] = [animation]
    return builder.to_bytes(document)


def _names(body: FileCharacter) -> tuple[str, str, str]:
    """Names of a body's skin, mesh and skeleton; those of nodes are no joint's."""
    if body.name:
        return f"{body.name}_skin", f"{body.name}_bones", body.name
    title = body.title
    joints = body.motion.skeleton.names
    return free_name(f"{title}_skin", joints), f"{title}_mesh", free_name(title, joints)


def _single(values: Array, what: str) -> Singles:
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    if not np.isfinite(single).all():
        message = f"glTF stores 32-bit floats, and some {what} are too large for them"
        raise InvalidInputError(message)
    return single


def _bone_nodes(body: FileCharacter, first: int) -> list[dict[str, Any]]:
    """Nodes of the joints in order, then of the end sites; the first of them is node `first`."""
    _single(body.motion.skeleton.offsets, "joint offsets")
    nodes: list[dict[str, Any]] = [
        {"name": name, "translation": place.tolist()}
        for name, place in zip(body.names, body.translations, strict=True)
    ]
    for node, turn, note in zip(nodes, body.rotations, body.notes, strict=True):
        if "frame" in note:
            node["rotation"] = _xyzw(turn).tolist()
            frame = _xyzw(np.asarray(note["frame"])).tolist()
            node["extras"] = {"offset": note["offset"], "frame": frame}
        else:
            node["extras"] = {"end_site": True, "offset": note["offset"]}
    for i, parent in enumerate(body.parents.tolist()):
        if parent >= 0:
            nodes[parent].setdefault("children", []).append(first + i)
    return nodes


def _xyzw(quaternions: Array) -> Array:
    """Unit quaternions (w, x, y, z) in the order of glTF; none above 1 by rounding."""
    return np.clip(quaternions[..., [1, 2, 3, 0]], -1.0, 1.0)


def _skin(body: FileCharacter, builder: GlbBuilder, name: str, first: int) -> dict[str, Any]:
    """The skin: inverse bind matrices bring a point of the rest pose into each bone's frame."""
    turns = rot.to_matrix(body.world_rotations).swapaxes(1, 2)
    inverse = np.tile(np.eye(4), (len(turns), 1, 1))
    inverse[:, :3, :3] = turns
    inverse[:, :3, 3] = -np.einsum("jab,jb->ja", turns, body.world_positions)
    columns = _single(inverse.transpose(0, 2, 1), "joint offsets")  # glTF stores matrices by column
    return {
        "name": name,
        "skeleton": first,
        "joints": list(range(first, first + len(turns))),
        "inverseBindMatrices": builder.add(columns, "MAT4"),
    }


def _primitive(body: FileCharacter, builder: GlbBuilder, material: int) -> dict[str, Any]:
    mesh = body.mesh
    first = np.eye(1, 4, dtype=np.uint16)  # each vertex hangs on one joint of four
    joints = first * mesh.joints[:, None].astype(np.uint16)
    weights = np.repeat(first.astype(np.float32), len(joints), axis=0)
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
    body: FileCharacter, builder: GlbBuilder, first: int, at: int, animation: dict[str, Any]
) -> None:
    """Add channels and samplers of one body, whose joints are the nodes from `first` on."""

    def animate(joint: int, path: str, values: Array, kind: str) -> None:
        output = builder.add(_single(values, f"{path}s"), kind)
        sampler = len(animation["samplers"])
        target = {"node": first + joint, "path": path}
        animation["channels"].append({"sampler": sampler, "target": target})
        animation["samplers"].append({"input": at, "output": output, "interpolation": "LINEAR"})

    for joint in body.motion.translated:
        animate(joint, "translation", body.moving(joint), "VEC3")
    for joint in range(body.motion.skeleton.n_joints):
        animate(joint, "rotation", _xyzw(body.turning(joint)), "VEC4")
