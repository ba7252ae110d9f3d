"""USD files: our own writer of ``.usda`` with UsdSkel, and a reader by usd-core.

`extract` runs in a process of its own, see `motionloom.io.scenes._apart`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from motionloom import rotations as rot
from motionloom.errors import FormatError, InvalidInputError
from motionloom.io.files import read_bytes, write_file
from motionloom.io.limits import check_joints, check_name, check_poses
from motionloom.io.scenes._apart import read_usd as read_usd
from motionloom.io.scenes._nodes import free_name, unique_names
from motionloom.io.scenes._reading import (
    NOTES,
    FileScene,
    check_number,
    choose_times,
    nearest_frame_time,
    read_note,
    split_transforms,
)
from motionloom.io.scenes._writing import FileCharacter, WrittenScene, build_scene
from motionloom.io.units import axes_to_y_up
from motionloom.motion import Motion
from motionloom.skeleton import few
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


_SCHEMA = 'prepend apiSchemas = ["SkelBindingAPI"]'


def _prim(name: str, about: list[str], lines: list[str]) -> list[str]:
    head = [f"def {name} (", *_indent(about), ")"] if about else [f"def {name}"]
    return [*head, "{", *_indent(lines), "}"]


def _character(prim: str, body: FileCharacter) -> list[str]:
    place = f"/{prim}/Skeleton"
    about = [f"displayName = {_quote(body.title)}", _SCHEMA]
    return _prim(f'SkelRoot "{prim}"', about, [*_skeleton(place, body), *_mesh(place, body)])


def _skeleton(place: str, body: FileCharacter) -> list[str]:
    turn = rot.from_matrix(body.back)
    world = _matrices(rot.multiply(turn, body.world_rotations), body.world_positions)
    rest = _matrices(body.rotations, body.translations)
    joints = f"uniform token[] joints = {_list(map(_quote, _paths(body)))}"
    notes = f"    string {NOTES} = {_quote(json.dumps(body.notes))}"
    lines = [
        f"uniform matrix4d[] bindTransforms = {_list(world)}",
        joints,
        f"uniform token[] jointNames = {_list(map(_quote, body.names))}",
        f"uniform matrix4d[] restTransforms = {_list(rest)}",
        f"rel skel:animationSource = <{place}/Animation>",
        *_animation(body, joints),
    ]
    return _prim('Skeleton "Skeleton"', [_SCHEMA, "customData = {", notes, "}"], lines)


def _animation(body: FileCharacter, joints: str) -> list[str]:
    motion = body.motion
    rotations = np.repeat(body.rotations[None], motion.n_frames, axis=0)
    translations = np.repeat(body.translations[None], motion.n_frames, axis=0)
    for j in range(motion.skeleton.n_joints):
        rotations[:, j] = body.turning(j)
    for j in {0, *motion.translated}:
        translations[:, j] = body.moving(j)
    lines = [
        joints,
        *_over_time("quatf[] rotations", rotations, body.rotations),
        f"half3[] scales = {_list(['(1, 1, 1)'] * len(body.names))}",
        *_over_time("float3[] translations", translations, body.translations),
    ]
    return _prim('SkelAnimation "Animation"', [], lines)


def _over_time(what: str, values: Array, resting: Array) -> list[str]:
    """An attribute (T, N, K), or (N, K) where nothing of it changes."""
    if not len(values):
        return [f"{what} = {_rows(resting)}"]
    # Rotations change in any case, so that the file says how many frames there are.
    if "translations" in what and np.ptp(values, axis=0).max() == 0:
        return [f"{what} = {_rows(values[0])}"]
    samples = (f"    {i}: {_rows(frame)}," for i, frame in enumerate(values))
    return [f"{what}.timeSamples = {{", *samples, "}"]


def _mesh(skeleton: str, body: FileCharacter) -> list[str]:
    mesh = body.mesh
    corners = len(mesh.positions)
    point = '(elementSize = 1\n        interpolation = "vertex"\n    )'
    lines = [
        f"int[] faceVertexCounts = {_list([3] * (corners // 3))}",
        f"int[] faceVertexIndices = {_list(range(corners))}",
        f"point3f[] points = {_rows(mesh.positions)}",
        f"normal3f[] normals = {_rows(mesh.normals)} (",
        '    interpolation = "vertex"',
        ")",
        'uniform token subdivisionScheme = "none"',
        f"int[] primvars:skel:jointIndices = {_list(mesh.joints.tolist())} {point}",
        f"float[] primvars:skel:jointWeights = {_list([1] * corners)} {point}",
        f"rel skel:skeleton = <{skeleton}>",
    ]
    return _prim('Mesh "Mesh"', [_SCHEMA], lines)


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


def _indent(lines: Iterable[str]) -> list[str]:
    return ["    " + line for line in lines]


#: Time codes per second that make sense.
_SLOWEST, _FASTEST = 1.0, 10_000.0


def extract(path: str, number: int = 0) -> FileScene:
    """Joints of a skeleton of a USD file, the prims above it as one, and how they move.

    Parameters
    ----------
    path : str
        The file.
    number : int, optional
        Of the skeleton, the one with the most joints first.

    Returns
    -------
    FileScene
        In the file's unit and axes.

    Raises
    ------
    FormatError
        When it is no USD file, or holds no skeleton.
    ImportError
        When usd-core is not installed.
    """
    from pxr import Tf

    try:
        return _extract(path, number)
    except (Tf.ErrorException, UnicodeDecodeError, RuntimeError) as error:
        message = f"cannot be read as USD: {_reason(error)}; export it again"
        raise FormatError(message, path) from None


def _reason(error: Exception) -> str:
    """What USD says is wrong, in one line."""
    try:
        told = re.findall(r" : '(.+?)'\s", f"{error} ", re.DOTALL)
    except UnicodeDecodeError:  # it quotes the file
        told = []
    text = " ".join((told or ["it is damaged, or no USD layer"])[0].split())
    # Of its parser USD tells the C++ type of the rule that failed; the place is what helps.
    text = re.sub(r"parse error matching \S*pxr.*", "no USD from here on", text)
    return re.sub(r"^.*?:(\d+):(\d+): ", r"line \1, column \2: ", text)[:200]


def _extract(path: str, number: int) -> FileScene:
    from pxr import Sdf, Usd, UsdGeom

    size = len(read_bytes(path))
    layer = Sdf.Layer.FindOrOpen(path)
    if layer is None:
        raise FormatError("cannot be read as USD: it is damaged, or no USD layer", path)
    # A stranger's file opens no other one.
    others = sorted(layer.GetCompositionAssetDependencies())
    if others:
        told = f"refers to other files ({few(others, 2)}), which are not opened"
        raise FormatError(f"{told}; flatten it first with USD's own tool usdcat", path)
    stage = Usd.Stage.Open(layer)
    queries = _find_skeletons(stage, path)
    skeletons = unique_names([_name_of(query) for query in queries])
    check_number(skeletons, number, path)
    query = queries[number]
    skeleton = query.GetSkeleton()
    times, frame_time = _choose_times(stage, query, path)
    count = len(query.GetJointOrder())
    check_joints(count, path)
    check_poses(len(times), count, size, path)
    rate = stage.GetTimeCodesPerSecond()
    rest = np.array(query.ComputeJointLocalTransforms(Usd.TimeCode.Default(), True), float)
    at = [Usd.TimeCode(t * rate) for t in times.tolist()]
    moves = np.array([query.ComputeJointLocalTransforms(t) for t in at], float)
    above = UsdGeom.Xformable(skeleton.GetPrim())
    top = np.array(above.ComputeLocalToWorldTransform(Usd.TimeCode.Default()), float)
    tops = np.array([above.ComputeLocalToWorldTransform(t) for t in at], float)
    parents = [query.GetTopology().GetParent(i) for i in range(count)]
    _check_tree(parents, path)
    up = str(UsdGeom.GetStageUpAxis(stage)).lower()
    moving = np.concatenate([tops.reshape(-1, 1, 4, 4), moves.reshape(-1, count, 4, 4)], axis=1)
    resting = np.concatenate([top[None], rest.reshape(count, 4, 4)])
    moved = split_transforms(_transforms(moving, path))
    return FileScene(
        names=["", *_names(skeleton, query, path)],
        parents=[-1, *(p + 1 for p in parents)],
        bones=[False] + [True] * count,
        notes=[{}, *_notes(skeleton, count)],
        rest=split_transforms(_transforms(resting, path)),
        tracks={what: dict(enumerate(own.swapaxes(0, 1))) for what, own in moved.items()},
        axes=axes_to_y_up(up if up in ("x", "y", "z") else "y"),
        unit=float(UsdGeom.GetStageMetersPerUnit(stage)),
        n_frames=len(times),
        frame_time=frame_time,
        take=stage.GetRootLayer().documentation or "",
        skeletons=skeletons,
    )


def _find_skeletons(stage: Any, path: str) -> list[Any]:
    """Queries of the skeletons with joints, the one with the most first."""
    from pxr import Usd, UsdSkel

    cache = UsdSkel.Cache()
    prims = list(Usd.PrimRange(stage.GetPseudoRoot(), Usd.TraverseInstanceProxies()))
    for prim in prims:
        if prim.IsA(UsdSkel.Root):
            cache.Populate(UsdSkel.Root(prim), Usd.TraverseInstanceProxies())
    skeletons = [UsdSkel.Skeleton(prim) for prim in prims if prim.IsA(UsdSkel.Skeleton)]
    queries = map(cache.GetSkelQuery, skeletons)
    found = [query for query in queries if query and len(query.GetJointOrder())]
    if not found:
        message = "holds no UsdSkel skeleton with joints; export the armature with its animation"
        raise FormatError(message, path)
    return sorted(found, key=lambda q: -len(q.GetJointOrder()))


def _name_of(query: Any) -> str:
    """What a skeleton is called: its root prim's display name, or the name of its own prim."""
    from pxr import UsdSkel

    prim = query.GetSkeleton().GetPrim()
    root = UsdSkel.Root.Find(prim).GetPrim()
    return str((root and (root.GetDisplayName() or root.GetName())) or prim.GetName())


