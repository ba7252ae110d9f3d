"""What usd-core reads of a USD file, as arrays. Runs in a process of its own, see `apart`."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from motionloom.errors import FormatError
from motionloom.io.files import read_bytes
from motionloom.io.limits import check_joints, check_name, check_poses
from motionloom.io.scenes._nodes import unique_names
from motionloom.io.scenes._reading import (
    NOTES,
    FileScene,
    check_number,
    choose_times,
    nearest_frame_time,
    read_note,
    split_transforms,
)
from motionloom.skeleton import few
from motionloom.typing import Array

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
        raise FormatError(
            f"cannot be read as USD: {_reason(error)}; export it again", path
        ) from None


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
    moving = np.concatenate([tops.reshape(-1, 1, 4, 4), moves.reshape(-1, count, 4, 4)], axis=1)
    resting = np.concatenate([top[None], rest.reshape(count, 4, 4)])
    return FileScene(
        names=["", *_names(skeleton, query, path)],
        parents=[-1, *(p + 1 for p in parents)],
        bones=[False] + [True] * count,
        notes=[{}, *_notes(skeleton, count)],
        rest=split_transforms(_transforms(resting, path)),
        tracks={
            what: dict(enumerate(values.swapaxes(0, 1)))
            for what, values in split_transforms(_transforms(moving, path)).items()
        },
        axes=_axes(str(UsdGeom.GetStageUpAxis(stage))),
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
        raise FormatError(
            "holds no UsdSkel skeleton with joints; export the armature with its animation", path
        )
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
        raise FormatError(
            "has a skeleton with several topmost joints; put one joint above them", path
        )


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
    from motionloom import rotations as rot

    if not np.isfinite(matrices).all() or np.abs(matrices).max(initial=0.0) > 1e9:
        raise FormatError("holds transforms that make no sense", path)
    axes = matrices[..., :3, :3]
    scales = np.linalg.norm(axes, axis=-1)
    if (scales <= 1e-9).any() or (np.linalg.det(axes) <= 0).any():
        odd = "holds transforms that mirror or have no extent"
        raise FormatError(f"{odd}; apply scales in the program that wrote the file", path)
    turns = rot.from_matrix((axes / scales[..., None]).swapaxes(-1, -2))
    return np.concatenate([matrices[..., 3, :3], turns, scales], axis=-1)


def _axes(up: str) -> Array:
    from motionloom.io.units import axes_to_y_up

    return axes_to_y_up(up.lower() if up.lower() in ("x", "y", "z") else "y")
