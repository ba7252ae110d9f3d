"""Write motions as ``.usda``: UsdSkel skeletons, animations and thin skinned meshes, as text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from os import PathLike

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.io.file_style import FileStyle, file_style
from motionloom.io.files import write_file
from motionloom.io.scenes.bone_mesh import build_bone_mesh
from motionloom.io.scenes.bone_rig import (
    BoneRig,
    build_bone_rig,
    check_together,
    moving_rotations,
    moving_translations,
    notes_of_node,
)
from motionloom.io.scenes.rest_pose import RestPose, find_rest_pose
from motionloom.io.scenes.scene_arrays import NOTES
from motionloom.motion import Motion

Array = NDArray[np.float64]

#: Unit of files where none is asked for, metres.
_UNIT = 1.0


def write_usda(
    motion: Motion,
    path: str | PathLike[str],
    *,
    unit: float | str | None = None,
    up: str | None = None,
    rest: str | None = None,
) -> None:
    """Write a motion as a USD text file with a UsdSkel skeleton.

    Joints are those of the motion and its end sites, with +Y to the next joint, as in glTF and FBX
    files. Joint paths are plain identifiers; the names as they are stand in ``jointNames``. Numbers
    of the animation are 32-bit floats, as UsdSkel has them.

    Parameters
    ----------
    motion : Motion
        What to write.
    path : path-like
        Where to write; a file that is there is replaced.
    unit : float or str, metres, optional
        Length of the file's unit, which it declares; otherwise a metre.
    up : {"y", "z"}, optional
        The file's up axis, which it declares; otherwise Y.
    rest : {"standing", "file", "first"}, optional
        The pose in which skeleton and mesh are bound, as of `write_glb`.

    Raises
    ------
    InvalidInputError
        When the rest pose cannot be had, an option cannot be used or the file cannot be written.
    """
    if up == "x":
        raise InvalidInputError("USD files have Y or Z up, not X; choose one of them")
    style = file_style(unit, up, rest, usual=_UNIT)
    _write({motion.name or "motion": motion}, path, style)


def write_scene_usda(
    motions: Mapping[str, Motion],
    path: str | PathLike[str],
    name: str = "scene",
    *,
    rest: str | None = None,
) -> None:
    """Write motions of several characters as one USD text file.

    Parameters
    ----------
    motions : mapping of str to Motion
        By character; all with the same frame time and number of frames.
    path : path-like
        Where to write; a file that is there is replaced.
    name : str
        Of the scene, which the file notes.
    rest : {"standing", "file", "first"}, optional
        As of `write_usda`.

    Raises
    ------
    InvalidInputError
        When there are no motions, their frames differ, or as of `write_usda`.
    """
    check_together(motions)
    _write(motions, path, file_style(None, None, rest, usual=_UNIT), name)


def _write(
    motions: Mapping[str, Motion], path: str | PathLike[str], style: FileStyle, name: str = ""
) -> None:
    first = next(iter(motions.values()))
    prims = _identifiers(motions)
    lines = [
        "#usda 1.0",
        "(",
        f'    defaultPrim = "{prims[0]}"',
        f"    metersPerUnit = {style.unit!r}",
        f'    upAxis = "{"Z" if style.back[2, 1] else "Y"}"',
        "    startTimeCode = 0",
        f"    endTimeCode = {max(first.n_frames - 1, 0)}",
        f"    timeCodesPerSecond = {first.fps!r}",
        f"    framesPerSecond = {first.fps!r}",
        f"    doc = {_quote(name or first.name)}",
        ")",
    ]
    for prim, (character, motion) in zip(prims, motions.items(), strict=True):
        lines += ["", *_character(prim, character, motion, style)]
    write_file(path, "\n".join(lines) + "\n")


def _character(prim: str, name: str, motion: Motion, style: FileStyle) -> list[str]:
    rest = find_rest_pose(motion, style.rest)
    rig = build_bone_rig(motion, rest)
    notes = [notes_of_node(motion, rig, i) for i in range(len(rig.names))]
    paths = _paths(rig)
    skeleton = f"/{prim}/Skeleton"
    schema = '    prepend apiSchemas = ["SkelBindingAPI"]'
    inner = [
        f'def SkelRoot "{prim}" (',
        f"    displayName = {_quote(name)}",
        schema,
        ")",
        "{",
        *_indent(_skeleton(skeleton, paths, rig, notes, style)),
        *_indent(_mesh(skeleton, motion, rig, style)),
        "}",
    ]
    at = inner.index("    }")
    inner[at:at] = _indent(_animation(motion, rest, rig, paths, style), 2)
    return inner


def _skeleton(
    place: str, paths: list[str], rig: BoneRig, notes: list[dict[str, object]], style: FileStyle
) -> list[str]:
    world = _matrices(
        rot.multiply(style.turn, rig.world_rotations),
        rig.world_positions @ style.back.T / style.unit,
    )
    turns, places = _local(rig, style)
    return [
        'def Skeleton "Skeleton" (',
        '    prepend apiSchemas = ["SkelBindingAPI"]',
        "    customData = {",
        f"        string {NOTES} = {_quote(json.dumps(notes))}",
        "    }",
        ")",
        "{",
        f"    uniform matrix4d[] bindTransforms = {_list(world)}",
        f"    uniform token[] joints = {_list(map(_quote, paths))}",
        f"    uniform token[] jointNames = {_list(map(_quote, rig.names))}",
        f"    uniform matrix4d[] restTransforms = {_list(_matrices(turns, places))}",
        f"    rel skel:animationSource = <{place}/Animation>",
        "}",
    ]


def _local(rig: BoneRig, style: FileStyle) -> tuple[Array, Array]:
    """Rotations (N, 4) and places (N, 3) at rest in the parents, in the file's unit and axes."""
    turns = rig.rotations.copy()
    places = rig.translations / style.unit
    turns[0] = rot.multiply(style.turn, turns[0])
    places[0] = style.back @ places[0]
    return turns, places