def _choose_times(stage: Any, query: Any, path: str) -> tuple[Array, float]:
    from pxr import UsdGeom

    rate = float(stage.GetTimeCodesPerSecond())
    rate = rate if _SLOWEST <= rate <= _FASTEST else 24.0
    codes = set()
    animation = query.GetAnimQuery()
    if animation:
        codes.update(animation.GetJointTransformTimeSamples())
    codes.update(UsdGeom.Xformable(query.GetSkeleton().GetPrim()).GetTimeSamples())
    if not codes:
        return np.zeros(0), nearest_frame_time(1 / rate)
    keys = np.array(sorted(codes)) / rate
    return choose_times(keys, float(keys[0]), float(keys[-1]), 1 / rate, path)


def _check_tree(parents: list[int], path: str) -> None:
    if parents[0] != -1 or any(not -1 <= p < i for i, p in enumerate(parents)):
        raise FormatError("has joints that stand before their parents", path)
    if parents.count(-1) > 1:
        message = "has a skeleton with several topmost joints; put one joint above them"
        raise FormatError(message, path)


def _names(skeleton: Any, query: Any, path: str) -> list[str]:
    paths = [str(token) for token in query.GetJointOrder()]
    told = skeleton.GetJointNamesAttr().Get()
    names = [str(n) for n in told] if told is not None and len(told) == len(paths) else paths
    names = [own.rsplit("/", 1)[-1] for own in paths] if names is paths else names
    for name in names:
        check_name(name, path)
    return names


def _notes(skeleton: Any, count: int) -> list[dict[str, Any]]:
    """What our writer noted of each joint; nothing where that does not fit."""
    text = skeleton.GetPrim().GetCustomDataByKey(NOTES)
    told = read_note(f'{{"joints": {text}}}').get("joints") if isinstance(text, str) else None
    if not isinstance(told, list) or len(told) != count:
        return [{}] * count
    return [one if isinstance(one, dict) else {} for one in told]


def _transforms(matrices: Array, path: str) -> Array:
    """Place, rotation (w x y z), scale (..., 10) of matrices (..., 4, 4) for row vectors."""
    if not np.isfinite(matrices).all() or np.abs(matrices).max(initial=0.0) > 1e9:
        raise FormatError("holds transforms that make no sense", path)
    axes = matrices[..., :3, :3]
    scales = np.linalg.norm(axes, axis=-1)
    if (scales <= 1e-9).any() or (np.linalg.det(axes) <= 0).any():
        odd = "holds transforms that mirror or have no extent"
        raise FormatError(f"{odd}; apply scales in the program that wrote the file", path)
    turns = rot.from_matrix((axes / scales[..., None]).swapaxes(-1, -2))
    return np.concatenate([matrices[..., 3, :3], turns, scales], axis=-1)
