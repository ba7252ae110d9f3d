"""Write motions as ``.usda``: UsdSkel skeletons, animations and thin skinned meshes, as text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

import numpy as np

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.io.files import write_file
from motionloom.io.scenes._nodes import free_name
from motionloom.io.scenes._reading import NOTES
from motionloom.io.scenes._writing import FileCharacter, WrittenScene, build_scene
from motionloom.motion import Motion
from motionloom.typing import Array, PathName


def write_usda(
    motions: Motion | Mapping[str, Motion],
    path: PathName,
    *,
    name: str | None = None,
    unit: float | str | None = None,
    up: str | None = None,
    rest: str | None = None,
) -> None:
    """Write a motion, or those of several characters, as a USD text file with UsdSkel skeletons.

    Joints are those of the motion and its end sites, with +Y to the next joint, as in glTF and FBX
    files. Joint paths are plain identifiers; the names as they are stand in ``jointNames``. Numbers
    of the animation are 32-bit floats, as UsdSkel has them.

    Parameters
    ----------
    motions : Motion or mapping of str to Motion
        What to write: one, or by character, all with the same frame time and number of frames.
    path : path-like
        Where to write; a file that is there is replaced.
    name : str, optional
        Of the scene, which the file notes; otherwise the motion's, or ``"scene"``.
    unit : float or str, metres, optional
        Length of the file's unit, which it declares; otherwise a metre.
    up : {"y", "z"}, optional
        The file's up axis, which it declares; otherwise Y.
    rest : {"standing", "file", "first"}, optional
        The pose in which skeleton and mesh are bound, as of `write_glb`.

    Raises
    ------
    InvalidInputError
        When there are no motions, their frames differ, the rest pose cannot be had, an option
        cannot be used or the file cannot be written.
    """
    if up == "x":
        raise InvalidInputError("USD files have Y or Z up, not X; choose one of them")
    metres = 1.0 if unit is None else unit
    write_file(path, _encode(build_scene(motions, name, unit=metres, up=up, rest=rest)))


def _encode(scene: WrittenScene) -> str:
    motion = scene.first
    bodies = scene.characters
    prims = _identifiers(body.title for body in bodies)
    lines = [
        "#usda 1.0",
        "(",
        f'    defaultPrim = "{prims[0]}"',
        f"    metersPerUnit = {scene.unit!r}",
        f'    upAxis = "{"Z" if scene.back[2, 1] else "Y"}"',
        "    startTimeCode = 0",
        f"    endTimeCode = {max(motion.n_frames - 1, 0)}",
        f"    timeCodesPerSecond = {motion.fps!r}",
        f"    framesPerSecond = {motion.fps!r}",
        f"    doc = {_quote(scene.name if bodies[0].name else motion.name)}",
        ")",
    ]
    for prim, body in zip(prims, bodies, strict=True):
        lines += ["", *_character(prim, body)]
    return "\n".join(lines) + "\n"


def _character(prim: str, body: FileCharacter) -> list[str]:
    paths = _paths(body)
    skeleton = f"/{prim}/Skeleton"
    schema = '    prepend apiSchemas = ["SkelBindingAPI"]'
    return [
        f'def SkelRoot "{prim}" (',
        f"    displayName = {_quote(body.title)}",
        schema,
        ")",
        "{",
        *_indent(_skeleton(skeleton, paths, body)[:-1]),
        *_indent(_animation(body, paths), 2),
        "    }",
        *_indent(_mesh(skeleton, body)),
        "}",
    ]


def _skeleton(place: str, paths: list[str], body: FileCharacter) -> list[str]:
    turn = rot.from_matrix(body.back)
    world = _matrices(rot.multiply(turn, body.world_rotations), body.world_positions)
    return [
        'def Skeleton "Skeleton" (',
        '    prepend apiSchemas = ["SkelBindingAPI"]',
        "    customData = {",
        f"        string {NOTES} = {_quote(json.dumps(body.notes))}",
        "    }",
        ")",
        "{",
        f"    uniform matrix4d[] bindTransforms = {_list(world)}",
        f"    uniform token[] joints = {_list(map(_quote, paths))}",
        f"    uniform token[] jointNames = {_list(map(_quote, body.names))}",
        "    uniform matrix4d[] restTransforms ="
        f" {_list(_matrices(body.rotations, body.translations))}",
        f"    rel skel:animationSource = <{place}/Animation>",
        "}",
    ]


def _animation(body: FileCharacter, paths: list[str]) -> list[str]:
    motion = body.motion
    rotations = np.repeat(body.rotations[None], motion.n_frames, axis=0)
    translations = np.repeat(body.translations[None], motion.n_frames, axis=0)
    for j in range(motion.skeleton.n_joints):
        rotations[:, j] = body.turning(j)
    for j in {0, *motion.translated}:
        translations[:, j] = body.moving(j)
    return [
        'def SkelAnimation "Animation"',
        "{",
        f"    uniform token[] joints = {_list(map(_quote, paths))}",
        *_over_time("quatf[] rotations", rotations, body.rotations),
        f"    half3[] scales = {_list(['(1, 1, 1)'] * len(paths))}",
        *_over_time("float3[] translations", translations, body.translations),
        "}",
    ]


def _over_time(what: str, values: Array, resting: Array) -> list[str]:
    """An attribute (T, N, K), or (N, K) where nothing of it changes."""
    if not len(values):
        return [f"    {what} = {_rows(resting)}"]
    # Rotations change in any case, so that the file says how many frames there are.
    if "translations" in what and np.ptp(values, axis=0).max() == 0:
        return [f"    {what} = {_rows(values[0])}"]
    samples = (f"        {i}: {_rows(frame)}," for i, frame in enumerate(values))
    return [f"    {what}.timeSamples = {{", *samples, "    }"]


def _mesh(skeleton: str, body: FileCharacter) -> list[str]:
    mesh = body.mesh
    corners = len(mesh.positions)
    point = '(elementSize = 1\n        interpolation = "vertex"\n    )'
    return [
        'def Mesh "Mesh" (',
        '    prepend apiSchemas = ["SkelBindingAPI"]',
        ")",
        "{",
        f"    int[] faceVertexCounts = {_list([3] * (corners // 3))}",
        f"    int[] faceVertexIndices = {_list(range(corners))}",
        f"    point3f[] points = {_rows(mesh.positions)}",
        f"    normal3f[] normals = {_rows(mesh.normals)} (",
        '        interpolation = "vertex"',
        "    )",
        '    uniform token subdivisionScheme = "none"',
        f"    int[] primvars:skel:jointIndices = {_list(mesh.joints.tolist())} {point}",
        f"    float[] primvars:skel:jointWeights = {_list([1] * corners)} {point}",
        f"    rel skel:skeleton = <{skeleton}>",
        "}",
    ]


def _rows(values: Array) -> str:
    one = "(" + ", ".join(["%.9g"] * values.shape[1]) + ")"
    return _list(one % tuple(row) for row in values.tolist())


def _matrices(turns: Array, places: Array) -> list[str]:
    """Matrices of USD, which multiply row vectors."""
    matrices = np.tile(np.eye(4), (len(turns), 1, 1))
    matrices[:, :3, :3] = rot.to_matrix(turns).swapaxes(1, 2)
    matrices[:, 3, :3] = places
    rows = "(" + ", ".join(["(%.17g, %.17g, %.17g, %.17g)"] * 4) + ")"
    return [rows % tuple(matrix.ravel().tolist()) for matrix in matrices]


def _list(items: Iterable[object]) -> str:
    return "[" + ", ".join(map(str, items)) + "]"


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else " " for c in escaped) + '"'


def _identifiers(names: Iterable[str]) -> list[str]:
    """Plain identifiers for names, all different."""
    taken: dict[str, None] = {}
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9_]", "_", name) or "_"
        plain = f"_{plain}" if plain[0].isdigit() else plain
        taken[free_name(plain, taken)] = None
    return list(taken)


def _paths(body: FileCharacter) -> list[str]:
    paths: list[str] = []
    for own, parent in zip(_identifiers(body.names), body.parents.tolist(), strict=True):
        paths.append(f"{paths[parent]}/{own}" if parent >= 0 else own)
    return paths


def _indent(lines: Iterable[str], steps: int = 1) -> list[str]:
    return ["    " * steps + line for line in lines]
