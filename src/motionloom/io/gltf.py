"""Binary glTF files (.glb): a motion written as skeleton, animation and a thin skin mesh; reading is in `gltf_read`."""

from __future__ import annotations

from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import InvalidInputError
from motionloom.io.bone_mesh import build_bone_mesh, rest_positions
from motionloom.io.files import write_file
from motionloom.io.glb import ARRAY_BUFFER, GlbBuilder
from motionloom.io.gltf_read import read_glb
from motionloom.motion import Motion

__all__ = ["read_glb", "write_glb"]

_MATERIAL = {
    "name": "bones",
    "pbrMetallicRoughness": {"baseColorFactor": [0.55, 0.62, 0.72, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.7},
}


def write_glb(motion: Motion, path: str | PathLike[str]) -> None:
    """Write a motion as a GLB file (glTF 2.0).

    Every joint is a node with a rotation channel, the joints in ``motion.translated`` have a translation channel
    too, and end sites are leaf nodes. Metres, +Y up, +Z forward, as glTF wants and as motions are. A thin mesh is
    skinned to the joints, because Unreal and web viewers drop skeletons without one.

    Numbers are stored as 32-bit floats, as glTF asks. The exact frame time is kept besides, in the file's extras.

    Raises
    ------
    InvalidInputError
        When values or times cannot be told apart, or held, as 32-bit floats.
    """
    builder = GlbBuilder()
    name = motion.name or "motion"
    document: dict[str, Any] = {
        "asset": {
            "version": "2.0",
            "generator": "motionloom",
            "extras": {"frame_time": motion.frame_time, "frames": motion.n_frames},
        },
        "scene": 0,
        "scenes": [{"name": name, "nodes": [0, _n_bones(motion)]}],
        "nodes": [*_bone_nodes(motion), {"name": _unique("skin", motion), "mesh": 0, "skin": 0}],
        "meshes": [{"name": "bones", "primitives": [_primitive(motion, builder)]}],
        "materials": [_MATERIAL],
        "skins": [_skin(motion, builder)],
    }
    if motion.n_frames:
        document["animations"] = [{"name": name, **_animation(motion, builder)}]
    write_file(path, builder.to_bytes(document))


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
        raise InvalidInputError(f"glTF stores 32-bit floats, and some {what} are too large for them")
    return single


def _bone_nodes(motion: Motion) -> list[dict[str, Any]]:
    """Nodes of the joints in order, then of the end sites."""
    skeleton = motion.skeleton
    _single(skeleton.offsets, "joint offsets")
    nodes: list[dict[str, Any]] = [
        {"name": name, "translation": offset}
        for name, offset in zip(skeleton.names, skeleton.offsets.tolist(), strict=True)
    ]
    children = [list(c) for c in skeleton.children]
    taken = set(skeleton.names)
    for parent, offset in zip(skeleton.end_parents, skeleton.end_offsets.tolist(), strict=True):
        name = f"{skeleton.names[parent]}_end"
        while name in taken:
            name += "_"
        taken.add(name)
        children[parent].append(len(nodes))
        nodes.append({"name": name, "translation": offset, "extras": {"end_site": True}})
    for node, below in zip(nodes, children, strict=False):
        if below:
            node["children"] = below
    return nodes


def _skin(motion: Motion, builder: GlbBuilder) -> dict[str, Any]:
    """The skin: at rest a joint has the world's axes, so its inverse bind matrix only moves it to the origin."""
    skeleton = motion.skeleton
    at = rest_positions(skeleton)
    at = np.concatenate([at, at[skeleton.end_parents] + skeleton.end_offsets])
    inverse = np.tile(np.eye(4), (len(at), 1, 1))
    inverse[:, :3, 3] = -at
    columns = _single(inverse.transpose(0, 2, 1), "joint offsets")  # glTF stores matrices by column
    return {
        "name": "skeleton",
        "skeleton": 0,
        "joints": list(range(len(at))),
        "inverseBindMatrices": builder.add(columns, "MAT4"),
    }


def _primitive(motion: Motion, builder: GlbBuilder) -> dict[str, Any]:
    mesh = build_bone_mesh(motion.skeleton)
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
    return {"attributes": attributes, "material": 0, "mode": 4}


def _animation(motion: Motion, builder: GlbBuilder) -> dict[str, Any]:
    times = _single(motion.times, "frame times")
    if np.any(np.diff(times) <= 0):
        raise InvalidInputError(
            f"glTF stores times as 32-bit floats, which cannot tell apart the last frames of {motion.duration:g} s "
            f"at {motion.fps:g} frames per second; cut the motion"
        )
    at = builder.add(times, "SCALAR")
    samplers: list[dict[str, Any]] = []
    channels: list[dict[str, Any]] = []

    def animate(joint: int, path: str, values: NDArray[np.float64], kind: str) -> None:
        output = builder.add(_single(values, f"{path}s"), kind)
        channels.append({"sampler": len(samplers), "target": {"node": joint, "path": path}})
        samplers.append({"input": at, "output": output, "interpolation": "LINEAR"})

    for k, joint in enumerate(motion.translated):
        animate(joint, "translation", motion.translations[:, k], "VEC3")
    for joint in range(motion.skeleton.n_joints):
        animate(joint, "rotation", motion.rotations[:, joint][:, [1, 2, 3, 0]], "VEC4")  # glTF: x y z w
    return {"samplers": samplers, "channels": channels}