def _animation(
    motion: Motion, rest: RestPose, rig: BoneRig, paths: list[str], style: FileStyle
) -> list[str]:
    turns, places = _local(rig, style)
    rotations = np.repeat(turns[None], motion.n_frames, axis=0)
    translations = np.repeat(places[None], motion.n_frames, axis=0)
    for j in range(motion.skeleton.n_joints):
        rotations[:, j] = moving_rotations(motion, rest, j)
    for j in {0, *motion.translated}:
        translations[:, j] = moving_translations(motion, rest, j) / style.unit
    rotations[:, 0] = rot.multiply(style.turn, rotations[:, 0])
    translations[:, 0] = translations[:, 0] @ style.back.T
    return [
        'def SkelAnimation "Animation"',
        "{",
        f"    uniform token[] joints = {_list(map(_quote, paths))}",
        *_over_time("quatf[] rotations", rotations, turns),
        f"    half3[] scales = {_list(['(1, 1, 1)'] * len(paths))}",
        *_over_time("float3[] translations", translations, places),
        "}",
    ]


def _over_time(what: str, values: Array, resting: Array) -> list[str]:
    """An attribute (T, N, K), or (N, K) where nothing of it changes."""
    if not len(values):
        return [f"    {what} = {_rows(resting)}"]
    # Rotations change in any case, so that the file says how many frames there are.
    if "translations" in what and np.ptp(values, axis=0).max() == 0:
        return [f"    {what} = {_rows(values[0])}"]
    return [f"    {what}.timeSamples = {{", *_samples(values), "    }"]


def _mesh(skeleton: str, motion: Motion, rig: BoneRig, style: FileStyle) -> list[str]:
    joints = motion.skeleton.n_joints
    at = rig.world_positions
    mesh = build_bone_mesh(motion.skeleton, at[:joints], at[joints:])
    corners = len(mesh.positions)
    point = '(elementSize = 1\n        interpolation = "vertex"\n    )'
    return [
        'def Mesh "Mesh" (',
        '    prepend apiSchemas = ["SkelBindingAPI"]',
        ")",
        "{",
        f"    int[] faceVertexCounts = {_list([3] * (corners // 3))}",
        f"    int[] faceVertexIndices = {_list(range(corners))}",
        f"    point3f[] points = {_rows(mesh.positions @ style.back.T / style.unit)}",
        f"    normal3f[] normals = {_rows(mesh.normals @ style.back.T)} (",
        '        interpolation = "vertex"',
        "    )",
        '    uniform token subdivisionScheme = "none"',
        f"    int[] primvars:skel:jointIndices = {_list(mesh.joints.tolist())} {point}",
        f"    float[] primvars:skel:jointWeights = {_list([1] * corners)} {point}",
        f"    rel skel:skeleton = <{skeleton}>",
        "}",
    ]


def _samples(values: Array) -> list[str]:
    """One line per frame of (T, N, K) numbers."""
    frames, count, width = values.shape
    one = "(" + ", ".join(["%.9g"] * width) + ")"
    line = "        %d: [" + ", ".join([one] * count) + "],"
    rows = values.reshape(frames, -1).tolist()
    return [line % (i, *row) for i, row in enumerate(rows)]


def _rows(values: Array) -> str:
    one = "(" + ", ".join(["%.9g"] * values.shape[1]) + ")"
    return _list(one % tuple(row) for row in values.tolist())


def _matrices(turns: Array, places: Array) -> list[str]:
    """Matrices of USD, which multiply row vectors."""
    matrices = np.zeros((len(turns), 4, 4))
    matrices[:, :3, :3] = rot.to_matrix(turns).swapaxes(1, 2)
    matrices[:, 3, :3] = places
    matrices[:, 3, 3] = 1.0
    rows = "(" + ", ".join(["(%.17g, %.17g, %.17g, %.17g)"] * 4) + ")"
    return [rows % tuple(matrix.ravel().tolist()) for matrix in matrices]


def _list(items: Iterable[object]) -> str:
    return "[" + ", ".join(map(str, items)) + "]"


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else " " for c in escaped) + '"'


def _identifiers(names: Iterable[str]) -> list[str]:
    """Plain identifiers for names, all different."""
    taken: list[str] = []
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9_]", "_", name) or "_"
        plain = f"_{plain}" if plain[0].isdigit() else plain
        while plain in taken:
            plain += "_"
        taken.append(plain)
    return taken


def _paths(rig: BoneRig) -> list[str]:
    paths: list[str] = []
    for own, parent in zip(_identifiers(rig.names), rig.parents.tolist(), strict=True):
        paths.append(f"{paths[parent]}/{own}" if parent >= 0 else own)
    return paths


def _indent(lines: Iterable[str], steps: int = 1) -> list[str]:
    return ["    " * steps + line for line in lines]
